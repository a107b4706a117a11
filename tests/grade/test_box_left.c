/* Is there anything left of a box after its end? */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "boxes.h"

/* Else the other tests here would see nothing, whatever there is. */
BOX_TEST(a_process_is_found_by_its_name, ONCE)
{
    const char *name = boxes_name();
    pid_t child = fork();

    if (child == 0) {
        (void)prctl(PR_SET_NAME, name);
        for (;;)
            (void)pause();
    }
    assert_int_equal(boxes_wait(name, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(boxes_alive(name), 0);
}

/* grade_box_run says that they are gone when it returns. */
BOX_TEST(a_daemon_does_not_outlive_the_run, EVERYWHERE)
{
    const char *name = boxes_name();
    struct grade_box_job job = boxes_job(state, "grows", "daemon", name);
    struct grade_box_outcome outcome;

    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_ENDED);
    assert_string_equal(outcome.bytes[GRADE_RESULT], "daemon 0");
    assert_int_equal(boxes_alive(name), 0);
}

/* Each process leaves as soon as it has a child. */
BOX_TEST(who_runs_away_from_process_to_process_is_caught, BOXED | CONTAINER)
{
    const char *name = boxes_name();
    struct grade_box_job job = boxes_job(state, "grows", "away", name);

    job.wall_seconds = 0.5;
    (void)boxes_run(&job);
    assert_int_equal(boxes_alive(name), 0);
}

/* A supervisor that is killed, with all of its process group or alone. */
static void killed_supervisor(void **state, int group)
{
    const char *name = boxes_name();
    struct grade_box_job job = boxes_job(state, "grows", "named", name);
    pid_t supervisor = fork();

    if (supervisor == 0) {
        struct grade_box_outcome outcome;

        (void)setpgid(0, 0);
        grade_box_run(&job, &outcome);
        _exit(0);
    }
    assert_int_equal(boxes_wait(name, 1), 1);
    assert_int_equal(kill(group ? -supervisor : supervisor, SIGKILL), 0);
    assert_int_equal(waitpid(supervisor, NULL, 0), supervisor);
    assert_int_equal(boxes_wait(name, 0), 0);
}

BOX_TEST(nothing_outlives_a_killed_supervisor, EVERYWHERE)
{
    killed_supervisor(state, 0);
    killed_supervisor(state, 1);
}

/* Two graders of one user, who know nothing of each other; the other one has
   this isolation. */
static void leave_alone(void **state, enum grade_isolation isolation)
{
    const char *name = boxes_name();
    struct grade_box_job job = boxes_job(state, "grows", "named", name);
    struct grade_box_outcome outcome;
    pid_t other = fork();

    if (other == 0) {
        job.isolation = isolation;
        job.wall_seconds = 1000.0;
        grade_box_run(&job, &outcome);
        _exit(0);
    }
    assert_int_equal(boxes_wait(name, 1), 1);
    job = boxes_job(state, "ends", "sleep", NULL);
    job.wall_seconds = 0.1;
    for (int ended = 0; ended < 3; ended++) {
        outcome = boxes_run(&job);
        assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
    }
    assert_int_equal(boxes_alive(name), 1);
    assert_int_equal(kill(other, SIGKILL), 0);
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(boxes_wait(name, 0), 0);
}

BOX_TEST(boxes_of_one_slot_leave_each_other_alone, EVERYWHERE)
{
    const enum grade_isolation *const isolation = *state;

    leave_alone(state, *isolation);
}

BOX_TEST(a_box_with_namespaces_is_left_alone, CONTAINER | UNSAFE)
{
    char why[300];

    if (grade_box_probe(GRADE_BOXED, why, sizeof why) != 0) {
        print_message("# skipped: boxed: %s\n", why);
        skip();
    }
    leave_alone(state, GRADE_BOXED);
}

static int open_descriptors(void)
{
    int count = 0;

    for (int i = 0; i < 1024; i++)
        count += fcntl(i, F_GETFD) >= 0;
    return count;
}

/* Neither descriptors nor processes of the supervisor's own. */
BOX_TEST(a_supervisor_keeps_nothing, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    struct grade_box_outcome outcome;
    int before = open_descriptors();

    for (int i = 0; i < 3; i++) {
        job.kind = i < 2 ? GRADE_BOX_RUN : GRADE_BOX_COMPILE;
        outcome = boxes_run(&job);
        job.folder = i == 0 ? "/nowhere" : boxes_folder();
        grade_box_run(&job, &outcome);
        grade_box_free(&outcome);
        job.folder = boxes_folder();
    }
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* And it works for a supervisor that closed 0, 1 and 2. */
BOX_TEST(a_supervisor_may_have_closed_its_descriptors, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct grade_box_outcome outcome;

        for (int i = 0; i < 3; i++)
            (void)close(i);
        job.input = "x";
        job.input_size = 1;
        grade_box_run(&job, &outcome);
        _exit(outcome.code == 7 && outcome.size[GRADE_RESULT] == 1 &&
                      outcome.size[GRADE_REPORT] == 6
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Its folder in /tmp, that is, where it has no /tmp of its own. */
BOX_TEST(a_compile_box_takes_its_files_with_it, CONTAINER | UNSAFE)
{
    const char *const argv[] = {
        "/bin/sh", "-c", "mkdir -p a/b && echo x >a/b/c && pwd >&4", NULL};
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    struct grade_box_outcome outcome;
    struct stat about;
    char *folder;

    job.kind = GRADE_BOX_COMPILE;
    job.argv = argv;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.code, 0);
    folder = outcome.bytes[GRADE_RESULT];
    assert_memory_equal(folder, "/tmp/grade_box_", 15);
    folder[strcspn(folder, "\n")] = '\0';
    assert_int_equal(stat(folder, &about), -1);
}

/* Also when its supervisor is killed. */
BOX_TEST(a_killed_compile_box_leaves_no_folder, CONTAINER)
{
    const char *name = boxes_name();
    struct grade_box_job job = boxes_job(state, "grows", "named", name);
    char folder[64];
    pid_t supervisor = fork();

    if (supervisor == 0) {
        struct grade_box_outcome outcome;

        job.kind = GRADE_BOX_COMPILE;
        grade_box_run(&job, &outcome);
        _exit(0);
    }
    assert_int_equal(boxes_wait(name, 1), 1);
    assert_int_equal(boxes_folder_of(name, folder, sizeof folder), 0);
    assert_int_equal(access(folder, F_OK), 0);
    assert_int_equal(kill(supervisor, SIGKILL), 0);
    assert_int_equal(waitpid(supervisor, NULL, 0), supervisor);
    assert_int_equal(boxes_wait(name, 0), 0);
    assert_int_equal(boxes_wait_gone(folder), -1);
}
