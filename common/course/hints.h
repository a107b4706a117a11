/*
 * hints.h: which hint comes next?
 *
 * labs/03_tiling/hints.txt has three hints for each TODO: a nudge, a stronger
 * one, and nearly the line:
 *
 *     # A note; only before the first hint.
 *     3.1.1: The first hint for TODO 3.1.
 *            It goes on over lines until the next one.
 *     3.1.2: ...
 *
 * Which were shown stands in a file of its own, a line "3.1 2" for each TODO.
 */
#ifndef COURSE_HINTS_H
#define COURSE_HINTS_H

#include <stddef.h>

enum {
    COURSE_TIERS = 3
};

struct course_hint {
    int lab, number, tier; /* 3, 1, 1 for 3.1.1 */
    int line;
    const char *text; /* one line: blanks and line ends are single blanks */
};

struct course_hints {
    struct course_hint *hint; /* in the order of the file */
    int count;
    char *file; /* all texts point into it */
};

/*
 * Reads a file of hints. Returns 0, or -1 with "path:line: ..." in why: text
 * that is no hint, an empty one, a tier that does not follow the one before or
 * is left out, a TODO that stands twice.
 */
int course_hints_read(const char *path, struct course_hints *hints, char *why,
                      size_t size);

void course_hints_free(struct course_hints *hints);

/* The hint of that tier, or NULL. */
const struct course_hint *course_hint_find(const struct course_hints *hints,
                                           int lab, int number, int tier);

/* How many hints of a TODO the text of the file of shown ones counts. */
int course_hints_shown(const char *shown, int lab, int number);

/* That text with another count for a TODO; the caller frees it. NULL with
   errno ENOMEM. */
char *course_hints_show(const char *shown, int lab, int number, int count);

#endif /* COURSE_HINTS_H */
