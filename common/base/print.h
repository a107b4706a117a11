/*
 * print.h: how is a text written into a table that another program reads?
 *
 * As printf does it, but what a %s stands for can do no harm there: it is a
 * cell or a text, and nothing else. Errors are those of the FILE.
 */
#ifndef BASE_PRINT_H
#define BASE_PRINT_H

#include <stdarg.h>
#include <stdio.h>

enum base_form {
    BASE_CSV,    /* texts as in RFC 4180, numbers as values.h has them; what
                    is no finite number is nothing */
    BASE_HTML,   /* texts as html.h has them; no %g */
    BASE_GNUPLOT /* texts in quotes, NaN for what is no finite number */
};

/* Knows %s, %d, %u, %ld, %g and %%, and no widths. */
__attribute__((format(printf, 3, 4))) void
base_print(FILE *file, enum base_form form, const char *format, ...);

__attribute__((format(printf, 3, 0))) void base_vprint(FILE *file,
                                                       enum base_form form,
                                                       const char *format,
                                                       va_list values);

#endif /* BASE_PRINT_H */
