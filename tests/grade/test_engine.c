/* Is every task done once, whatever becomes of the others; and is nothing left
   when the engine has ended? */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "grade/batch/engine.h"
#include "grade/box/box.h"

enum {
    TASKS = 40
};

/* Seen by all processes. */
struct board {
    atomic_int worked[TASKS], now, most;
    atomic_int slot[GRADE_JOBS]; /* 1: somebody is in it */
    atomic_int twice;            /* 1: two were in one at a time */
    atomic_int orphan;           /* the process of a task's child */
};

static struct board *board;
static int done[TASKS];
static char trouble[TASKS][160];
static int (*behave)(size_t task);

FIXTURE(set_up)
{
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(done, 0, sizeof done);
    behave = NULL;
    return board == MAP_FAILED;
}

FIXTURE(tear_down)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
    assert_int_equal(errno, ECHILD);
    return munmap(board, sizeof *board);
}

static int work_on_task(void *context, size_t task, int slot)
{
    const int now = atomic_fetch_add(&board->now, 1) + 1;
    int most = atomic_load(&board->most), result = 0;

    (void)context;
    while (now > most &&
           !atomic_compare_exchange_weak(&board->most, &most, now))
        ;
    if (atomic_exchange(&board->slot[slot], 1) != 0)
        atomic_store(&board->twice, 1);
    if (behave != NULL)
        result = behave(task);
    atomic_fetch_add(&board->worked[task], 1);
    atomic_store(&board->slot[slot], 0);
    atomic_fetch_sub(&board->now, 1);
    return result;
}

static int finish_task(void *context, size_t task, double seconds,
                       const char *text)
{
    (void)context;
    (void)seconds;
    done[task]++;
    snprintf(trouble[task], sizeof trouble[task], "%s", text);
    return 0;
}

static int fail_at_ten(void *context, size_t task, double seconds,
                       const char *text)
{
    (void)context;
    (void)seconds;
    (void)text;
    return task == 10 ? -1 : 0;
}

static struct grade_engine engine(int jobs)
{
    return (struct grade_engine){.jobs = jobs,
                                 .tasks = TASKS,
                                 .seconds = 60,
                                 .work = work_on_task,
                                 .done = finish_task};
}

/* The first task stays until another is at work beside it. */
static int waits_for_another(size_t task)
{
    for (int i = 0; task == 0 && i < 60000 && atomic_load(&board->most) < 2;
         i++)
        usleep(1000);
    return 0;
}

EACH_TEST(set_up, tear_down);

TEST(test_each_task_is_done_once)
{
    const struct grade_engine e = engine(4);

    behave = waits_for_another;
    assert_int_equal(grade_engine_run(&e), 0);
    for (int i = 0; i < TASKS; i++) {
        assert_int_equal(board->worked[i], 1);
        assert_int_equal(done[i], 1);
        assert_string_equal(trouble[i], "");
    }
    assert_true(board->most <= 4);
    assert_true(board->most > 1);
    assert_int_equal(board->twice, 0);
}

TEST(test_no_more_than_jobs_at_a_time)
{
    const struct grade_engine e = engine(1);

    assert_int_equal(grade_engine_run(&e), 0);
    assert_int_equal(board->most, 1);
}

static int crash_some(size_t task)
{
    if (task == 3)
        raise(SIGKILL);
    if (task == 5)
        abort();
    return task == 7 ? -1 : 0;
}

TEST(test_a_crash_is_told_and_the_others_go_on)
{
    const struct grade_engine e = engine(4);

    behave = crash_some;
    assert_int_equal(grade_engine_run(&e), 0);
    for (int i = 0; i < TASKS; i++) {
        assert_int_equal(done[i], 1);
        if (i != 3 && i != 5 && i != 7)
            assert_string_equal(trouble[i], "");
    }
    assert_non_null(strstr(trouble[3], "signal 9"));
    assert_non_null(strstr(trouble[5], "signal 6"));
    assert_non_null(strstr(trouble[7], "exit code 1"));
}

static int hang_one(size_t task)
{
    while (task == 2)
        pause();
    return 0;
}

TEST(test_a_task_that_hangs_is_ended)
{
    struct grade_engine e = engine(2);

    e.seconds = 1;
    behave = hang_one;
    assert_int_equal(grade_engine_run(&e), 0);
    assert_string_equal(trouble[2], "the grader's process took more than 1 s");
    assert_int_equal(done[TASKS - 1], 1);
}

static int leave_orphan(size_t task)
{
    if (task != 1)
        return 0;
    const pid_t child = fork();

    if (child == 0) {
        setsid();
        for (;;)
            pause();
    }
    atomic_store(&board->orphan, child);
    return 0;
}

TEST(test_orphans_of_tasks_do_not_stay)
{
    const struct grade_engine e = engine(2);

    behave = leave_orphan;
    assert_int_equal(grade_engine_run(&e), 0);
    assert_true(board->orphan > 0);
    assert_int_equal(kill(board->orphan, 0), -1);
}

static int signal_parent(size_t task)
{
    if (task == 5)
        kill(getppid(), SIGTERM);
    return task >= 4 ? hang_one(2) : 0;
}

TEST(test_a_signal_ends_all_and_is_told)
{
    const struct grade_engine e = engine(4);
    int ended = 0;

    behave = signal_parent;
    assert_int_equal(grade_engine_run(&e), SIGTERM);
    for (int i = 0; i < TASKS; i++) {
        ended += done[i];
        assert_true(done[i] == 0 || i < 4);
    }
    assert_true(ended >= 2); /* or tasks 4 and 5 had no slot */
}

TEST(test_an_ignored_signal_stays_ignored)
{
    const struct grade_engine e = engine(4);
    void (*const before)(int) = signal(SIGHUP, SIG_IGN);

    raise(SIGHUP);
    assert_int_equal(grade_engine_run(&e), 0);
    signal(SIGHUP, before);
}

TEST(test_a_supervisor_that_fails_leaves_nothing)
{
    struct grade_engine e = engine(4);

    e.done = fail_at_ten;
    assert_int_equal(grade_engine_run(&e), -1);
}

/* --- slots ---------------------------------------------------------------- */

EACH_TEST(NULL, NULL);

TEST(test_two_graders_have_no_slot_in_common)
{
    int first[3], second[3], third[3], a, b, c;
    char why[200];

    if (geteuid() != 0) {
        printf("# skipped: only root's boxes have users of their own\n");
        skip();
    }
    a = grade_slots_take(first, 3, why, sizeof why);
    b = grade_slots_take(second, 3, why, sizeof why);
    assert_true(a >= 0 && b >= 0);
    for (int i = 0; i < 9; i++)
        assert_int_not_equal(first[i / 3], second[i % 3]);
    close(a);
    c = grade_slots_take(third, 3, why, sizeof why);
    assert_true(c >= 0);
    assert_memory_equal(third, first, sizeof first); /* free again */
    close(b);
    close(c);
}

TEST(test_a_process_that_is_left_keeps_its_slots)
{
    int first[1], second[1], a, b;
    char why[200];
    pid_t left;

    if (geteuid() != 0) {
        printf("# skipped: only root's boxes have users of their own\n");
        skip();
    }
    a = grade_slots_take(first, 1, why, sizeof why);
    assert_true(a >= 0);
    left = fork();
    if (left == 0) {
        for (;;)
            pause();
    }
    close(a);
    b = grade_slots_take(second, 1, why, sizeof why);
    assert_int_not_equal(first[0], second[0]);
    kill(left, SIGKILL);
    waitpid(left, NULL, 0);
    close(b);
}
