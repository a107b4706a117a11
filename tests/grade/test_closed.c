/*
 * Does the grader work where its folder is closed to all others, as /root is?
 * The course, the class, the grades and the grader's temporary files lie below
 * a folder of mode 0700. Root's boxes run as users who may not enter it.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../command.h"
#include "class_run.h"
#include "grade/box/box.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_graded(struct class_run *run, enum grade_isolation isolation)
{
    const char *const options[] = {"--lab", "1", "--isolation",
                                   grade_isolation_name[isolation], NULL};
    char why[300];

    if (grade_box_probe(isolation, why, sizeof why) != 0) {
        printf("# skipped: a closed folder, %s: %s\n",
               grade_isolation_name[isolation], why);
        return 0;
    }
    snprintf(run->out, sizeof run->out, "%s/%s", class_path(run, "own"),
             grade_isolation_name[isolation]);
    class_grade(run, options, 0.0);
    if (run->code != 0) {
        char *const printed = class_read(run, "printed");

        fail_msg("%s: %s", grade_isolation_name[isolation], printed);
    }
    assert_int_equal(run->grades.rows, 1);
    assert_string_equal(base_csv_text(&run->grades, 0, "01_cpu_naive_verdict"),
                        "PASS");
    assert_int_equal(class_entries(run, "tmp"), 0);
    return 1;
}

/* As who started the test, or as an ordinary user. */
static void grade_closed(int as_nobody)
{
    struct class_run run;
    int graded;

    class_make(&run);
    class_shrink(&run);
    if (as_nobody)
        class_become_nobody(&run);
    class_lay(&run, "right/reference_01");
    RUN_GIVES(0, NULL,
              "mkdir -p '%s' && chown -R %d '%s' && chmod 0700 "
              "'%s'",
              class_path(&run, "own"), (int)run.user, run.path, run.path);
    graded = is_graded(&run, GRADE_BOXED);
    if (!as_nobody || class_all())
        graded += is_graded(&run, GRADE_CONTAINER);
    if (class_all())
        graded += is_graded(&run, GRADE_UNSAFE);
    class_remove(&run);
    if (graded == 0)
        skip();
}

TEST(a_class_is_graded_in_a_folder_that_is_closed)
{
    grade_closed(0);
}

TEST(an_ordinary_user_grades_in_a_closed_folder)
{
    if (geteuid() != 0) {
        puts("# skipped: another user in a closed folder: this is not root");
        skip();
    }
    grade_closed(1);
}

/* The folder that a box is given must be open itself: what to do is said. */
TEST(a_kit_that_nobody_else_may_read_is_told)
{
    static const char *const options[] = {"--lab", "1", NULL};
    struct class_run run;
    char *printed;

    if (geteuid() != 0) {
        puts("# skipped: a kit that is closed to a box: its user is our own");
        skip();
    }
    class_make(&run);
    class_shrink(&run);
    class_lay(&run, "right/reference_01");
    assert_return_code(chmod(class_path(&run, "course/build/grade/kit"), 0700),
                       errno);
    class_grade(&run, options, 0.0);
    printed = class_read(&run, "printed");
    assert_int_equal(run.code, 3);
    if (strstr(printed, "build/grade/kit (chmod a+rx it") == NULL)
        fail_msg("%s", printed);
    class_remove(&run);
}
