/*
 * compare.h: does a translation say the same, as far as a program can tell?
 *
 * Numbers, code spans, addresses of links, names of files and what else is code
 * must be the same in both; a word of the table of terms must be the one that
 * the table has.
 */
#ifndef LANGUAGE_COMPARE_H
#define LANGUAGE_COMPARE_H

#include <stddef.h>

struct language_term {
    char *english; /* the word, and others that count as it, with commas */
    char *words;   /* in the language: what is written, and beginnings of other
                      forms, with commas */
    int is_told;   /* the English word has stood beside it */
};

struct language_terms {
    struct language_term *term;
    size_t count;
};

/* Reads a table: lines "english | word, other forms", and remarks that begin
   with #. Returns 0, or -1 with a line in why. A term without words is none. */
int language_terms_read(const char *path, struct language_terms *terms,
                        char *why, size_t size);

void language_terms_free(struct language_terms *terms);

/* What is wrong with a translation, in why; of a format of printf, too. Returns
   0 if nothing is. */
int language_compare(const char *id, const char *str, int is_drawn,
                     int is_format, char *why, size_t size);

/* The same of its terms. If the English word has to stand beside one that has
   not stood there before, `first` is 1. */
int language_compare_terms(const char *id, const char *str,
                           struct language_terms *terms, int first, char *why,
                           size_t size);

#endif /* LANGUAGE_COMPARE_H */
