/*
 * Does a cluster come to the grades that one machine comes to, whatever happens
 * to it? A class is graded here, and then by a Slurm of one node; again with a
 * daemon killed in the middle, with tasks cancelled, with the grader killed.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../command.h"
#include "class_run.h"
#include "slurm_node.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const graded[] = {
    "right/reference_01",         "right/reference_03",
    "right/reference_04",         "right/tiles_of_32",
    "broken/drops_the_last_term", "broken/syntax_error",
    "broken/skeleton_untouched",  "broken/empty_folder",
    "broken/still_uncoalesced",   "cheating/exits_with_0",
    "cheating/inline_assembly",   "hostile/source_is_a_link",
};

enum {
    PATIENCE = 600 /* seconds, for a run that hangs */
};

static struct class_run run;
static struct slurm_node node;
static const char *lacks; /* NULL: Slurm is here */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_briefly(void)
{
    const struct timespec pause = {.tv_nsec = 100000000};

    nanosleep(&pause, NULL);
}

/* --- a run of the grader ------------------------------------------------------ */

/* Starts it into the folder `out` of the class, always with the same seed. */
/* A test before may have left an array, and a controller that was killed a node
   that is drained, since it forgot which tasks ran there ("Duplicate jobid"). */
static void clear_the_node(void)
{
    const double begun = now();
    struct command c = command_run("scancel --quiet --partition=course");

    command_free(&c);
    while (!slurm_node_resume()) {
        if (now() - begun > PATIENCE)
            fail_msg("the node does not come back");
        pause_briefly();
    }
}

static pid_t begin(const char *engine, const char *out)
{
    char folder[CLASS_PATH + 100], seed[CLASS_PATH + 100];
    pid_t grader;

    snprintf(folder, sizeof folder, "%s", class_path(&run, out));
    snprintf(seed, sizeof seed, "%s", class_path(&run, "seed"));
    if (strcmp(engine, "slurm") == 0)
        clear_the_node();
    fflush(NULL);
    grader = fork();
    assert_return_code(grader, errno);
    if (grader == 0) {
        const int printed = open(class_path(&run, "printed"),
                                 O_WRONLY | O_CREAT | O_TRUNC, 0644);

        prctl(PR_SET_PDEATHSIG, SIGTERM);
        setenv("TMPDIR", class_path(&run, "tmp"), 1);
        if (dup2(printed, 1) >= 0 && dup2(printed, 2) >= 0)
            execl("build/tools/grade", "grade", "--engine", engine, "--roster",
                  class_path(&run, "roster.csv"), "--out", folder,
                  "--seed-file", seed, class_path(&run, "class"), (char *)NULL);
        _exit(127);
    }
    return grader;
}

/* Waits for it, and puts the node right where it was drained. Returns its exit
   code, or 128 + n: a signal. */
static int wait_for(pid_t grader)
{
    const double begun = now(), grace = 3.0;
    double looked = begun;
    int status = 0;

    while (waitpid(grader, &status, WNOHANG) == 0) {
        if (now() - begun > PATIENCE)
            kill(grader, SIGTERM);
        if (now() - looked > grace) {
            slurm_node_resume();
            looked = now();
        }
        pause_briefly();
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Waits until a first result is in the folder, which a run needs some seconds
   for, but not all. */
static void wait_for_a_result(pid_t grader, const char *out)
{
    char line[CLASS_PATH + 200];

    snprintf(line, sizeof line, "ls '%s'/results/*/*.json 2>/dev/null",
             class_path(&run, out));
    for (;;) {
        struct command c = command_run("%s", line);
        const int there = c.code == 0;

        command_free(&c);
        if (there)
            return;
        slurm_node_resume(); /* it may have been drained meanwhile */
        if (waitpid(grader, NULL, WNOHANG) != 0)
            fail_msg("it ended before it had a result");
        pause_briefly();
    }
}

static void printed_says(const char *words, int wanted)
{
    char *const text = class_read(&run, "printed");

    if ((strstr(text, words) != NULL) != wanted)
        fail_msg("'%s' is%s in:\n%s", words, wanted ? " not" : "", text);
    free(text);
}

/* Is everything in the folder as in "whole", which this machine made alone, and
   nothing beside it? */
static void is_the_same(const char *out)
{
    struct command diff, left;

    diff = command_run("diff -r -I execution_time '%s' '%s'",
                       class_path(&run, "whole"), class_path(&run, out));
    command_ends(&diff, 0);
    command_free(&diff);
    left = command_run("ls '%s'", class_path(&run, "tmp"));
    assert_string_equal(left.text, "");
    command_free(&left);
}

/* --- what is tried ------------------------------------------------------------ */

static int lay(void **state)
{
    (void)state;
    lacks = slurm_node_lacks();
    if (lacks != NULL)
        return 0;
    class_make(&run);
    for (size_t i = 0; i < sizeof graded / sizeof *graded; i++)
        class_lay(&run, graded[i]);
    class_write_roster(&run);
    if (wait_for(begin("local", "whole")) != 0)
        return -1;
    return slurm_node_start(&node, class_path(&run, "node"));
}

static int remove_all(void **state)
{
    (void)state;
    if (lacks != NULL)
        return 0;
    slurm_node_stop(&node);
    class_remove(&run);
    return 0;
}

static void need_slurm(void)
{
    if (lacks == NULL)
        return;
    print_message("# skipped: there is no %s (apt-get install slurm-wlm "
                  "munge)\n",
                  lacks);
    skip();
}

static void a_cluster_comes_to_the_same_grades(void **state)
{
    struct command mode;

    (void)state;
    need_slurm();
    assert_int_equal(wait_for(begin("slurm", "cluster")), 0);
    is_the_same("cluster");
    printed_says("have no result", 0);
    mode = command_run("stat -c %%a '%s' '%s'", class_path(&run, "seed"),
                       class_path(&run, "cluster"));
    assert_string_equal(mode.text, "600\n700\n");
    command_free(&mode);
}

static void also_if_the_controller_is_killed_in_the_middle(void **state)
{
    pid_t grader;

    (void)state;
    need_slurm();
    grader = begin("slurm", "controller");
    wait_for_a_result(grader, "controller");
    slurm_node_kill(&node, SLURM_CONTROLLER);
    sleep(3);
    assert_int_equal(slurm_node_again(&node, SLURM_CONTROLLER), 0);
    assert_int_equal(wait_for(grader), 0);
    is_the_same("controller");
}

static void also_if_the_nodes_daemon_is_killed_in_the_middle(void **state)
{
    pid_t grader;

    (void)state;
    need_slurm();
    grader = begin("slurm", "daemon");
    wait_for_a_result(grader, "daemon");
    slurm_node_kill(&node, SLURM_NODE);
    sleep(2);
    assert_int_equal(slurm_node_again(&node, SLURM_NODE), 0);
    assert_int_equal(wait_for(grader), 0);
    is_the_same("daemon");
}

static void a_task_that_is_cancelled_is_submitted_again(void **state)
{
    struct command c;
    pid_t grader;

    (void)state;
    need_slurm();
    grader = begin("slurm", "cancelled");
    wait_for_a_result(grader, "cancelled");
    c = command_run("scancel --state=RUNNING --partition=course");
    command_ends(&c, 0);
    command_free(&c);
    assert_int_equal(wait_for(grader), 0);
    printed_says("CANCELLED", 1);
    is_the_same("cancelled");
}

static void a_grader_that_was_killed_takes_over_its_own_array(void **state)
{
    struct command c;
    pid_t grader;

    (void)state;
    need_slurm();
    grader = begin("slurm", "killed");
    wait_for_a_result(grader, "killed");
    kill(grader, SIGKILL);
    assert_int_equal(wait_for(grader), 128 + SIGKILL);
    assert_int_equal(wait_for(begin("slurm", "killed")), 0);
    c = command_run("squeue --noheader");
    assert_string_equal(c.text, "");
    command_free(&c);
    is_the_same("killed");
}

static void an_interrupt_cancels_the_array(void **state)
{
    struct command c;
    pid_t grader;

    (void)state;
    need_slurm();
    grader = begin("slurm", "interrupted");
    wait_for_a_result(grader, "interrupted");
    c = command_run("build/tools/grade --out '%s' '%s'",
                    class_path(&run, "interrupted"), class_path(&run, "class"));
    command_ends(&c, 2);
    command_says(&c, "another grader is at work here");
    command_free(&c);
    kill(grader, SIGINT);
    assert_int_equal(wait_for(grader), 128 + SIGINT);
    printed_says("is cancelled", 1);
    printed_says("the same command goes on from there", 1);
    for (int i = 0; i < 300; i++) {
        c = command_run("squeue --noheader");
        if (c.text[0] == '\0')
            break;
        command_free(&c);
        pause_briefly();
    }
    assert_string_equal(c.text, "");
    command_free(&c);
    assert_int_equal(wait_for(begin("slurm", "interrupted")), 0);
    is_the_same("interrupted");
}

static void what_slurm_refuses_is_told_in_its_words(void **state)
{
    struct command c;

    (void)state;
    need_slurm();
    c = command_run("build/tools/grade --engine slurm --partition none --out "
                    "'%s' '%s'",
                    class_path(&run, "refused"), class_path(&run, "class"));
    command_ends(&c, 3);
    command_says(&c, "Invalid partition name specified");
    command_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_comes_to_the_same_grades),
        cmocka_unit_test(also_if_the_controller_is_killed_in_the_middle),
        cmocka_unit_test(also_if_the_nodes_daemon_is_killed_in_the_middle),
        cmocka_unit_test(a_task_that_is_cancelled_is_submitted_again),
        cmocka_unit_test(a_grader_that_was_killed_takes_over_its_own_array),
        cmocka_unit_test(an_interrupt_cancels_the_array),
        cmocka_unit_test(what_slurm_refuses_is_told_in_its_words),
    };

    return cmocka_run_group_tests(tests, lay, remove_all);
}
