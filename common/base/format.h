/* format.h: which arguments does a format of printf ask for? */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stddef.h>

struct base_argument {
    const char *begin, *end; /* where the format asks for it, as "%2$5zu" */
    int number;              /* from 1 */
    int has_number;          /* and it stands there */
    int is_wide;             /* for more columns than any text here has */
    char type[8];            /* its letter, and what stands before it: "zu" */
};

/* The next one that a format asks for, behind the argument of the number
   `last`, at first 0. Returns 1, or 0 if there is none. */
int base_format_next(const char *format, int last,
                     struct base_argument *argument);

/* Asks a translation for each argument of the English format, with its type,
   and for none besides, so that printf can take it? Returns 0, or -1 with a
   line in why. */
int base_format_same(const char *english, const char *other, char *why,
                     size_t size);

#endif /* BASE_FORMAT_H */
