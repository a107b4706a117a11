/*
 * engine.h: how is much work done side by side, so that no part of it can stop
 * the rest?
 *
 * One supervisor and a process for each task, at most `jobs` of them at a time,
 * each in a slot of its own. A task whose process crashes or hangs is told as
 * such, and the others go on. A process ends when its supervisor does.
 */
#ifndef GRADE_ENGINE_H
#define GRADE_ENGINE_H

#include <stddef.h>

struct grade_engine {
    int jobs;        /* 1 to GRADE_JOBS */
    const int *slot; /* the numbers of its slots (box.h); NULL: 0, 1, ... */
    size_t tasks;
    int seconds; /* of a task: then its process is killed */
    void *context;

    /* In the task's own process. Returns 0 if all is well. */
    int (*work)(void *context, size_t task, int slot);

    /* In the supervisor, behind a task whose process has ended, after so many
       seconds: trouble is "" or says what happened to the process. Returns 0,
       or -1 to end all. */
    int (*done)(void *context, size_t task, double seconds,
                const char *trouble);
};

enum {
    GRADE_JOBS = 256
};

/*
 * Does all tasks. Returns 0; -1 if done said so, or with errno if no
 * process can be made; or the number of the signal (SIGINT, SIGTERM or SIGHUP)
 * that came meanwhile. All processes of tasks have ended in any case, and
 * orphans that they left.
 */
int grade_engine_run(const struct grade_engine *engine);

/* Holds these signals back from here on, so that they end nothing until the
   engine runs, or somebody unblocks them. */
void grade_engine_block(void);

#endif /* GRADE_ENGINE_H */
