/* Are sources that differ in names, blanks and comments alone told, and short
   ones left in peace; and does each answer come to its question's page? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "folder.h"
#include "small_class.h"
#include "base/words.h"

static const char skeleton[] = "/* Do */\nint f(int n)\n{\n    return 0;\n}\n";

static struct grade_intake intake;

/* The course's questions and skeletons stand beside the class. */
static int set_up(void **state)
{
    if (small_class_begin(state) != 0)
        return -1;
    runs("ln -s \"$HOME_OF_COURSE\"/labs \"$HOME_OF_COURSE\"/solutions .", 0,
         "");
    return 0;
}

static void are_same(const char *a, const char *b, int same)
{
    size_t tokens;
    char *const first = grade_own_text(a, skeleton, &tokens);
    char *const second = grade_own_text(b, skeleton, &tokens);

    assert_non_null(first);
    assert_non_null(second);
    assert_int_equal(strcmp(first, second) == 0, same);
    free(first);
    free(second);
}

EACH_TEST(set_up, small_class_end);

TEST(test_names_blanks_and_comments_hide_nothing)
{
    static const char own[] = "int f(int n)\n{\n    int s = 0;\n"
                              "    while (s < n) s += 2;\n    return s;\n}\n";

    are_same(own,
             "int f(int n)\n{\n// mine\nint  total=0 ;\nwhile\n(total<n)"
             "/* my\nidea */total\n+=2;\nreturn total;\n}\n",
             1);
    are_same(own,
             "int f(int n)\n{\n    int s = 0;\n    while (n < s) s += 2;\n"
             "    return s;\n}\n",
             0);
    are_same(own,
             "int f(int n)\n{\n    int s = 0;\n    while (s < n) s += 3;\n"
             "    return s;\n}\n",
             0);
    are_same(own,
             "int f(int n)\n{\n    int s = 0;\n    while (s < n) n += 2;\n"
             "    return s;\n}\n",
             0);
}

/* Another name for what the skeleton declares. */
TEST(test_the_skeletons_names_may_be_others)
{
    are_same("int f(int n)\n{\n    n += 2;\n    return 0;\n}\n",
             "int g(int count)\n{\n    count += 2;\n    return 0;\n}\n", 1);
}

TEST(test_the_skeleton_is_nobodys_own)
{
    size_t tokens = 1;
    char *const own = grade_own_text(skeleton, skeleton, &tokens);

    assert_string_equal(own, "");
    assert_int_equal(tokens, 0);
    free(own);
}

/* A source with so many tokens of its own, with a name. */
static void write_lines(char *text, size_t size, const char *name, int lines)
{
    size_t used = 0;

    for (int i = 0; i < lines; i++) {
        used += (size_t)snprintf(text + used, size - used,
                                 "%s[%d] = %s * %d;\n", name, i, name, i);
    }
}

TEST(test_the_same_is_told_with_the_others_name)
{
    char text[4000];

    write_lines(text, sizeof text, "s", 39);
    runs("rm solutions", 0, "");
    folder_put("solutions/03_tiling/tiling.cu", text);
    write_lines(text, sizeof text, "a", 40);
    hand_in("alice", "tiling.cu", text);
    write_lines(text, sizeof text, "sum", 40);
    hand_in("ghost", "tiling.cu", text);
    write_lines(text, sizeof text, "a", 3);
    hand_in("alice", "coalescing.cu", text);
    hand_in("ghost", "coalescing.cu", text);
    assert_int_equal(grade_intake_open(&intake, "s", NULL, why, sizeof why), 0);
    grade_class_compare(&class, &intake);
    assert_string_equal(class.row[0].alike[0],
                        "the same but for names as ghost");
    assert_string_equal(class.row[1].alike[0],
                        "the same but for names as alice");
    assert_null(class.row[0].alike[1]);
    assert_null(class.row[2].alike[0]);
    /* Who hands in together has the same, of course. */
    for (int i = 0; i < 2; i++) {
        free(class.row[i].alike[0]);
        class.row[i].alike[0] = NULL;
        class.row[i].team = 7;
    }
    grade_class_compare(&class, &intake);
    assert_null(class.row[0].alike[0]);
    assert_null(class.row[1].alike[0]);
    grade_intake_close(&intake);
}

/* Six lines that are asked for may be written alike, and at some length. */
TEST(test_a_lab_that_asks_for_little_is_not_compared)
{
    char text[4000];

    write_lines(text, sizeof text, "a", 40);
    hand_in("alice", "tiling.cu", text);
    hand_in("ghost", "tiling.cu", text);
    assert_int_equal(grade_intake_open(&intake, "s", NULL, why, sizeof why), 0);
    grade_class_compare(&class, &intake);
    assert_null(class.row[0].alike[0]);
    grade_intake_close(&intake);
}

/* Which labs the guide says are compared, by what their solutions ask for. */
TEST(test_labs_that_are_compared_are_those_of_the_guide)
{
    struct course_index index;
    char compared[100] = "";

    assert_int_equal(course_index_read("labs/INDEX", &index, why, sizeof why),
                     0);
    for (int i = 0; i < index.labs && !index.lab[i].advanced; i++) {
        const char *const name = index.lab[i].name;
        char path[200];
        size_t tokens;

        snprintf(path, sizeof path, "labs/%s/%s.cu", name, name + 3);
        char *const given = text_of(path);
        snprintf(path, sizeof path, "solutions/%s/%s.cu", name, name + 3);
        free(grade_own_text(text_of(path), given, &tokens));
        if (tokens >= GRADE_OWN_LEAST)
            base_append(compared, sizeof compared, "%.2s ", name);
    }
    course_index_free(&index);
    assert_string_equal(compared, "02 05 06 08 09 ");
    runs("grep -q 'labs 02, 05, 06,' \"$HOME_OF_COURSE\"/INSTRUCTORS.md", 0,
         "");
}

TEST(test_answers_stand_by_question)
{
    const char *said, *page;

    hand_in("alice", "Answers-1.txt", "03.1: 2 / T <b>\n");
    hand_in("ghost", "answers.txt", "my answers\n");
    hand_in("alice", "answers.txt", "3.2: one\n03.3: the same\n3.4:\n");
    hand_in("alice", "answers-2.txt", "3.2: two\n03.3: the same\n3.4: four");
    assert_int_equal(grade_intake_open(&intake, "s", NULL, why, sizeof why), 0);
    grade_class_code(&class, 7);
    grade_read_answers(&class, &intake);
    assert_string_equal(class.row[0].answers_wrong,
                        "03.2 has two answers, in answers-2.txt and in "
                        "answers.txt, so neither is taken");
    for (int hidden = 0; hidden <= 1; hidden++) {
        assert_int_equal(
            grade_write_answers(&papers, small_class_index(), hidden), 0);
        said = told();
        expect_words(said, "of ghost: answers.txt:1: belongs to no");
        expect_words(said, "answers to 3 questions:");
        text_lacks("answers/03.3.html", "No answer</h2>\n<p>alice");
        text_says("answers/03.4.html", "four");
        assert_false(is_there("answers/03.2.html"));
        page = text_of("answers/03.1.html");
        expect_words(page, "2 / T &lt;b&gt;");
        expect_words(page, "with tiles of 16 x 16");
        assert_int_equal(strstr(page, "alice") == NULL, hidden);
        assert_int_equal(strstr(page, class.row[0].code) != NULL, hidden);
    }
    grade_intake_close(&intake);
}
