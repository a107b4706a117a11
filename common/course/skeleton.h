/*
 * skeleton.h: what does a student get of a solution?
 *
 * In a solution the lines that a student writes stand behind their TODO and
 * before a closing comment. Lines that the skeleton needs in their place stand
 * there as a comment:
 *
 *     /+ TODO 2.5 (1 line): choose a grid that covers all of C. +/
 *     const dim3 grid = {lab_ceil_div(p->n, 16), 1, 1};
 *     /+ skeleton: const dim3 grid = {1, 1, 1}; +/
 *     /+ end 2.5 +/
 *
 * (with stars for the pluses). The skeleton keeps the TODO and what is behind
 * "skeleton:", and loses the rest. Each comment has its lines to itself.
 */
#ifndef COURSE_SKELETON_H
#define COURSE_SKELETON_H

#include <stddef.h>

/*
 * Cuts the skeleton from the text of a solution; path serves messages only.
 * The caller frees the result. Returns NULL with a message "path:line: ..." in
 * why if a TODO has not the form above, does not follow its predecessor (3.1,
 * 3.2 and so on), asks for another number of lines than are cut, or is not
 * closed, or if another of the comments stands outside of a TODO.
 */
char *course_skeleton(const char *path, const char *solution, char *why,
                      size_t size);

#endif /* COURSE_SKELETON_H */
