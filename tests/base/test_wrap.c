/* What could go wrong with a text that is broken into lines? */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "../testing.h"
#include "../scratch.h"
#include "base/wrap.h"

#define TEN     "123456789 "
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN

static void wraps(const char *indent, const char *text, const char *expected)
{
    base_wrap(writing(), indent, text);
    assert_string_equal(written(), expected);
}

TEST(test_a_line_has_80_columns_and_not_81)
{
    wraps("", SEVENTY "123456789 x", SEVENTY "123456789\nx\n");
    wraps("", SEVENTY "1234567890 x", SEVENTY "1234567890\nx\n");
    wraps("", SEVENTY "12345678901 x",
          TEN TEN TEN TEN TEN TEN "123456789\n12345678901 x\n");
    wraps("", SEVENTY "12345678 x", SEVENTY "12345678 x\n");
}

TEST(test_the_indent_counts)
{
    wraps("> ", SEVENTY "12345678 x", "> " SEVENTY "12345678\n> x\n");
    wraps("\xc2\xbb ", SEVENTY "123456 x", "\xc2\xbb " SEVENTY "123456 x\n");
}

TEST(test_a_line_goes_on_where_it_began)
{
    wraps(" ", "  " SEVENTY "1234567 x", "   " SEVENTY "1234567\n   x\n");
    wraps("", "a\n  b\nc\n", "a\n  b\nc\n");
}

/* 78 letters of two bytes each, and a word that fits behind them. */
TEST(test_a_letter_of_two_bytes_is_a_column)
{
    char text[200] = "", expected[200];
    size_t used = 0;

    for (int i = 0; i < 78; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s", "\xc3\xa4");
    snprintf(text + used, sizeof text - used, " x yy");
    snprintf(expected, sizeof expected, "%.*s x\nyy\n", (int)used, text);
    wraps("", text, expected);
}

TEST(test_line_feeds_and_blanks_within_a_line_stay)
{
    wraps("> ", "a  b\n\nc\n", "> a  b\n\n> c\n");
    wraps("", "a \n \nb", "a\n\nb\n");
    wraps("", "", "");
    wraps("", "\n", "\n");
}

TEST(test_a_word_wider_than_a_line_stands_alone)
{
    static const char wide[] =
        "0123456789012345678901234567890123456789012345678901234567890123456789"
        "012345678901234567890";
    char text[200], expected[200];

    snprintf(text, sizeof text, "a %s b", wide);
    snprintf(expected, sizeof expected, "a\n%s\nb\n", wide);
    wraps("", text, expected);
}

/* Korean has blanks between words; a letter takes two columns. */
TEST(test_wide_letters_take_two_columns)
{
    char text[300] = "", expected[300];
    size_t used = 0;

    for (int i = 0; i < 39; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "\xea\xb0\x80");
    snprintf(text + used, sizeof text - used, " x yy");
    snprintf(expected, sizeof expected, "%.*s x\nyy\n", (int)used, text);
    wraps("", text, expected);
    assert_int_equal(base_columns(text, used), 78);
    assert_int_equal(base_cut(text, 5), 6);
}

/* Chinese has none: a line ends anywhere, but not before a full stop. */
TEST(test_a_line_may_end_between_chinese_characters)
{
    char text[300] = "", expected[300];
    size_t used = 0;

    for (int i = 0; i < 40; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "\xe4\xb8\xad");
    snprintf(text + used, sizeof text - used, "\xe3\x80\x82");
    snprintf(expected, sizeof expected, "%.*s\n\xe4\xb8\xad\xe3\x80\x82\n",
             39 * 3, text);
    wraps("", text, expected);
}
