/* Is anybody graded where no box can start? The grader runs in a box itself
   here, one in which no further user namespaces can be made. */
#define _GNU_SOURCE

#include "../testing.h"
#include "../command.h"
#include "class_run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct class_run run;

static int lay_class(void **state)
{
    (void)state;
    class_make(&run);
    if (geteuid() == 0)
        class_become_nobody(&run);
    class_lay(&run, "right/reference_01");
    class_lay(&run, "broken/drops_the_last_term");
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    class_remove(&run);
    return 0;
}

/* Grades where nobody can make a box. */
static struct command run_grader(const char *out, const char *options)
{
    return command_run(
        "cd '%s' && TMPDIR='%s' %s bwrap --unshare-user --disable-userns "
        "--die-with-parent --bind / / --dev-bind /dev /dev -- timeout 300 "
        "build/tools/grade --lab 1 --out '%s/%s' %s '%s'",
        run.course, class_path(&run, "tmp"),
        geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups"
                       : "",
        class_path(&run, geteuid() == 0 ? "nobody" : "tmp"), out, options,
        class_path(&run, "class"));
}

static int no_box_in_box(void)
{
    struct command probe = command_run(
        "%s bwrap --unshare-user --disable-userns --bind / / -- true",
        geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups"
                       : "");
    const int code = probe.code;

    command_free(&probe);
    if (code != 0)
        puts("# skipped: a machine without boxes: bwrap cannot make one here");
    return code == 0;
}

TEST(where_no_box_starts_nobody_is_graded)
{
    struct command left;

    if (!no_box_in_box())
        skip();
    command_gives(run_grader("boxed", ""), 78,
                  SAYS("namespaces", "container", NOT "PASS"));
    left =
        command_run("find '%s' -name grades.csv -o -name '*.record'", run.path);
    assert_string_equal(left.text, "");
    command_free(&left);
}

TEST(in_a_container_each_row_says_so)
{
    if (!no_box_in_box())
        skip();
    command_gives(run_grader("container", "--isolation container"), 0, NULL);
    RUN_GIVES(0,
              SAYS("broken_drops_the_last_term,,0,0,FAIL,container",
                   "right_reference_01,,100,100,PASS,container"),
              "cat '%s'/*/container/grades.csv", run.path);
}

ALL_TESTS(lay_class, remove_all);
