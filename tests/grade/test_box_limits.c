/* How much can a program in a box take, however hard it tries? */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "boxes.h"

/* How much of it does grows get? */
static long gets(void **state, const char *what, int processes)
{
    struct grade_box_job job = boxes_job(state, "grows", what, NULL);
    struct grade_box_outcome outcome;
    long got;

    job.processes = processes;
    job.address_bytes = (size_t)64 << 20;
    outcome = boxes_run(&job);
    if (outcome.end != GRADE_ENDED)
        fail_msg("%s: end %d, code %d", what, outcome.end, outcome.code);
    got = strtol(outcome.bytes[GRADE_RESULT], NULL, 10);
    return got;
}

BOX_TEST(there_are_as_many_processes_as_were_granted, BOXED)
{
    assert_int_equal(gets(state, "processes", 1), 0);
    assert_int_equal(gets(state, "processes", 6), 5);
}

BOX_TEST(there_are_as_many_threads_as_were_granted, BOXED)
{
    assert_int_equal(gets(state, "threads", 1), 0);
    assert_int_equal(gets(state, "threads", 6), 5);
}

/* Two boxes of one user in two slots do not use up each other's. */
BOX_TEST(a_full_box_leaves_the_next_one_its_own, BOXED)
{
    const char *name = boxes_name();
    struct grade_box_job job = boxes_job(state, "grows", "fork", name);
    struct grade_box_outcome outcome;
    pid_t other = fork();

    if (other == 0) {
        job.slot = 8;
        job.wall_seconds = 1000.0;
        grade_box_run(&job, &outcome);
        _exit(0);
    }
    assert_int_equal(boxes_wait(name, job.processes), job.processes);
    assert_int_equal(gets(state, "threads", 6), 5);
    assert_int_equal(kill(other, SIGKILL), 0);
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(boxes_wait(name, 0), 0);
}

BOX_TEST(a_fork_bomb_ends_with_its_time, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "grows", "fork", NULL);
    struct grade_box_outcome outcome;

    job.wall_seconds = 0.2;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
}

/* 64 MiB in steps of 4: at most 15 of them beside the program itself. */
BOX_TEST(memory_is_limited_by_four_routes, EVERYWHERE)
{
    static const char *const routes[] = {"malloc", "mmap", "brk"};
    struct grade_box_job job;
    struct grade_box_outcome outcome;

    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        long got = gets(state, routes[i], 1);

        if (got < 10 || got > 15)
            fail_msg("%s got %ld steps of 4 MiB", routes[i], got);
    }
    job = boxes_job(state, "grows", "stack", NULL);
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_SIGNALED);
    assert_int_equal(outcome.code, SIGSEGV);
}

BOX_TEST(text_is_cut_and_the_program_goes_on, EVERYWHERE)
{
    static const char *const letters[] = {"\n", "x"};

    for (int i = 0; i < 2; i++) {
        struct grade_box_job job = boxes_job(state, "floods", "1", letters[i]);
        struct grade_box_outcome outcome;

        job.wall_seconds = 1.0; /* to begin, on a busy machine, too */
        outcome = boxes_run(&job);
        assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
        assert_int_equal(outcome.size[GRADE_TEXT], 4096);
        assert_int_equal(strlen(outcome.bytes[GRADE_TEXT]), 4096);
        assert_int_equal(outcome.over[GRADE_TEXT], 1);
    }
}

BOX_TEST(who_answers_too_much_is_killed, EVERYWHERE)
{
    static const char *const numbers[] = {"4", "5"};

    for (int i = GRADE_RESULT; i <= GRADE_REPORT; i++) {
        struct grade_box_job job = boxes_job(state, "floods", numbers[i], NULL);
        struct grade_box_outcome outcome;

        job.wall_seconds = 1000.0; /* it is not what ends it */
        outcome = boxes_run(&job);
        assert_int_equal(outcome.end, GRADE_SIGNALED);
        assert_int_equal(outcome.code, SIGKILL);
        assert_int_equal(outcome.size[i], 65536);
        assert_int_equal(outcome.over[i], 1);
        assert_int_equal(outcome.over[1 - i], 0);
    }
}

/* An answer of exactly the limit is whole. */
BOX_TEST(the_limit_itself_is_not_over_it, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    struct grade_box_outcome outcome;

    job.input = "0123456789";
    job.input_size = 10;
    job.limit[GRADE_RESULT] = 10;
    job.limit[GRADE_REPORT] = 6;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_ENDED);
    assert_string_equal(outcome.bytes[GRADE_RESULT], "0123456789");
    assert_int_equal(outcome.over[GRADE_RESULT], 0);
    assert_int_equal(outcome.over[GRADE_REPORT], 0);
    job.limit[GRADE_RESULT] = 0;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.over[GRADE_RESULT], 1);
    assert_int_equal(outcome.size[GRADE_RESULT], 0);
}

/* Nowhere in a run box; in a compile box up to what its /tmp holds. */
static long fills(void **state, enum grade_box_kind kind, const char *folder)
{
    struct grade_box_job job = boxes_job(state, "floods", folder, NULL);
    struct grade_box_outcome outcome;
    long got;

    job.kind = kind;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_ENDED);
    got = strtol(outcome.bytes[GRADE_RESULT], NULL, 10);
    return got;
}

BOX_TEST(no_file_can_be_written, BOXED | CONTAINER)
{
    static const char *const folders[] = {"/tmp", "/box", "/dev/shm",
                                          "/var/tmp"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        assert_int_equal(fills(state, GRADE_BOX_RUN, folders[i]), 0);
}

BOX_TEST(a_compile_box_has_a_small_disk, BOXED)
{
    long got = fills(state, GRADE_BOX_COMPILE, "/tmp");

    assert_true(got > 200 << 20);
    assert_true(got <= 256 << 20);
    assert_int_equal(fills(state, GRADE_BOX_COMPILE, "/box"), 0);
    assert_int_equal(fills(state, GRADE_BOX_COMPILE, "/dev"), 0);
}
