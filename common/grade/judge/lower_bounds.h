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
    GRADE_BOUNDS = 8, /* sentences, at most */
    GRADE_BOUND_TEXT = 400
};

/*
 * Looks at what one product of that size counted. Returns how many bounds do
 * not hold, each told in a sentence of text.
 */
int grade_lower_bounds(const struct simt_count *count,
                       struct course_shape shape,
                       char text[GRADE_BOUNDS][GRADE_BOUND_TEXT]);

#endif /* GRADE_LOWER_BOUNDS_H */
