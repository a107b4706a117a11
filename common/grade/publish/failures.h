/*
 * failures.h: what does a class fail most?
 *
 * Results that earned less than all points, put together by lab, verdict and
 * reason. A reason is the sentence that the feedback gives, without the line
 * and with N for each number, so that the same mistake has the same words. What
 * was not handed in was not failed.
 */
#ifndef GRADE_FAILURES_H
#define GRADE_FAILURES_H

#include <stddef.h>

#include "grade/publish/class.h"

enum {
    GRADE_REASON = 72
};

struct grade_failure {
    const struct course_lab *lab;
    enum grade_verdict verdict;
    char reason[GRADE_REASON];
    size_t students;
};

/* The reason for a result; "" where there is nothing to say. */
void grade_failure_reason(const struct grade_result *result,
                          char reason[GRADE_REASON]);

/* All kinds of failures, the most frequent first, in *failure for free(). Sets
   *count. Returns 0, or -1 with errno ENOMEM. What a person decided is none. */
int grade_failures(const struct grade_class *class,
                   struct grade_failure **failure, size_t *count);

#endif /* GRADE_FAILURES_H */
