/* Does make try-NN find the line of a mistake, and say nothing that it has not
   seen? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#define TRY "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make DEVICE=cpu try-"

/* The copy with all changes is the lab, as long as none is made. */
TEST(test_a_right_lab_needs_no_change)
{
    RUN_GIVES(0, SAYS("Without a change C is right"),
              TRY "03 OF=solutions 2>&1");
}

TEST(test_a_barrier_in_the_wrong_place_is_found)
{
    RUN_GIVES(0, SAYS("one more __syncthreads()", "behind line"),
              TRY "03 OF=mutants/03_no_first_barrier 2>&1");
}

TEST(test_a_skeleton_is_not_tried)
{
    RUN_GIVES(ANY_CODE, SAYS(NOT "C is right", NOT "Tried"), TRY "03 2>&1");
}
