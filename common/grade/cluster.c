#define _GNU_SOURCE
#include "grade/cluster_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "grade/engine.h"

enum {
    TRIES = 3,         /* arrays one after the other that bring nothing */
    PATIENCE = 600,    /* seconds that Slurm may be out of reach */
    LONG_WAIT = 10,    /* seconds for an array to begin, until it is told */
    REST = 60,         /* seconds for an array to end whose work is done */
    LONGEST_PAUSE = 15 /* seconds between two questions to Slurm */
};

static time_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* --- waiting ------------------------------------------------------------------- */

/* Takes in what is there by now. Returns 0 or -1. */
static int collect(struct grade_cluster_run *run)
{
    const struct grade_cluster_work *const work = run->work;

    for (size_t i = 0; i < work->tasks; i++) {
        if (run->share[i] < 0 || work->look(work->context, i) != GRADE_ANSWER)
            continue;
        if (work->done(work->context, i, "") != 0)
            return -1;
        run->share[i] = -1;
        run->left--;
        run->answers++;
    }
    return 0;
}

/* Asks Slurm. Returns 1 if the array has ended, 0 if not or if nobody knows. */
static int ask(struct grade_cluster_run *run, time_t begun, time_t *answered)
{
    struct grade_slurm_state state;
    char words[300];

    if (grade_slurm_look(grade_cluster_name(run), &state, run->task, run->tasks,
                         words, sizeof words) != 0) {
        if (run->silence[0] == '\0') {
            memcpy(run->silence, words, sizeof run->silence);
            grade_cluster_say(run, "Slurm does not answer, waiting for it: %s",
                              words);
        }
        return 0;
    }
    if (run->silence[0] != '\0')
        grade_cluster_say(run, "Slurm answers again");
    run->silence[0] = '\0';
    *answered = now();
    if (now() - begun >= LONG_WAIT && state.running == 0 &&
        state.reason[0] != '\0' && strcmp(state.reason, "None") != 0 &&
        strcmp(state.reason, run->reason) != 0) {
        memcpy(run->reason, state.reason, sizeof run->reason);
        grade_cluster_say(run, "array job %s waits: %s", run->number,
                          run->reason);
    }
    return state.alive == 0;
}

/* How long until Slurm is asked again? */
static time_t pause_after(time_t so_far)
{
    const time_t pause = so_far / 10;

    return pause < 1 ? 1 : pause > LONGEST_PAUSE ? LONGEST_PAUSE : pause;
}

/* Waits for an array to end, and takes in what it brings. Returns 0, -1, or the
   number of a signal. */
static int watch(struct grade_cluster_run *run)
{
    const time_t begun = now();
    time_t asked = begun, answered = begun, whole = 0;
    int result = 0, over = 0;

    while (result == 0 && !over) {
        result = grade_engine_wait(1);
        if (result == 0 && now() - asked >= pause_after(now() - begun)) {
            over = ask(run, begun, &answered);
            asked = now();
        }
        if (result == 0)
            result = collect(run);
        if (run->left == 0 && whole == 0) {
            whole = now();
            asked = begun - LONGEST_PAUSE; /* ask at once */
        }
        if (whole != 0 && now() - whole > REST)
            return 0; /* it is cancelled when all is cleared */
        if (result == 0 && now() - answered > PATIENCE) {
            snprintf(run->why, run->size,
                     "Slurm has not answered for %d minutes (%s); what was "
                     "graded is kept, and the same command goes on from there",
                     PATIENCE / 60, run->silence);
            return -1;
        }
    }
    return result;
}

/* --- all of it ----------------------------------------------------------------- */

/* Looks again at what is to be done. Returns 0 or -1. */
static int prepare(struct grade_cluster_run *run)
{
    const struct grade_cluster_work *const work = run->work;

    for (size_t i = 0; i < work->tasks; i++) {
        const int wanted =
            run->share[i] >= 0 ? work->prepare(work->context, i) : 0;

        if (wanted < 0)
            return -1;
        if (run->share[i] >= 0 && wanted == 0) {
            run->share[i] = -1;
            run->left--;
        }
    }
    return 0;
}

/* The first task that owes an answer. */
static int first_owing(const struct grade_cluster_run *run)
{
    size_t i = 0;

    while (run->share[i] < 0)
        i++;
    return run->share[i];
}

/* Where nothing was graded at all because nothing could be, there is no class
   to write about. Otherwise what is missing is told as such. Returns 0 or -1.
 */
static int give_up(struct grade_cluster_run *run)
{
    const struct grade_cluster_work *const work = run->work;
    char text[1000], trouble[1200];

    if (run->answers == 0 &&
        strcmp(run->task[first_owing(run)].state, "FAILED") == 0) {
        grade_cluster_describe(run, first_owing(run), text, sizeof text);
        snprintf(run->why, run->size, "no task could grade: %s", text);
        return -1;
    }
    for (size_t i = 0; i < work->tasks; i++) {
        const int poor = run->share[i] >= 0 &&
                         work->look(work->context, i) == GRADE_POOR_ANSWER;

        if (run->share[i] < 0)
            continue;
        grade_cluster_describe(run, run->share[i], text, sizeof text);
        snprintf(trouble, sizeof trouble,
                 "The cluster brought no result in %d tries: %s", TRIES, text);
        if (work->done(work->context, i, poor ? "" : trouble) != 0)
            return -1;
    }
    return 0;
}

/* One array for what is missing. Returns 0, -1 or the number of a signal. */
static int try_once(struct grade_cluster_run *run, int alone)
{
    const size_t before = run->left;
    char words[300], text[1000];
    int result;

    if (prepare(run) != 0)
        return -1;
    if (run->left == 0)
        return 0;
    result = grade_cluster_submit(run, alone);
    if (result == 0) {
        grade_cluster_say(run, "array job %s: %d tasks for %zu labs",
                          run->number, run->tasks, run->left);
        result = watch(run);
    }
    /* Also after an error of sbatch, which may have come too late. */
    if (result != 0 &&
        grade_slurm_cancel(grade_cluster_name(run), words, sizeof words) != 0) {
        grade_cluster_say(run,
                          "the array job may run on: scancel --name=%s (%s)",
                          grade_cluster_name(run), words);
    }
    if (result > 0)
        grade_cluster_say(run, "array job %s is cancelled", run->number);
    if (result == 0 && run->left > 0) {
        grade_cluster_describe(run, first_owing(run), text, sizeof text);
        grade_cluster_say(
            run, "array job %s ended, %zu of %zu labs have no result: %s",
            run->number, run->left, before, text);
        grade_cluster_note_nodes(run);
    }
    return result;
}

static int run_all(struct grade_cluster_run *run)
{
    int result = 0, tries = 0;

    while (result == 0 && run->left > 0 && tries < TRIES) {
        const size_t before = run->left;

        result = try_once(run, tries > 0);
        tries = run->left < before ? 0 : tries + 1;
    }
    return result == 0 && run->left > 0 ? give_up(run) : result;
}

int grade_cluster_run(const struct grade_cluster_work *work, char *why,
                      size_t size)
{
    struct grade_cluster_run run = {
        .work = work, .left = work->tasks, .size = size};
    int result = -1;

    run.why = why;
    why[0] = '\0';
    run.share = calloc(work->tasks + 1, sizeof *run.share);
    if (run.share == NULL ||
        asprintf(&run.folder, "%s/slurm", work->store->path) < 0) {
        free(run.share);
        return grade_cluster_no_memory(&run);
    }
    grade_cluster_clear(&run);
    if (mkdir(run.folder, 0700) != 0) {
        snprintf(why, size, "%s: %s", run.folder, strerror(errno));
    } else {
        result = run_all(&run);
        if ((result == 0 && run.left == 0) || run.number[0] == '\0')
            grade_cluster_clear(&run);
    }
    free(run.share);
    free(run.task);
    free(run.manifest);
    free(run.folder);
    return result;
}
