/* Do the experiments measure what they should, go on after a break, and leave
   earlier results alone when something is wrong? At tiny sizes, on the CPU
   device. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As from a shell: without what the make that runs this test has set. */
#define MAKE \
    "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make DEVICE=cpu FROM=solutions "
#define MEASURE "sh common/experiments/measure.sh "
#define PROGRAM "build/cpu/solutions/02_gpu_naive"

/* Makes a target with its files in the folder of this test. */
static struct command make_target(const char *target)
{
    return command_run(MAKE "RESULTS='%s' PLOTS='%s/plots' %s", scratch("."),
                       scratch("."), target);
}

static struct command run_experiment(const char *csv, const char *sizes)
{
    return command_run(MEASURE "'%s/%s' '%s' '--bench --repeat 1' " PROGRAM,
                       scratch("."), csv, sizes);
}

/* What a file of the folder holds, for free(). */
static char *content(const char *name)
{
    struct command command = command_run("cat '%s/%s'", scratch("."), name);

    command_ends(&command, 0);
    return command.text;
}

static int count_words(const char *text, const char *words)
{
    int found = 0;

    for (text = strstr(text, words); text != NULL; text = strstr(text, words)) {
        found++;
        text += strlen(words);
    }
    return found;
}

TEST(test_a_bench_takes_the_chosen_labs_and_says_where_it_is)
{
    struct command run = make_target("bench LABS='3 06' SIZES=16 REPEAT=1");
    char *csv;

    command_ends(&run, 0);
    text_has(run.text,
             SAYS("[1/2] PASS  03_tiling  16 x 16 x 16 timed on cpu",
                  "[2/2] PASS  06_conflict_free  16 x 16 x 16 timed"));
    command_free(&run);
    csv = content("bench.csv");
    assert_int_equal(count_words(csv, "\n03_tiling,kernel,cpu,"), 1);
    assert_int_equal(count_words(csv, "\n06_conflict_free,"),
                     2); /* two variants */
    assert_int_equal(count_words(csv, "\n0"), 3);
    assert_int_equal(count_words(csv, ",gcc "),
                     3); /* the compiler of each row */
    free(csv);
}

/* Labs in another precision are timed. */
TEST(test_a_bench_takes_labs_in_any_precision)
{
    struct command run = make_target("bench DEVICE=cpu LABS=1,15,17 SIZES=16 "
                                     "REPEAT=1");
    char *csv;

    command_ends(&run, 0);
    text_has(run.text,
             SAYS("[1/3] PASS  01_cpu_naive  16 x 16 x 16 timed on cpu",
                  "[2/3] PASS  15_tensor_cores  16 x 16 x 16 timed on cpu",
                  "[3/3] PASS  17_hopper_wgmma  16 x 16 x 16 timed on cpu"));
    command_free(&run);
    csv = content("bench.csv");
    assert_int_equal(count_words(csv, ",tf32,"), 1);
    assert_int_equal(count_words(csv, ",bf16,"), 1);
    free(csv);
    command_gives(make_target("bench WHAT=roofline LABS=05"), 2,
                  SAYS("lab 05 is not for this experiment"));
}

TEST(test_a_sweep_goes_on_where_it_stopped)
{
    struct command run =
        make_target("bench WHAT=sweep LABS=02 SIZES='16 24' REPEAT=1");
    char *before, *after;

    command_ends(&run, 0);
    command_free(&run);
    before = content("sweep.csv");
    command_gives(
        make_target("bench WHAT=sweep LABS='02' N=16,24,8x16x24 REPEAT=1"), 0,
        SAYS("[1/3] PASS  02_gpu_naive  kept, as measured 20",
             "[2/3] PASS  02_gpu_naive  kept",
             "[3/3] PASS  02_gpu_naive  8 x 16 x 24 timed"));
    after = content("sweep.csv");
    assert_int_equal(strncmp(before, after, strlen(before)), 0);
    assert_int_equal(count_words(after, "\n02_gpu_naive,kernel,cpu,"), 3);
    free(before);
    free(after);
}

TEST(test_fresh_measures_again_and_replaces)
{
    struct command run = run_experiment("a.csv", "16");
    char *csv;

    command_free(&run);
    RUN_GIVES(0, SAYS("16 x 16 x 16 timed"),
              "FRESH=1 " MEASURE "'%s/a.csv' 16 '--bench --repeat 1' " PROGRAM,
              scratch("."));
    csv = content("a.csv");
    assert_int_equal(count_words(csv, "\n02_gpu_naive,kernel,"), 1);
    free(csv);
}

/* A student changes a kernel: what it did before says nothing any more. */
TEST(test_a_changed_program_is_measured_again)
{
    struct command run = run_experiment("a.csv", "16");

    command_free(&run);
    RUN_GIVES(0, SAYS("16 x 16 x 16 timed"),
              "cd '%s' && mkdir -p solutions build/cpu/solutions && "
              "ln -s $OLDPWD/labs . && ln -s "
              "$OLDPWD/solutions/02_gpu_naive solutions && "
              "cp $OLDPWD/" PROGRAM " build/cpu/solutions && "
              "echo >>" PROGRAM " && cd $OLDPWD && " MEASURE
              "'%s/a.csv' 16 '--bench --repeat 1' '%s/" PROGRAM "'",
              scratch("."), scratch("."), scratch("."));
}

TEST(test_a_lab_that_is_not_right_is_named_and_the_others_go_on)
{
    struct command run =
        command_run(MEASURE "'%s/a.csv' 16 '--bench --repeat 1' "
                            "build/cpu/labs/03_tiling " PROGRAM,
                    scratch("."));
    char *csv;

    command_ends(&run, 1);
    text_has(run.text,
             SAYS("[1/2] UNFINISHED  03_tiling", "[2/2] PASS  02_gpu_naive",
                  "1 of 2 runs are not right"));
    command_free(&run);
    csv = content("a.csv");
    assert_int_equal(count_words(csv, "PASS"), 2); /* kernel and host */
    free(csv);
}

TEST(test_what_cannot_be_measured_is_named)
{
    static const char *const cases[][2] = {
        {"bench LABS=33", "there is no lab '33': use 01 to 17, 20 to 22"},
        {"bench LABS=a-b", "there is no lab 'a-b'"},
        {"bench LABS=15-12", "there is no lab '15-12'"},
        {"bench LABS=8-33", "there is no lab '"},
        {"bench WHAT=sweep LABS='02 05'", "lab 05 is not for this experiment"},
        {"bench WHAT=roofline LABS=01", "lab 01 is not for this experiment"},
        {"bench LABS=02 SIZES=many", "'many' is not a whole number"},
        {"bench LABS=02 SIZES=0", "'0' is not a whole number from 1"},
        {"bench FROM=mine", "FROM is 'mine': use labs or solutions"},
        {"bench LABS=02 M=5", "M, N and K go together"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        command_gives(make_target(cases[i][0]), 2, SAYS(cases[i][1]));
    }
}

/* The earlier results are as they were, whatever stands in the way. */
TEST(test_a_file_that_cannot_be_used_is_left_alone)
{
    struct command run;
    char *text;

    run = command_run("echo 'lab,speed' > '%s/old.csv'", scratch("."));
    command_free(&run);
    command_gives(run_experiment("old.csv", "16"), 2,
                  SAYS("old.csv: its columns are from another version"));
    text = content("old.csv");
    assert_string_equal(text, "lab,speed\n");
    free(text);

    RUN_GIVES(2, SAYS("/dev/full: not a regular file"),
              MEASURE "/dev/full 16 --bench " PROGRAM);

    RUN_GIVES(2, SAYS("/proc/a.csv: cannot be written"),
              MEASURE "/proc/a.csv 16 --bench " PROGRAM);
}

/* As on a full disk: no file may grow beyond a block of 512 bytes. */
TEST(test_a_full_disk_leaves_the_earlier_rows)
{
    struct command run = run_experiment("a.csv", "16");
    char *before = content("a.csv"), *after;

    command_free(&run);
    RUN_GIVES(2, SAYS("a.csv: cannot be written: "),
              "trap '' XFSZ; ulimit -f 1; " MEASURE
              "'%s/a.csv' 24 '--bench --repeat 1' " PROGRAM,
              scratch("."));
    after = content("a.csv");
    assert_string_equal(before, after);
    free(before);
    free(after);
    run = command_run("ls '%s'", scratch("."));
    assert_string_equal(run.text, "a.csv\n"); /* no half of a file is left */
    command_free(&run);
}

TEST(test_an_empty_file_gets_its_rows)
{
    struct command run = command_run("> '%s/a.csv'", scratch("."));

    command_free(&run);
    command_gives(run_experiment("a.csv", "16"), 0, SAYS("16 x 16 x 16 timed"));
}

TEST(test_every_width_of_a_tile_is_right_at_ragged_sizes)
{
    RUN_GIVES(0, SAYS("4 sizes, 6 entries", NOT "FAIL"),
              "build/cpu/experiments/tiles");
}

/* 2 / width; and a block of 2 x 2 threads is 4 lanes. */
TEST(test_the_width_of_a_tile_decides_the_loads)
{
    struct command run = make_target("bench WHAT=tiles SIZES=64");
    static const char *const loads[] = {"untiled 2 32", "2 1 4",
                                        "4 0.5 16",     "8 0.25 32",
                                        "16 0.125 32",  "32 0.0625 32"};

    command_ends(&run, 0);
    command_says(&run, "tile_counters.svg, .png and .pdf");
    command_free(&run);
    run =
        command_run("sed 's/\"[^\"]*\"/name/' '%s/tiles_counts.csv' | awk -F, "
                    "'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } "
                    "{ print $c[\"variant\"], $c[\"global_loads_per_fma\"], "
                    "$c[\"global_load_lanes_per_request\"] }'",
                    scratch("."));
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        command_says(&run, loads[i]);
    command_free(&run);
}

/* A student is in the middle of the course: those are drawn that are right. */
TEST(test_plots_leave_out_a_lab_that_is_not_right)
{
    RUN_GIVES(0,
              SAYS("UNFINISHED  03_tiling", NOT "counters_by_lab.svg",
                   "1 of 1 runs are not right", "plots/ladder.svg"),
              MAKE "FROM=labs RESULTS='%s/open' PLOTS='%s/open/plots' plots "
                   "LABS=03 2>&1",
              scratch("."), scratch("."));
}

/* The counts are this machine's; the times are recorded, and called so. */
TEST(test_all_plots_are_drawn_or_named_without_a_gpu)
{
    struct command run = make_target("plots LABS='02 03' SIZES=64");
    static const char *const plots[] = {
        "counters_by_lab", "ladder",   "sweep", "tile_counters",
        "tile_width",      "roofline", "banks"};

    command_ends(&run, 0);
    for (size_t i = 0; i < sizeof plots / sizeof plots[0]; i++) {
        char words[128];

        snprintf(words, sizeof words, "plots: %s is not drawn", plots[i]);
        if (strstr(run.text, words) != NULL)
            continue;
        snprintf(words, sizeof words, "plots/%s.svg, .png and .pdf", plots[i]);
        command_says(&run, words);
    }
    command_says(&run, "ladder shows times of plots/data/h200_ladder.csv");
    command_free(&run);
    /* Without gnuplot the tables come. */
    RUN_GIVES(0, SAYS("gnuplot is not installed"),
              "mkdir '%s/bin' && ln -s /usr/bin/* '%s/bin' 2>/dev/null; "
              "rm -f '%s/bin/gnuplot'*; PATH='%s/bin' " MAKE
              "RESULTS='%s' PLOTS='%s/plots' plots LABS=02 SIZES=64",
              scratch("."), scratch("."), scratch("."), scratch("."),
              scratch("."), scratch("."));
}
