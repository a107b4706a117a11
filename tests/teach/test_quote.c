/* What could let a quote pass that no longer holds? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "base/file.h"
#include "teach/quote_match.h"

static char why[400];

static int fits(const char *expected, const char *said, int exact)
{
    why[0] = '\0';
    return quote_match(expected, said, exact, why, sizeof why) == 0;
}

TEST(test_lines_are_held_in_order_and_in_full)
{
    assert_true(fits("a\nb\n", "a\nb\n", 1));
    assert_true(fits("a\n\nb  \n", "a\nb\n\n", 1)); /* blanks do not count */
    assert_false(fits("b\na\n", "a\nb\n", 1));
    assert_false(fits("a\n", "a\nb\n", 1));
    assert_non_null(strstr(why, "more than is quoted: 'b'"));
    assert_false(fits("a\nb\n", "a\n", 1));
    assert_non_null(strstr(why, "'b' is quoted"));
    assert_false(fits("a\n", "", 1));
    assert_false(fits("1.00\n", "1.01\n", 1));
}

TEST(test_a_gap_stands_for_lines_and_only_where_it_is)
{
    assert_true(fits("...\nb\n", "a\na\nb\n", 1));
    assert_true(fits("a\n...\n", "a\n", 1));
    assert_true(fits("...\nb\nc\n...\n", "b\nx\nb\nc\nd\n", 1));
    assert_false(fits("...\nb\n", "b\nc\n", 1));
    assert_false(fits("...\nx\n...\n", "a\nb\n", 1));
    assert_true(fits("t ... ms, ... GFLOP/s\n", "t 3 ms, 4 GFLOP/s\n", 1));
    assert_false(fits("t ... ms, ... GFLOP/s\n", "t 3 ms, 4 MB\n", 1));
    assert_true(fits("...end\n", "the end\n", 1));
}

TEST(test_what_make_says_of_building_does_not_count)
{
    assert_true(
        fits("a\n", "  CC    x.c\n  LINK  x\na\nmake: *** Error 1\n", 1));
    assert_false(fits("a\n", "  CC: x.c\na\n", 1));
}

TEST(test_lines_of_a_file_may_stand_apart_but_in_order)
{
    assert_true(fits("b\nd\n", "  a\n  b\nc\n  d\n", 0));
    assert_false(fits("d\nb\n", "b\nd\n", 0));
    assert_false(fits("e\n", "b\nd\n", 0));
}

/* What numbers.awk says of a text, whose numbers come from there and t.csv. */
static struct command check_numbers(const char *prose, const char *origins)
{
    char folder[] = "/tmp/test_quote.XXXXXX", path[60];
    struct command run;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/t.csv", folder);
    assert_int_equal(base_write_file(path,
                                     "# measured\nlab,m,gflops,note\n"
                                     "03,4096,4948.4,\"a, b\"\n"
                                     "04,4096,3056.2,\n04,512,1,\n",
                                     why, sizeof why),
                     0);
    snprintf(path, sizeof path, "%s/x.numbers", folder);
    assert_int_equal(base_write_file(path, origins, why, sizeof why), 0);
    snprintf(path, sizeof path, "%s/x.md", folder);
    assert_int_equal(base_write_file(path, prose, why, sizeof why), 0);
    run = command_run(
        "exec 2>&1; awk -v folders=%s -f common/teach/numbers.awk %s; "
        "code=$?; rm -r %s; exit $code",
        folder, path, folder);
    return run;
}

TEST(test_a_number_is_what_its_origin_gives)
{
    static const struct {
        const char *text, *origins;
    } right[] = {
        {"it ran at 4.9 TFLOP/s",
         "# why\n\nran at {} TFLOP\n    t.csv lab=03 gflops/1000 %.1f\n"},
        {"at 3056 GFLOP/s.", "at {}\n\tt.csv lab=04 m=4096 gflops %.0f"},
        {"is 1.62\ntimes as quick", "is {} times\n"
                                    "  t.csv lab=03 gflops over lab=04 m=4096 "
                                    "%.2f"},
        {"6 and in GFLOP/s", ""},
        {"at 504 GFLOP/s", "at {}\n  source: data sheet"},
        {"```\nit ran at 4.9 TFLOP/s\n```\n<!-- at 3 GB/s\n4 GB/s -->", ""},
        {"a 100,663,296 and 1, b 2", "a {} and {},\n  2*256*384*512 %'.0f\n"
                                     "  1 %.0f\nb {}\n  2 %.0f"},
        {"a 7", "a {}\n  1+2*3 %.0f"},
        {"a 9", "a {}\n  (1+2)*3 %.0f"},
        {"a 1", "a {}\n  8/4/2 %.0f"},
        {"a 5", "a {}\n  10-3-2 %.0f"},
        {"a 125.0", "a {}\n  1e3/8 %.1f"},
        {"a 1,234,567.0", "a {}\n  1234567 %'.1f"},
        {"a **123**.", "a **{}**\n  123 %'.0f"}};

    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        struct command run = check_numbers(right[i].text, right[i].origins);

        if (run.code != 0)
            fail_msg("%s: %s", right[i].text, run.text);
        command_free(&run);
    }
}

TEST(test_a_number_that_does_not_hold_is_told)
{
    static const struct {
        const char *text, *origin, *says;
    } wrong[] = {
        {"a 4.8", "t.csv lab=03 gflops/1000 %.1f", "'4.8' should be 4.9"},
        {"a 4.95", "t.csv lab=03 gflops/1000 %.1f", "should be 4.9"},
        {"a 3056", "t.csv lab=04 gflops %.0f", "more than one row of t.csv"},
        {"a 3056", "t.csv lab=05 gflops %.0f", "no row of t.csv fits"},
        {"a 3056", "t.csv lab=03 flops %.0f", "no number in a column"},
        {"a 3056", "t.csv lab=03 note %.0f", "no number in a column"},
        {"a 4948", "t.csv lap=03 gflops %.0f", "no row of t.csv fits"},
        {"a 4948", "u.csv lab=03 gflops %.0f", "there is no u.csv"},
        {"a 1", "counted lab=none x %.0f", "cannot be counted"},
        {"a 4948", "t.csv lab=03 gflops %s", "'%s' is no format"},
        {"a 2", "2 %d", "is no format"},
        {"a 2", "2 %.2", "is no format"},
        {"a 2", "2 %.2fx", "is no format"},
        {"a 2", "2 %.2lf", "is no format"},
        {"a 2", "2 %.99f", "is no format"},
        {"a 60", "2*3 %.0f", "should be 6"},
        {"a\n\na 6,000", "2*3 %.0f", "x.md:3: '6,000' should be 6"},
        {"a 6", "%.0f", "a number's origin reads"},
        {"a 1", "lab=03 1 %.0f", "a number's origin reads"},
        {"a 1", "1+ %.0f", "'1+' is no finite number"},
        {"a 1", "(1 %.0f", "is no finite number"},
        {"a 1", "1) %.0f", "is no finite number"},
        {"a 1", "1/0 %.0f", "is no finite number"},
        {"a 1", "x %.0f", "no number in a column 'x'"},
        {"a 2", "2 3 %.0f", "what is '3'?"},
        {"a 6", "2(3) %.0f", "an operator is missing"},
        {"a 8", "2**3 %.0f", "is no finite number"},
        {"a 1", "1\"; %.0f", "what is '\";'"},
        {"a 1", "1';id;' %.0f", "what is '';id;''"},
        {"a 1", "1 %.0f';id", "is no format"},
        {"a 2", "2 %.0f 3", "stands behind the format"},
        {"it ran at 4.9 TFLOP/s", NULL, "nothing says where"},
        {"a\nit ran at 4.9\nTFLOP/s", NULL, "x.md:2: nothing says where"}};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char origins[200] = "";
        struct command run;

        if (wrong[i].origin != NULL)
            snprintf(origins, sizeof origins, "a {}\n  %s\n", wrong[i].origin);
        run = check_numbers(wrong[i].text, origins);
        if (run.code != 1 || strstr(run.text, wrong[i].says) == NULL)
            fail_msg("%s: %s", wrong[i].text, run.text);
        command_free(&run);
    }
}

TEST(test_a_phrase_stands_once_in_its_text)
{
    static const struct {
        const char *text, *origins, *says;
    } wrong[] = {
        {"a 6", "b {}\n  6 %.0f", "x.numbers:1: 'b {}' stands nowhere in"},
        {"a six", "a {}\n  6 %.0f", "stands nowhere in"},
        {"a 6, a 6", "a {}\n  6 %.0f", "stands more than once in"},
        {"a 6", "a {}\n", "a {} for each line below it"},
        {"a 6", "a\n  6 %.0f", "a {} for each line below it"},
        {"a 6", "{} b\n  6 %.0f", "a phrase has words"},
        {"a 6", "a {}\n  6 %.0f\n  7 %.0f", "a {} for each line below it"}};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct command run = check_numbers(wrong[i].text, wrong[i].origins);

        if (run.code != 1 || strstr(run.text, wrong[i].says) == NULL)
            fail_msg("%s: %s", wrong[i].origins, run.text);
        command_free(&run);
    }
}
