#define _POSIX_C_SOURCE 200809L
#include "base/format.h"

#include "base/refuse.h"

#include <ctype.h>
#include <string.h>

enum {
    MOST = 16, /* arguments */
    DIGITS = 3 /* of a width */
};

/* Reads what stands behind a %. Returns 1 if it asks for an argument. */
static int read_argument(const char *p, struct base_argument *argument)
{
    size_t length = 0;

    if (isdigit((unsigned char)*p) && p[1] == '$') {
        argument->has_number = 1;
        argument->number = *p - '0';
        p += 2;
    }
    for (; *p != '\0' && strchr("0123456789.+-'# *", *p) != NULL; p++) {
        argument->is_wide |= strspn(p, "0123456789") > DIGITS;
        if (*p == '*' && length < 2)
            argument->type[length++] = *p;
    }
    while (*p != '\0' && strchr("lzhjt", *p) != NULL && length < 6)
        argument->type[length++] = *p++;
    if (*p == '\0' || strchr("diouxXeEfFgGaAcspn", *p) == NULL)
        return 0;
    argument->type[length] = *p;
    argument->end = p + 1;
    return 1;
}

int base_format_next(const char *format, int last,
                     struct base_argument *argument)
{
    const char *p = format;

    for (; (p = strchr(p, '%')) != NULL; p += 1 + (p[1] == '%')) {
        *argument = (struct base_argument){.begin = p, .number = last + 1};
        if (p[1] != '%' && read_argument(p + 1, argument))
            return 1;
    }
    return 0;
}

/* One of the other format, where the English one has these types. */
static int is_right(const struct base_argument *a, char types[MOST][8],
                    char *why, size_t size)
{
    if (a->number < 1 || a->number >= MOST ||
        strcmp(types[a->number], a->type) != 0) {
        return base_refuse(why, size,
                           "argument %d is %%%s here, and not in English",
                           a->number, a->type);
    }
    if (a->is_wide)
        return base_refuse(why, size, "argument %d is too wide", a->number);
    return a->has_number && a->type[0] == '*'
               ? base_refuse(why, size, "a * goes with no number")
               : 0;
}

int base_format_same(const char *english, const char *other, char *why,
                     size_t size)
{
    char types[MOST][8] = {""};
    struct base_argument a = {.number = 0};
    unsigned missing = 0, with_number = 0, without = 0;

    for (int last = 0; base_format_next(english, last, &a); last = a.number) {
        english = a.end;
        if (a.number < MOST) {
            memcpy(types[a.number], a.type, sizeof a.type);
            missing |= 1U << a.number;
        }
    }
    for (int last = 0; base_format_next(other, last, &a); last = a.number) {
        other = a.end;
        if (is_right(&a, types, why, size) != 0)
            return -1;
        missing &= ~(1U << a.number);
        with_number |= a.has_number != 0;
        without |= !a.has_number;
    }
    if (with_number && without)
        return base_refuse(why, size, "all arguments have numbers, or none");
    return missing == 0 ? 0
                        : base_refuse(why, size,
                                      "an argument is not here: %%N$.0s of a "
                                      "text prints none");
}
