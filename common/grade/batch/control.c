#define _GNU_SOURCE
#include "grade/batch/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "grade/batch/record.h"

enum {
    CONTROLS = 2, /* the right one, and the wrong one */
    CONTROL_SECONDS = 300
};

struct controls {
    const struct grade_batch *batch;
    const struct course_lab *lab;
    struct course_index index;  /* with small sizes, since it is no lab */
    struct grade_rubric rubric; /* as the index has it */
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

/* Is this what must come of a control? */
static int is_expected(const struct grade_result *result, int dropped)
{
    if (dropped)
        return result->verdict == GRADE_FAIL;
    /* It is slow, and a person may be asked to look at that. */
    return result->verdict == GRADE_PASS || result->verdict == GRADE_FLAG;
}

/* Where a control's result lies for the supervisor; for free(). */
static char *result_path(const struct grade_batch *batch, size_t task)
{
    char *path;

    return asprintf(&path, "%s/control%zu.json", batch->work, task) >= 0 ? path
                                                                         : NULL;
}

/* The process ends with this, and its memory with it. */
static int grade_task(void *context, size_t task, int slot)
{
    const struct controls *const c = context;
    const struct grade_batch *const batch = c->batch;
    struct grade_setting setting = {.index = &c->index,
                                    .todos = "",
                                    .rubric = &c->rubric,
                                    .isolation = batch->isolation,
                                    .slot = slot,
                                    .seed = batch->store->seed};
    char *const path = result_path(batch, task);
    char *source, *text, why[300] = "there is no memory left";
    struct grade_result result;

    if (path == NULL ||
        asprintf(&source, "#define DROPPED %zu\n%s", task, batch->control) <
            0 ||
        grade_batch_source(batch, &setting, c->lab->name, source,
                           strlen(source), &result) != 0)
        return -1;
    text = grade_record_write(&result, "control", "control");
    if (text != NULL && base_write_file(path, text, why, sizeof why) == 0)
        return 0;
    fprintf(stderr, "grade: the control: %s\n", why);
    return -1;
}

static int finish_task(void *context, size_t task, const char *trouble)
{
    const struct controls *const c = context;
    const char *const kind = task == 0 ? "right" : "wrong";
    char *const path = result_path(c->batch, task);
    char *const text = *trouble == '\0' && path != NULL
                           ? base_read_file(path, c->why, c->size)
                           : NULL;
    struct grade_result result;
    int good = 0;

    if (*trouble != '\0') {
        snprintf(c->why, c->size, "the control that is %s: %s", kind, trouble);
    } else if (text != NULL &&
               grade_record_read(text, "control", &result) == 1) {
        good = is_expected(&result, task == 1);
        if (!good) {
            snprintf(c->why, c->size,
                     "the control that is %s came out as %s, so nobody is "
                     "graded: %.200s",
                     kind, grade_verdict_word[result.verdict],
                     result.text[0] != '\0'  ? result.text
                     : result.case_count > 0 ? result.cases[0].text
                                             : "");
        }
        grade_result_free(&result);
    }
    free(text);
    free(path);
    return good ? 0 : -1;
}

enum grade_batch_end grade_control_run(const struct grade_batch *batch,
                                       int *signal, char *why, size_t size)
{
    static const struct course_shape small = {37, 53, 29};
    struct controls c = {.batch = batch,
                         .lab = choose_lab(batch->index),
                         .index = *batch->index,
                         .size = size};
    const struct grade_engine engine = {
        .jobs = batch->jobs < CONTROLS ? batch->jobs : CONTROLS,
        .slot = batch->slot,
        .tasks = CONTROLS,
        .seconds = CONTROL_SECONDS,
        .context = &c,
        .work = grade_task,
        .done = finish_task};

    c.why = why;
    if (c.lab == NULL) {
        snprintf(why, size,
                 "labs/INDEX has no lab with lab_launch alone, which the "
                 "control needs");
        return GRADE_BATCH_FAILED;
    }
    c.index.shape[0] = c.index.counting = small;
    c.index.shapes = 1;
    c.index.advanced_shapes = 0;
    grade_rubric_default(&c.index, &c.rubric);
    c.rubric.before_earns = 1; /* it is right, and no more is asked of it */
    return grade_batch_engine(&engine, signal, why, size);
}
