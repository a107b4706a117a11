#define _GNU_SOURCE
#include "grade/cluster_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "grade/remove_tree.h"
#include "grade/share.h"
#include "output/replace_file.h"

enum {
    SHARES_A_PROCESSOR = 4,
    LEAST_LABS = 4,    /* of a share, since each begins with two controls */
    MOST_SHARES = 1000 /* Slurm's MaxArraySize is 1001 if a site sets none */
};

static const char script[] = "common/grade/slurm_task.sh";

int grade_cluster_no_memory(struct grade_cluster_run *run)
{
    snprintf(run->why, run->size, "there is no memory left");
    return -1;
}

/* The progress is written over on a terminal. */
void grade_cluster_say(const struct grade_cluster_run *run, const char *form,
                       ...)
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

const char *grade_cluster_name(const struct grade_cluster_run *run)
{
    return strrchr(run->manifest, '/') + 1;
}

/* --- what an earlier run left -------------------------------------------------- */

void grade_cluster_clear(const struct grade_cluster_run *run)
{
    DIR *const listing = opendir(run->folder);
    const struct dirent *entry;
    char why[300], name[300];

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        const char *const dot = strrchr(entry->d_name, '.');

        if (dot == NULL && strncmp(entry->d_name, "grade-", 6) == 0 &&
            grade_slurm_cancel(entry->d_name, why, sizeof why) != 0) {
            grade_cluster_say(run, "an earlier run's array %s: %s",
                              entry->d_name, why);
        }
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

/* How many shares? After an array without an answer each lab is alone, so that
   one that does harm to the others is found. */
static int choose_shares(const struct grade_cluster_run *run, int alone)
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
static int write_manifest(struct grade_cluster_run *run)
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
        return grade_cluster_no_memory(run);
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
static const char **list_arguments(const struct grade_cluster_run *run,
                                   const char *course, const char *grader)
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

/* Calls sbatch, again without the list of nodes if there are no others. */
static int send(struct grade_cluster_run *run)
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
        return grade_cluster_no_memory(run);

    struct grade_slurm_array array = {.name = grade_cluster_name(run),
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

int grade_cluster_submit(struct grade_cluster_run *run, int alone)
{
    run->tasks = choose_shares(run, alone);
    free(run->task);
    run->task = calloc((size_t)run->tasks, sizeof *run->task);
    if (run->task == NULL)
        return grade_cluster_no_memory(run);
    return write_manifest(run) == 0 ? send(run) : -1;
}

/* --- what went wrong ------------------------------------------------------------ */

void grade_cluster_describe(const struct grade_cluster_run *run, int task,
                            char *text, size_t size)
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

void grade_cluster_note_nodes(struct grade_cluster_run *run)
{
    for (int i = 0; i < run->tasks; i++) {
        const struct grade_slurm_task *const t = &run->task[i];
        const size_t length = strlen(run->without);

        if ((t->exit_code <= 0 && strcmp(t->reason, "JobLaunchFailure") != 0) ||
            is_listed(run->without, t->node) ||
            length + strlen(t->node) + 2 > sizeof run->without)
            continue;
        if (is_unfit(t))
            grade_cluster_describe(run, i, run->unfit, sizeof run->unfit);
        snprintf(run->without + length, sizeof run->without - length, "%s%s",
                 length > 0 ? "," : "", t->node);
    }
}
