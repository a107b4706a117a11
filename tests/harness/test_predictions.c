/* Are lab 05's predictions counted and explained as they should be? */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"
#include "harness/predictions.h"

/* The course's table: wavefronts on compute capability 1.x and today. */
static const int right[LAB_TYPES][LAB_STRIDES][LAB_BANK_RULES] = {
    {{4, 1}, {2, 1}, {2, 1}, {1, 1}, {2, 2}, {2, 2}, {4, 4}, {8, 8}, {2, 1}},
    {{2, 1}, {1, 1}, {2, 2}, {2, 2}, {2, 2}, {4, 4}, {8, 8}, {16, 16}, {2, 1}},
    {{1, 1},
     {2, 2},
     {1, 1},
     {4, 4},
     {1, 1},
     {8, 8},
     {16, 16},
     {16, 32},
     {1, 1}},
};

static int answer[LAB_TYPES][LAB_STRIDES][LAB_BANK_RULES];
static struct lab_bank_table table;

FIXTURE(set_up)
{
    memcpy(answer, right, sizeof answer);
    lab_bank_table_fill(&table);
    return 0;
}

static struct lab_prediction_score score_table(void)
{
    return lab_predictions_score(
        (const int(*)[LAB_STRIDES][LAB_BANK_RULES])answer, &table);
}

/* What is printed; kept until the next call. */
static char *printed(int nudge)
{
    const struct lab_prediction_score s = score_table();

    if (nudge)
        lab_predictions_nudge(writing(), &s);
    else
        lab_predictions_print(writing(),
                              (const int(*)[LAB_STRIDES][LAB_BANK_RULES])answer,
                              &table);
    return written();
}

static void fits_a_screen(const char *text)
{
    while (*text != '\0') {
        assert_true(strcspn(text, "\n") <= 80);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

EACH_TEST(set_up, NULL);

TEST(test_the_model_gives_the_table_of_the_course)
{
    assert_memory_equal(table.wavefronts, right, sizeof right);
}

TEST(test_all_right_is_all_right)
{
    assert_int_equal(score_table().right, LAB_CELLS);
    assert_int_equal(score_table().wrong + score_table().unfilled, 0);
}

TEST(test_a_row_that_lacks_a_pair_is_told)
{
    memmove(answer[LAB_FLOAT][2], answer[LAB_FLOAT][3],
            (LAB_STRIDES - 3) * sizeof answer[LAB_FLOAT][0]);
    memset(answer[LAB_FLOAT][LAB_STRIDES - 1], 0, sizeof answer[0][0]);
    text_has(printed(1),
             SAYS("The row of float lacks a pair, that of stride 3:"));
    fits_a_screen(printed(1));
    answer[LAB_FLOAT][LAB_STRIDES - 1][0] = 1;
    text_has(printed(1), SAYS(NOT "lacks"));
}

TEST(test_one_wrong_cell_is_found)
{
    answer[LAB_SHORT][2][LAB_BANKS_TODAY] = 1;
    assert_int_equal(score_table().right, LAB_CELLS - 1);
    assert_int_equal(score_table().wrong, 1);
    assert_int_equal(score_table().unfilled, 0);
    assert_int_equal(score_table().type, LAB_SHORT);
    assert_int_equal(score_table().stride, 2);
    assert_int_equal(score_table().rule, LAB_BANKS_TODAY);
}

TEST(test_the_first_of_several_wrong_ones_is_explained)
{
    answer[LAB_FLOAT][8][LAB_BANKS_TODAY] = 7;
    answer[LAB_FLOAT][7][LAB_BANKS_TODAY] = 7;
    answer[LAB_CHAR][0][LAB_BANKS_CC1] = 1;
    assert_int_equal(score_table().wrong, 3);
    /* Today's comes first. */
    assert_int_equal(score_table().type, LAB_FLOAT);
    assert_int_equal(score_table().stride, 7);
    assert_int_equal(score_table().rule, LAB_BANKS_TODAY);
}

TEST(test_a_cell_not_filled_in_is_not_a_wrong_one)
{
    memset(answer, 0, sizeof answer);
    assert_int_equal(score_table().unfilled, LAB_CELLS);
    assert_int_equal(score_table().right + score_table().wrong, 0);
}

TEST(test_a_negative_prediction_is_wrong)
{
    answer[LAB_FLOAT][0][LAB_BANKS_TODAY] = -1;
    assert_int_equal(score_table().wrong, 1);
}

TEST(test_the_table_marks_wrong_cells_and_fits)
{
    char *text;

    answer[LAB_FLOAT][7][LAB_BANKS_TODAY] = 31;
    answer[LAB_FLOAT][8][LAB_BANKS_TODAY] = 0;
    text = printed(0);
    text_has(text, SAYS(" *31\n", " _\n"));
    fits_a_screen(text);
}

/* Who sees the right number need not think. */
TEST(test_the_right_number_is_not_told)
{
    char *text;

    answer[LAB_FLOAT][7][LAB_BANKS_TODAY] = 5;
    text = printed(0);
    /* Only the stride itself is 32 in the whole table now. */
    assert_non_null(strstr(text, "32"));
    assert_null(strstr(strstr(text, "32") + 2, "32"));
}

TEST(test_the_nudge_shows_where_three_lanes_read)
{
    char *text;

    answer[LAB_SHORT][2][LAB_BANKS_TODAY] = 1;
    text = printed(1);
    text_has(text, SAYS("short with stride 3 on the banks of today",
                        "lane 0 reads s[0]: byte 0, in word 0, in "
                        "bank 0 of 32\n",
                        "lane 1 reads s[3]: byte 6, in word 1, in "
                        "bank 1 of 32\n",
                        "lane 2 reads s[6]: byte 12, in word 3, in "
                        "bank 3 of 32\n"));
    fits_a_screen(text);
}

TEST(test_the_nudge_knows_the_banks_of_old)
{
    char *text;

    answer[LAB_FLOAT][7][LAB_BANKS_CC1] = 32;
    text = printed(1);
    text_has(text, SAYS("compute capability 1.x",
                        "lane 2 reads s[64]: byte 256, in word 64, "
                        "in bank 0 of 16\n"));
    fits_a_screen(text);
}

TEST(test_what_a_whole_row_says_is_told)
{
    char *text;

    for (int i = 0; i < LAB_STRIDES; i++) {
        answer[LAB_CHAR][i][0] = right[LAB_CHAR][i][1];
        answer[LAB_CHAR][i][1] = right[LAB_CHAR][i][0];
    }
    text = printed(1);
    assert_non_null(strstr(text,
                           "In each cell of char the two numbers stand in "
                           "each other's place: {1.x, now}.\n"));
    fits_a_screen(text);
    answer[LAB_CHAR][0][0] = 2; /* then it is another mistake */
    text = printed(1);
    assert_null(strstr(text, "each other's place"));
    memcpy(answer[LAB_CHAR], right[LAB_CHAR], sizeof answer[LAB_CHAR]);
    memcpy(answer[LAB_SHORT], right[LAB_FLOAT], sizeof answer[LAB_SHORT]);
    text = printed(1);
    assert_non_null(strstr(text, "Your row of short is that of float. Count in "
                                 "bytes: an element of short has 2.\n"));
    fits_a_screen(text);
}
