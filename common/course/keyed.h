/*
 * keyed.h: what does a text file say under the number of each question?
 *
 *     # A note; only before the first number.
 *     03.1: The text of question 1 of lab 03, or the answer to it.
 *           It goes on over lines and empty lines until the next number.
 *     03.2: ...
 *
 * A number stands at the beginning of its line, with or without a leading 0;
 * a line of text that begins like one is indented. The text keeps its lines,
 * without the blanks and empty lines at both of its ends. The file is UTF-8;
 * line ends may be those of Windows.
 */
#ifndef COURSE_KEYED_H
#define COURSE_KEYED_H

#include <stddef.h>

struct course_keyed_entry {
    int lab, number;  /* 3 and 1 for 03.1 */
    int line;         /* where it stands */
    const char *text; /* may be "" */
};

struct course_keyed {
    struct course_keyed_entry *entry; /* in the order of the file */
    size_t count;
    char *file; /* all texts point into it */
};

/* Reads a file. Returns 0, or -1 with a line in why that names file and line;
   keyed then holds nothing to free. */
int course_keyed_read(const char *path, struct course_keyed *keyed, char *why,
                      size_t size);

/* The same of a text in memory, which it takes over; path serves messages
   only. */
int course_keyed_parse(const char *path, char *text, struct course_keyed *keyed,
                       char *why, size_t size);

void course_keyed_free(struct course_keyed *keyed);

/* The entry of that number, or NULL. */
const struct course_keyed_entry *
course_keyed_find(const struct course_keyed *keyed, int lab, int number);

#endif /* COURSE_KEYED_H */
