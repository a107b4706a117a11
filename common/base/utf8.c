#include "base/utf8.h"

size_t base_utf8_character(const char *s, unsigned *code)
{
    static const struct {
        unsigned char mask, lead; /* of the first byte */
        unsigned least;           /* a shorter form would do for less */
    } form[] = {{0x80, 0x00, 0},
                {0xe0, 0xc0, 0x80},
                {0xf0, 0xe0, 0x800},
                {0xf8, 0xf0, 0x10000}};
    const unsigned char *const byte = (const unsigned char *)s;

    for (size_t i = 0; i < 4; i++) {
        if ((byte[0] & form[i].mask) != form[i].lead)
            continue;
        *code = byte[0] & (unsigned char)~form[i].mask;
        for (size_t k = 1; k <= i; k++) {
            if ((byte[k] & 0xc0) != 0x80)
                return 0; /* the end of the text as well */
            *code = *code << 6 | (byte[k] & 0x3f);
        }
        if (*code < form[i].least || *code > 0x10ffff ||
            (*code >= 0xd800 && *code < 0xe000))
            return 0;
        return i + 1;
    }
    return 0;
}
