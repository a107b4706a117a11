#define _GNU_SOURCE
#include "grade/cluster.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grade/engine.h"
#include "grade/remove_tree.h"
#include "grade/share.h"
#include "grade/slurm.h"
#include "output/replace_file.h"

enum {
    TRIES = 3, /* arrays one after the other that bring nothing */
    SHARES_A_PROCESSOR = 4,
    LEAST_LABS = 4,     /* of a share, since each begins with two controls */
    MOST_SHARES = 1000, /* Slurm's MaxArraySize is 1001 if a site sets none */
    PATIENCE = 600,     /* seconds that Slurm may be out of reach */
    LONG_WAIT = 10,     /* seconds for an array to begin, until it is told */
    REST = 60,          /* seconds for an array to end whose work is done */
    LONGEST_PAUSE = 15  /* seconds between two questions to Slurm */
};

static const char script[] = "common/grade/slurm_task.sh";

struct run {
    const struct grade_cluster_work *work;
    char *folder;   /* slurm/ of the store */
    char *manifest; /* of the array at work; its name is the last part */
    int *share;     /* of each of the work's tasks; -1: it has its answer */
    size_t left, answers;
    struct grade_slurm_task *task; /* of the array */
    int tasks, round;
    char number[24];   /* of the array, for people */
    char without[800]; /* nodes that could not grade */
    char unfit[1000];  /* why, in the words of a task on one of them; "" */
    char silence[300]; /* why Slurm is out of reach, as told; "": it is not */
    char reason[128];  /* why the array waits, as told */
    char *why;
    size_t size;
};

static int no_memory(struct run *run)
{
    snprintf(run->why, run->size, "there is no memory left");
    return -1;
}

/* A line for the person who waits; the progress is written over on a terminal.
 */
__attribute__((format(printf, 2, 3))) static void say(const struct run *run,
                                                      const char *form, ...)
{
    va_list list;

    if (run->work->quiet)
        return;
    va_start(list, form);
    fputs(isatty(STDERR_FILENO) ? "\r\033[Kgrade: " : "grade: ", stderr);
    vfprintf(stderr, form, list);
    fputc('\n', stderr);
    va_end(list);
}

static const char *name_of(const struct run *run)
{
    return strrchr(run->manifest, '/') + 1;
}

static time_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* --- what an earlier run left -------------------------------------------------- */

/* Cancels its arrays, which would do the same work, and removes its files. */
static void clear_folder(const struct run *run)
{
    DIR *const listing = opendir(run->folder);
    const struct dirent *entry;
    char why[300], name[300];

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        const char *const dot = strrchr(entry->d_name, '.');

        if (dot == NULL && strncmp(entry->d_name, "grade-", 6) == 0 &&
            grade_slurm_cancel(entry->d_name, why, sizeof why) != 0)
            say(run, "an earlier run's array %s: %s", entry->d_name, why);
    }
    if (listing != NULL)
        rewinddir(listing);
    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        const char *const dot = strrchr(entry->d_name, '.');

        if (dot == NULL || strcmp(dot, ".lock") != 0)
            continue;
        snprintf(name, sizeof name, "slurm/%.*s", (int)(dot - entry->d_name),
                 entry->d_name);
        grade_store_remove_left(run->work->store, name);
    }
    if (listing != NULL)
        closedir(listing);
    grade_remove_tree(AT_FDCWD, run->folder);
}

/* --- an array ------------------------------------------------------------------- */

/* Looks again at what is to be done. Returns 0 or -1. */
static int prepare(struct run *run)
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

/* How many shares? After an array without an answer each lab is alone, so that
   one that does harm to the others is found. */
static int choose_shares(const struct run *run, int alone)
{
    const struct grade_cluster *const c = run->work->cluster;
    const size_t least = alone ? 1 : LEAST_LABS;
    const size_t most = (run->left + least - 1) / least;
    const int processors =
        c->jobs > 0 ? c->jobs : grade_slurm_processors(c->partition);
    const size_t wanted =
        processors > 0 ? (size_t)processors * SHARES_A_PROCESSOR : MOST_SHARES;
    const size_t shares = alone || wanted > most ? most : wanted;

    return (int)(shares > MOST_SHARES ? MOST_SHARES : shares);
}

/* Deals the work out, a lab of a student to each share in turn: what takes long
   is often one lab, or one student. */
static int write_manifest(struct run *run)
{
    const struct grade_cluster_work *const work = run->work;
    struct output_replacement r;
    uint64_t random;
    int next = 0;

    free(run->manifest);
    run->manifest = NULL;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random ||
        asprintf(&run->manifest, "%s/grade-%016" PRIx64, run->folder, random) <
            0) {
        run->manifest = NULL;
        return no_memory(run);
    }
    if (output_replace_begin(&r, run->manifest, run->why, run->size) != 0)
        return -1;
    grade_share_begin(r.file, work->build);
    for (size_t i = 0; i < work->tasks; i++) {
        const char *student, *lab;

        if (run->share[i] < 0)
            continue;
        run->share[i] = next++ % run->tasks;
        work->name(work->context, i, &student, &lab);
        grade_share_add(r.file, run->share[i], student, lab);
    }
    return output_replace_end(&r, 1, run->why, run->size);
}

/* What slurm_task.sh is called with, for free(); NULL without memory. */
static const char **list_arguments(const struct run *run, const char *course,
                                   const char *grader)
{
    const char *const *const options = run->work->cluster->options;
    size_t count = 0;
    const char **list;

    while (options[count] != NULL)
        count++;
    list = calloc(count + 4, sizeof *list);
    if (list == NULL)
        return NULL;
    list[0] = course;
    list[1] = run->manifest;
    list[2] = grader;
    memcpy(list + 3, options, count * sizeof *list);
    return list;
}

static int submit(struct run *run)
{
    const struct grade_cluster *const c = run->work->cluster;
    char course[4096], grader[4096];
    const ssize_t length =
        readlink("/proc/self/exe", grader, sizeof grader - 1);
    const char **arguments;
    char words[300];
    int failed;

    if (length < 0 || getcwd(course, sizeof course) == NULL) {
        snprintf(run->why, run->size, "the course's folder: %s",
                 strerror(errno));
        return -1;
    }
    grader[length] = '\0';
    arguments = list_arguments(run, course, grader);
    if (arguments == NULL)
        return no_memory(run);

    struct grade_slurm_array array = {.name = name_of(run),
                                      .partition = c->partition,
                                      .account = c->account,
                                      .without = run->without,
                                      .tasks = run->tasks,
                                      .at_a_time = c->jobs,
                                      .script = script,
                                      .arguments = arguments};
    failed = grade_slurm_submit(&array, run->number, words, sizeof words);
    if (failed && run->without[0] != '\0' && run->answers == 0 &&
        run->unfit[0] != '\0') {
        snprintf(run->why, run->size, "no node can grade: %s", run->unfit);
        free(arguments);
        return -1;
    }
    if (failed && run->without[0] != '\0') {
        /* There is no other node: those may do better this time. */
        run->without[0] = '\0';
        failed = grade_slurm_submit(&array, run->number, words, sizeof words);
    }
    free(arguments);
    if (failed) {
        snprintf(run->why, run->size,
                 "Slurm did not take the array job (PARTITION=, ACCOUNT=): %s",
                 words);
    }
    return failed;
}

/* --- waiting ------------------------------------------------------------------- */

/* Takes in what is there by now; last: what is no good, too. Returns 0 or -1. */
static int collect(struct run *run)
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
static int ask(struct run *run, time_t begun, time_t *answered)
{
    struct grade_slurm_state state;
    char words[300];

    if (grade_slurm_look(name_of(run), &state, run->task, run->tasks, words,
                         sizeof words) != 0) {
        if (run->silence[0] == '\0') {
            memcpy(run->silence, words, sizeof run->silence);
            say(run, "Slurm does not answer, waiting for it: %s", words);
        }
        return 0;
    }
    if (run->silence[0] != '\0')
        say(run, "Slurm answers again");
    run->silence[0] = '\0';
    *answered = now();
    if (now() - begun >= LONG_WAIT && state.running == 0 &&
        state.reason[0] != '\0' && strcmp(state.reason, "None") != 0 &&
        strcmp(state.reason, run->reason) != 0) {
        memcpy(run->reason, state.reason, sizeof run->reason);
        say(run, "array job %s waits: %s", run->number, run->reason);
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
static int watch(struct run *run)
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
            return 0; /* the caller cancels it */
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

/* --- what went wrong ------------------------------------------------------------ */

/* Says what became of a task that owes an answer. */
static void describe(const struct run *run, int task, char *text, size_t size)
{
    const struct grade_slurm_task *const t = &run->task[task];
    char *log;
    int length = 0;

    if (t->state[0] == '\0') {
        snprintf(text, size, "Slurm has lost task %d", task);
        return;
    }
    if (t->exit_code == GRADE_TASK_NO_COURSE ||
        t->exit_code == GRADE_TASK_NO_MANIFEST) {
        snprintf(text, size,
                 "node %s does not see %s (it must lie on a file system that "
                 "all nodes share)",
                 t->node,
                 t->exit_code == GRADE_TASK_NO_COURSE ? "the course's folder"
                                                      : run->folder);
        return;
    }
    if (t->exit_code == GRADE_TASK_NO_CONTROL) {
        length =
            snprintf(text, size, "a control went wrong on node %s", t->node);
    } else if (t->exit_code == GRADE_TASK_NO_ISOLATION) {
        length = snprintf(text, size, "no box can be had on node %s", t->node);
    } else if (t->exit_code > 0) {
        length = snprintf(text, size, "task %d ended on node %s with code %d",
                          task, t->node, t->exit_code);
    } else {
        length = snprintf(text, size, "task %d is %s, node %s", task, t->state,
                          t->node);
    }
    if (asprintf(&log, "%s-%d.log", run->manifest, task) < 0)
        return;
    if (access(log, R_OK) == 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, ": see %s", log);
    free(log);
}

/* Is the node in a list of them, as "a,b"? */
static int is_listed(const char *list, const char *node)
{
    const size_t length = strlen(node);

    for (; *list != '\0'; list += strcspn(list, ","), list += *list == ',') {
        if (strncmp(list, node, length) == 0 &&
            (list[length] == ',' || list[length] == '\0'))
            return 1;
    }
    return 0;
}

/* Did the task say that its node cannot grade? */
static int is_unfit(const struct grade_slurm_task *task)
{
    return task->exit_code == GRADE_TASK_NO_COURSE ||
           task->exit_code == GRADE_TASK_NO_MANIFEST ||
           task->exit_code == GRADE_TASK_NO_CONTROL ||
           task->exit_code == GRADE_TASK_NO_ISOLATION;
}

/* Notes the nodes on which a task could not do its work: the next array goes
   elsewhere. Otherwise such a node, which is always free, would get most of the
   tasks. */
static void note_nodes(struct run *run)
{
    for (int i = 0; i < run->tasks; i++) {
        const struct grade_slurm_task *const t = &run->task[i];
        const size_t length = strlen(run->without);

        if ((t->exit_code <= 0 && strcmp(t->reason, "JobLaunchFailure") != 0) ||
            is_listed(run->without, t->node) ||
            length + strlen(t->node) + 2 > sizeof run->without)
            continue;
        if (is_unfit(t))
            describe(run, i, run->unfit, sizeof run->unfit);
        snprintf(run->without + length, sizeof run->without - length, "%s%s",
                 length > 0 ? "," : "", t->node);
    }
}

/* The first task that owes an answer. */
static int first_owing(const struct run *run)
{
    size_t i = 0;

    while (run->share[i] < 0)
        i++;
    return run->share[i];
}

/* Where nothing was graded at all because nothing could be, there is no class
   to write about. Otherwise what is missing is told as such. Returns 0 or -1.
 */
static int give_up(struct run *run)
{
    const struct grade_cluster_work *const work = run->work;
    char text[1000], trouble[1200];

    if (run->answers == 0 &&
        strcmp(run->task[first_owing(run)].state, "FAILED") == 0) {
        describe(run, first_owing(run), text, sizeof text);
        snprintf(run->why, run->size, "no task could grade: %s", text);
        return -1;
    }
    for (size_t i = 0; i < work->tasks; i++) {
        const int poor = run->share[i] >= 0 &&
                         work->look(work->context, i) == GRADE_POOR_ANSWER;

        if (run->share[i] < 0)
            continue;
        describe(run, run->share[i], text, sizeof text);
        snprintf(trouble, sizeof trouble,
                 "The cluster brought no result in %d tries: %s", TRIES, text);
        if (work->done(work->context, i, poor ? "" : trouble) != 0)
            return -1;
    }
    return 0;
}

/* --- all of it ----------------------------------------------------------------- */

/* One array for what is missing. Returns 0, -1 or the number of a signal. */
static int try_once(struct run *run, int alone)
{
    const size_t before = run->left;
    char words[300], text[1000];
    int result;

    if (prepare(run) != 0)
        return -1;
    if (run->left == 0)
        return 0;
    run->tasks = choose_shares(run, alone);
    free(run->task);
    run->task = calloc((size_t)run->tasks, sizeof *run->task);
    if (run->task == NULL)
        return no_memory(run);
    if (write_manifest(run) != 0)
        return -1;
    result = submit(run);
    if (result == 0) {
        say(run, "array job %s: %d tasks for %zu labs", run->number, run->tasks,
            run->left);
        result = watch(run);
    }
    /* Also after an error of sbatch, which may have come too late. */
    if (result != 0 &&
        grade_slurm_cancel(name_of(run), words, sizeof words) != 0)
        say(run, "the array job may run on: scancel --name=%s (%s)",
            name_of(run), words);
    if (result > 0)
        say(run, "array job %s is cancelled", run->number);
    if (result == 0 && run->left > 0) {
        describe(run, first_owing(run), text, sizeof text);
        say(run, "array job %s ended, %zu of %zu labs have no result: %s",
            run->number, run->left, before, text);
        note_nodes(run);
    }
    return result;
}

static int run_all(struct run *run)
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
    struct run run = {.work = work, .left = work->tasks, .size = size};
    int result = -1;

    run.why = why;
    why[0] = '\0';
    run.share = calloc(work->tasks + 1, sizeof *run.share);
    if (run.share == NULL ||
        asprintf(&run.folder, "%s/slurm", work->store->path) < 0) {
        free(run.share);
        return no_memory(&run);
    }
    clear_folder(&run);
    if (mkdir(run.folder, 0700) != 0) {
        snprintf(why, size, "%s: %s", run.folder, strerror(errno));
    } else {
        result = run_all(&run);
        if ((result == 0 && run.left == 0) || run.number[0] == '\0')
            clear_folder(&run);
    }
    free(run.share);
    free(run.task);
    free(run.manifest);
    free(run.folder);
    return result;
}
