#define _GNU_SOURCE
#include "grade/batch/batch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/refuse.h"
#include "grade/base/clean_up.h"
#include "grade/base/text.h"

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
        task->row->is_unread[task->lab] = handed.verdict == GRADE_REJECTED;
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

/* In the process of a task: grades a source in a folder of the slot's own.
   Returns as grade_source, or -1 having said why. */
static int grade_in_slot(const struct grade_batch *batch,
                         struct grade_setting setting, int slot,
                         const char *lab, const char *source, size_t size,
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
        grade_in_slot(batch, batch->setting, slot, lab, handed.source,
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

/* --- do the boxes themselves work? ---------------------------------------- */

enum {
    CONTROLS = 2, /* the right one, and the wrong one */
    CONTROL_SECONDS = 300
};
static const char *const control_kind[CONTROLS] = {"right", "wrong"};

struct controls {
    const struct grade_batch *batch;
    const char *lab;
    struct grade_setting setting;
    char *why;
    size_t size;
};

/* The first lab that asks for one kernel alone; NULL: none. */
static const struct course_lab *choose_lab(const struct course_index *index)
{
    for (int i = 0; i < index->labs; i++) {
        const struct course_lab *const lab = &index->lab[i];

        if (lab->entries == 1 && lab->entry[0].kind == COURSE_LAUNCH &&
            strcmp(lab->entry[0].function, "lab_launch") == 0)
            return lab;
    }
    return NULL;
}

static int is_expected(const struct grade_result *result, int dropped)
{
    if (dropped)
        return result->verdict == GRADE_FAIL;
    /* It is slow, and a person may be asked to look at that. */
    return result->verdict == GRADE_PASS || result->verdict == GRADE_FLAG;
}

/* The process ends with this, and its memory with it. */
static int grade_control(void *context, size_t task, int slot)
{
    const struct controls *const c = context;
    struct grade_result result;
    char *source;

    if (asprintf(&source, "#define DROPPED %zu\n%s", task, c->batch->control) <
            0 ||
        grade_in_slot(c->batch, c->setting, slot, c->lab, source,
                      strlen(source), &result) != 0)
        return -1;
    if (is_expected(&result, task == 1))
        return 0;
    fprintf(stderr,
            "grade: the control that is %s came out as %s, so nobody is "
            "graded: %.200s\n",
            control_kind[task], grade_verdict_word[result.verdict],
            result.text[0] != '\0'  ? result.text
            : result.case_count > 0 ? result.cases[0].text
                                    : "");
    return -1;
}

static int finish_control(void *context, size_t task, double seconds,
                          const char *trouble)
{
    const struct controls *const c = context;

    (void)seconds;
    if (*trouble == '\0')
        return 0;
    return base_refuse(c->why, c->size, "the control that is %s: %s",
                       control_kind[task], trouble);
}

static int run_controls(const struct grade_batch *batch, char *why, size_t size)
{
    static const struct base_records no_todos;
    static const struct course_shape small = {37, 53, 29};
    const struct course_lab *const lab = choose_lab(batch->setting.index);
    struct course_index index = *batch->setting.index;
    struct grade_rubric rubric;
    struct controls c = {
        .batch = batch, .setting = batch->setting, .size = size};
    const struct grade_engine engine = {
        .jobs = batch->jobs < CONTROLS ? batch->jobs : CONTROLS,
        .slot = batch->slot,
        .tasks = CONTROLS,
        .seconds = CONTROL_SECONDS,
        .context = &c,
        .work = grade_control,
        .done = finish_control};

    if (lab == NULL) {
        return base_refuse(
            why, size,
            "labs/INDEX has no lab with lab_launch alone, which the "
            "control needs");
    }
    index.shapes.shape[0] = index.counting = small;
    index.shapes.count = 1;
    index.advanced_shapes.count = 0;
    grade_rubric_default(&index, &rubric);
    rubric.before_earns = 1; /* it is right, and no more is asked of it */
    c.why = why;
    c.lab = lab->name;
    c.setting.index = &index;
    c.setting.todos = &no_todos;
    c.setting.rubric = &rubric;
    return grade_engine_run(&engine);
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
        end = run_controls(batch, why, size);
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
