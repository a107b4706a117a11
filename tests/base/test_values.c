/* What could go wrong with a value on its way to another program? */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../scratch.h"
#include "base/print.h"
#include "base/values.h"

static FILE *file;

FIXTURE(set_up)
{
    file = writing();
    return 0;
}

/* Ends the writing: what was written is this. */
static void wrote(const char *expected)
{
    assert_string_equal(written(), expected);
}

EACH_TEST(set_up, NULL);

TEST(test_numbers_are_as_short_as_they_can_be)
{
    base_put_number(file, 0.1);
    fputc(' ', file);
    base_put_number(file, 1966080);
    fputc(' ', file);
    base_put_number(file, 1.0 / 3.0);
    wrote("0.1 1.96608e+06 0.3333333333333333");
}

TEST(test_csv_cells_with_commas_quotes_lines_and_blanks_are_quoted)
{
    base_put_csv_text(file, "As");
    fputc(';', file);
    base_put_csv_text(file, "f<int, 2>");
    fputc(';', file);
    base_put_csv_text(file, "a \"b\"\nc");
    fputc(',', file);
    base_put_csv_text(file, " d");
    fputc(',', file);
    base_put_csv_text(file, "e ");
    fputc(',', file);
    base_put_csv_text(file, "\xef\xbb\xbfmark");
    wrote(
        "As;\"f<int, 2>\";\"a \"\"b\"\"\nc\",\" d\",\"e \",\"\xef\xbb\xbfmark\"");
}

TEST(test_what_is_not_known_is_empty_or_null)
{
    struct base_json json = {file, 0, 0};

    base_put_csv_number(file, NAN);
    base_put_csv_number(file, INFINITY);
    base_json_open(&json, NULL, '{');
    base_json_number(&json, "a", NAN);
    base_json_text(&json, "b", NULL);
    base_json_close(&json, '}');
    wrote("{\n  \"a\": null,\n  \"b\": null\n}\n");
}

TEST(test_json_nests_and_separates)
{
    struct base_json json = {file, 0, 0};

    base_json_open(&json, NULL, '[');
    base_json_open(&json, NULL, '{');
    base_json_open(&json, "lines", '[');
    base_json_number(&json, NULL, 1);
    base_json_number(&json, NULL, 2);
    base_json_close(&json, ']');
    base_json_open(&json, "none", '[');
    base_json_close(&json, ']');
    base_json_close(&json, '}');
    base_json_text(&json, NULL, "x");
    base_json_close(&json, ']');
    wrote("[\n  {\n    \"lines\": [\n      1,\n      2\n    ],\n"
          "    \"none\": []\n  },\n  \"x\"\n]\n");
}

TEST(test_json_text_hides_no_quote_and_no_control_character)
{
    struct base_json json = {file, 0, 0};

    base_json_open(&json, NULL, '[');
    base_json_text(&json, NULL, "a\"b\\c\n\x1f");
    base_json_close(&json, ']');
    wrote("[\n  \"a\\\"b\\\\c\\u000a\\u001f\"\n]\n");
}

TEST(test_a_text_in_a_row_is_one_cell_in_each_form)
{
    base_print(file, BASE_CSV, "%s,%d,%u,%ld,%g,%g %%\n", "a,\"b", -1, 2U, 3L,
               0.5, (double)NAN);
    base_print(file, BASE_GNUPLOT, "%s %g %g\n", "a \"b\"", 0.5,
               (double)INFINITY);
    base_print(file, BASE_HTML, "<b>%s</b>\n", "<i>");
    wrote("\"a,\"\"b\",-1,2,3,0.5, %\n\"a 'b'\" 0.5 NaN\n<b>&lt;i&gt;</b>\n");
}
