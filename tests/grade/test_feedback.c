/* Does a student learn what went wrong and where, and nothing that must stay
   hidden? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "small_class.h"

static struct grade_class class;
static char *text;

static int set_up(void **state)
{
    (void)state;
    text = NULL;
    return small_class_make(&class);
}

static int tear_down(void **state)
{
    (void)state;
    free(text);
    small_class_free(&class);
    return 0;
}

static void write_feedback_row(size_t row, enum grade_form form)
{
    size_t length;
    FILE *file;

    free(text);
    file = open_memstream(&text, &length);
    assert_non_null(file);
    grade_feedback(file, &class.row[row], GRADE_ALL, form);
    fclose(file);
}

static void expect_words(const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in:\n%s", words, text);
}

static void hides(const char *words)
{
    if (strstr(text, words) != NULL)
        fail_msg("'%s' is in:\n%s", words, text);
}

EACH_TEST(set_up, tear_down);

TEST(test_it_says_who_and_how_many_points)
{
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words("# Alice, A\\. (alice)\n\n183.33 of 200 points. Isolation: "
                 "container.\n");
    expect_words("## 03_tiling: PASS, 100 of 100 points\n");
    expect_words("## 04_coalescing: PASS, 83.33 of 100 points\n");
    hides("roster");
}

TEST(test_it_says_what_the_number_is_and_what_costs)
{
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words(
        "    sectors: 3.5\n        all points at 1 or less, none at 4; here "
        "3.33 of 20 points\n");
    expect_words("    line 55: 16 sectors a request, 4 would do\n");
    expect_words("`make lab-04 VERBOSE=1`");
    hides("lab-03"); /* which is full */
}

TEST(test_it_says_which_element_and_which_lines)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words(
        "    FAIL       kernel, 37 x 53 x 29\n               C[36][2]: "
        "expected 2.5, got 1.5\n");
    expect_words("    tiling.cu:48: race on As with line 64\n");
    expect_words("0 of 2 cases are right:");
    expect_words("Next: `make lab-03`");
}

TEST(test_a_hidden_case_shows_its_name_and_verdict_alone)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words("    FAIL       hidden 1\n");
    hides("secret shape");
    write_feedback_row(2, GRADE_WHOLE);
    expect_words("secret shape 31 x 7 x 3");
}

TEST(test_what_a_person_must_look_at_is_not_for_students)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    hides("fewer loads");
    write_feedback_row(2, GRADE_WHOLE);
    expect_words("fewer loads than can be");
}

TEST(test_the_graders_fault_is_not_the_students)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words("33.33 of 200 points, which is not all yet.");
    expect_words("The grader failed, not you");
    hides("no box starts");
    write_feedback_row(2, GRADE_WHOLE);
    expect_words("no box starts");
}

TEST(test_names_and_texts_do_nothing)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words("# =cmd\\|'\\\\n\\<b\\>\\`\\*\\$\\(touch X\\)\n");
    hides("\033");
    expect_words("\\x1b[2J");
    expect_words("This name is not on the course's roster.");
}

TEST(test_who_handed_in_nothing_is_told_so)
{
    write_feedback_row(1, GRADE_MARKDOWN);
    expect_words("# ghost\n\n0 of 200 points.");
    expect_words(
        "## 03_tiling: MISSING, 0 of 100 points\n\nNothing was handed in.\n");
    hides("No file of this lab's name");
}

TEST(test_a_file_of_another_name_is_not_nothing)
{
    free(class.row[1].unknown);
    class.row[1].unknown = strdup("tile.cu");
    write_feedback_row(1, GRADE_MARKDOWN);
    expect_words("tile.cu");
    expect_words("No file of this lab's name was handed in.");
    hides("Nothing was handed in");
}

TEST(test_a_persons_decision_is_told_with_its_reason)
{
    static char who[] = "alice", reason[] = "late\n```";
    const struct grade_decision d = {
        .student = who, .reason = reason, .points = 7.5};

    class.row[0].decision[1] = &d;
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words("## 04_coalescing: PASS, 7.5 of 100 points\n");
    expect_words("A person decided: 7.5 points.\n\n    late\n    ```\n");
    expect_words("107.5 of 200 points.");
}

TEST(test_no_line_is_wider_than_a_terminal)
{
    for (size_t i = 0; i < class.rows; i++) {
        write_feedback_row(i, GRADE_WHOLE);
        for (char *line = strtok(text, "\n"); line != NULL;
             line = strtok(NULL, "\n")) {
            if (strlen(line) > 80)
                fail_msg("wider than 80: %s", line);
        }
    }
}

TEST(test_each_verdict_is_explained)
{
    for (int v = 0; v < GRADE_VERDICTS; v++) {
        class.row[0].result[0].verdict = (enum grade_verdict)v;
        write_feedback_row(0, GRADE_PLAIN);
        expect_words(grade_verdict_word[v]);
        hides("(null)");
    }
}
