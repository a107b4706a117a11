/* What does a lab count, and what did the device find? For --counters and
   --checks. */
#include "program.h"

#include "base/language.h"
#include "base/wrap.h"
#include "device_kind.h"
#include "screen.h"

#include <stdio.h>

/* Has every side whole tiles and a rest, so that there are blocks in the
   middle, at each edge and in the corner? A tile of the labs is 16 wide. */
static int is_ragged(const struct course_shape *s)
{
    if (lab_info.lab->problem != NULL)
        return s->n > lab_info.lab->tile.n && s->n % 16 != 0;
    return s->m > 16 && s->m % 16 != 0 && s->n > 16 && s->n % 16 != 0 &&
           s->k > 16 && s->k % 16 != 0;
}

/* The smallest ragged shape of INDEX, or its smallest if none is. */
static struct course_shape check_shape(void)
{
    const struct course_shape *best = &lab_info.shape[0];

    for (int i = 1; i < lab_info.shapes; i++) {
        const struct course_shape *s = &lab_info.shape[i];

        if (is_ragged(s) > is_ragged(best) ||
            (is_ragged(s) == is_ragged(best) &&
             course_multiply_adds(s) < course_multiply_adds(best)))
            best = s;
    }
    return *best;
}

/* 1 if the entry launches a kernel: the host code of a lab that has one does so
   too, on arrays that it fills itself. */
static int has_kernel(const struct course_entry *entry)
{
    return course_is_launch(entry) || entry->kind == COURSE_HOST;
}

/* Checks an entry at the smallest size, where a tile is not filled, and at a
   small ragged one, where blocks hang over the edges; then counts
   it, if it is a kernel's. Only the counted run stays in the results if all are
   right. */
static int count_entry(struct lab_program *program,
                       const struct course_entry *entry,
                       struct course_shape shape)
{
    const struct course_shape small[] = {lab_info.shape[0], check_shape()};
    int wrong = 0;

    for (int i = 0; program->options.shape.m == 0 && i < 2 && wrong == 0; i++) {
        wrong = lab_examine(program, entry, small[i], LAB_CHECK);
        if (wrong == 0)
            lab_program_drop(program);
    }
    if (wrong == 0 && course_is_launch(entry))
        wrong = lab_examine(program, entry, shape, LAB_CHECK | LAB_COUNT);
    return wrong;
}

struct course_shape lab_count_shape(const struct lab_program *program)
{
    return program->options.shape.m > 0
               ? program->options.shape
               : course_counting(&lab_info.index, lab_info.lab);
}

int lab_mode_count(struct lab_program *program)
{
    const struct course_shape shape = lab_count_shape(program);
    char text[COURSE_SIZE_TEXT];
    int wrong = 0, reached = 1;

    for (int i = 0; wrong == 0 && i < lab_info.lab->entries; i++) {
        if (!has_kernel(&lab_info.lab->entry[i]))
            continue;
        wrong = count_entry(program, &lab_info.lab->entry[i], shape);
        if (wrong == 0 && course_is_launch(&lab_info.lab->entry[i]) &&
            program->result[program->results - 1].measure_ok == 0)
            reached = 0;
    }
    if (wrong < 0)
        return -1;
    snprintf(program->summary, sizeof program->summary, _("nothing counted"));
    if (wrong)
        return lab_mode_wrong();
    snprintf(program->summary, sizeof program->summary, _("%s counted"),
             course_size(lab_info.lab, shape, text));
    lab_tell_checks(program);
    if (simt_checks_failed(&program->checks))
        return lab_mode_wrong();
    if (program->unchecked[0] != '\0') {
        base_wrap(lab_screen(), "  ", program->unchecked);
        return lab_mode_wrong();
    }
    if (reached)
        return LAB_PASS;
    /* The number is what this lab is about, so it decides here. */
    fprintf(lab_screen(),
            _("%s is right, but this is not yet the lab's number.\n"),
            lab_result_name());
    if (lab_info.open.count > 0 && lab_screen_summary() != lab_screen()) {
        fprintf(lab_screen_summary(),
                _("  TODO %d.%d is still open (line %d).\n"),
                lab_info.open.todo[0].lab, lab_info.open.todo[0].number,
                lab_info.open.todo[0].line);
    }
    snprintf(program->summary, sizeof program->summary, _("goal not reached"));
    program->goal_missed = 1;
    return lab_mode_wrong();
}

int lab_mode_checks(struct lab_program *program)
{
    const struct course_shape shape =
        program->options.shape.m > 0 ? program->options.shape : check_shape();
    char text[COURSE_SIZE_TEXT];
    int wrong = 0;

    for (int i = 0; wrong == 0 && i < lab_info.lab->entries; i++) {
        if (has_kernel(&lab_info.lab->entry[i])) {
            wrong =
                lab_examine(program, &lab_info.lab->entry[i], shape, LAB_CHECK);
        }
    }
    if (wrong < 0)
        return -1;
    snprintf(program->summary, sizeof program->summary, _("%s checked"),
             course_size(lab_info.lab, shape, text));
    if (!wrong)
        lab_tell_checks(program);
    if (!wrong && !simt_checks_failed(&program->checks))
        return LAB_PASS;
    /* What is still to be written was said by the run before this one. */
    return (int)lab_wrong_verdict();
}
