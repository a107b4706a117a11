/* Do folders of any name get their grade, and obey nobody? */
#define _GNU_SOURCE

#include "../testing.h"
#include "../corpus/case.h"
#include "class_run.h"
#include "worst_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAMES = WORST_NAMES - WORST_FOR_EXPORTS
};

/* The names of cells of CSV and of files are obeyed by nobody. */
static void check_cell(const char *cell)
{
    assert_true(cell[0] != '\0');
    assert_null(strchr("=+-@\t\r", cell[0]));
    for (const char *s = cell; *s != '\0'; s++)
        assert_false(iscntrl((unsigned char)*s));
}

/* With CORPUS=all in boxes; without it by a grader that needs none, since a
   name gets no further than to what lies around them. */
static void grade_names(int with_roster)
{
    static const char *const labs[] = {"--lab", "1", NULL};
    struct corpus_case *const solution = corpus_find("right/reference_01");
    struct class_run run;

    class_make(&run);
    if (!class_all())
        run.program = "build/tools/grade_fake";
    for (int i = 0; i < NAMES; i++) {
        snprintf(solution->student, sizeof solution->student, "%s",
                 worst_name[i]);
        corpus_lay(solution, class_path(&run, "class"),
                   class_path(&run, "store"));
    }
    corpus_free(solution, 1);
    if (with_roster)
        assert_int_equal(class_write_roster(&run), NAMES);
    class_grade(&run, labs, 0.0);
    assert_int_equal(run.code, 0);
    assert_int_equal(run.grades.rows, NAMES);
    assert_int_equal(class_entries(&run, "out/feedback"), NAMES);
    for (size_t i = 0; i < NAMES; i++) {
        const char *const student = base_csv_text(&run.grades, i, "student");
        char *const feedback = class_feedback(&run, (int)i);

        check_cell(student);
        assert_int_equal(class_row(&run, student), i);
        assert_string_equal(
            base_csv_text(&run.grades, i, "01_cpu_naive_verdict"), "PASS");
        assert_true(base_csv_number(&run.grades, i, "01_cpu_naive") == 100.0);
        assert_string_equal(base_csv_text(&run.grades, i, "note"), "");
        assert_non_null(strstr(feedback, "01_cpu_naive: PASS"));
        free(feedback);
    }
    assert_int_equal(run.orphans, 0);
    assert_int_equal(class_entries(&run, "tmp"), 0);
    assert_int_not_equal(access("X", F_OK), 0);
    class_remove(&run);
}

TEST(names_of_every_kind_get_their_grade)
{
    grade_names(0);
}

TEST(names_of_every_kind_are_found_on_the_roster)
{
    grade_names(1);
}

TEST(a_name_on_the_roster_without_a_folder_has_a_row)
{
    static const char *const no_options[] = {NULL};
    struct class_run run;
    FILE *roster;

    class_make(&run);
    class_shrink(&run);
    class_lay(&run, "right/reference_01");
    roster = fopen(class_path(&run, "roster.csv"), "w");
    assert_non_null(roster);
    fputs("name,id\nAda,ada\nSomebody,right_reference_01\n", roster);
    fclose(roster);
    class_grade(&run, no_options, 0.0);
    assert_int_equal(run.code, 0);
    assert_int_equal(run.grades.rows, 2);
    assert_int_equal(class_row(&run, "ada"), 0);
    assert_string_equal(base_csv_text(&run.grades, 0, "01_cpu_naive_verdict"),
                        "MISSING");
    assert_true(base_csv_number(&run.grades, 0, "total") == 0.0);
    assert_string_equal(base_csv_text(&run.grades, 1, "01_cpu_naive_verdict"),
                        "PASS");
    class_remove(&run);
}

/* It may be the student's fault or the machine's: a person decides. */
TEST(a_file_that_cannot_be_read_is_rejected)
{
    static const char *const no_options[] = {NULL};
    struct class_run run;

    class_make(&run);
    class_shrink(&run);
    if (geteuid() == 0)
        class_become_nobody(&run);
    class_lay(&run, "right/reference_01");
    class_lay(&run, "right/reference_03");
    assert_int_equal(
        chmod(class_path(&run, "class/right_reference_01/01_cpu_naive.cu"), 0),
        0);
    class_grade(&run, no_options, 0.0);
    assert_int_equal(run.code, 0);
    assert_string_equal(base_csv_text(&run.grades, 0, "01_cpu_naive_verdict"),
                        "REJECTED");
    assert_string_equal(base_csv_text(&run.grades, 0, "01_cpu_naive"), "");
    assert_string_equal(base_csv_text(&run.grades, 1, "03_tiling_verdict"),
                        "PASS");
    class_remove(&run);
}
