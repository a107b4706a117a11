/* Does make lab-NN find the line of a mistake by changing it, and say nothing
   that it has not seen? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#define LAB "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make DEVICE=cpu lab-"

/* The copy with all changes is the lab, as long as none is made. */
TEST(test_a_right_lab_needs_no_change)
{
    RUN_GIVES(0, SAYS("PASS"),
              "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make DEVICE=cpu "
              "OF=solutions build/try/solutions/03_tiling >/dev/null && "
              "build/try/solutions/03_tiling --quiet");
}

TEST(test_the_place_of_a_mistake_is_found)
{
    RUN_GIVES(ANY_CODE, SAYS("C is right with one more term or factor in"),
              LAB "03 OF=mutants/03_forgot_t_in_a 2>&1");
    RUN_GIVES(ANY_CODE, SAYS(NOT "C is right with"),
              LAB "03 OF=mutants/03_forgot_t_in_a TRY=0 2>&1");
}

/* Two changes on lines that are alike, and what two variables begin with. */
TEST(test_a_mistake_on_two_lines_is_found)
{
    RUN_GIVES(ANY_CODE,
              SAYS("something else for gridDim.y in line",
                   "and something else for gridDim.x in line",
                   "one or two at a time"),
              LAB
              "02 OF=mutants/02_blocks_counted_in_grid 2>&1 | tr '\\n' ' '");
    RUN_GIVES(ANY_CODE,
              SAYS("something else for n in line",
                   "and something else for k in line"),
              LAB "02 OF=mutants/02_widths_exchanged 2>&1 | tr '\\n' ' '");
    RUN_GIVES(ANY_CODE, SAYS("the values of row and col exchanged"),
              LAB
              "02 OF=mutants/02_row_and_column_swapped 2>&1 | tr '\\n' ' '");
}

/* A loop for a condition, two changes in a condition, of two buffers the
   other one. */
TEST(test_what_is_no_change_of_a_name_is_found)
{
    RUN_GIVES(ANY_CODE, SAYS("C is right with a loop for the if in line"),
              LAB "08 OF=mutants/08_if_for_a_loop 2>&1");
    RUN_GIVES(ANY_CODE,
              SAYS("something else for ROWS in line",
                   "and another operator for < in line"),
              LAB "07 OF=mutants/07_only_whole_tiles_stored 2>&1 | "
                  "tr '\n' ' '");
    RUN_GIVES(ANY_CODE,
              SAYS("something else for i % 2 in line", "at two places of it"),
              LAB "14 OF=mutants/14_loads_into_the_half_in_use 2>&1 | "
                  "tr '\n' ' '");
}

/* Two loops that add nothing any more make C right, and are no answer. */
TEST(test_a_loop_is_not_left_out)
{
    RUN_GIVES(ANY_CODE, SAYS("FAIL", NOT "C is right with"),
              LAB "08 OF=mutants/08_loop_begins_again 2>&1");
}

/* With tx in the column C is right, and rows of B are still read down its
   columns. */
TEST(test_a_change_that_leaves_the_number_unreached_is_not_told)
{
    RUN_GIVES(ANY_CODE, SAYS("FAIL", NOT "C is right with"),
              LAB "04 OF=mutants/04_uncoalesced_and_wrong 2>&1");
}

TEST(test_a_skeleton_is_not_tried)
{
    RUN_GIVES(ANY_CODE, SAYS(NOT "C is right with"), LAB "03 2>&1");
}
