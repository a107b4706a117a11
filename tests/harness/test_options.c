/* What could be typed that lab_options_read takes the wrong way? */

#include <string.h>

#include "../testing.h"
#include "harness/options.h"

enum {
    MOST = 12
};

/* Reads a command line of words that end with NULL. */
static int read_command_line(struct lab_options *options, char *why,
                             size_t size, const char *const *words)
{
    static char store[MOST][64]; /* what the options point to */
    char *argv[MOST + 1] = {store[0]};
    int argc = 1;

    memset(store, 0, sizeof store);
    strcpy(store[0], "03_tiling");
    for (; words[argc - 1] != NULL; argc++) {
        assert_true(argc < MOST);
        strncpy(store[argc], words[argc - 1], sizeof store[argc] - 1);
        argv[argc] = store[argc];
    }
    return lab_options_read(options, argc, argv, why, size);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void accepts(struct lab_options *options, const char *const *words)
{
    char why[200];

    if (read_command_line(options, why, sizeof why, words) != 0)
        fail_msg("refused: %s", why);
}

/* The message must be one line and hold the words. */
static void refuses_options(const char *const *words, const char *message)
{
    struct lab_options options = {0};
    char why[200] = "";

    assert_int_equal(read_command_line(&options, why, sizeof why, words), -1);
    if (strstr(why, message) == NULL)
        fail_msg("'%s' does not say '%s'", why, message);
    assert_null(strchr(why, '\n'));
    assert_true(strlen(why) < 120);
}

TEST(test_nothing_given_asks_for_everything)
{
    struct lab_options o;

    accepts(&o, (const char *const[]){NULL});
    assert_int_equal(o.shape.m, 0);
    assert_int_equal(o.repeat, 0);
    assert_null(o.csv);
    assert_false(o.counters || o.bench || o.quiet);
}

TEST(test_each_value_arrives_in_its_place)
{
    struct lab_options o;

    accepts(&o, WORDS("--m", "2", "--n=3", "--k", "4", "--repeat=5",
                      "--seed=18446744073709551615", "--bench"));
    assert_int_equal(o.shape.m, 2);
    assert_int_equal(o.shape.n, 3);
    assert_int_equal(o.shape.k, 4);
    assert_int_equal(o.repeat, 5);
    assert_true(o.seed == UINT64_MAX);
    assert_true(o.bench);
    accepts(&o, WORDS("--counters", "--csv=a.csv", "-q"));
    assert_true(o.counters && o.quiet);
    assert_int_equal(o.banks, 0);
    accepts(&o, WORDS("--checks"));
    assert_true(o.checks);
    accepts(&o, WORDS("--checks", "--findings=f.csv"));
    assert_non_null(o.findings);
    accepts(&o, WORDS("--explain-counters"));
    assert_true(o.explain);
    accepts(&o, WORDS("--counters", "--verbose"));
    assert_true(o.verbose);
    accepts(&o, WORDS("--map", "a.csv", "--footprint=b.csv", "--map-line=46",
                      "--map-array", "Bs", "--map-request", "3", "--cc=1.3"));
    assert_string_equal(o.map, "a.csv");
    assert_string_equal(o.footprint, "b.csv");
    assert_string_equal(o.map_array, "Bs");
    assert_int_equal(o.map_line, 46);
    assert_int_equal(o.map_request, 3);
    assert_int_equal(o.banks, 1);
}

TEST(test_a_size_that_is_no_whole_number_is_refused)
{
    static const char *const bad[] = {"0",        "-1",
                                      "1.5",      "x",
                                      "",         " 4",
                                      "4x",       "1e3",
                                      "+4",       "0x10",
                                      "16777217", "99999999999",
                                      "nan",      "18446744073709551617"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refuses_options(WORDS("--m", bad[i]), "--m: ");
        refuses_options(WORDS("--n", bad[i]), "--n: ");
        refuses_options(WORDS("--k", bad[i]), "--k: ");
    }
    /* The bound on the error needs k below 2^24. */
    refuses_options(WORDS("--k", "16777216"), "from 1 to 16777215");
    refuses_options(WORDS("--repeat", "0"), "--repeat: '0'");
    refuses_options(WORDS("--seed", "-1"), "--seed: '-1'");
    refuses_options(WORDS("--seed", "18446744073709551616"), "--seed: ");
}

TEST(test_a_side_that_is_missing_is_named)
{
    refuses_options(WORDS("--m", "4"), "--n is missing");
    refuses_options(WORDS("--m", "4", "--n", "4"), "--k is missing");
    refuses_options(WORDS("--n", "4", "--k", "4"), "--m is missing");
}

TEST(test_a_matrix_too_large_for_int_is_refused)
{
    struct lab_options o;

    refuses_options(WORDS("--m", "65536", "--n", "1", "--k", "32768"),
                    "A is 65536 x 32768");
    refuses_options(WORDS("--m", "1", "--n", "65536", "--k", "32768"),
                    "B is 32768 x 65536");
    refuses_options(WORDS("--m", "65536", "--n", "32768", "--k", "1"),
                    "C is 65536 x 32768");
    accepts(&o, WORDS("--m", "65536", "--n", "32767", "--k", "1"));
}

TEST(test_an_unknown_word_is_named)
{
    refuses_options(WORDS("--fast"), "'--fast' is not an option");
    refuses_options(WORDS("-z"), "is not an option");
    refuses_options(WORDS("512"), "'512' is not an option");
    refuses_options(WORDS("--m"), "--m needs a value: --m M");
    refuses_options(WORDS("--csv"), "--csv needs a value: --csv FILE");
    refuses_options(WORDS("--bench=3"), "--bench takes no value");
    refuses_options(WORDS("--csv", ""), "--csv: is empty");
}

TEST(test_the_banks_of_a_compute_capability_are_chosen)
{
    static const char *const old[] = {"1.0", "1.3"};
    static const char *const today[] = {"5.0", "7.5", "9.0", "12.1"};
    struct lab_options o;

    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) {
        accepts(&o, WORDS("--counters", "--cc", old[i]));
        assert_int_equal(o.banks, 1);
    }
    for (size_t i = 0; i < sizeof today / sizeof today[0]; i++) {
        accepts(&o, WORDS("--counters", "--cc", today[i]));
        assert_int_equal(o.banks, 9);
    }
}

TEST(test_banks_that_are_not_known_are_refused_with_those_that_are)
{
    static const char *const unknown[] = {"0.9", "2.0", "2.1",
                                          "3.0", "3.7", "4.0"};
    static const char *const bad[] = {"",     "1",    "x",    "1.",
                                      ".3",   "1.x",  "9,0",  "-1.3",
                                      "1.3x", "1.33", " 1.3", "+1.3"};

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        refuses_options(WORDS("--counters", "--cc", unknown[i]),
                        "are not known here: use 1.0 to 1.3, or 5.0 and up");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuses_options(WORDS("--counters", "--cc", bad[i]),
                        "is no compute capability: write it as 1.3");
    refuses_options(WORDS("--cc", "1.3"), "--cc goes with --counters");
    refuses_options(WORDS("--verbose"), "--verbose goes with --counters");
}

TEST(test_modes_exclude_each_other)
{
    refuses_options(WORDS("--bench", "--counters"), "choose one of");
    refuses_options(WORDS("--bench", "--card"), "choose one of");
    refuses_options(WORDS("--counters", "--checks"), "choose one of");
    refuses_options(WORDS("--checks", "--explain-counters"), "choose one of");
    refuses_options(WORDS("--map", "a.csv", "--counters"), "choose one of");
    refuses_options(WORDS("--map-request", "1"),
                    "--map-request goes with --map");
    refuses_options(WORDS("--map", "a.csv", "--map-line", "0"), "from 1 to");
    refuses_options(WORDS("--map="), "is empty");
    refuses_options(WORDS("--map", "a.csv", "--verbose"),
                    "goes with --counters");
    refuses_options(WORDS("--counters", "--cublas"), "--cublas is for timing");
    refuses_options(WORDS("--bench", "--csv=a", "--resume", "--renew"),
                    "one of them, goes with --csv");
    refuses_options(WORDS("--bench", "--resume"), "--resume goes with --csv");
    refuses_options(WORDS("--csv=a", "--renew"), "--renew goes with --csv");
    refuses_options(WORDS("--findings", "f.csv"),
                    "--findings goes with --counters, --checks or "
                    "--why");
}

/* Help is asked for by people whose command line is wrong. */
TEST(test_help_needs_nothing_else_to_be_right)
{
    struct lab_options o;

    char why[200];

    assert_int_equal(
        read_command_line(&o, why, sizeof why, WORDS("--m", "4", "--help")), 1);
}

TEST(test_a_shape_without_elements_is_refused)
{
    char why[200];

    assert_int_equal(
        lab_shape_check((struct course_shape){0, 1, 1}, why, sizeof why), -1);
    assert_int_equal(
        lab_shape_check((struct course_shape){1, -1, 1}, why, sizeof why), -1);
    assert_int_equal(
        lab_shape_check((struct course_shape){1, 1, 1}, why, sizeof why), 0);
}
