/*
 * copies.h: which sources of a class are the same?
 *
 * Compared is what is a student's own: without comments, blanks and the lines
 * of the skeleton (labs/NN_name), and with each name replaced by the number of
 * its first use, so that other names, orders of blanks and comments hide
 * nothing. Where little is left, the same text says nothing: lab 03 asks for
 * six lines, which a class writes alike. Of the nine labs 02, 05, 06, 08 and 09
 * ask for enough.
 */
#ifndef GRADE_COPIES_H
#define GRADE_COPIES_H

#include "grade/publish/class.h"

enum {
    GRADE_OWN_LEAST = 120 /* tokens: names, numbers and signs */
};

/* What is left of a source, for free(), and how many tokens; NULL with errno
   ENOMEM. */
char *grade_own_text(const char *source, const char *skeleton, size_t *tokens);

/* Notes in row->alike with whom each source of the class is the same, the
   course's solution included. Run at the top of the tree. Returns 0, or -1
   without memory. */
int grade_class_compare(struct grade_class *class, struct grade_intake *intake);

#endif /* GRADE_COPIES_H */
