/* Is each exercise's mistake what its explanation says, and is the program
   clean once it is mended? What the programs say is held by test_material.c,
   which runs every block of labs/spot_the_bug/README.md. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../scratch.h"
#include "../command.h"
#include "../corpus/case.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

/* Builds of the cases of a file end well, and nothing is found in them. */
static void are_clean(const char *edits, size_t least)
{
    static const char *const complaints[] = {"race in ", "access outside",
                                             "that nobody wrote",
                                             "not all threads", "error"};
    struct corpus_case *cases;
    const size_t count = corpus_read(edits, &cases);

    assert_true(count >= least);
    for (size_t i = 0; i < count; i++) {
        const char *const words = corpus_value(&cases[i], "says", 0);
        struct command run =
            command_run("build/cpu/mended/%s-analyse 2>&1", cases[i].name);

        command_ends(&run, 0);
        for (size_t j = 0; j < sizeof complaints / sizeof complaints[0]; j++) {
            if (strstr(run.text, complaints[j]) != NULL)
                fail_msg("%s is mended, but says: %s", cases[i].name, run.text);
        }
        if (words != NULL)
            command_says(&run, words);
        command_free(&run);
    }
    corpus_free(cases, count);
}

TEST(test_a_mended_program_is_clean)
{
    are_clean("tests/corpus/exercises/exercises.edits", 20);
    are_clean("solutions/warm_up.edits", 5);
}

TEST(test_a_warm_up_without_its_line_or_with_a_wrong_one_says_what_is_right)
{
    struct corpus_case *cases;
    const size_t count =
        corpus_read("tests/corpus/exercises/warm_up.edits", &cases);
    const char *words;

    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++) {
        struct command run =
            command_run("! build/cpu/mended/%s-analyse 2>&1 && "
                        "! build/cpu/labs/warm_up/%.2s*/*-analyse >%s/out 2>&1",
                        cases[i].name, cases[i].name, scratch("."));

        command_ends(&run, 0);
        for (int n = 0; (words = corpus_value(&cases[i], "says", n)); n++)
            command_says(&run, words);
        command_free(&run);
    }
    corpus_free(cases, count);
}

/* Of a block the quiet mistakes end with 0: 04, 17 to 21. */
TEST(test_each_exercise_is_explained_with_what_it_says)
{
    char *const readme = file_text("labs/spot_the_bug/README.md");
    struct corpus_case *cases;
    const size_t count =
        corpus_read("tests/corpus/exercises/exercises.edits", &cases);
    glob_t folders;

    assert_int_equal(glob("labs/spot_the_bug/[0-9][0-9]_*", 0, NULL, &folders),
                     0);
    assert_int_equal(folders.gl_pathc, count);
    for (size_t i = 0; i < folders.gl_pathc; i++) {
        const char *const number = strrchr(folders.gl_pathv[i], '/') + 1;
        char words[100];

        snprintf(words, sizeof words, "\n## %.2s\n", number);
        if (strstr(readme, words) == NULL)
            fail_msg("labs/spot_the_bug/README.md has no section %.2s", number);
        snprintf(words, sizeof words, "\n$ make bug-%.2s", number);
        if (strstr(readme, words) == NULL)
            fail_msg("labs/spot_the_bug/README.md does not run %s", words);
        assert_string_equal(cases[i].name, number);
    }
    globfree(&folders);
    corpus_free(cases, count);
    free(readme);
}

TEST(test_an_explanation_is_shown_alone)
{
    struct command run = command_run(MAKE "bug-7 EXPLAIN=1");

    command_ends(&run, 0);
    text_has(run.text,
             SAYS("30 / 8 is 3", NOT "details", NOT "**", NOT "`", NOT "\n\n\n",
                  NOT "16 x 24")); /* of the exercise after next */
    command_free(&run);
    RUN_GIVES(2, SAYS("there is no exercise '99': use 01 to 21"),
              MAKE "bug-99");
}

/* The folders of a long path are left out. */
TEST(test_what_is_found_fits_a_line)
{
    RUN_GIVES(ANY_CODE,
              SAYS("turn_in_one_block.cu:11: race in shared memory on s",
                   NOT "spot_the_bug/"),
              MAKE "bug-02 2>&1");
}

/* A quiet one ends as a mended one does. */
TEST(test_who_has_mended_it_is_told_how_to_go_on)
{
    command_needs_terminal();
    RUN_GIVES(
        ANY_CODE,
        SAYS("This run tells of no mistake.", "The next one: make bug-18"),
        "mkdir -p build/hints && : >build/hints/bug_17 && "
        "TERM=xterm script -qec '" MAKE "bug-17' /dev/null");
}
