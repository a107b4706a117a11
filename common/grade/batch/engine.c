#define _GNU_SOURCE
#include "grade/batch/engine.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "grade/base/clean_up.h"

enum {
    FAILED = 1, /* exit code of a task's process */
    NO_SUPERVISOR = 2
};

struct slot {
    pid_t process; /* 0: free */
    size_t task;
    double begun; /* by base_seconds */
    int too_long; /* 1: it was killed for that */
};

struct run {
    const struct grade_engine *engine;
    struct slot slot[GRADE_JOBS];
    size_t next;
    int busy;
    sigset_t watched;
};

static void be_task(const struct run *run, size_t task, int slot,
                    pid_t supervisor)
{
    const struct grade_engine *const e = run->engine;

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != supervisor)
        _exit(NO_SUPERVISOR);
    sigprocmask(SIG_UNBLOCK, &run->watched, NULL);
    _exit(e->work(e->context, task, e->slot != NULL ? e->slot[slot] : slot) == 0
              ? 0
              : FAILED);
}

/* Starts the next task in a free slot. Returns 0 or -1. */
static int start_one(struct run *run)
{
    const size_t task = run->next++;
    const pid_t supervisor = getpid();
    pid_t process;
    int s = 0;

    while (run->slot[s].process != 0)
        s++;
    fflush(NULL); /* or the child would write it again */
    process = fork();
    if (process < 0)
        return -1;
    if (process == 0)
        be_task(run, task, s, supervisor);
    run->slot[s] = (struct slot){
        .process = process, .task = task, .begun = base_seconds()};
    run->busy++;
    return 0;
}

static int tell_end(struct run *run, const struct slot *slot, int status)
{
    const struct grade_engine *const e = run->engine;
    char trouble[160] = "";

    if (slot->too_long) {
        snprintf(trouble, sizeof trouble,
                 "the grader's process took more than %d s", e->seconds);
    } else if (WIFSIGNALED(status)) {
        snprintf(trouble, sizeof trouble,
                 "the grader's process was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
        snprintf(trouble, sizeof trouble,
                 "the grader's process could not do its work (exit code %d)",
                 WEXITSTATUS(status));
    }
    return e->done(e->context, slot->task, base_seconds() - slot->begun,
                   trouble);
}

/* Takes in all processes that have ended; orphans of tasks are among them. */
static int take_ended(struct run *run)
{
    pid_t process;
    int status, result = 0;

    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
        for (int s = 0; s < run->engine->jobs; s++) {
            struct slot *const slot = &run->slot[s];
            const struct slot ended = *slot;

            if (ended.process != process)
                continue;
            *slot = (struct slot){.process = 0};
            run->busy--;
            if (tell_end(run, &ended, status) != 0)
                result = -1;
        }
    }
    return result;
}

/* Waits for a signal, or for `seconds`. Returns the number of one that asks for
   the end, or 0. */
static int wait_for_signal(const struct run *run, int seconds)
{
    const struct timespec most = {.tv_sec = seconds};
    const int signal = sigtimedwait(&run->watched, NULL, &most);

    return signal > 0 && signal != SIGCHLD ? signal : 0;
}

static void kill_slow(struct run *run)
{
    for (int s = 0; s < run->engine->jobs; s++) {
        struct slot *const slot = &run->slot[s];

        if (slot->process != 0 &&
            base_seconds() > slot->begun + run->engine->seconds) {
            slot->too_long = 1;
            kill(slot->process, SIGKILL);
        }
    }
}

/* Kills every child, and those that become children by that, until there are
   none. */
static void end_children(const struct run *run)
{
    for (int s = 0; s < run->engine->jobs; s++) {
        if (run->slot[s].process != 0)
            kill(run->slot[s].process, SIGKILL);
    }
    for (;;) {
        const int found = grade_kill_children();

        if (waitpid(-1, NULL, found > 0 ? 0 : WNOHANG) <= 0 && found == 0)
            return;
    }
}

static int run_tasks(struct run *run)
{
    const struct grade_engine *const e = run->engine;
    int result = 0;

    while (result == 0 && (run->next < e->tasks || run->busy > 0)) {
        const int can_start = run->next < e->tasks && run->busy < e->jobs;

        if (can_start)
            result = start_one(run);
        if (result == 0)
            result = wait_for_signal(run, can_start ? 0 : 1);
        if (result == 0) {
            kill_slow(run);
            result = take_ended(run);
        }
    }
    return result;
}

/* The signals that a grader waits for. One that was to be ignored, as under
   nohup, stays so. */
static void list_watched(sigset_t *watched)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

    sigemptyset(watched);
    sigaddset(watched, SIGCHLD);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct sigaction action;

        if (sigaction(ends[i], NULL, &action) == 0 &&
            action.sa_handler != SIG_IGN)
            sigaddset(watched, ends[i]);
    }
}

void grade_engine_block(void)
{
    sigset_t watched;

    list_watched(&watched);
    sigprocmask(SIG_BLOCK, &watched, NULL);
}

int grade_engine_run(const struct grade_engine *engine)
{
    struct run run = {.engine = engine};
    sigset_t before;
    int result, error, had = 0;

    list_watched(&run.watched);
    sigprocmask(SIG_BLOCK, &run.watched, &before);
    prctl(PR_GET_CHILD_SUBREAPER, &had);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    result = run_tasks(&run);
    error = errno;
    end_children(&run);
    prctl(PR_SET_CHILD_SUBREAPER, had);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return result;
}
