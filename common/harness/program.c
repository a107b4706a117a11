/* What a program of a lab keeps while its modes run, and what all of them
   say. */
#include "program.h"

#include "device_kind.h"
#include "measure.h"
#include "screen.h"

#include "base/language.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* --- results -------------------------------------------------------------- */

void lab_program_fill(const struct lab_program *program, const char *variant,
                      struct course_shape shape, struct lab_result *result)
{
    lab_result_clear(result);
    result->lab = lab_info.lab->name;
    result->variant = variant;
    result->device = lab_device_kind();
    result->device_name = program->device.prop.name;
    result->driver = program->origin.driver;
    result->compiler = program->origin.compiler;
    result->program = program->origin.program;
    result->date = program->origin.date;
    result->verdict = lab_verdict_word(LAB_FAIL); /* until it is known */
    result->m = shape.m;
    result->n = shape.n;
    result->k = shape.k;
}

struct lab_result *lab_program_add(struct lab_program *program,
                                   const char *variant,
                                   struct course_shape shape)
{
    struct lab_result *const result =
        base_list_add(&program->result, &program->results, sizeof *result);

    if (result == NULL) {
        snprintf(program->why, sizeof program->why, "out of memory");
        return NULL;
    }
    lab_program_fill(program, variant, shape, result);
    return result;
}

double lab_speed_of(struct course_shape shape, double ms, const char **unit)
{
    const struct lab_layout l = lab_problem_layout(lab_info.problem, shape);
    const int is_product = lab_info.lab->problem == NULL;

    *unit = is_product ? "GFLOP/s" : "GB/s";
    return (is_product ? 2.0 * course_multiply_adds(&shape)
                       : 4.0 * (double)(l.count[LAB_A] + l.count[LAB_B] +
                                        l.count[LAB_C])) /
           ms / 1e6;
}

const char *lab_result_name(void)
{
    return lab_info.problem->array[LAB_C].name;
}

void lab_program_drop(struct lab_program *program)
{
    program->results--;
}

/* --- what modes say ------------------------------------------------------- */

int lab_has_most_todos_open(void)
{
    return lab_info.open.count > lab_info.written;
}

enum lab_verdict lab_wrong_verdict(void)
{
    return lab_info.open.count > 0 ? LAB_UNFINISHED : LAB_FAIL;
}

int lab_mode_wrong(void)
{
    if (lab_info.open.count > 0)
        lab_screen_todos();
    return (int)lab_wrong_verdict();
}

void lab_tell_change(void)
{
    const char *name = lab_info.lab->name;

    if (getenv("LAB_WATCHED") !=
        NULL) { /* by make watch-03, which reads keys */
        fprintf(lab_screen(), _("\nNext: change it and save it.\n"));
        return;
    }
    fprintf(lab_screen(), _("\nNext: change it and type make lab-%.2s again."),
            name);
    if (lab_info.open.count > 0)
        fprintf(lab_screen(), _(" make hint-%.2s gives a hint."), name);
    fprintf(lab_screen(),
            _("\n      make lab-%.2s VERBOSE=1 shows all numbers.\n"), name);
}

/* Names the program that can count, since this one cannot. */
static void name_sibling(struct lab_program *program, const char *option)
{
    const char *folder = lab_info.is_solution ? "solutions" : "labs";

    if (lab_device_is_gpu()) {
        snprintf(program->why, sizeof program->why,
                 "--%s: a GPU's counters belong to its profiler (use "
                 "build/cpu/%s/%s-analyse, or ncu)",
                 option, folder, lab_info.lab->name);
    } else {
        snprintf(program->why, sizeof program->why,
                 "--%s: this program records nothing (use %s-analyse)", option,
                 program->name);
    }
}

int lab_mode_possible(struct lab_program *program, const char *option,
                      int *verdict)
{
    if (lab_measure_entry(lab_info.lab) < 0) {
        snprintf(program->summary, sizeof program->summary,
                 _("it has no kernel to count"));
        *verdict = LAB_SKIPPED;
        return 0;
    }
    if (!lab_can_count()) {
        name_sibling(program, option);
        *verdict = -1;
        return 0;
    }
    return 1;
}
