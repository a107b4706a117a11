/* Does a text reach the page as it is, and does the report say what is wrong
   with the files that it reads? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "../scratch.h"
#include "base/html.h"
#include "report/html.h"
#include "course/keyed.h"
#include "report/plots.h"

/* --- html ----------------------------------------------------------------- */

static void becomes(const char *text, const char *expected)
{
    html_print(writing(), "%s", text);
    assert_string_equal(written(), expected);
}

TEST(test_characters_of_html_are_escaped)
{
    becomes("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d");
    becomes("\"O'Brien\"", "&quot;O&#39;Brien&quot;");
    becomes("&amp;", "&amp;amp;");
    becomes("", "");
}

TEST(test_letters_of_any_language_stay)
{
    static const char *const name[] = {
        "Za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87", "\xe6\x9d\x8e\xe9\x9b\xb7",
        "\xd0\x9e\xd0\xbb\xd1\x8c\xd0\xb3\xd0\xb0", "\xf0\x9f\x99\x82"};

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        assert_int_equal(base_html_bad_byte(name[i]), -1);
        becomes(name[i], name[i]);
    }
}

TEST(test_what_is_no_text_becomes_the_sign_for_that)
{
    static const char *const bad[] = {
        "\x01",     "\x7f",     "\xc0\xaf",         "\xff",
        "\xc5",     "\xe6\x9d", "\xed\xa0\x80",     "\xef\xbf\xbf",
        "\xc2\x85", "\x80",     "\xf4\x90\x80\x80", "\xe0\x80\xaf",
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[16];
        const char *html;

        snprintf(text, sizeof text, "ab%s<", bad[i]);
        assert_int_equal(base_html_bad_byte(text), 2);
        base_put_html(writing(), text);
        html = written();
        assert_int_equal(strncmp(html, "ab\xef\xbf\xbd", 5), 0);
        assert_string_equal(html + strlen(html) - 4, "&lt;");
        assert_int_equal(base_html_bad_byte(html), -1);
    }
}

/* The examples of RFC 4648, section 10. */
TEST(test_base64_is_that_of_the_standard)
{
    static const char *const example[][2] = {{"", ""},
                                             {"f", "Zg=="},
                                             {"fo", "Zm8="},
                                             {"foo", "Zm9v"},
                                             {"foob", "Zm9vYg=="},
                                             {"fooba", "Zm9vYmE="},
                                             {"foobar", "Zm9vYmFy"},
                                             {"\xff\xfe\xfd", "//79"}};
    char why[256];

    for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
        assert_int_equal(html_base64(writing(),
                                     scratch_write(example[i][0], "bytes"), why,
                                     sizeof why),
                         0);
        assert_string_equal(written(), example[i][1]);
    }
    assert_int_equal(html_base64(stdout, scratch("none"), why, sizeof why), -1);
    assert_non_null(strstr(why, scratch("none")));
}

/* --- answers -------------------------------------------------------------- */

static int read_keyed(const char *text, struct course_keyed *keyed, char *why,
                      size_t size)
{
    return course_keyed_read(scratch_write(text, "answers"), keyed, why, size);
}

TEST(test_an_answer_goes_on_until_the_next_number)
{
    struct course_keyed k;
    char why[256];

    assert_int_equal(read_keyed("# mine\n\n03.1: one\ntwo\n\n#pragma unroll\n"
                                "   \n3.2:\n  indented\n  03.9: no number\n"
                                "12.10:no blank",
                                &k, why, sizeof why),
                     0);
    assert_int_equal(k.count, 3);
    assert_string_equal(course_keyed_find(&k, 3, 1)->text,
                        "one\ntwo\n\n#pragma unroll");
    assert_string_equal(course_keyed_find(&k, 3, 2)->text,
                        "indented\n  03.9: no number");
    assert_int_equal(course_keyed_find(&k, 3, 2)->line, 8);
    assert_string_equal(course_keyed_find(&k, 12, 10)->text, "no blank");
    assert_null(course_keyed_find(&k, 3, 9));
    course_keyed_free(&k);
}

TEST(test_a_file_from_windows_is_read)
{
    struct course_keyed k;
    char why[256];

    assert_int_equal(read_keyed("\xef\xbb\xbf"
                                "03.1: one\r\ntwo\r\n03.2:\r\n",
                                &k, why, sizeof why),
                     0);
    assert_string_equal(course_keyed_find(&k, 3, 1)->text, "one\ntwo");
    assert_string_equal(course_keyed_find(&k, 3, 2)->text, "");
    course_keyed_free(&k);
    assert_int_equal(read_keyed("", &k, why, sizeof why), 0);
    assert_int_equal(k.count, 0);
    course_keyed_free(&k);
}

static void refuses_answers(const char *text, const char *line,
                            const char *words)
{
    struct course_keyed k;
    char why[256];

    assert_int_equal(read_keyed(text, &k, why, sizeof why), -1);
    assert_null(k.entry);
    if (strstr(why, line) == NULL || strstr(why, words) == NULL)
        fail_msg("'%s' has not '%s' and '%s'", why, line, words);
}

TEST(test_a_file_of_answers_that_is_wrong_is_told_by_line)
{
    refuses_answers("\nhello\n03.1: a\n", ":2: ", "belongs to no question");
    refuses_answers(" 03.1: indented\n", ":1: ", "belongs to no question");
    refuses_answers("003.1: a\n", ":1: ", "belongs to no question");
    refuses_answers("03.1 a\n", ":1: ", "belongs to no question");
    refuses_answers("03.1: a\n03.2: b\n3.1: c\n", ":3: ", "line 1 already");
    refuses_answers("03.1: a\n\xe9t\xe9\n", ":2: ", "not UTF-8");
    refuses_answers("03.1: \x1b[31m\n", ":1: ", "control character");
}

/* --- captions ------------------------------------------------------------- */

static void refuses_captions(const char *text, const char *words)
{
    struct plots plots;
    char why[256];

    assert_int_equal(plots_read(scratch_write(text, "CAPTIONS"), "/not/there",
                                &plots, why, sizeof why),
                     -1);
    if (strstr(why, words) == NULL)
        fail_msg("'%s' has not '%s'", why, words);
}

TEST(test_captions_that_are_wrong_are_told_by_line)
{
    refuses_captions("by: make demo\n",
                     ":1: 'by' stands before the first plot");
    refuses_captions("# c\nplot: a\nplot: b\n", ":2: plot a has no 'shows'");
    refuses_captions("plot: a\nby: b\nby: c\n", ":3: 'by' stands here for the");
    refuses_captions("plot: a\nby: b\nshows: c\n",
                     ":1: plot a has no 'caption'");
    refuses_captions("plot: a\nbye: b\n",
                     ":2: 'bye' is not known here: use plot, by, shows, "
                     "caption or labs");
    refuses_captions("  indented\n", ":1: '  indented' is not 'KEY: VALUE'");
    refuses_captions("plot:\n", ":1: nothing stands behind plot");
}

TEST(test_a_plot_of_a_pattern_keeps_its_caption)
{
    static const char *const name[] = {"map_03", "map_04", "other", "map"};
    const char *const folder = scratch("."), *path;
    char why[256];
    struct plots plots;

    for (int i = 0; i < 4; i++) {
        char svg[120];

        snprintf(svg, sizeof svg, "<svg><!-- %080d --></svg>\n", i);
        scratch_write(svg, "%s.svg", name[i]);
    }
    path = scratch_write("plot: ladder\nby: make demo\nshows: bars\n"
                         "  and lines\ncaption: speed\n\nplot: map*\n"
                         "by: make map-03\nshows: lanes\ncaption: banks\n",
                         "CAPTIONS");
    assert_int_equal(plots_read(path, folder, &plots, why, sizeof why), 0);
    assert_int_equal(plots.count, 5);
    assert_null(plots.plot[0].path);
    assert_string_equal(plots.plot[0].shows, "bars and lines");
    for (int i = 1; i < 5; i++) {
        const int known = strstr(plots.plot[i].path, "/other.") == NULL;

        assert_string_equal(plots.plot[i].caption, known ? "banks" : "");
    }
    plots_free(&plots);

    assert_int_equal(truncate(scratch("other.svg"), 90), 0);
    assert_int_equal(plots_read(path, folder, &plots, why, sizeof why), -1);
    assert_non_null(strstr(why, "other.svg: not a whole SVG"));
}
