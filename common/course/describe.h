/*
 * describe.h: how does a lab's program know its lab?
 *
 * By a C file with the constant lab_info (common/lab_info.h), which this part
 * writes from labs/INDEX, labs/TODOS and the lab's source.
 */
#ifndef COURSE_DESCRIBE_H
#define COURSE_DESCRIBE_H

#include <stddef.h>

#include "course/index.h"

enum {
    COURSE_NAME = 64
}; /* bytes for a lab's name with its NUL */

/*
 * The name of the lab that a source belongs to is the name of its folder:
 * 03_tiling for labs/03_tiling/tiling.cu. Returns 0, or -1 with a message.
 */
int course_lab_of(const char *path, char name[COURSE_NAME], char *why,
                  size_t size);

/*
 * The C file for the lab of that name with the source at path, whose text is
 * source; todos is the text of labs/TODOS. The caller frees the result. Returns
 * NULL with a message in why if the index or todos do not have the lab.
 */
char *course_describe(const struct course_index *index, const char *todos,
                      const char *name, const char *path, const char *source,
                      char *why, size_t size);

#endif /* COURSE_DESCRIBE_H */
