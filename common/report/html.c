#define _POSIX_C_SOURCE 200809L
#include "html.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* How many bytes the character at s takes; 0 if it is none. */
static size_t character(const unsigned char *s)
{
    static const struct {
        unsigned char mask, lead; /* of the first byte */
        unsigned least;           /* a shorter form would do for less */
    } form[] = {{0x80, 0x00, 0},
                {0xe0, 0xc0, 0x80},
                {0xf0, 0xe0, 0x800},
                {0xf8, 0xf0, 0x10000}};

    for (size_t i = 0; i < 4; i++) {
        unsigned code = s[0] & ~form[i].mask;

        if ((s[0] & form[i].mask) != form[i].lead)
            continue;
        for (size_t k = 1; k <= i; k++) {
            if ((s[k] & 0xc0) != 0x80)
                return 0; /* the end of the text as well */
            code = code << 6 | (s[k] & 0x3f);
        }
        /* XML 1.0, section 2.2; the C1 controls are an error in HTML. */
        if (code < form[i].least || code > 0x10ffff ||
            (code < 0x20 && code != '\t' && code != '\n') ||
            (code >= 0x7f && code < 0xa0) ||
            (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe)
            return 0;
        return i + 1;
    }
    return 0;
}

void html_text(FILE *to, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    while (*s != '\0') {
        const size_t length = character(s);

        if (length == 0) {
            fputs("\xef\xbf\xbd", to); /* U+FFFD */
            s++;
            continue;
        }
        switch (*s) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        case '\'':
            fputs("&#39;", to);
            break;
        default:
            fwrite(s, 1, length, to);
        }
        s += length;
    }
}

long html_bad_byte(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    long at = 0;

    while (s[at] != '\0') {
        const size_t length = character(s + at);

        if (length == 0)
            return at;
        at += (long)length;
    }
    return -1;
}

void html_print(FILE *to, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            fputc(*format, to);
            continue;
        }
        format++;
        assert(*format == 's' || *format == 'd' || *format == '%');
        if (*format == 's') {
            html_text(to, va_arg(values, const char *));
        } else if (*format == 'd') {
            fprintf(to, "%d", va_arg(values, int));
        } else {
            fputc('%', to);
        }
    }
    va_end(values);
}

int html_base64(FILE *to, const char *path, char *why, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789+/";
    FILE *file = fopen(path, "rbe");
    unsigned char b[3];
    size_t got;
    int failed;

    if (file == NULL) {
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
        return -1;
    }
    do {
        memset(b, 0, sizeof b);
        got = fread(b, 1, sizeof b, file);
        if (got > 0) {
            fputc(digit[b[0] >> 2], to);
            fputc(digit[(b[0] & 3) << 4 | b[1] >> 4], to);
            fputc(got > 1 ? digit[(b[1] & 15) << 2 | b[2] >> 6] : '=', to);
            fputc(got > 2 ? digit[b[2] & 63] : '=', to);
        }
    } while (got == sizeof b);
    failed = ferror(file);
    if (failed)
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return failed ? -1 : 0;
}
