/* Does a student learn what went wrong and where, and nothing that must stay
   hidden? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "base/language.h"
#include "folder.h"
#include "small_class.h"

static char *text;

static int end(void **state)
{
    free(text);
    text = NULL;
    return small_class_end(state);
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

static char spanish[400]; /* where the language is */

static int begin(void **state)
{
    char here[300];

    if (spanish[0] == '\0' && getcwd(here, sizeof here) != NULL)
        snprintf(spanish, sizeof spanish, "%s/labs/languages/es", here);
    return small_class_begin(state);
}

EACH_TEST(begin, end);

TEST(test_it_says_who_and_how_many_points)
{
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words(text,
                 "# Alice, A. (alice)\n\n183.33 of 200 points. Isolation: "
                 "container.\n");
    expect_words(text, "## 03_tiling: PASS, 100 of 100 points\n");
    expect_words(text, "## 04_coalescing: PASS, 83.33 of 100 points\n");
    expect_none(text, "roster");
}

TEST(test_it_says_what_the_number_is_and_what_costs)
{
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words(
        text,
        "    sectors: 3.5\n        all points at 1 or less, none at 4; here "
        "3.33 of 20 points\n");
    expect_words(text, "    line 55: 16 sectors a request, 4 would do\n");
    expect_words(text, "`make lab-04 VERBOSE=1`");
    expect_none(text, "lab-03"); /* which is full */
}

TEST(test_it_says_which_element_and_which_lines)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words(
        text, "    FAIL       kernel, 37 x 53 x 29\n               C[36][2]: "
              "expected 2.5, got 1.5\n");
    expect_words(text, "    tiling.cu:48: race on As with line 64\n");
    expect_words(text, "0 of 2 cases are right:");
    expect_words(text, "Next: `make lab-03`");
}

TEST(test_a_hidden_case_shows_its_name_and_verdict_alone)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words(text, "    FAIL       hidden 1\n");
    expect_none(text, "secret shape");
    write_feedback_row(2, GRADE_WHOLE);
    expect_words(text, "secret shape 31 x 7 x 3");
}

TEST(test_what_a_person_must_look_at_is_not_for_students)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_none(text, "fewer loads");
    write_feedback_row(2, GRADE_WHOLE);
    expect_words(text, "fewer loads than can be");
}

TEST(test_the_graders_fault_is_not_the_students)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words(text, "33.33 of 100 points. Not decided yet: Lab 04."
                       " Isolation: ");
    expect_words(text, "The grader failed, not you");
    expect_none(text, "no box starts");
    write_feedback_row(2, GRADE_WHOLE);
    expect_words(text, "no box starts");
}

TEST(test_names_and_texts_do_nothing)
{
    write_feedback_row(2, GRADE_MARKDOWN);
    expect_words(text, "# =cmd\\|'\\\\n\\<b\\>\\`\\*\\$(touch X)\n");
    expect_none(text, "\033");
    expect_words(text, "\\x1b[2J");
    expect_words(text, "This name is not on the course's roster.");
}

TEST(test_who_handed_in_nothing_is_told_so)
{
    write_feedback_row(1, GRADE_MARKDOWN);
    expect_words(text, "# ghost\n\n0 of 200 points.");
    expect_words(
        text,
        "## 03_tiling: MISSING, 0 of 100 points\n\nNothing was handed in.\n");
    expect_none(text, "No file of this lab's name");
}

TEST(test_a_file_of_another_name_is_not_nothing)
{
    free(class.row[1].unknown);
    class.row[1].unknown = strdup("tile.cu");
    write_feedback_row(1, GRADE_MARKDOWN);
    expect_words(text, "tile.cu");
    expect_words(text, "No file of this lab's name was handed in.");
    expect_none(text, "Nothing was handed in");
}

TEST(test_a_persons_decision_is_told_with_its_reason)
{
    static char who[] = "alice", reason[] = "late\n```";
    const struct grade_decision d = {
        .student = who, .reason = reason, .points = 7.5};

    class.row[0].decision[1] = &d;
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words(text, "## 04_coalescing: PASS, 7.5 of 100 points\n");
    expect_words(text, "A person decided: 7.5 points.\n\n    late\n    ```\n");
    expect_words(text, "107.5 of 200 points.");
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
        expect_words(text, grade_verdict_word[v]);
        expect_none(text, "(null)");
    }
}

/* The class's language, with the names and numbers that there are. */
TEST(test_it_is_in_the_language_of_the_class)
{
    base_language_set(spanish);
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words(text, "# Alice, A. (alice)\n\n183.33 de 200 puntos.");
    expect_words(text, "## 03_tiling: PASS, 100 de 100 puntos\n");
    expect_words(text, "`make lab-04 VERBOSE=1`");
    expect_none(text, "points");
    base_language_set("");
    write_feedback_row(0, GRADE_MARKDOWN);
    expect_words(text, "183.33 of 200 points.");
}
