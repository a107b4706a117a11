/*
 * disturb.h: what can happen to a machine while a class is graded?
 *
 * A thread beside the test looks for the grader, which is a child of the test's
 * process, and at random moments kills it, or a process below it: one that
 * grades, a keeper, a box, a compiler. It can also leave no room on a disk for
 * some moments. Nothing else on the machine is touched. Beside that it notes
 * how much memory the grader has.
 */
#ifndef SOAK_DISTURB_H
#define SOAK_DISTURB_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct disturb {
    /* Set these. Means of seconds between two of a kind; 0: there is none. */
    double kill_grader, kill_below, fill_disk;
    const char *disk;    /* a folder of the disk to be filled */
    const char *results; /* of the store, to be counted for the samples */
    FILE *samples;       /* CSV: seconds, results, KiB; NULL: none */
    uint64_t state;      /* of the random numbers */

    /* What was done. */
    int graders, below, fills;

    /* Its own. */
    pthread_t thread;
    volatile int ends;
    int has_begun;
    double begin, next_grader, next_below, next_fill, next_sample, empties;
};

/* From 0 to 1. */
double disturb_chance(uint64_t *state);

/* May be begun again after its end: what was due then is due as long after. */
void disturb_begin(struct disturb *d);
void disturb_end(struct disturb *d);

/* The child of this process that is the grader; 0: there is none. */
pid_t disturb_grader(void);

/*
 * Kills a process below the grader whose name begins so, "" being any. Which of
 * them is random. Returns 1 if there was one.
 */
int disturb_kill_below(pid_t grader, const char *name, uint64_t *state);

#endif /* SOAK_DISTURB_H */
