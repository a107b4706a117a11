/* utf8.h: which character stands here? */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* How many bytes the character at s takes, with its number in *code; 0 if these
   bytes are no UTF-8 (RFC 3629). s ends with a NUL, which is a character. */
size_t base_utf8_character(const char *s, unsigned *code);

#endif /* BASE_UTF8_H */
