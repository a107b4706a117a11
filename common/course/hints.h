/*
 * hints.h: which hint comes next?
 *
 * labs/03_tiling/hints.txt has three hints for each TODO: a nudge, a stronger
 * one, and nearly the line:
 *
 *     3.1.1: The first hint for TODO 3.1.
 *            It goes on in lines that are indented.
 *     3.1.2: ...
 *
 * Which were shown stands in a file of its own, a line "3.1: 2" for each TODO.
 */
#ifndef COURSE_HINTS_H
#define COURSE_HINTS_H

#include "course/keyed.h"

enum {
    COURSE_TIERS = 3
};

/*
 * Reads a file of hints, for course_keyed_free. Returns 0, or -1 with
 * "path:line: ..." in why: text that is no hint, an empty one, a tier that does
 * not follow the one before or is left out, a TODO that stands twice.
 */
int course_hints_read(const char *path, struct course_keyed *hints, char *why,
                      size_t size);

/* The hint of that tier, or NULL. */
const struct course_keyed_entry *
course_hint_find(const struct course_keyed *hints, int lab, int number,
                 int tier);

/* How many hints of a TODO the file of shown ones counts. */
int course_hints_shown(const struct course_keyed *shown, int lab, int number);

/* The text of that file with another count for a TODO, for free(); NULL with
   errno ENOMEM. */
char *course_hints_show(const struct course_keyed *shown, int lab, int number,
                        int count);

#endif /* COURSE_HINTS_H */
