/*
 * Does every submission of tests/corpus get what its header says? They are a
 * class, graded as an instructor would. Started by root, every other one is
 * graded as root and the rest as an ordinary user; with CORPUS=all, all are by
 * both.
 *
 *   CORPUS=all   all of them (make test-all), at the sizes of labs/INDEX;
 *                without it those whose header says "when: each", one of a
 *                kind, with small matrices
 *   CORPUS=word  those alone whose name holds the word, by both
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../corpus/submission.h"
#include "class_run.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST = 700,
    PEAK_KIB = 200 * 1024 /* of the grader itself, whatever it is fed */
};

static struct submission submissions[MOST];
static int count;
static struct class_run runs[2];
static size_t students[2];
static int run_count;

static int is_wanted_submission(const struct submission *s)
{
    const char *const corpus = getenv("CORPUS");

    if (corpus == NULL)
        return strcmp(s->when, "each") == 0;
    return class_all() || strstr(s->name, corpus) != NULL;
}

static void read_corpus(void)
{
    char why[300], path[300];
    glob_t found;

    if (glob("tests/corpus/*/*.edit*", 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        for (int n = 0; count < MOST && submission_nth(found.gl_pathv[i], n,
                                                       path, sizeof path) == 0;
             n++) {
            struct submission *const s = &submissions[count];

            if (submission_read(path, s, why, sizeof why) != 0) {
                fprintf(stderr, "%s\n", why);
                exit(2);
            }
            if (is_wanted_submission(s))
                count++;
            else
                submission_free(s);
        }
    }
    globfree(&found);
}

/* 1 if this run grades the nth submission. */
static int is_in(int run, int n)
{
    return run_count == 1 || getenv("CORPUS") != NULL || n % 2 == run;
}

static void lay_class(int run)
{
    char class[CLASS_PATH], store[CLASS_PATH], why[300];

    snprintf(class, sizeof class, "%s", class_path(&runs[run], "class"));
    snprintf(store, sizeof store, "%s", class_path(&runs[run], "store"));
    for (int i = 0; i < count; i++) {
        if (is_in(run, i) &&
            submission_lay(&submissions[i], class, store, why, sizeof why) != 0)
            fail_msg("%s", why);
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

static int grade_all(void **state)
{
    static const char *const no_options[] = {NULL};

    (void)state;
    make_corpus_class();
    if (geteuid() == 0) {
        make_corpus_class();
        class_become_nobody(&runs[run_count - 1]);
    } else {
        puts("# skipped: the corpus as root: this is an ordinary user");
    }
    for (int run = 0; run < run_count; run++)
        lay_class(run);
    for (int i = 0; i < count; i++)
        submission_free(&submissions[i]); /* some sources are large */
    for (int run = 0; run < run_count; run++)
        class_grade(&runs[run], no_options, 0.0);
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    for (int i = 0; i < run_count; i++)
        class_remove(&runs[i]);
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

/* Says what is not as the header has it. Returns how many things. */
static int compare_submission(const struct submission *s,
                              const struct class_run *run)
{
    const char *const who = run->user == 0 ? "root" : "an ordinary user";
    const int row = class_row(run, s->name);
    char column[80];
    const char *verdict;
    double points;
    char *feedback;
    int wrong = 0;

    if (row < 0) {
        fprintf(stderr, "%s as %s: no row in grades.csv\n", s->name, who);
        return 1;
    }
    snprintf(column, sizeof column, "%s_verdict", s->lab);
    verdict = base_csv_text(&run->grades, (size_t)row, column);
    points = base_csv_number(&run->grades, (size_t)row, s->lab);
    feedback = class_feedback(run, row);
    if (!submission_expects(s, verdict)) {
        fprintf(stderr, "%s as %s: %s, expected %s\n", s->name, who, verdict,
                s->verdict);
        wrong++;
    }
    if (!(points >= s->least && points <= s->most)) {
        fprintf(stderr, "%s as %s: %g points, expected %g to %g\n", s->name,
                who, points, s->least, s->most);
        wrong++;
    }
    for (int i = 0; i < s->says_count; i++) {
        const int not = strncmp(s->says[i], "not ", 4) == 0;

        if ((strstr(feedback, s->says[i] + 4 * not ) != NULL) == not ) {
            fprintf(stderr, "%s as %s: the feedback does not say '%s'\n",
                    s->name, who, s->says[i]);
            wrong++;
        }
    }
    if (wrong > 0) {
        only_lab(feedback, s->lab);
        fprintf(stderr, "%s\n", feedback);
    }
    free(feedback);
    return wrong;
}

static void submission_gets_what_it_deserves(void **state)
{
    const struct submission *const s = *state;
    int wrong = 0;

    for (int i = 0; i < run_count; i++) {
        if (is_in(i, (int)(s - submissions)))
            wrong += compare_submission(s, &runs[i]);
    }
    if (wrong > 0)
        fail_msg("%s: see above", s->name);
}

/* --- all of them ---------------------------------------------------------- */

static void grader_ends_well(void **state)
{
    (void)state;
    for (int i = 0; i < run_count; i++) {
        if (runs[i].code != 0) {
            char *const printed = class_read(&runs[i], "printed");

            fputs(printed, stderr);
            free(printed);
        }
        assert_int_equal(runs[i].code, 0);
    }
}

static void every_name_on_the_roster_has_one_row(void **state)
{
    (void)state;
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

static void nothing_is_left_behind(void **state)
{
    (void)state;
    for (int i = 0; i < run_count; i++) {
        assert_false(is_mounted(&runs[i]));
        assert_int_equal(runs[i].orphans, 0);
        assert_int_equal(class_entries(&runs[i], "tmp"), 0);
    }
    assert_int_not_equal(access("/tmp/owned", F_OK), 0);
}

static void memory_stays_small(void **state)
{
    (void)state;
    for (int i = 0; i < run_count; i++)
        assert_in_range(runs[i].peak_kib, 1, PEAK_KIB);
}

/* Terminals, tables and pages get nothing that they would obey. */
static void no_text_of_a_student_is_obeyed(void **state)
{
    (void)state;
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
static void only_a_right_lab_earns_all(void **state)
{
    (void)state;
    for (int i = 0; i < count; i++) {
        const struct submission *const s = &submissions[i];

        if (strncmp(s->name, "cheating", 8) != 0)
            continue;
        for (int r = 0; r < run_count; r++) {
            const int row = class_row(&runs[r], s->name);

            if (row >= 0 &&
                base_csv_number(&runs[r].grades, (size_t)row, s->lab) >= 80.0)
                printf("# %s: %g points\n", s->name,
                       base_csv_number(&runs[r].grades, (size_t)row, s->lab));
            assert_true(row < 0 || s->most >= 100.0 ||
                        base_csv_number(&runs[r].grades, (size_t)row, s->lab) <
                            100.0);
        }
    }
}

int main(void)
{
    static struct CMUnitTest tests[MOST + 10] = {
        cmocka_unit_test(grader_ends_well),
        cmocka_unit_test(every_name_on_the_roster_has_one_row),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(memory_stays_small),
        cmocka_unit_test(no_text_of_a_student_is_obeyed),
        cmocka_unit_test(only_a_right_lab_earns_all),
    };
    const size_t general = 6;
    int failed;

    read_corpus();
    for (int i = 0; i < count; i++) {
        tests[general + (size_t)i] = (struct CMUnitTest){
            .name = submissions[i].name,
            .test_func = submission_gets_what_it_deserves,
            .initial_state = &submissions[i],
        };
    }
    failed = _cmocka_run_group_tests("corpus", tests, general + (size_t)count,
                                     grade_all, remove_all);
    for (int i = 0; i < count; i++)
        submission_free(&submissions[i]);
    return failed;
}
