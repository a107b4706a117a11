/* What could let a quote pass that no longer holds? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "base/file.h"
#include "teach/quote.h"
#include "teach/quote_runs.h"

static char why[400];

static int fits(const char *expected, const char *said, int exact)
{
    why[0] = '\0';
    return quote_match(expected, said, exact, why, sizeof why) == 0;
}

static void test_lines_are_held_in_order_and_in_full(void **state)
{
    (void)state;
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

static void test_a_gap_stands_for_lines_and_only_where_it_is(void **state)
{
    (void)state;
    assert_true(fits("...\nb\n", "a\na\nb\n", 1));
    assert_true(fits("a\n...\n", "a\n", 1));
    assert_true(fits("...\nb\nc\n...\n", "b\nx\nb\nc\nd\n", 1));
    assert_false(fits("...\nb\n", "b\nc\n", 1));
    assert_false(fits("...\nx\n...\n", "a\nb\n", 1));
    assert_true(fits("t ... ms, ... GFLOP/s\n", "t 3 ms, 4 GFLOP/s\n", 1));
    assert_false(fits("t ... ms, ... GFLOP/s\n", "t 3 ms, 4 MB\n", 1));
    assert_true(fits("...end\n", "the end\n", 1));
}

static void test_what_make_says_of_building_does_not_count(void **state)
{
    (void)state;
    assert_true(
        fits("a\n", "  CC    x.c\n  LINK  x\na\nmake: *** Error 1\n", 1));
    assert_false(fits("a\n", "  CC: x.c\na\n", 1));
}

static void test_lines_of_a_file_may_stand_apart_but_in_order(void **state)
{
    (void)state;
    assert_true(fits("b\nd\n", "  a\n  b\nc\n  d\n", 0));
    assert_false(fits("d\nb\n", "b\nd\n", 0));
    assert_false(fits("e\n", "b\nd\n", 0));
}

/* What numbers.awk says of a text, beside a t.csv. */
static struct command check_numbers(const char *prose)
{
    char folder[] = "/tmp/test_quote.XXXXXX", path[60];
    struct command run;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/t.csv", folder);
    assert_int_equal(course_write_file(path,
                                       "# measured\nlab,m,gflops,note\n"
                                       "03,4096,4948.4,\"a, b\"\n"
                                       "04,4096,3056.2,\n04,512,1,\n",
                                       why, sizeof why),
                     0);
    snprintf(path, sizeof path, "%s/x.md", folder);
    assert_int_equal(course_write_file(path, prose, why, sizeof why), 0);
    run = command_run(
        "exec 2>&1; awk -v folders=%s -f common/teach/numbers.awk %s; "
        "code=$?; rm -r %s; exit $code",
        folder, path, folder);
    return run;
}

static void test_a_number_is_what_its_comment_gives(void **state)
{
    static const char *const right[] = {
        "<!-- t.csv lab=03 gflops/1000 %.1f -->4.9 TFLOP/s",
        "<!-- t.csv lab=04 m=4096 gflops %.0f -->3056 GFLOP/s.",
        "<!-- t.csv lab=03\ngflops over lab=04 m=4096 %.2f -->1.62 times",
        "<!-- 2*3 %.0f -->6, and a <!-- plain note --> and in GFLOP/s",
        "<!-- source: data sheet -->504 GFLOP/s",
        "```\nit ran at 4.9 TFLOP/s <!-- 1 %.0f -->2\n```",
        "<!-- 2*256*384*512 %'.0f -->100,663,296 and 1",
        "<!-- 1+2*3 %.0f -->7",
        "<!-- (1+2)*3 %.0f -->9",
        "<!-- 8/4/2 %.0f -->1",
        "<!-- 10-3-2 %.0f -->5",
        "<!-- 1e3/8 %.1f -->125.0",
        "<!-- 1234567 %'.1f -->1,234,567.0",
        "<!-- 123 %'.0f -->123"};

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        struct command run = check_numbers(right[i]);

        if (run.code != 0)
            fail_msg("%s: %s", right[i], run.text);
        command_free(&run);
    }
}

static void test_a_number_that_does_not_hold_is_told(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"<!-- t.csv lab=03 gflops/1000 %.1f -->4.8", "'4.8' should be 4.9"},
        {"<!-- t.csv lab=03 gflops/1000 %.1f -->4.95", "should be 4.9"},
        {"<!-- t.csv lab=03 gflops/1000 %.1f --> 4.9", "should be 4.9"},
        {"<!-- t.csv lab=04 gflops %.0f -->3056", "more than one row of t.csv"},
        {"<!-- t.csv lab=05 gflops %.0f -->3056", "no row of t.csv fits"},
        {"<!-- t.csv lab=03 flops %.0f -->3056", "no number in a column"},
        {"<!-- t.csv lab=03 note %.0f -->3056", "no number in a column"},
        {"<!-- t.csv lap=03 gflops %.0f -->4948", "no row of t.csv fits"},
        {"<!-- u.csv lab=03 gflops %.0f -->4948", "there is no u.csv"},
        {"<!-- counted lab=none x %.0f -->1", "cannot be counted"},
        {"<!-- t.csv lab=03 gflops %s -->4948", "'%s' is no format"},
        {"<!-- 2 %d -->2", "is no format"},
        {"<!-- 2 %.2 -->2", "is no format"},
        {"<!-- 2 %.2fx -->2", "is no format"},
        {"<!-- 2 %.2lf -->2", "is no format"},
        {"<!-- 2 %.99f -->2", "is no format"},
        {"<!-- 2*3 %.0f -->60", "should be 6"},
        {"a\n\n<!-- 2*3 %.0f -->6,000", "x.md:3: '6,000' should be 6"},
        {"<!-- %.0f -->6", "a number's comment reads"},
        {"<!-- lab=03 1 %.0f -->1", "a number's comment reads"},
        {"<!-- 1+ %.0f -->1", "'1+' is no finite number"},
        {"<!-- (1 %.0f -->1", "is no finite number"},
        {"<!-- 1) %.0f -->1", "is no finite number"},
        {"<!-- 1/0 %.0f -->1", "is no finite number"},
        {"<!-- x %.0f -->1", "no number in a column 'x'"},
        {"<!-- 2 3 %.0f -->2", "what is '3' in this comment?"},
        {"<!-- 2(3) %.0f -->6", "an operator is missing"},
        {"<!-- 2**3 %.0f -->8", "is no finite number"},
        {"<!-- 1\"; %.0f -->1", "what is '\";'"},
        {"<!-- 1';id;' %.0f -->1", "what is '';id;''"},
        {"<!-- 1 %.0f';id -->1", "is no format"},
        {"<!-- 2 %.0f 3 -->2", "stands behind the format"},
        {"<!-- 2*3 %.0f", "not closed"},
        {"it ran at 4.9 TFLOP/s", "no comment says where"},
        {"a\nit ran at 4.9\nTFLOP/s", "x.md:3: no comment says where"}};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct command run = check_numbers(wrong[i].text);

        if (run.code != 1 || strstr(run.text, wrong[i].says) == NULL)
            fail_msg("%s: %s", wrong[i].text, run.text);
        command_free(&run);
    }
}

static void test_blocks_are_found_with_what_is_said_of_them(void **state)
{
    static const char text[] =
        "one <!-- 1 %.0f -->1\n"
        "<!-- of solutions -->\n"
        "```console\n$ make lab-03\nx\n```\n"
        "<!-- from a/b.cu -->\n```c\ny;\n```\n"
        "<!-- not run: a GPU -->\n```console\n$ z\n```\n";
    struct quote_document d;

    (void)state;
    assert_int_equal(quote_read("x.md", text, &d, why, sizeof why), 0);
    assert_int_equal(d.blocks, 3);
    assert_int_equal(d.block[0].kind, QUOTE_RUN);
    assert_string_equal(d.block[0].argument, "solutions");
    assert_string_equal(d.block[0].text, "$ make lab-03\nx\n");
    assert_int_equal(d.block[0].line, 4);
    assert_int_equal(d.block[1].kind, QUOTE_FROM);
    assert_string_equal(d.block[1].argument, "a/b.cu");
    assert_int_equal(d.block[2].kind, QUOTE_NOT);
    quote_free(&d);
    assert_int_equal(
        quote_read("x.md", "a\n```console\nb\n", &d, why, sizeof why), -1);
    assert_string_equal(why, "x.md:2: this ``` block is not closed");
    assert_int_equal(quote_read("x.md", "<!-- of solutions -->\ntext\n", &d,
                                why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "x.md:1: no ``` block"));
}

static void test_only_the_courses_own_commands_are_run(void **state)
{
    const struct quote_block none = {.argument = ""}, of = {.argument = "m/x"};
    char *command;

    (void)state;
    assert_null(quote_command("rm -r build", &none, why, sizeof why));
    assert_null(quote_command("make lab-03; rm x", &none, why, sizeof why));
    assert_null(quote_command("cat a | sh", &none, why, sizeof why));
    command = quote_command("make lab-03", &of, why, sizeof why);
    assert_non_null(strstr(command, "make lab-03 OF=m/x"));
    free(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_held_in_order_and_in_full),
        cmocka_unit_test(test_a_gap_stands_for_lines_and_only_where_it_is),
        cmocka_unit_test(test_what_make_says_of_building_does_not_count),
        cmocka_unit_test(test_lines_of_a_file_may_stand_apart_but_in_order),
        cmocka_unit_test(test_a_number_is_what_its_comment_gives),
        cmocka_unit_test(test_a_number_that_does_not_hold_is_told),
        cmocka_unit_test(test_blocks_are_found_with_what_is_said_of_them),
        cmocka_unit_test(test_only_the_courses_own_commands_are_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
