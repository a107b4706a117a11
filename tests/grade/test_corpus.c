/*
 * Does every submission of tests/corpus get what its case says? They are a
 * class, graded as an instructor would. Started by root, every other one is
 * graded as root and the rest as an ordinary user; with CORPUS=all, all are by
 * both.
 *
 *   CORPUS=all   all of them (make test WHAT=all), at the sizes of labs/INDEX;
 *                without it those whose "when:" has grade, one of a
 *                kind, with small matrices
 *   CORPUS=word  those alone whose name holds the word, by both
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../corpus/case.h"
#include "class_run.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST = 700,
    PEAK_KIB = 200 * 1024 /* of the grader itself, whatever it is fed */
};

static struct corpus_case *cases;
static size_t all;
static struct corpus_case *submissions[MOST]; /* those that are graded */
static int count;
static struct class_run runs[2];
static size_t students[2];
static int run_count;

static int is_wanted_submission(const struct corpus_case *c)
{
    const char *const corpus = getenv("CORPUS");

    if (corpus_value(c, "verdict", 0) == NULL)
        return 0;
    if (corpus == NULL)
        return strstr(corpus_last(c, "when"), "grade") != NULL;
    return class_all() || strstr(c->student, corpus) != NULL;
}

/* 1 if this run grades the nth submission. */
static int is_in(int run, int n)
{
    return run_count == 1 || getenv("CORPUS") != NULL || n % 2 == run;
}

static void lay_class(int run)
{
    for (int i = 0; i < count; i++) {
        if (is_in(run, i))
            corpus_lay(submissions[i], class_path(&runs[run], "class"),
                       class_path(&runs[run], "store"));
    }
    students[run] = class_write_roster(&runs[run]);
}

static void make_corpus_class(void)
{
    class_make(&runs[run_count]);
    if (getenv("CORPUS") == NULL)
        class_shrink(&runs[run_count]);
    run_count++;
}

/* Labs of the advanced track are graded if the rubric says so. */
static void grade_class(struct class_run *run)
{
    static const char *const advanced[] = {
        "10_register_tiling", "11_vectorized_loads", "12_warp_tiling",
        "13_async_copy",      "14_last_percents",    "20_reduction",
        "21_histogram",       "22_softmax"};
    const char *const path = class_path(run, "rubric");
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    for (size_t i = 0; i < sizeof advanced / sizeof *advanced; i++)
        fprintf(file, "lab: %s\ngraded: yes\n\n", advanced[i]);
    fclose(file);
    class_grade(run, (const char *const[]){"--rubric", path, NULL}, 0.0);
}

FIXTURE(grade_all)
{
    make_corpus_class();
    if (geteuid() == 0) {
        make_corpus_class();
        class_become_nobody(&runs[run_count - 1]);
    } else {
        puts("# skipped: the corpus as root: this is an ordinary user");
    }
    for (int i = 0; i < count; i++)
        corpus_make(submissions[i]);
    for (int run = 0; run < run_count; run++)
        lay_class(run);
    for (int i = 0; i < count; i++)
        corpus_forget(submissions[i]); /* some are large */
    for (int run = 0; run < run_count; run++)
        grade_class(&runs[run]);
    return 0;
}

FIXTURE(remove_all)
{
    for (int i = 0; i < run_count; i++)
        class_remove(&runs[i]);
    corpus_free(cases, all);
    return 0;
}

/* --- a submission --------------------------------------------------------- */

/* Cuts all but one lab out of a student's feedback. */
static void only_lab(char *feedback, const char *lab)
{
    char heading[80];
    char *begin, *end;

    snprintf(heading, sizeof heading, "\n## %s", lab);
    begin = strstr(feedback, heading);
    if (begin == NULL)
        return;
    end = strstr(begin + 1, "\n## ");
    if (end != NULL)
        *end = '\0';
    memmove(feedback, begin, strlen(begin) + 1);
}

/* What of a text must be there and is not, or must not and is. Returns how
   many things. */
static int compare_text(const struct corpus_case *c, const char *key,
                        const char *text, const char *who)
{
    const char *words;
    int wrong = 0, is_not;

    for (int i = 0; (words = corpus_words(c, key, i, &is_not)) != NULL; i++) {
        if ((strstr(text, words) != NULL) == is_not) {
            fprintf(stderr, "%s as %s: '%s' is%s in the %s\n", c->student, who,
                    words, is_not ? "" : " not", key);
            wrong++;
        }
    }
    return wrong;
}

/* Says what is not as the case has it. Returns how many things. */
static int compare_submission(const struct corpus_case *c,
                              const struct class_run *run)
{
    const char *const who = run->user == 0 ? "root" : "an ordinary user";
    const int row = class_row(run, c->student);
    char column[80];
    const char *verdict;
    double points;
    char *feedback;
    int wrong = 0;

    if (row < 0) {
        fprintf(stderr, "%s as %s: no row in grades.csv\n", c->student, who);
        return 1;
    }
    snprintf(column, sizeof column, "%s_verdict", c->lab);
    verdict = base_csv_text(&run->grades, (size_t)row, column);
    points = base_csv_number(&run->grades, (size_t)row, c->lab);
    feedback = class_feedback(run, row);
    if (!corpus_expects(c, verdict)) {
        fprintf(stderr, "%s as %s: %s, expected %s\n", c->student, who, verdict,
                corpus_last(c, "verdict"));
        wrong++;
    }
    if (!corpus_is_worth(c, points)) {
        fprintf(stderr, "%s as %s: %g points, expected %s\n", c->student, who,
                points, corpus_last(c, "points"));
        wrong++;
    }
    wrong += compare_text(c, "feedback", feedback, who);
    wrong += compare_text(
        c, "look_at", base_csv_text(&run->grades, (size_t)row, "look_at"), who);
    if (wrong > 0) {
        only_lab(feedback, c->lab);
        fprintf(stderr, "%s\n", feedback);
    }
    free(feedback);
    return wrong;
}

static void submission_gets_what_it_deserves(void **state)
{
    struct corpus_case **const submission = *state;
    int wrong = 0;

    for (int i = 0; i < run_count; i++) {
        if (is_in(i, (int)(submission - submissions)))
            wrong += compare_submission(*submission, &runs[i]);
    }
    if (wrong > 0)
        fail_msg("%s: see above", (*submission)->student);
}

/* --- all of them ---------------------------------------------------------- */

TEST(grader_ends_well)
{
    for (int i = 0; i < run_count; i++) {
        if (runs[i].code != 0) {
            char *const printed = class_read(&runs[i], "printed");

            fputs(printed, stderr);
            free(printed);
        }
        assert_int_equal(runs[i].code, 0);
    }
}

TEST(every_name_on_the_roster_has_one_row)
{
    for (int i = 0; i < run_count; i++)
        assert_int_equal(runs[i].grades.rows, students[i]);
}

/* Mounts of the class: from one of its folders, or onto one. Others of this
   machine may come and go meanwhile. */
static int is_mounted(const struct class_run *run)
{
    const struct class_run machine = {.path = "/proc/self"};
    char *const mounts = class_read(&machine, "mountinfo");
    const int found = strstr(mounts, strrchr(run->path, '/')) != NULL;

    free(mounts);
    return found;
}

TEST(nothing_is_left_behind)
{
    for (int i = 0; i < run_count; i++) {
        assert_false(is_mounted(&runs[i]));
        assert_int_equal(runs[i].orphans, 0);
        assert_int_equal(class_entries(&runs[i], "tmp"), 0);
    }
    assert_int_not_equal(access("/tmp/owned", F_OK), 0);
}

TEST(memory_stays_small)
{
    for (int i = 0; i < run_count; i++)
        assert_in_range(runs[i].peak_kib, 1, PEAK_KIB);
}

/* Terminals, tables and pages get nothing that they would obey. */
TEST(no_text_of_a_student_is_obeyed)
{
    for (int i = 0; i < run_count; i++) {
        const int row = class_row(&runs[i], "hostile_escapes_in_a_message");
        char *const texts[] = {class_read(&runs[i], "printed"),
                               class_feedback(&runs[i], row)};

        for (int t = 0; t < 2; t++) {
            for (const char *s = texts[t]; *s != '\0'; s++)
                assert_true(*s == '\n' || *s == '\t' || *s == '\r' ||
                            !iscntrl((unsigned char)*s));
            free(texts[t]);
        }
    }
}

/* What is not said in the corpus must not become a gift. */
TEST(only_a_right_lab_earns_all)
{
    for (int i = 0; i < count; i++) {
        const struct corpus_case *const c = submissions[i];

        if (strncmp(c->student, "cheating", 8) != 0)
            continue;
        for (int r = 0; r < run_count; r++) {
            const int row = class_row(&runs[r], c->student);
            const double points =
                row >= 0 ? base_csv_number(&runs[r].grades, (size_t)row, c->lab)
                         : 0.0;

            if (points >= 80.0)
                printf("# %s: %g points\n", c->student, points);
            assert_true(corpus_is_worth(c, 100.0) || !(points >= 100.0));
        }
    }
}

static void add_submissions(void)
{
    all = corpus_read("tests/corpus/*/*.edit*", &cases);
    for (size_t i = 0; i < all; i++) {
        if (!is_wanted_submission(&cases[i]))
            continue;
        assert_true(count < MOST);
        submissions[count] = &cases[i];
        testing_add_case(submission_gets_what_it_deserves,
                         &submissions[count++], "%s", cases[i].student);
    }
}

MORE_TESTS(add_submissions);
ALL_TESTS(grade_all, remove_all);
