/* Does `make banks` show what fits a screen, and refuse what it cannot show? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <string.h>

TEST(test_every_screen_has_80_columns)
{
    struct command wide = command_run(
        "{ build/tools/banks; build/tools/banks -t char -s 5; "
        "build/tools/banks -t double -s 3 -r 1.x; build/tools/banks --help; "
        "build/tools/banks -w 32 -s 33; } "
        "| awk 'length > 80; END { print (NR > 100) }'");

    assert_string_equal(wide.text, "1\n"); /* no line, but over 100 came */
    command_free(&wide);
}

TEST(test_a_conflict_is_explained_lane_by_lane)
{
    RUN_GIVES(0,
              SAYS("rule today: 32 banks, 32 lanes at a time",
                   "    15       120      30      30      1\n",
                   "    16       128      32       0      2   conflict: "
                   "bank 0 serves lane 0 first\n",
                   "2 wavefronts; the least possible is 1. 16 of 32 lanes"),
              "build/tools/banks --type float --stride "
              "2");
    RUN_GIVES(ANY_CODE, SAYS("0"),
              "build/tools/banks -t float -s 1 | grep -c conflict");
}

TEST(test_every_stride_has_its_cell)
{
    RUN_GIVES(0,
              SAYS("   1    4/1      2/1      1/1      4/2 ",
                   "  17    1/2      1/2      1/1      4/2 ",
                   "  32    8/8     16/16    16/32    32/32",
                   "  33    2/1      2/1      1/1      4/2 ",
                   " 16 x 16         18             2                 1\n"),
              "build/tools/banks");
}

TEST(test_lanes_that_share_a_word_are_told)
{
    RUN_GIVES(0,
              SAYS("     3         3       0       0      1   same word as "
                   "lane 0\n",
                   "    15        15       3       3      4   conflict: ",
                   "4 wavefronts; the least possible is 1. 18 of 32 lanes"),
              "build/tools/banks -t char -s 1 -r 1.x");
}

TEST(test_what_is_no_terminal_gets_no_colour)
{
    struct command run = command_run("{ build/tools/banks; "
                                     "build/tools/banks -t float -s 2; }");

    assert_null(strchr(run.text, '\033'));
    command_free(&run);
}

TEST(test_wrong_options_are_one_line_and_exit_2)
{
    static const char *const options[] = {
        "--stride 0 --type char",
        "--stride 65 --type char",
        "--stride x",
        "--type int --stride 1",
        "--type char",
        "--stride 4",
        "--tile 16",
        "--tile 16 --type char --stride 18",
        "--rule 2.x",
        "surplus",
        "--csv /no/such/folder/f",
    };

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        struct command run = command_run("build/tools/banks %s", options[i]);

        command_ends(&run, 2);
        assert_int_equal(strncmp(run.text, "banks: ", 7), 0);
        assert_ptr_equal(strchr(run.text, '\n') + 1,
                         run.text + strlen(run.text));
        command_free(&run);
    }
}

TEST(test_the_file_has_a_row_for_each_case)
{
    RUN_GIVES(
        ANY_CODE,
        SAYS("265\ntype,stride,rule,wavefronts,ideal\n1\n/tmp/", NOT ".part"),
        "f=$(mktemp) && build/tools/banks --csv $f >/dev/null && wc -l < $f && "
        "head -n 1 $f && "
        "grep -c '^float,32,today,32,1$' $f; ls $f*; rm -f $f");
}

TEST(test_a_store_to_a_padded_tile_is_explained)
{
    RUN_GIVES(0,
              SAYS("tile[tx][ty], 16 wide, rows of 17; rule today",
                   "2 wavefronts; the least possible is 1. 1 of 32 lanes",
                   "16,4,1,1,1,32,0,1,2,1\n"),
              "f=$(mktemp) && build/tools/banks -w 16 -s 17 --csv $f && "
              "cat $f; rm -f $f");
    RUN_GIVES(0, SAYS("1 wavefront; the least possible is 1. 0 of 32 lanes"),
              "build/tools/banks --tile 16 --stride 18");
}

TEST(test_the_plot_is_drawn)
{
    struct command run;

    run = command_run("command -v gnuplot");
    if (run.code != 0)
        skip();
    command_free(&run);
    RUN_GIVES(0, SAYS("1\nPNG4\n"),
              "d=$(mktemp -d) && build/tools/banks --csv $d/b.csv && "
              "sh plots/draw.sh $d/b.csv $d && "
              "grep -c '</svg>' $d/banks.svg && head -c 4 "
              "$d/banks.png | tail -c 3; ls $d | wc -l; rm -r $d");
}

/* In a student's folder, which has no solutions. */
TEST(test_no_cell_is_shown_before_all_are_right)
{
    RUN_GIVES(
        0,
        SAYS("it opens when make lab-05 has found",
             "32 wavefronts; the least possible is 1"),
        "exec 2>&1; banks=$PWD/build/tools/banks && d=$(mktemp -d) && "
        "trap 'rm -rf $d' EXIT && cd $d && mkdir -p labs build/results/labs "
        "&& : >labs/INDEX && csv=build/results/labs/05_bank_conflicts.csv && "
        "! $banks && ! $banks -t float -s 32 && ! $banks --csv b.csv && "
        "[ ! -e b.csv ] && $banks -t float -s 6 >/dev/null && "
        "printf 'verdict\\nUNFINISHED\\n' >$csv && ! $banks && "
        "printf 'verdict\\nUNFINISHED\\nFAIL\\n' >$csv && ! $banks && "
        "printf 'verdict\\nFAIL\\nPASS\\n' >$csv && "
        "$banks -t float -s 32 | tail -n 1");
}
