/*
 * traffic.h: is an average over requests that of the product, or have requests
 * been added to it that only look good?
 *
 * A lab's number such as wavefronts for each request of Bs is a mean. It says
 * what it should only if the requests are those that the product takes: a
 * kernel that works on a badly laid out array and reads a well laid out one for
 * nothing has a fine mean. So a person is asked to look where there is more
 * traffic than the lab's form takes, where it goes to other arrays, or where
 * one line is far worse than the mean.
 */
#ifndef GRADE_TRAFFIC_H
#define GRADE_TRAFFIC_H

#include "grade/judge/lower_bounds.h"
#include "grade/base/rubric.h"

/*
 * Looks at what one product of that size counted in a lab. `rubric` gives the
 * thresholds. Returns how many sentences it wrote to text, of which there is
 * room for GRADE_BOUNDS.
 */
int grade_traffic(const struct course_index *index,
                  const struct course_lab *lab,
                  const struct grade_rubric_lab *rubric,
                  const struct simt_count *count, struct course_shape shape,
                  char text[GRADE_BOUNDS][GRADE_BOUND_TEXT]);

#endif /* GRADE_TRAFFIC_H */
