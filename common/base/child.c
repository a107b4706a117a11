#define _GNU_SOURCE
#include "base/child.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    NO_PROGRAM = 127,
    STEP = 10, /* ms between two looks at what is to end */
    TO_DIE = 1 /* second, after SIGTERM */
};

/* In the new process. SIGPIPE may have been ignored, which programs inherit. */
_Noreturn static void become_program(const char *const *argv, int output,
                                     int options)
{
    const int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;

    if ((options & BASE_CHILD_APART) != 0)
        setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    if (output >= 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
    }
    execvp(argv[0], (char *const *)(size_t)argv);
    _exit(NO_PROGRAM);
}

int base_child_start(struct base_child *child, const char *const *argv,
                     int options)
{
    int ends[2] = {-1, -1};

    *child = (struct base_child){.process = -1, .said = -1};
    if ((options & BASE_CHILD_HEARD) != 0 && pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    child->process = fork();
    if (child->process == 0)
        become_program(argv, ends[1], options);
    /* As the child itself: one of them is first. */
    if (child->process > 0 && (options & BASE_CHILD_APART) != 0)
        setpgid(child->process, child->process);
    if (ends[1] >= 0)
        close(ends[1]);
    child->said = ends[0];
    if (child->process > 0)
        return 0;
    if (ends[0] >= 0)
        close(ends[0]);
    return -1;
}

/* Reads what it prints until that ends, or until a time; 0: for ever. Returns
   it, for free(); NULL without memory. */
static char *read_said(int from, double until)
{
    struct pollfd event = {.fd = from, .events = POLLIN};
    char *text = NULL, bytes[4096];
    size_t length;
    FILE *const kept = open_memstream(&text, &length);
    ssize_t got = 1;

    while (got != 0 && (until <= 0.0 || base_seconds() < until)) {
        if (poll(&event, 1, until > 0.0 ? STEP : -1) <= 0)
            continue;
        got = read(from, bytes, sizeof bytes);
        for (ssize_t i = 0; kept != NULL && i < got; i++)
            putc(bytes[i] != '\0' ? bytes[i] : '?', kept);
    }
    if (kept != NULL && fclose(kept) == 0)
        return text;
    free(text);
    return NULL;
}

/* Waits until a time; 0: for ever. Returns 1 with its status once it has
   ended. */
static int has_ended(pid_t process, double until, int *status)
{
    const struct timespec step = {0, STEP * 1000000L};

    for (;;) {
        const pid_t ended = waitpid(process, status, until > 0.0 ? WNOHANG : 0);

        if (ended == process || (ended < 0 && errno != EINTR))
            return 1;
        if (until > 0.0 && base_seconds() >= until)
            return 0;
        if (ended == 0)
            nanosleep(&step, NULL);
    }
}

struct base_child_end base_child_wait(struct base_child *child, double seconds,
                                      char **said)
{
    const double until = seconds > 0.0 ? base_seconds() + seconds : 0.0;
    struct base_child_end end = {BASE_CHILD_OUT_OF_TIME, 0};
    int status = 0;

    if (said != NULL && child->said >= 0)
        *said = read_said(child->said, until);
    if (!has_ended(child->process, until, &status)) {
        base_child_stop(child);
        return end;
    }
    if (child->said >= 0)
        close(child->said);
    *child = (struct base_child){.process = -1, .said = -1};
    end.how = WIFSIGNALED(status) ? BASE_CHILD_SIGNALED : BASE_CHILD_ENDED;
    end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return end;
}

void base_child_stop(struct base_child *child)
{
    const pid_t process = child->process;
    const pid_t all = getpgid(process) == process ? -process : process;
    const double until = base_seconds() + TO_DIE;
    const struct timespec step = {0, STEP * 1000000L};
    int status;

    kill(all, SIGTERM);
    if (!has_ended(process, until, &status)) {
        kill(all, SIGKILL);
        has_ended(process, 0.0, &status);
    }
    /* What it has started may have to clean up. */
    while (all < 0 && kill(all, 0) == 0 && base_seconds() < until)
        nanosleep(&step, NULL);
    if (all < 0)
        kill(all, SIGKILL);
    if (child->said >= 0)
        close(child->said);
    *child = (struct base_child){.process = -1, .said = -1};
}
