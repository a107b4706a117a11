/* Does a box tell exactly how its program ended, and what it wrote? */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "boxes.h"

/* Runs ends with a word; its end and code are to be these. */
static void expect_end(void **state, const char *way, enum grade_box_end end,
                       int code)
{
    struct grade_box_job job = boxes_job(state, "ends", way, NULL);
    struct grade_box_outcome outcome;

    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, end);
    assert_int_equal(outcome.code, code);
    for (int i = 0; i < GRADE_STREAMS; i++) {
        assert_int_equal(outcome.size[i], 0);
        assert_string_equal(outcome.bytes[i], "");
        assert_int_equal(outcome.over[i], 0);
    }
}

BOX_TEST(input_comes_back_on_the_result_descriptor, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "control", "one word", NULL);
    struct grade_box_outcome outcome;
    char bytes[60000];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * i >> 3);
    job.input = bytes;
    job.input_size = sizeof bytes;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_ENDED);
    assert_int_equal(outcome.code, 7);
    assert_int_equal(outcome.size[GRADE_RESULT], sizeof bytes);
    assert_memory_equal(outcome.bytes[GRADE_RESULT], bytes, sizeof bytes);
    assert_string_equal(outcome.bytes[GRADE_REPORT], "report");
    assert_string_equal(outcome.bytes[GRADE_TEXT], "2 one word\nto stderr\n");
    assert_true(outcome.wall_seconds > 0.0);
    assert_true(outcome.cpu_seconds >= 0.0);
}

BOX_TEST(without_input_its_descriptor_is_at_its_end, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    struct grade_box_outcome outcome;

    outcome = boxes_run(&job);
    assert_int_equal(outcome.code, 7);
    assert_int_equal(outcome.size[GRADE_RESULT], 0);
}

BOX_TEST(exit_is_an_end_without_an_answer, EVERYWHERE)
{
    expect_end(state, "exit", GRADE_ENDED, 0);
}

BOX_TEST(code_139_is_not_signal_11, EVERYWHERE)
{
    expect_end(state, "code", GRADE_ENDED, 139);
    expect_end(state, "segv", GRADE_SIGNALED, SIGSEGV);
}

BOX_TEST(death_by_a_signal_is_told_with_its_number, EVERYWHERE)
{
    expect_end(state, "abort", GRADE_SIGNALED, SIGABRT);
    expect_end(state, "kill", GRADE_SIGNALED, SIGKILL);
}

BOX_TEST(a_sleeper_is_ended_at_its_wall_time, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "ends", "sleep", NULL);
    struct grade_box_outcome outcome;

    job.wall_seconds = 0.3;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
    assert_true(outcome.wall_seconds >= 0.3);
}

/* The same, however little it listens to signals. */
static void spins(void **state, const char *way)
{
    struct grade_box_job job = boxes_job(state, "ends", way, NULL);
    struct grade_box_outcome outcome;

    job.cpu_seconds = 1;
    job.wall_seconds = 1000.0; /* it is not what ends it */
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
    assert_true(outcome.cpu_seconds >= 0.5);
}

BOX_TEST(who_uses_up_the_processor_is_out_of_time, BOXED | CONTAINER)
{
    spins(state, "spin");
}

BOX_TEST(who_ignores_signals_is_out_of_time_as_well, BOXED)
{
    spins(state, "deaf");
}

BOX_TEST(time_that_was_cut_short_is_counted, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "ends", "spin", NULL);
    struct grade_box_outcome outcome;
    double counted = 0.0;

    /* Until it got the processor for a while, on a machine that is busy. */
    job.cpu_seconds = 100;
    for (double wall = 0.3; counted <= 0.05 && wall < 100.0; wall *= 2.0) {
        job.wall_seconds = wall;
        outcome = boxes_run(&job);
        assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
        counted = outcome.cpu_seconds;
    }
    assert_true(counted > 0.05);
}

BOX_TEST(what_stands_above_it_cannot_be_killed, BOXED)
{
    expect_end(state, "parent", GRADE_ENDED, 21);
    expect_end(state, "all", GRADE_ENDED, 22);
}

/* Here it can, and that is the program's fault. */
BOX_TEST(killing_its_parent_helps_nobody, CONTAINER | UNSAFE)
{
    struct grade_box_job job = boxes_job(state, "ends", "parent", NULL);
    struct grade_box_outcome outcome;

    outcome = boxes_run(&job);
    assert_true(outcome.end == GRADE_ENDED || outcome.end == GRADE_SIGNALED);
    assert_true(outcome.code == 21 || outcome.code == SIGKILL);
}

/* The keeper, which it does not know, ends them both. */
BOX_TEST(stopping_its_parent_helps_nobody, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "ends", "stop", NULL);
    struct grade_box_outcome outcome;

    job.wall_seconds = 0.3;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
}

/* The grader's faults are never the student's. */
static void not_started(struct grade_box_job *job, const char *why)
{
    struct grade_box_outcome outcome;

    grade_box_run(job, &outcome);
    assert_int_equal(outcome.end, GRADE_NOT_STARTED);
    if (!strstr(outcome.why, why))
        fail_msg("'%s' does not say '%s'", outcome.why, why);
    grade_box_free(&outcome);
}

BOX_TEST(what_is_the_graders_fault_is_told_apart, EVERYWHERE)
{
    const char *const nothing[] = {GRADE_BOX_FOLDER "/nothing", NULL};
    struct grade_box_job good = boxes_job(state, "control", NULL, NULL), job;
    char closed[] = "/tmp/test_box.XXXXXX";

    job = good;
    job.argv = nothing;
    not_started(&job, "No such file");
    job = good;
    job.folder = "/nowhere/at/all";
    not_started(&job, "folder");
    assert_non_null(mkdtemp(closed));
    assert_int_equal(chmod(closed, 0), 0);
    job = good;
    job.folder = closed;
    not_started(&job, "folder");
    assert_int_equal(rmdir(closed), 0);
}

BOX_TEST(boxes_run_side_by_side_in_slots, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);

    job.input = "abc";
    job.input_size = 3;
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            struct grade_box_outcome outcome;
            int good = 1;

            job.slot = i;
            for (int j = 0; j < 3; j++) {
                grade_box_run(&job, &outcome);
                good &= outcome.end == GRADE_ENDED && outcome.code == 7 &&
                        outcome.size[GRADE_RESULT] == 3;
                grade_box_free(&outcome);
            }
            _exit(!good);
        }
    }
    for (int i = 0; i < 4; i++) {
        int status;

        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
}
