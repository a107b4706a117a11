/*
 * The timer of watch.c: each OS thread that runs blocks has one of its own that
 * goes by the processor time it uses, and a signal tells that it is over.
 */
#define _GNU_SOURCE
#include "device.h"
#include "lines.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SIGNAL (SIGRTMIN + 5)

static _Thread_local timer_t timer;
static _Thread_local int has_timer;
static simt_tick *call; /* the same for all */

void simt_timer_every(int milliseconds)
{
    const struct timespec every = {milliseconds / 1000,
                                   milliseconds % 1000 * 1000000L};
    const struct itimerspec spec = {every, every};

    timer_settime(timer, 0, &spec, NULL);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    call(simt_code_of(context));
}

void simt_timer_begin(int milliseconds, simt_tick *tick)
{
    static int done;
    const char *file;
    int line;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGNAL};

    if (has_timer)
        return;
    if (!done) {
        struct sigaction action = {.sa_sigaction = on_signal,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK |
                                               SA_NODEFER | SA_RESTART};

        sigemptyset(&action.sa_mask);
        sigaction(SIGNAL, &action, NULL);
        call = tick;
        simt_line_of(0, &file, &line); /* reads its tables now */
        done = 1;
    }
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
    if (has_timer)
        simt_timer_every(milliseconds);
}

void simt_timer_end(void)
{
    if (has_timer)
        timer_delete(timer);
    has_timer = 0;
}
