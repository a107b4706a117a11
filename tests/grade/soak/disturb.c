#define _GNU_SOURCE
#include "disturb.h"

#include "../processes.h"
#include "base/clock.h"
#include "harness/inputs.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST = 4096, /* processes of the machine */
    PAUSE = 10   /* ms between two looks */
};

static const double hold = 0.4;     /* seconds that a disk stays full */
static const double sampling = 1.0; /* and between two samples */

double disturb_chance(uint64_t *state)
{
    return (double)(lab_random(state) >> 11) / 9007199254740992.0; /* 2^53 */
}

/* When the next of a kind is due, if they come at random. */
static double due(struct disturb *d, double mean)
{
    if (mean <= 0.0)
        return (double)INFINITY;
    return base_seconds() - mean * log(1.0 - disturb_chance(&d->state));
}

/* The first comes for certain before one is to be expected. */
static double first(struct disturb *d, double mean)
{
    return mean > 0.0 ? mean * disturb_chance(&d->state) : (double)INFINITY;
}

/* --- processes ------------------------------------------------------------ */

/* What has ended is none. */
static int read_process(pid_t pid, struct process *p)
{
    return process_read(pid, p) == 0 && p->state != 'Z' ? 0 : -1;
}

/* 1 if `above` is among the parents of a process, as they are now. */
static int is_below(pid_t pid, pid_t above)
{
    struct process p;

    for (int i = 0; i < 20 && read_process(pid, &p) == 0; i++) {
        if (p.parent == above)
            return 1;
        pid = p.parent;
    }
    return 0;
}

pid_t disturb_grader(void)
{
    struct process *const process = calloc(MOST, sizeof *process);
    const int count = process != NULL ? process_list(process, MOST) : 0;
    pid_t found = 0;

    for (int i = 0; i < count; i++) {
        if (process[i].parent == getpid() && process[i].state != 'Z' &&
            strcmp(process[i].name, "grade") == 0)
            found = process[i].pid;
    }
    free(process);
    return found;
}

/* Kills exactly this process, not one that has got its number since. */
static int kill_exactly(pid_t pid, pid_t grader)
{
    const int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    int killed;

    if (handle < 0)
        return 0;
    killed = is_below(pid, grader) &&
             syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0) == 0;
    close(handle);
    return killed;
}

int disturb_kill_below(pid_t grader, const char *name, uint64_t *state)
{
    struct process *const process = calloc(MOST, sizeof *process);
    const int count = process != NULL ? process_list(process, MOST) : 0;
    pid_t chosen = 0;
    int seen = 0;

    for (int i = 0; i < count; i++) {
        if (process[i].state != 'Z' &&
            strncmp(process[i].name, name, strlen(name)) == 0 &&
            is_below(process[i].pid, grader) &&
            lab_random(state) % (uint64_t)++seen == 0)
            chosen = process[i].pid;
    }
    free(process);
    return chosen > 0 && kill_exactly(chosen, grader);
}

/* --- the disk ------------------------------------------------------------- */

static void filler(const struct disturb *d, char path[400])
{
    snprintf(path, 400, "%s/filler", d->disk);
}

/* Takes all the room that is left, in smaller and smaller pieces. */
static void fill_disk(struct disturb *d)
{
    char path[400];
    off_t taken = 0, piece = (off_t)64 << 20;
    int file;

    filler(d, path);
    file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    while (piece >= 4096) {
        if (fallocate(file, 0, taken, piece) == 0) {
            taken += piece;
        } else {
            piece /= 2;
        }
    }
    close(file);
    d->fills++;
    d->empties = base_seconds() + hold;
}

static void empty(struct disturb *d)
{
    char path[400];

    if (d->empties <= 0.0)
        return;
    filler(d, path);
    unlink(path);
    d->empties = 0.0;
}

/* --- memory --------------------------------------------------------------- */

/* Each student has a folder, with the one lab that was handed in. */
static int count_results(const char *path)
{
    DIR *const folder = opendir(path);
    int count = 0;

    while (folder != NULL && readdir(folder) != NULL)
        count++;
    if (folder != NULL)
        closedir(folder);
    return count > 2 ? count - 2 : 0;
}

static void sample(const struct disturb *d, pid_t grader)
{
    const long kib = process_kib(grader, "VmRSS");

    if (d->samples != NULL && kib > 0) {
        fprintf(d->samples, "%.1f,%d,%ld\n", base_seconds() - d->begin,
                count_results(d->results), kib);
    }
}

/* --- all of it ------------------------------------------------------------ */

static void act(struct disturb *d, pid_t grader)
{
    const double now = base_seconds();

    if (now >= d->next_sample) {
        sample(d, grader);
        d->next_sample = now + sampling;
    }
    if (d->empties > 0.0 && now >= d->empties)
        empty(d);
    if (now >= d->next_fill) {
        fill_disk(d);
        d->next_fill = due(d, d->fill_disk);
    }
    if (now >= d->next_below) {
        d->below += disturb_kill_below(grader, "", &d->state);
        d->next_below = due(d, d->kill_below);
    }
    if (now >= d->next_grader) {
        /* Nobody has waited for it yet: the number is still its own, or that of
           one that has ended. */
        d->graders += kill(grader, SIGKILL) == 0;
        d->next_grader = due(d, d->kill_grader);
    }
}

static void *run_disturbance(void *context)
{
    const struct timespec pause = {0, PAUSE * 1000000L};
    struct disturb *const d = context;

    while (!d->ends) {
        const pid_t grader = disturb_grader();

        if (grader > 0)
            act(d, grader);
        nanosleep(&pause, NULL);
    }
    empty(d);
    return NULL;
}

void disturb_begin(struct disturb *d)
{
    d->ends = 0;
    d->begin = base_seconds();
    if (!d->has_begun) {
        d->next_grader = first(d, d->kill_grader);
        d->next_below = first(d, d->kill_below);
        d->next_fill =
            d->disk != NULL ? first(d, d->fill_disk) : (double)INFINITY;
    }
    d->has_begun = 1;
    d->next_sample = 0.0;
    d->next_grader += d->begin;
    d->next_below += d->begin;
    d->next_fill += d->begin;
    if (pthread_create(&d->thread, NULL, run_disturbance, d) != 0)
        abort();
}

void disturb_end(struct disturb *d)
{
    double now;

    d->ends = 1;
    pthread_join(d->thread, NULL);
    now = base_seconds();
    d->next_grader -= now;
    d->next_below -= now;
    d->next_fill -= now;
}
