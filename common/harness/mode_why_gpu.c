/* A GPU tells nobody what a thread has loaded. */
#include "program.h"

#include <stdio.h>

int lab_mode_why(struct lab_program *program)
{
    int verdict = -1;

    lab_mode_possible(program, "why", &verdict);
    return verdict;
}
