/* What could let a quote pass that no longer holds? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv_read.h"
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

static void test_expressions_are_calculated(void **state)
{
    static const struct {
        const char *text;
        double value;
    } right[] = {{"2*256*384*512", 100663296.0},
                 {"1+2*3", 7.0},
                 {"(1+2)*3", 9.0},
                 {"8/4/2", 1.0},
                 {"10-3-2", 5.0},
                 {"1e3/8", 125.0}};
    static const char *const wrong[] = {"",  "1+",  "(1", "1)",
                                        "x", "1/0", "2 3"};
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_int_equal(
            quote_calculate(right[i].text, NULL, NULL, &value, why, sizeof why),
            0);
        assert_true(value == right[i].value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        why[0] = '\0';
        assert_int_equal(
            quote_calculate(wrong[i], NULL, NULL, &value, why, sizeof why), -1);
        assert_true(why[0] != '\0');
    }
}

static void test_only_plain_formats_print(void **state)
{
    static const char *const wrong[] = {"%s",    "%d",    "%.2", "%.2fx",
                                        "%.2lf", "%.99f", "2"};
    char text[64];

    (void)state;
    assert_int_equal(quote_print(text, sizeof text, "%.1f", 4.948), 0);
    assert_string_equal(text, "4.9");
    assert_int_equal(quote_print(text, sizeof text, "%'.0f", 1234567.0), 0);
    assert_string_equal(text, "1,234,567");
    assert_int_equal(quote_print(text, sizeof text, "%'.1f", 123.0), 0);
    assert_string_equal(text, "123.0");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(quote_print(text, sizeof text, wrong[i], 1.0), -1);
}

static const struct lab_csv *open_one(void *context, const char *name, char *to,
                                      size_t size)
{
    if (strcmp(name, "t.csv") == 0)
        return context;
    snprintf(to, size, "there is no %s", name);
    return NULL;
}

/* How many numbers of a text are wrong; what is said about them is lost. */
static int wrong_numbers(const char *prose)
{
    struct lab_csv csv;
    const struct quote_source source = {open_one, &csv};
    const int out = dup(2), nothing = open("/dev/null", O_WRONLY);
    int numbers = 0, bad;

    assert_int_equal(lab_csv_parse("t.csv",
                                   "lab,m,gflops\n03,4096,4948.4\n"
                                   "04,4096,3056.2\n04,512,1\n",
                                   &csv, why, sizeof why),
                     0);
    dup2(nothing, 2);
    bad = quote_numbers("x.md", prose, &source, &numbers);
    dup2(out, 2);
    close(out);
    close(nothing);
    lab_csv_free(&csv);
    return bad;
}

static void test_a_number_is_what_its_row_gives(void **state)
{
    static const char *const right[] = {
        "<!-- t.csv lab=03 gflops/1000 %.1f -->4.9 TFLOP/s",
        "<!-- t.csv lab=04 m=4096 gflops %.0f -->3056 GFLOP/s.",
        "<!-- t.csv lab=03\ngflops over lab=04 m=4096 %.2f -->1.62 times",
        "<!-- 2*3 %.0f -->6, and a <!-- plain note --> and in GFLOP/s",
        "<!-- source: data sheet -->504 GFLOP/s"};
    static const char *const wrong[] = {
        "<!-- t.csv lab=03 gflops/1000 %.1f -->4.8",
        "<!-- t.csv lab=03 gflops/1000 %.1f -->4.95",
        "<!-- t.csv lab=03 gflops/1000 %.1f --> 4.9",
        "<!-- t.csv lab=04 gflops %.0f -->3056", /* two rows */
        "<!-- t.csv lab=05 gflops %.0f -->3056", /* none */
        "<!-- t.csv lab=03 flops %.0f -->3056",  /* no column */
        "<!-- t.csv lap=03 gflops %.0f -->4948", /* likewise */
        "<!-- u.csv lab=03 gflops %.0f -->4948", /* no file */
        "<!-- t.csv lab=03 gflops %s -->4948",   /* no format */
        "<!-- 2*3 %.0f -->60",
        "<!-- 2*3 %.0f -->6,000",
        "<!-- 2*3 %.0f",
        "it ran at 4.9 TFLOP/s",
        "it ran at 4.9\nTFLOP/s"};

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        if (wrong_numbers(right[i]) != 0)
            fail_msg("refused: %s", right[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (wrong_numbers(wrong[i]) == 0)
            fail_msg("taken: %s", wrong[i]);
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
    assert_null(strstr(d.prose, "make lab-03"));
    assert_non_null(strstr(d.prose, "one <!-- 1"));
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
        cmocka_unit_test(test_expressions_are_calculated),
        cmocka_unit_test(test_only_plain_formats_print),
        cmocka_unit_test(test_a_number_is_what_its_row_gives),
        cmocka_unit_test(test_blocks_are_found_with_what_is_said_of_them),
        cmocka_unit_test(test_only_the_courses_own_commands_are_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
