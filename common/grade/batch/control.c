/* control.c: do the boxes themselves work (batch.h)? */
#define _GNU_SOURCE
#include "grade/batch/batch.h"

#include <stdio.h>
#include <string.h>

#include "base/refuse.h"

enum {
    CONTROLS = 2, /* the right one, and the wrong one */
    CONTROL_SECONDS = 300
};
static const char *const kind[CONTROLS] = {"right", "wrong"};

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
        grade_batch_source(c->batch, c->setting, slot, c->lab, source,
                           strlen(source), &result) != 0)
        return -1;
    if (is_expected(&result, task == 1))
        return 0;
    fprintf(stderr,
            "grade: the control that is %s came out as %s, so nobody is "
            "graded: %.200s\n",
            kind[task], grade_verdict_word[result.verdict],
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
                       kind[task], trouble);
}

int grade_control_run(const struct grade_batch *batch, char *why, size_t size)
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
