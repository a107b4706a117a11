/* Does the picture of a class say what was failed most, in words that are the
   same for the same mistake? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "folder.h"
#include "small_class.h"

static void replace(char **text, const char *words)
{
    free(*text);
    *text = strdup(words);
    assert_non_null(*text);
}

/* The reason of a result with this verdict and text is `reason`. */
static void reason_is(enum grade_verdict verdict, const char *text,
                      const char *reason)
{
    struct grade_result *const r = &class.row[1].result[0];
    char found[GRADE_REASON];

    r->verdict = verdict;
    replace(&r->text, text);
    grade_failure_reason(r, found);
    assert_string_equal(found, reason);
}

EACH_TEST(small_class_begin, small_class_end);

TEST(test_a_reason_is_one_sentence_without_line_and_numbers)
{
    reason_is(GRADE_COMPILE,
              "tiling.cu: In function 'f':\ntiling.cu:12:5: error: 'x1' was "
              "not declared\n",
              "'xN' was not declared");
    reason_is(GRADE_REJECTED, "tiling.cu:7: asm is no part of a lab. More.",
              "asm is no part of a lab");
    reason_is(GRADE_REJECTED, "It is 50000000 bytes long: too much",
              "It is N bytes long");
    reason_is(GRADE_FAIL, "", "");
    reason_is(GRADE_UNFINISHED, "2 TODOs are not written yet: 3.1, 3.2.",
              "TODOs are open");
    reason_is(GRADE_CRASH, "a\033[2Jb\n", "a\\xNb[NJb");
}

TEST(test_a_long_reason_ends_between_words)
{
    reason_is(GRADE_FAIL,
              "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff "
              "ggggggggg hhhhhhhhh",
              "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff "
              "...");
}

TEST(test_a_wrong_case_gives_its_advice)
{
    struct grade_result *const r = &class.row[2].result[0];
    char found[GRADE_REASON];

    replace(&r->cases[0].text,
            "8 of 96 elements of C are wrong. The first is C[3][1]: expected "
            "1.5, got 2.5 (allowed error 1e-06). Each sum lacks its last "
            "term. Look at the end of the loop over k.");
    grade_failure_reason(r, found);
    assert_string_equal(found, "Each sum lacks its last term");
    r->verdict = GRADE_UNCLEAN;
    grade_failure_reason(r, found);
    assert_string_equal(found, "race on As with line N");
}

TEST(test_the_most_frequent_failure_is_first)
{
    struct grade_failure *failure;
    size_t count = 0;

    /* alice now fails 03 as the third does. */
    class.row[0].result[0].verdict = GRADE_UNCLEAN;
    replace(&class.row[0].result[0].findings,
            "tiling.cu:51: race on As with line 70");
    class.row[2].result[0].verdict = GRADE_UNCLEAN;
    failure = grade_failures(&class, &count);
    assert_non_null(failure);
    assert_int_equal(count, 3); /* ghost handed in nothing */
    assert_int_equal(failure[0].students, 2);
    assert_int_equal(failure[0].verdict, GRADE_UNCLEAN);
    assert_string_equal(failure[0].lab->name, "03_tiling");
    assert_string_equal(failure[0].reason, "race on As with line N");
    assert_string_equal(failure[1].lab->name, "04_coalescing");
    assert_int_equal(failure[1].verdict, GRADE_PASS);
    assert_string_equal(failure[1].reason, "not all points for sectors");
    assert_int_equal(failure[2].verdict, GRADE_GRADER_ERROR);
    free(failure);
}

TEST(test_the_table_counts_students_by_points)
{
    const char *text;

    assert_int_equal(grade_write_picture(&papers), 0);
    text = text_of("class.csv");
    /* alice has 183.33 of 200, ghost none; the third is not decided. */
    expect_words(text, "\npoints,,,,0,20,1,1\n");
    expect_words(text, "\npoints,,,,180,200,1,0\n");
    expect_words(text, "\npoints,,,,20,40,0,0\n");
    expect_none(text, "alice");
}
