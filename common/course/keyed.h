/*
 * keyed.h: what does a text file say under each number?
 *
 * Questions, and the answers to them:
 *
 *     # A note; only before the first number.
 *     03.1: The text of question 1 of lab 03, or the answer to it.
 *           It goes on over lines and empty lines until the next number.
 *     03.2: ...
 *
 * A number stands at the beginning of its line, with or without a leading 0; a
 * line of text that begins like one is indented. A text keeps its lines.
 *
 * Among answers a line that begins with ? repeats the question, for who writes:
 * make answers puts it there. It is no part of an answer.
 *
 * Hints are the same with three numbers (hints.h), and all of a file is in the
 * form of base/record.h: a further line is indented, and a text is one line.
 */
#ifndef COURSE_KEYED_H
#define COURSE_KEYED_H

#include "base/record.h"

struct course_keyed_entry {
    int lab, number, tier; /* 3, 1 and 2 for 3.1.2; 3, 1 and 0 for 03.1 */
    int line;              /* where it stands */
    const char *text;      /* without blanks at its ends; may be "" */
};

struct course_keyed {
    struct course_keyed_entry *entry; /* in the order of the file */
    size_t count;
    char *text; /* all texts point into it */
};

/* Reads a file of questions or answers. Returns 0, or -1 with a line in why
   that names file and line; keyed then holds nothing to free. */
int course_keyed_read(const char *path, struct course_keyed *keyed, char *why,
                      size_t size);

/* The same of a text in memory, which it takes over; path serves messages
   only. */
int course_keyed_parse(const char *path, char *text, struct course_keyed *keyed,
                       char *why, size_t size);

/* The same of a file whose keys have three numbers. */
int course_keyed_read_tiers(const char *path, struct course_keyed *keyed,
                            char *why, size_t size);

void course_keyed_free(struct course_keyed *keyed);

/* The first entry of that number, or NULL. */
const struct course_keyed_entry *
course_keyed_find(const struct course_keyed *keyed, int lab, int number);

#endif /* COURSE_KEYED_H */
