/* Which problem has that name? */
#include "problem/problem.h"

#include <string.h>

/* All of labs/NN_name/problem.c; the last has no name. Written by
   common/course/problems.sh. */
extern const struct lab_problem_named {
    const char *name;
    const struct lab_problem *problem;
} lab_problems[];

const struct lab_problem *lab_problem_find(const char *name)
{
    if (name == NULL)
        return &lab_product;
    for (int i = 0; lab_problems[i].name != NULL; i++) {
        if (strcmp(lab_problems[i].name, name) == 0)
            return lab_problems[i].problem;
    }
    return NULL;
}
