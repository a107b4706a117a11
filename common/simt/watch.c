/*
 * A kernel that does not end is stopped. Each OS thread that runs blocks has a
 * timer of its own that goes by the processor time it uses; when several
 * seconds of that brought no thread of a kernel to its end, the handler looks
 * for a while which lines the thread at hand goes round in, and leaves it
 * there, as a bad address does. It interrupts the lab's own code alone: the
 * device's may hold a lock.
 */
#define _GNU_SOURCE
#include "device.h"
#include "lines.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    TICK_MS = 100,
    LOOK_MS = 1,
    LOOKS = 20,     /* lines that are looked at before it is told */
    PATIENCE = 5000 /* looks that may all find the device's own code */
};

#define SIGNAL (SIGRTMIN + 5)

static int limit; /* seconds; 0: none */
static _Thread_local timer_t timer;
static _Thread_local int has_timer;
/* Of host code, which has no worker. */
static _Thread_local struct simt_watch host;
static _Thread_local int host_limit;

void simt_set_limit(int seconds)
{
    limit = seconds;
}

/* make run asks for it so, since the program's main is its own. */
__attribute__((constructor)) static void read_environment(void)
{
    const char *const seconds = getenv("SIMT_ENDLESS");

    if (seconds != NULL)
        limit = (int)strtol(seconds, NULL, 10);
}

static void set_timer(int milliseconds)
{
    const struct timespec every = {milliseconds / 1000,
                                   milliseconds % 1000 * 1000000L};
    const struct itimerspec spec = {every, every};

    timer_settime(timer, 0, &spec, NULL);
}

/* One look at who does not end. Returns 1 when enough was seen. */
static int look(struct simt_watch *watch, const ucontext_t *context)
{
    const char *file;
    int line;

    if (watch->looks++ == 0)
        set_timer(LOOK_MS);
    if (simt_line_of(simt_code_of(context), &file, &line) != 0 || line == 0)
        return 0; /* the device's own code */
    if (watch->seen++ == 0) {
        watch->file = file;
        watch->first_line = watch->last_line = line;
    }
    if (strcmp(file, watch->file) == 0) {
        watch->first_line = line < watch->first_line ? line : watch->first_line;
        watch->last_line = line > watch->last_line ? line : watch->last_line;
    }
    return watch->seen >= LOOKS || watch->looks >= PATIENCE;
}

static void tell_host(void)
{
    simt_say(host.file, host.first_line,
             "lab code has not ended after %d seconds: it goes round in line%s "
             "%d%s%.0d",
             host_limit, host.first_line == host.last_line ? "" : "s",
             host.first_line, host.first_line == host.last_line ? "" : " to ",
             host.first_line == host.last_line ? 0 : host.last_line);
    if (simt_host_fault != NULL)
        simt_host_fault(simt_last_message());
    _exit(1);
}

static void on_tick(int number, siginfo_t *info, void *context)
{
    struct simt_worker *worker = simt_self;
    struct simt_watch *watch = worker != NULL ? &worker->watch : &host;
    const int seconds = worker != NULL ? limit : host_limit;

    (void)number;
    (void)info;
    if (seconds == 0 || (worker != NULL && worker->current == NULL))
        return;
    if (worker != NULL && worker->ended != watch->ended) {
        watch->ended = worker->ended;
        watch->ticks = watch->looks = watch->seen = 0;
    }
    if (watch->looks == 0 && ++watch->ticks < seconds * 1000 / TICK_MS)
        return;
    if (!look(watch, context))
        return;
    if (worker == NULL) {
        tell_host();
        return;
    }
    worker->fault = (struct simt_fault){.kind = SIMT_FAULT_ENDLESS,
                                        .code = simt_code_of(context)};
    simt_abandon_block(worker);
}

static void begin_timer(void)
{
    static int done;
    const char *file;
    int line;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGNAL};

    if (!done) {
        struct sigaction action = {.sa_sigaction = on_tick,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK |
                                               SA_NODEFER | SA_RESTART};

        sigemptyset(&action.sa_mask);
        sigaction(SIGNAL, &action, NULL);
        simt_line_of(0, &file, &line); /* reads its tables now */
        done = 1;
    }
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
    if (has_timer)
        set_timer(TICK_MS);
}

static void end_timer(void)
{
    if (has_timer)
        timer_delete(timer);
    has_timer = 0;
}

void simt_watch_begin(struct simt_worker *worker)
{
    worker->watch = (struct simt_watch){.ended = worker->ended};
    if (limit > 0 && !has_timer)
        begin_timer();
}

void simt_watch_end(void)
{
    if (host_limit == 0)
        end_timer();
}

void simt_watch_host(int seconds)
{
    if (host_limit > 0 && seconds == 0)
        end_timer();
    host = (struct simt_watch){0};
    host_limit = seconds;
    if (seconds > 0)
        simt_fault_catch(); /* host code may fault without any memory here */
    if (seconds > 0 && !has_timer) {
        simt_fault_stack();
        begin_timer();
    }
}
