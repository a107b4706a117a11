/* For harness/mode_try_cpu.c. A page has no processes that could each try a
   change. */
#include "harness/program.h"

int lab_mode_try(struct lab_program *program)
{
    (void)program;
    return LAB_SKIPPED;
}
