/* Is a name of any bytes harmless wherever it is shown, and still told from
   every other? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "grade/base/digest.h"
#include "grade/base/text.h"

typedef void writer(FILE *to, const char *text);

static void writes(writer *write, const char *text, const char *expected)
{
    char *written = NULL;
    size_t length;
    FILE *file = open_memstream(&written, &length);

    assert_non_null(file);
    write(file, text);
    fclose(file);
    assert_string_equal(written, expected);
    free(written);
}

static void wrapped(FILE *to, const char *text)
{
    grade_text_wrapped(to, text, "> ");
}

TEST(test_what_acts_on_a_terminal_is_escaped)
{
    writes(grade_text_name, "a\033[31mb", "a\\x1b[31mb");
    writes(grade_text_name, "a\nb\tc\rd", "a\\nb\\tc\\x0dd");
    writes(grade_text_name, "\x7f", "\\x7f");
    writes(grade_text_name,
           "\xc2\x9b"
           "1m",
           "\\xc2\\x9b1m"); /* C1 */
    writes(grade_text_name,
           "\xe2\x80\xae"
           "abc",
           "\\xe2\\x80\\xae"
           "abc"); /* RLO */
    writes(grade_text_name, "\xef\xbb\xbf", "\\xef\\xbb\\xbf");
}

TEST(test_letters_of_any_language_stay)
{
    writes(grade_text_name, "\xe6\x9d\x8e \xd0\x9e\xd0\xbb\xd1\x8c",
           "\xe6\x9d\x8e \xd0\x9e\xd0\xbb\xd1\x8c");
}

TEST(test_what_is_no_utf8_is_escaped)
{
    writes(grade_text_name, "J\xfcrgen", "J\\xfcrgen");
    writes(grade_text_name, "\xc0\xaf", "\\xc0\\xaf");          /* overlong */
    writes(grade_text_name, "\xed\xa0\x80", "\\xed\\xa0\\x80"); /* surrogate */
    writes(grade_text_name, "\xe6\x9d", "\\xe6\\x9d");          /* cut */
}

TEST(test_no_two_names_look_alike)
{
    writes(grade_text_name, "a\\nb", "a\\\\nb");
    writes(grade_text_name, "a\nb", "a\\nb");
}

TEST(test_cells_are_no_formulas)
{
    writes(grade_text_cell, "=1+1", "'=1+1");
    writes(grade_text_cell, "+1", "'+1");
    writes(grade_text_cell, "-rf", "'-rf");
    writes(grade_text_cell, "@SUM(A1)", "'@SUM(A1)");
    writes(grade_text_cell,
           "\xef\xbc\x9d"
           "1",
           "'\xef\xbc\x9d"
           "1");
    writes(grade_text_cell, "\t=1", "\\t=1");
    writes(grade_text_cell, "\r=1", "\\x0d=1");
    writes(grade_text_cell, "=HYPERLINK(\"http://x\",\"y\")",
           "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    writes(grade_text_cell, "a,b", "\"a,b\"");
    writes(grade_text_cell, "plain", "plain");
}

TEST(test_lines_are_indented_each)
{
    writes(wrapped, "a\nb", "> a\n> b\n");
    writes(wrapped, "a\r\n\n\tb\n", "> a\n\n> \tb\n");
    writes(wrapped, "\033]0;x\007", "> \\x1b]0;x\\x07\n");
    writes(wrapped, "", "");
}

TEST(test_long_lines_are_broken_between_words)
{
    static const char text[] =
        "  one two three four five six seven eight nine ten eleven twelve "
        "thirteen fourteen fifteen\nshort";

    writes(wrapped, text,
           ">   one two three four five six seven eight nine ten eleven twelve "
           "thirteen\n>   fourteen fifteen\n> short\n");
}

TEST(test_a_text_is_cut_between_characters)
{
    char *const clean = grade_text_clean("ab\xe6\x9d\x8e"
                                         "cd, and much more than that",
                                         27);

    assert_non_null(clean);
    assert_string_equal(clean, "ab\n(the rest is left out)");
    free(clean);
}

TEST(test_file_names_hold_harmless_letters_alone)
{
    char file[GRADE_FILE_NAME], name[256];

    grade_text_file_name("../../etc/$(touch X)'\"\n", file);
    assert_string_equal(file, ".._.._etc___touch_X____");
    memset(name, 'x', 255);
    name[255] = '\0';
    grade_text_file_name(name, file);
    assert_int_equal(strlen(file), GRADE_FILE_NAME - 1);
}

/* --- digests -------------------------------------------------------------- */

/* The first example of FIPS 180-4 that NIST publishes. */
TEST(test_digests_are_those_of_sha_256)
{
    struct sha256_ctx digest;
    char found[GRADE_DIGEST_TEXT];

    sha256_init(&digest);
    sha256_update(&digest, 3, (const uint8_t *)"abc");
    grade_digest_end(&digest, found);
    assert_string_equal(
        found,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(test_items_do_not_run_together)
{
    char first[GRADE_DIGEST_TEXT], second[GRADE_DIGEST_TEXT];
    struct sha256_ctx digest;

    sha256_init(&digest);
    grade_digest_string(&digest, "ab");
    grade_digest_string(&digest, "c");
    grade_digest_end(&digest, first);
    sha256_init(&digest);
    grade_digest_string(&digest, "a");
    grade_digest_string(&digest, "bc");
    grade_digest_end(&digest, second);
    assert_string_not_equal(first, second);
}
