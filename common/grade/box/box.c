/* box.c: see box.h. The supervisor's side of one run. */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include "base/clock.h"
#include "base/memory.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const grade_isolation_name[] = {"boxed", "container", "unsafe"};

/* How long box_init has for ending the box after it was told to, before the
   keeper does it, in seconds. */
static const double stop_timeout = 1.0;
/* And how long the keeper has for that. */
static const double keeper_timeout = 10.0;

enum {
    /* What is polled: the streams, and then */
    WORD = GRADE_STREAMS,
    KEEPER,
    EVENTS
};

struct run {
    const struct grade_box_job *job;
    struct grade_box_outcome *outcome;
    struct box_ends ends;
    struct base_memory kept[GRADE_STREAMS];
    double begin;
    double told; /* when box_init was told to stop, or 0 */
    int out_of_time, out_of_memory;
    struct box_word word[BOX_MESSAGES]; /* by message; 0: not yet */
};

/* The end of what can be read there means "stop". */
static void stop(struct run *run)
{
    if (run->told > 0.0)
        return;
    run->told = base_seconds();
    (void)shutdown(run->ends.word, SHUT_WR);
}

/* Keeps bytes of a stream up to its limit. */
static void keep_bytes(struct run *run, int i, const char *bytes, size_t size)
{
    size_t *const kept = &run->outcome->size[i];
    const size_t left = run->job->limit[i] - *kept;

    if (size > left) {
        run->outcome->over[i] = 1;
        size = left;
        if (i != GRADE_TEXT)
            stop(run);
    }
    *kept += fwrite(bytes, 1, size, run->kept[i].file);
}

static int read_some(struct run *run, int i)
{
    static char bytes[65536];
    ssize_t got = read(run->ends.stream[i], bytes, sizeof bytes);

    if (got < 0 && errno == EINTR)
        return 1;
    if (got < 0 && errno == EAGAIN)
        return 0;
    if (got <= 0) {
        (void)close(run->ends.stream[i]);
        run->ends.stream[i] = -1; /* which poll passes over */
        return 0;
    }
    keep_bytes(run, i, bytes, (size_t)got);
    return 1;
}

/* Reads a message from box_init or the keeper. Its descriptor becomes -1 when
   it is gone. */
static void read_message(struct run *run, int *from)
{
    struct box_word word;
    const ssize_t got = recv(*from, &word, sizeof word, MSG_DONTWAIT);

    if (got == (ssize_t)sizeof word && word.message > 0 &&
        word.message < BOX_MESSAGES) {
        word.where[sizeof word.where - 1] = '\0';
        run->word[word.message] = word;
    } else if (got >= 0 || (errno != EINTR && errno != EAGAIN)) {
        (void)close(*from);
        *from = -1;
    }
}

/* What is to be done at this time. Returns the seconds until the next such
   time. */
static double check_deadlines(struct run *run)
{
    double time = base_seconds(),
           deadline = run->begin + run->job->wall_seconds;

    if (run->told <= 0.0 && time >= deadline) {
        run->out_of_time = 1;
        stop(run);
    }
    if (run->told <= 0.0)
        return deadline - time;
    if (time < run->told + stop_timeout)
        return run->told + stop_timeout - time;
    (void)shutdown(run->ends.keeper, SHUT_WR);
    /* Stopped by a program of the same user, say. */
    if (time >= run->told + stop_timeout + keeper_timeout)
        (void)kill(run->ends.keeper_process, SIGKILL);
    return stop_timeout;
}

static void wait_for_end(struct run *run)
{
    struct pollfd events[EVENTS];

    while (!run->word[BOX_GONE].message && run->ends.keeper >= 0) {
        double seconds = check_deadlines(run);

        for (int i = 0; i < GRADE_STREAMS; i++)
            events[i].fd = run->ends.stream[i];
        events[WORD].fd = run->ends.word;
        events[KEEPER].fd = run->ends.keeper;
        for (int i = 0; i < EVENTS; i++) {
            events[i].events = POLLIN;
            events[i].revents = 0;
        }
        if (poll(events, EVENTS, (int)(1000.0 * seconds) + 1) <= 0)
            continue;
        for (int i = 0; i < GRADE_STREAMS; i++) {
            if (events[i].revents)
                (void)read_some(run, i);
        }
        if (events[WORD].revents)
            read_message(run, &run->ends.word);
        if (events[KEEPER].revents)
            read_message(run, &run->ends.keeper);
    }
    /* What was written before the end, and no more than that: where there are
       no namespaces, the other side could be open yet. */
    for (int i = 0; i < GRADE_STREAMS; i++) {
        while (run->ends.stream[i] >= 0 && !run->outcome->over[i] &&
               read_some(run, i))
            ;
    }
    for (int i = 0; i < BOX_MESSAGES && run->ends.word >= 0; i++)
        read_message(run, &run->ends.word);
}

/* The first line of what bwrap said, which is why it could not start. */
static void not_started(struct run *run)
{
    char *const why = run->outcome->why;
    const size_t size = sizeof run->outcome->why;
    const struct box_word *word = &run->word[BOX_FAILED];
    const char *text = run->outcome->bytes[GRADE_TEXT];

    run->outcome->end = GRADE_NOT_STARTED;
    if (run->out_of_memory) {
        (void)snprintf(why, size, "no memory for what a box writes");
    } else if (run->word[BOX_GONE].value) {
        (void)snprintf(why, size,
                       "a box has processes that could not be ended");
    } else if (!run->word[BOX_GONE].message) {
        (void)snprintf(why, size, "the keeper of a box was ended by somebody");
    } else if (word->message) {
        (void)snprintf(why, size, "a box could not start: %s: %s", word->where,
                       strerror(word->value));
    } else if (run->out_of_time) {
        (void)snprintf(why, size, "a box did not start within %g s",
                       run->job->wall_seconds);
    } else {
        if (*text == '\0' || *text == '\n')
            text = "its first program is gone";
        (void)snprintf(why, size, "a box could not start: %.200s", text);
        why[strcspn(why, "\n")] = '\0';
    }
}

/*
 * Did it use up its seconds? A compiler's driver ends by itself, with a code,
 * after its cc1plus was killed for that. The kernel counts for the limit in
 * whole ticks but reports what was really used; in a virtual machine, whose
 * host takes some of a tick away, that is less.
 */
static int used_up(const struct run *run, int status, double cpu_seconds)
{
    int enough = cpu_seconds >= 0.8 * (double)run->job->cpu_seconds;

    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGXCPU ||
               (WTERMSIG(status) == SIGKILL && enough);
    }
    return WEXITSTATUS(status) != 0 && enough;
}

static void judge_end(struct run *run)
{
    struct grade_box_outcome *outcome = run->outcome;
    /* Where there is no process namespace, box_init can be killed. */
    const struct box_word *const ended = &run->word[BOX_ENDED];
    int status = ended->message ? ended->value : SIGKILL;

    outcome->cpu_seconds =
        (ended->message ? ended : &run->word[BOX_GONE])->cpu_seconds;
    if (!run->word[BOX_STARTED].message || run->word[BOX_FAILED].message ||
        run->out_of_memory || !run->word[BOX_GONE].message ||
        run->word[BOX_GONE].value) {
        not_started(run);
        return;
    }
    if (run->out_of_time || used_up(run, status, outcome->cpu_seconds)) {
        outcome->end = GRADE_OUT_OF_TIME;
    } else if (outcome->over[GRADE_RESULT] || outcome->over[GRADE_REPORT]) {
        outcome->end = GRADE_SIGNALED;
        outcome->code = SIGKILL;
    } else if (WIFSIGNALED(status)) {
        outcome->end = GRADE_SIGNALED;
        outcome->code = WTERMSIG(status);
    } else {
        outcome->end = GRADE_ENDED;
        outcome->code = WEXITSTATUS(status);
    }
}

void grade_box_run(const struct grade_box_job *job,
                   struct grade_box_outcome *outcome)
{
    struct run run = {.job = job, .outcome = outcome, .begin = base_seconds()};
    int is_open;

    *outcome = (struct grade_box_outcome){.end = GRADE_NOT_STARTED};
    for (int i = 0; i < GRADE_STREAMS; i++)
        run.out_of_memory |= base_memory_open(&run.kept[i]) == NULL;
    is_open = !run.out_of_memory &&
              box_open(job, &run.ends, outcome->why, sizeof outcome->why) == 0;
    if (is_open) {
        wait_for_end(&run);
        box_close(&run.ends);
        outcome->wall_seconds = base_seconds() - run.begin;
    }
    for (int i = 0; i < GRADE_STREAMS; i++) {
        outcome->bytes[i] = base_memory_close(&run.kept[i]);
        run.out_of_memory |= outcome->bytes[i] == NULL;
    }
    if (is_open || run.out_of_memory)
        judge_end(&run);
}

void grade_box_free(struct grade_box_outcome *outcome)
{
    for (int i = 0; i < GRADE_STREAMS; i++) {
        free(outcome->bytes[i]);
        outcome->bytes[i] = NULL;
        outcome->size[i] = 0;
    }
}
