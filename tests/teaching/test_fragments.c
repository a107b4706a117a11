/* Does build/tools/fragments tell what a lane holds in lab 15? */
#include "../command.h"
#include "../testing.h"

TEST(test_the_elements_of_a_lane_are_told)
{
    RUN_GIVES(0,
              SAYS("Lane 5 of mma.sync.m16n8k8: g = lane / 4 = 1, t = lane % 4",
                   "a0 [1][1]  a1 [9][1]  a2 [1][5]  a3 [9][5]\n",
                   "b0 [1][1]  b1 [5][1]\n",
                   "c0 [1][2]  c1 [1][3]  c2 [9][2]  c3 [9][3]\n",
                   "piece 0 of row 5", "banks 20 to 23",
                   "All lanes take 4 wavefronts"),
              "build/tools/fragments --lane 5");
    RUN_GIVES(0, SAYS("banks 0 to 3, wavefront 6. All lanes take 32"),
              "build/tools/fragments --lane 5 --plain 1");
}

/* 128 of A, 64 of B, 128 of C, none twice, and a pointer of each lane. */
TEST(test_each_element_has_a_lane)
{
    RUN_GIVES(0, SAYS("352\n320\n"),
              "f=$(mktemp) && build/tools/fragments --csv $f >/dev/null && "
              "tail -n +2 $f | wc -l && grep '^[ABC]' $f | cut -d, -f1,4,5 | "
              "sort -u | wc -l; rm -f $f");
}

TEST(test_a_wrong_call_is_refused)
{
    RUN_GIVES(2, SAYS("fragments: --lane: '32'"),
              "build/tools/fragments --lane 32");
    RUN_GIVES(2, SAYS("/no/such/folder"),
              "build/tools/fragments --csv /no/such/folder/f");
}

ALL_TESTS(NULL, NULL);
