/*
 * lower_bounds.h: can a kernel that computed this product have counted so
 * little?
 *
 * The counters come from the process in which the student's code ran. What no
 * kernel can do is not believed, and a person is asked to look: the number
 * earns nothing until then.
 */
#ifndef GRADE_LOWER_BOUNDS_H
#define GRADE_LOWER_BOUNDS_H

#include <stddef.h>

#include "course/index.h"
#include "simt/simt.h"

enum {
    GRADE_REASONS = 16, /* sentences, at most */
    GRADE_REASON_TEXT = 400
};

/* Why a person should look at what was counted, each a sentence. */
struct grade_reasons {
    char text[GRADE_REASONS][GRADE_REASON_TEXT];
    int count;
};

void grade_reason(struct grade_reasons *reasons, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Looks at what one product of that size counted, and adds a sentence for each
   bound that does not hold. */
void grade_lower_bounds(const struct simt_count *count,
                        struct course_shape shape,
                        struct grade_reasons *reasons);

#endif /* GRADE_LOWER_BOUNDS_H */
