/*
 * traffic.h: is an average over requests that of the product, or have requests
 * been added to it that only look good?
 *
 * A lab's number such as wavefronts for each request of Bs is a mean. It says
 * what it should only if the requests are those that the product takes: a
 * kernel that works on a badly laid out array and reads a well laid out one for
 * nothing has a fine mean. So a person is asked to look where there is more
 * traffic than any form of the lab takes, or where one line is far worse than
 * the mean. Other arrays are in the number itself (harness/counters.c).
 */
#ifndef GRADE_TRAFFIC_H
#define GRADE_TRAFFIC_H

#include "grade/judge/lower_bounds.h"
#include "grade/base/rubric.h"

/* Looks at what one product of that size counted in a lab, and adds sentences.
   `rubric` gives the thresholds. */
void grade_traffic(const struct course_index *index,
                   const struct course_lab *lab,
                   const struct grade_rubric_lab *rubric,
                   const struct simt_count *count, struct course_shape shape,
                   struct grade_reasons *reasons);

#endif /* GRADE_TRAFFIC_H */
