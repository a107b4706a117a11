/*
 * A kernel that does not end is stopped. When several seconds of processor time
 * brought no thread of a kernel to its end, a timer (watch_timer.c) looks for a
 * while which lines the thread at hand goes round in, and leaves it there, as a
 * bad address does. It interrupts the lab's own code alone: the device's may
 * hold a lock.
 */
#define _GNU_SOURCE
#include "base/language.h"
#include "device.h"
#include "lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TICK_MS = 100,
    LOOK_MS = 1,
    LOOKS = 20,     /* lines that are looked at before it is told */
    PATIENCE = 5000 /* looks that may all find the device's own code */
};

static int limit; /* seconds; 0: none */
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

/* One look at who does not end. Returns 1 when enough was seen. */
static int look(struct simt_watch *watch, uintptr_t code)
{
    const char *file;
    int line;

    if (watch->looks++ == 0)
        simt_timer_every(LOOK_MS);
    if (simt_line_of(code, &file, &line) != 0 || line == 0 ||
        strstr(file, "simt/include/") != NULL)
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
    if (host.first_line == host.last_line) {
        simt_say(host.file, host.first_line,
                 N_("lab code has not ended after %d seconds: it goes round in "
                    "line %d"),
                 host_limit, host.first_line);
    } else {
        simt_say(host.file, host.first_line,
                 N_("lab code has not ended after %d seconds: it goes round in "
                    "lines %d to %d"),
                 host_limit, host.first_line, host.last_line);
    }
    if (simt_host_fault != NULL)
        simt_host_fault(simt_last_message());
    _exit(1);
}

static void on_tick(uintptr_t code)
{
    struct simt_worker *worker = simt_self;
    struct simt_watch *watch = worker != NULL ? &worker->watch : &host;
    const int seconds = worker != NULL ? limit : host_limit;

    if (seconds == 0 || (worker != NULL && worker->current == NULL))
        return;
    if (worker != NULL && worker->ended != watch->ended) {
        watch->ended = worker->ended;
        watch->ticks = watch->looks = watch->seen = 0;
    }
    if (watch->looks == 0 && ++watch->ticks < seconds * 1000 / TICK_MS)
        return;
    if (!look(watch, code))
        return;
    if (worker == NULL) {
        tell_host();
        return;
    }
    worker->fault =
        (struct simt_fault){.kind = SIMT_FAULT_ENDLESS, .code = code};
    simt_abandon_block(worker);
}

void simt_watch_begin(struct simt_worker *worker)
{
    worker->watch = (struct simt_watch){.ended = worker->ended};
    if (limit > 0)
        simt_timer_begin(TICK_MS, on_tick);
}

void simt_watch_end(void)
{
    if (host_limit == 0)
        simt_timer_end();
}

void simt_watch_host(int seconds)
{
    if (host_limit > 0 && seconds == 0)
        simt_timer_end();
    host = (struct simt_watch){0};
    host_limit = seconds;
    if (seconds > 0) {
        simt_fault_catch(); /* host code may fault without any memory here */
        simt_fault_stack();
        simt_timer_begin(TICK_MS, on_tick);
    }
}
