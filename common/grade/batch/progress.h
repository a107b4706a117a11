/*
 * progress.h: how far is the grader?
 *
 * On a terminal one line on stderr that is written over; elsewhere a line for
 * each result, which a log keeps.
 */
#ifndef GRADE_PROGRESS_H
#define GRADE_PROGRESS_H

#include <stddef.h>

#include "grade/base/result.h"

struct grade_progress {
    size_t done, all;
    int terminal;
};

void grade_progress_begin(struct grade_progress *progress, size_t all);
void grade_progress_step(struct grade_progress *progress, const char *student,
                         const struct grade_result *result);
void grade_progress_end(struct grade_progress *progress);

#endif /* GRADE_PROGRESS_H */
