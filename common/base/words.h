/* words.h: which words and numbers does a short text hold? */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stddef.h>

/* Splits a text at its blanks, in place; word[] gets the first `most` of its
   words. Returns how many it has. */
int base_words(char *text, char **word, int most);

/* Which word of a list it is, from 0, where blanks stand between the words;
   -1: it is none of them. */
int base_find_word(const char *word, const char *list);

/* Writes such a list as "no, maybe or yes". */
void base_list_words(char *text, size_t size, const char *list);

/* Is text a whole number of decimal digits, at most `most`? Returns 0, or -1,
   and *value is as it was. */
int base_whole_number(const char *text, unsigned long long most,
                      unsigned long long *value);

/* Is all of text a finite number? Likewise. */
int base_number(const char *text, double *value);

/* Reads `parts` whole numbers of one or two digits with dots between them, as
   3 and 1 in "03.1". Returns what stands behind them, or NULL. */
const char *base_read_numbers(const char *text, int parts, int *number);

/* Adds to a text in a buffer of that size, cut to fit. */
__attribute__((format(printf, 3, 4))) void base_append(char *text, size_t size,
                                                       const char *format, ...);

#endif /* BASE_WORDS_H */
