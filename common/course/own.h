/*
 * own.h: which lines of a lab has the student written?
 *
 * Those that are not the skeleton's, and what stands in it in the place of the
 * student's. What it was given with is right, so a mistake stands in the
 * student's own lines, or is one that is missing.
 * labs/TODOS has a hash of each line of a skeleton's code, in their order; the
 * longest sequence of lines that both have in common is what was given (Hunt
 * and McIlroy: An Algorithm for Differential File Comparison, 1976).
 */
#ifndef COURSE_OWN_H
#define COURSE_OWN_H

#include "base/record.h"

#include <stddef.h>

/*
 * The hashes of a skeleton's lines as the value of a field of labs/TODOS. A
 * line counts without its comments, white space and braces, and not at all if
 * it has no letter or digit. What the solution, or NULL, has behind "skeleton:"
 * is 0, which no line has. The caller frees the text. Returns NULL without
 * memory.
 */
char *course_lines_hashed(const char *source, const char *solution);

/*
 * The numbers of the source's lines that its skeleton has not, from 1, in
 * their order; value is that of the field. *lacks: lines that were given are
 * left out, with nothing in their place. The caller frees *line. Returns 0, or
 * -1 without memory.
 */
int course_own_lines(const char *source, const char *value, int **line,
                     size_t *count, int *lacks);

#endif /* COURSE_OWN_H */
