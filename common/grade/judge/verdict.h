/*
 * verdict.h: what does a submitted source earn?
 *
 * The source is vetted, compiled in one box and run in others, a process for
 * each case. Inputs are drawn after it was compiled; what it computed is judged
 * here, in a process that never ran a line of it.
 */
#ifndef GRADE_VERDICT_H
#define GRADE_VERDICT_H

#include <stdint.h>

#include "course/index.h"
#include "course/todo.h"
#include "grade/box/box.h"
#include "grade/base/result.h"
#include "grade/base/rubric.h"

struct grade_setting {
    const struct course_index *index; /* shapes, entries, measures */
    const struct base_records *todos; /* labs/TODOS, as todo.h reads it */
    const struct grade_rubric *rubric;
    enum grade_isolation isolation;
    int slot;         /* of the boxes */
    const char *work; /* a folder of this slot's own, absolute, that exists */
    uint64_t seed;    /* secret; the same seed draws the same inputs */
};

/*
 * Grades one source of `size` bytes for one lab; once more if the machine was
 * at fault. Returns 0 with *result filled (GRADE_GRADER_ERROR included, with
 * why in its text), for grade_result_free. -1 with errno ENOMEM.
 */
int grade_source(const struct grade_setting *setting, const char *lab,
                 const char *source, size_t size, struct grade_result *result);

#endif /* GRADE_VERDICT_H */
