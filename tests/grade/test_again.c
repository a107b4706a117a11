/*
 * Does a run that was killed, and begun again, come to the same grades? Killed
 * at a random moment, or at GRADE_KILLS of them (20 in make test WHAT=all).
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../command.h"
#include "base/clock.h"
#include "class_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The first ones alone without CORPUS=all. */
static const char *const graded[] = {
    "right/reference_01",        "broken/drops_the_last_term",
    "broken/syntax_error",       "hostile/source_is_a_link",
    "broken/skeleton_untouched", "broken/empty_folder",
    "broken/still_uncoalesced",  "cheating/exits_with_0",
    "cheating/inline_assembly",  "right/reference_03",
};
enum {
    FIRST = 4
};

static size_t students;

static struct class_run run;
static double seconds; /* that a whole run takes */

/* Grades into the folder `out` of the class, always with the same seed. */
static void grade_into(const char *out, double kill_after)
{
    char seed[CLASS_PATH + 20];
    const char *const options[] = {"--seed-file", seed,        "--export",
                                   "gradescope",  "--missing", "yes",
                                   NULL};

    snprintf(seed, sizeof seed, "%s", class_path(&run, "seed"));
    snprintf(run.out, sizeof run.out, "%s", class_path(&run, out));
    class_grade(&run, options, kill_after);
}

static int grade_once(void **state)
{
    (void)state;
    class_make(&run);
    class_shrink(&run);
    students = class_all() ? sizeof graded / sizeof *graded : FIRST;
    for (size_t i = 0; i < students; i++)
        class_lay(&run, graded[i]);
    class_write_roster(&run);
    seconds = base_seconds();
    grade_into("whole", 0.0);
    seconds = base_seconds() - seconds;
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    class_remove(&run);
    return 0;
}

/* From 0 to 1. */
static double chance(void)
{
    uint32_t bits = 0;

    assert_int_equal(getrandom(&bits, sizeof bits, 0), sizeof bits);
    return bits / 4294967296.0;
}

/* The seconds that Gradescope is told are those of a run. */
static void expect_same_file(const char *what)
{
    RUN_GIVES(0, NULL, "diff -r -I execution_time '%s/%s' '%s/%s'",
              class_path(&run, "whole"), what, class_path(&run, "killed"),
              what);
}

TEST(killed_at_any_moment_and_run_again_the_grades_are_the_same)
{
    const char *const wanted = getenv("GRADE_KILLS");
    const int kills = wanted != NULL ? atoi(wanted) : 1;
    int in_time = 0;

    assert_int_equal(run.code, 0);
    assert_int_equal(run.grades.rows, students);
    while (in_time < kills) {
        const double after = chance() * seconds;

        if (in_time == 0 || run.code == 0) {
            struct command gone =
                command_run("rm -rf '%s'", class_path(&run, "killed"));

            command_free(&gone);
        }
        grade_into("killed", after);
        /* It ended before that: it takes no longer than this now. */
        if (run.code != 128 + 9)
            seconds = after;
        in_time += run.code == 128 + 9;
        assert_int_equal(run.orphans, 0);
    }
    grade_into("killed", 0.0);
    assert_int_equal(run.code, 0);
    expect_same_file("grades.csv");
    expect_same_file("feedback");
    expect_same_file("export");
    expect_same_file("results");
    assert_int_equal(class_entries(&run, "tmp"), 0);
}

TEST(a_second_run_grades_nothing_anew)
{
    struct command before, after;

    before = command_run("cd '%s' && ls -lR --time-style=full-iso results",
                         class_path(&run, "whole"));
    grade_into("whole", 0.0);
    assert_int_equal(run.code, 0);
    after = command_run("cd '%s' && ls -lR --time-style=full-iso results",
                        class_path(&run, "whole"));
    assert_string_equal(before.text, after.text);
    command_free(&before);
    command_free(&after);
}

ALL_TESTS(grade_once, remove_all);
