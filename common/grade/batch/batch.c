#define _GNU_SOURCE
#include "grade/batch/batch.h"

#include <errno.h>
#include <fts.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/refuse.h"
#include "grade/base/clean_up.h"
#include "grade/base/text.h"
#include "grade/box/slot.h"

enum {
    TASK_SECONDS = 900 /* each box has limits of its own, far below */
};

/* A student's lab that the store does not have. */
struct task {
    struct grade_row *row;
    int lab; /* of the class */
};

struct at_work {
    const struct grade_batch *batch;
    struct task *task;
    size_t tasks, done;
    int terminal; /* that is what stderr is */
};

/* --- what need not be graded ---------------------------------------------- */

/* A result without a run. */
static void settle(const struct grade_batch *batch, struct grade_result *result,
                   enum grade_verdict verdict, const char *text)
{
    char lab[sizeof result->lab];
    const struct grade_rubric_lab *own;

    memcpy(lab, result->lab, sizeof lab);
    grade_result_free(result);
    memcpy(result->lab, lab, sizeof lab);
    result->verdict = verdict;
    result->text = base_text("%s", text);
    own = grade_rubric_find(batch->setting.rubric, lab);
    if (own != NULL)
        memcpy(result->of, own->points, sizeof result->of);
}

static void make_key(const struct grade_batch *batch, const char *lab,
                     const struct grade_handed *handed,
                     char key[GRADE_DIGEST_TEXT])
{
    const struct grade_rubric *const rubric = batch->setting.rubric;
    const struct grade_rubric_lab *const own = grade_rubric_find(rubric, lab);
    const int rules[] = {rubric->right_by_share, rubric->before_earns,
                         rubric->hidden_cases, (int)batch->setting.isolation};
    struct sha256_ctx d;

    sha256_init(&d);
    grade_digest_string(&d, batch->build);
    grade_digest_string(&d, lab);
    grade_digest_item(&d, rules, sizeof rules);
    grade_digest_item(&d, own->points, sizeof own->points);
    grade_digest_item(&d, own->full, sizeof own->full);
    grade_digest_item(&d, own->zero, sizeof own->zero);
    grade_digest_item(&d, &batch->setting.seed, sizeof batch->setting.seed);
    grade_digest_item(&d, handed->source, handed->size);
    grade_digest_end(&d, key);
}

/* Looks for the result of a lab. Returns whether it is known. */
static int look_up_result(const struct grade_batch *batch,
                          const struct task *task)
{
    struct grade_result *const result = &task->row->result[task->lab];
    const char *const name = batch->class->lab[task->lab]->name;
    struct grade_result found;
    struct grade_handed handed;
    char key[GRADE_DIGEST_TEXT];
    int is_known;

    grade_intake_take(batch->intake, task->row->student, name, &handed);
    if (handed.verdict != GRADE_PASS) {
        settle(batch, result, handed.verdict, handed.text);
        return 1;
    }
    make_key(batch, name, &handed, key);
    free(handed.source);
    is_known =
        grade_store_get(batch->store, task->row->student, name, key, &found);
    if (is_known) {
        grade_result_free(result);
        *result = found;
    }
    return is_known;
}

static void list_tasks(struct at_work *w)
{
    const struct grade_batch *const batch = w->batch;
    const struct grade_class *const class = batch->class;

    w->task = calloc(class->rows * (size_t) class->labs + 1, sizeof *w->task);
    if (w->task == NULL) {
        base_memory_fail();
        return;
    }
    for (size_t i = 0; i < class->rows; i++) {
        struct grade_row *const row = &class->row[i];

        if (batch->one != NULL && strcmp(batch->one, row->student) != 0)
            continue;
        for (int k = 0; k < class->labs; k++) {
            const struct task task = {row, k};

            /* The grader's own fault is tried again. */
            if (grade_share_has(batch->share, row->student,
                                class->lab[k]->name) &&
                (!look_up_result(batch, &task) ||
                 row->result[k].verdict == GRADE_GRADER_ERROR))
                w->task[w->tasks++] = task;
        }
    }
}

/* --- what must be --------------------------------------------------------- */

int grade_batch_source(const struct grade_batch *batch,
                       struct grade_setting setting, int slot, const char *lab,
                       const char *source, size_t size,
                       struct grade_result *result)
{
    char *const folder = grade_slot_begin(batch->work, slot);
    int graded;

    signal(SIGPIPE, SIG_DFL);
    close(batch->store->lock); /* whoever comes next must not wait for us */
    if (folder == NULL) {
        fprintf(stderr, "grade: %s: no folder for a slot: %s\n", batch->work,
                strerror(errno));
        return -1;
    }
    setting.slot = slot;
    setting.work = folder;
    graded = grade_source(&setting, lab, source, size, result);
    grade_remove_tree(folder);
    free(folder);
    return graded;
}

/* The process ends with this, and its memory with it. */
static int do_task(void *context, size_t number, int slot)
{
    const struct at_work *const w = context;
    const struct grade_batch *const batch = w->batch;
    const char *const student = w->task[number].row->student;
    const char *const lab = batch->class->lab[w->task[number].lab]->name;
    char key[GRADE_DIGEST_TEXT], why[300];
    struct grade_handed handed;
    struct grade_result result;

    grade_intake_take(batch->intake, student, lab, &handed);
    if (handed.verdict != GRADE_PASS ||
        grade_batch_source(batch, batch->setting, slot, lab, handed.source,
                           handed.size, &result) != 0)
        return -1;
    make_key(batch, lab, &handed, key);
    if (grade_store_put(batch->store, student, key, &result, why, sizeof why) ==
        0)
        return 0;
    fprintf(stderr, "grade: %s\n", why);
    return -1;
}

/* How far is the grader? On a terminal one line that is written over; elsewhere
   a line for each result, which a log keeps. */
static void tell_progress(const struct at_work *w, const char *student,
                          const struct grade_result *result)
{
    if (w->terminal) {
        fprintf(stderr, "\r  %zu of %zu graded ", w->done, w->tasks);
    } else if (result != NULL) {
        fprintf(stderr, "  %zu of %zu  %s  %s  ", w->done, w->tasks,
                result->lab, grade_verdict_word[result->verdict]);
        grade_text_name(stderr, student);
        fputc('\n', stderr);
    }
    fflush(stderr);
}

static int finish_lab(void *context, size_t number, double seconds,
                      const char *trouble)
{
    struct at_work *const w = context;
    const struct task *const task = &w->task[number];
    struct grade_result *const result = &task->row->result[task->lab];

    task->row->seconds[task->lab] = seconds;
    if (*trouble != '\0' || !look_up_result(w->batch, task)) {
        settle(w->batch, result, GRADE_GRADER_ERROR,
               *trouble != '\0' ? trouble : "the result was not kept");
    }
    w->done++;
    tell_progress(w, task->row->student, result);
    return 0;
}

/* --- all of them ---------------------------------------------------------- */

static int grade_all(struct at_work *w)
{
    const struct grade_engine engine = {.jobs = w->batch->jobs,
                                        .slot = w->batch->slot,
                                        .tasks = w->tasks,
                                        .seconds = TASK_SECONDS,
                                        .context = w,
                                        .work = do_task,
                                        .done = finish_lab};
    int end;

    w->terminal = isatty(STDERR_FILENO);
    tell_progress(w, NULL, NULL);
    end = grade_engine_run(&engine);
    if (w->terminal)
        fputs("\r\033[K", stderr); /* an empty line */
    return end;
}

int grade_batch_run(struct grade_batch *batch, char *why, size_t size)
{
    struct at_work w = {.batch = batch};
    const unsigned before = base_memory_failures();
    int end = 0;

    why[0] = '\0';
    list_tasks(&w);
    if (w.tasks > 0 && base_memory_failures() == before) {
        end = grade_control_run(batch, why, size);
        if (end == 0)
            end = grade_all(&w);
        if (end < 0 && why[0] == '\0') {
            snprintf(why, size, "no process can be started: %s",
                     strerror(errno));
        }
    }
    free(w.task);
    return end == 0 && base_memory_failures() != before
               ? base_refuse(why, size, "there is no memory left")
               : end;
}

/* --- what grades ---------------------------------------------------------- */

static int compare_names(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int add_folder(struct sha256_ctx *digest, const char *folder)
{
    char *const paths[] = {(char *)(size_t)folder, NULL};
    FTS *const tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, compare_names);
    const FTSENT *entry;
    int failed = tree == NULL;

    while (!failed && (entry = fts_read(tree)) != NULL) {
        errno = entry->fts_errno;
        failed = errno != 0;
        if (!failed && entry->fts_info == FTS_F) {
            grade_digest_string(digest, entry->fts_path);
            failed = grade_digest_file(digest, entry->fts_path) != 0;
        }
    }
    if (tree != NULL)
        fts_close(tree);
    return failed ? -1 : 0;
}

int grade_build_digest(const char *folder, char text[GRADE_DIGEST_TEXT],
                       char *why, size_t size)
{
    static const char *const file[] = {"/proc/self/exe", "labs/INDEX",
                                       "labs/TODOS"};
    struct sha256_ctx digest;

    sha256_init(&digest);
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        if (grade_digest_file(&digest, file[i]) != 0)
            return base_refuse(why, size, "%s: %s", file[i], strerror(errno));
    }
    if (add_folder(&digest, folder) != 0) {
        return base_refuse(why, size, "%s: %s (run it by make grade)", folder,
                           strerror(errno));
    }
    grade_digest_end(&digest, text);
    return 0;
}
