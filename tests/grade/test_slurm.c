/* Does a Slurm come to the grades that one machine comes to, also if its tasks
   are cancelled in the middle? What is typed is what CLUSTER.md says. */
#define _GNU_SOURCE
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "class_run.h"

static const char *const graded[] = {
    "right/reference_01",         "right/reference_03",
    "right/reference_04",         "right/tiles_of_32",
    "broken/drops_the_last_term", "broken/syntax_error",
    "broken/skeleton_untouched",  "broken/empty_folder",
    "broken/still_uncoalesced",   "cheating/exits_with_0",
    "cheating/inline_assembly",   "hostile/source_is_a_link",
};

static struct class_run run;

FIXTURE(lay_class)
{
    class_make(&run);
    for (size_t i = 0; i < sizeof graded / sizeof *graded; i++)
        class_lay(&run, graded[i]);
    class_write_roster(&run);
    RUN_GIVES(0, NULL,
              "cd '%s' && TMPDIR=\"$PWD/tmp\" && export TMPDIR && "
              "cd - >/dev/null && build/tools/grade "
              "--roster '%s/roster.csv' --seed-file '%s/seed' "
              "--out '%s/whole' '%s/class'",
              run.path, run.path, run.path, run.path, run.path);
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    class_remove(&run);
    return 0;
}

/* Runs these lines of shell beside a Slurm. In them, array and collect are what
   an instructor types, into the folder of grades $out. */
static void beside_slurm(const char *out, const char *lines)
{
    struct command c =
        command_run("export p='%s' out='%s/%s' TMPDIR='%s/tmp'; "
                    "sh tests/grade/slurm_node.sh \"$p/node_%s\" '"
                    "array() { sbatch \"$@\" --array=1-5 --output=/dev/null "
                    "common/grade/share.sh --roster \"$p/roster.csv\" "
                    "--seed-file \"$p/seed\" --out \"$out\" \"$p/class\"; }; "
                    "collect() { build/tools/grade --roster \"$p/roster.csv\" "
                    "--seed-file \"$p/seed\" --out \"$out\" \"$p/class\"; }; "
                    "set -e; %s'",
                    run.path, run.path, out, run.path, out, lines);
    const int skipped = c.code == 77;

    if (skipped)
        print_message("# skipped: %s (make deps test WHAT=all)\n", c.text);
    else
        command_ends(&c, 0);
    command_free(&c);
    if (skipped)
        skip();
    c = command_run("diff -r -I execution_time '%s/whole' '%s/%s' && "
                    "ls '%s/tmp'",
                    run.path, run.path, out, run.path);
    assert_string_equal(c.text, "");
    command_free(&c);
}

TEST(a_cluster_comes_to_the_same_grades)
{
    beside_slurm("cluster", "array --wait; [ ! -e \"$out/grades.csv\" ]; "
                            "collect 2>\"$p/said\"; "
                            "[ ! -s \"$p/said\" ]"); /* all was there */
}

TEST(also_if_its_tasks_are_cancelled_in_the_middle)
{
    beside_slurm("cancelled",
                 "array; until ls \"$out\"/results/*/*.record; do sleep 0.1; "
                 "done >/dev/null 2>&1; scancel --partition=course; "
                 "while [ -n \"$(squeue --noheader)\" ]; do sleep 0.2; done; "
                 "collect");
}

TEST(also_if_the_array_is_submitted_again)
{
    beside_slurm("again",
                 "array; until ls \"$out\"/results/*/*.record; do sleep 0.1; "
                 "done >/dev/null 2>&1; scancel --partition=course; "
                 "array --wait; collect");
}

ALL_TESTS(lay_class, remove_all);
