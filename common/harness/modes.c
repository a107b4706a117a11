/* Is a lab right at all sizes, and how fast is it? For a plain run, and for
   --bench. */
#include "program.h"

#include "base/language.h"
#include "base/wrap.h"
#include "call_check.h"
#include "device_kind.h"
#include "measure.h"
#include "peak.h"
#include "screen.h"

#include <stdio.h>
#include <string.h>

enum {
    BENCH_GPU = 1024,
    BENCH_CPU = 256
}; /* side of the default size */

/* A right lab that still has its TODO comments. */
static void mention_todos(void)
{
    if (lab_info.open.count > 0) {
        char text[400];

        snprintf(
            text, sizeof text,
            _("Everything passes: you can delete the comments of %zu TODO%s in "
              "%s.\n"),
            lab_info.open.count, lab_info.open.count == 1 ? "" : "s",
            lab_info.source);
        base_wrap(lab_screen_summary(), "", text);
    }
}

/* The host entry whose calls are to be checked: a lab that has one and a launch
   entry as well. NULL: none. */
static const struct course_entry *entry_with_calls(const struct course_lab *lab)
{
    const struct course_entry *host = NULL;
    int launches = 0;

    for (int i = 0; i < lab->entries; i++) {
        if (lab->entry[i].kind == COURSE_HOST)
            host = &lab->entry[i];
        launches += course_is_launch(&lab->entry[i]);
    }
    return launches > 0 ? host : NULL;
}

/* Says whether every CUDA call is checked, if this lab asks for it. Returns 0,
   1 or -1. */
static int check_calls(struct lab_program *program)
{
    const struct course_entry *entry = entry_with_calls(lab_info.lab);
    struct lab_call_check check;
    int unnoticed;

    if (entry == NULL)
        return 0;
    if (lab_recording.check_calls == NULL) {
        fprintf(lab_screen(),
                _("%s  every CUDA call checked: needs the CPU "
                  "device\n"),
                lab_screen_word(LAB_SKIPPED));
        return 0;
    }
    unnoticed = lab_recording.check_calls(entry, &check, program->why,
                                          sizeof program->why);
    if (unnoticed < 0)
        return -1;
    fprintf(lab_screen(), "%s  %s%s",
            lab_screen_word(unnoticed ? lab_wrong_verdict() : LAB_PASS),
            check.leaks ? _("device memory freed")
                        : _("every CUDA call checked"),
            unnoticed ? "" : ": ");
    if (!unnoticed) {
        fprintf(lab_screen(), _("%d failures, %d noticed\n"), check.calls,
                check.calls);
        return 0;
    }
    fputc('\n', lab_screen());
    base_wrap(lab_screen(), "      ", check.wrong);
    snprintf(program->unchecked, sizeof program->unchecked, "%s%s",
             check.leaks ? "" : _("Is every CUDA call checked? "), check.wrong);
    return 1;
}

/* The sizes of a run: the one that was asked for, or all of the lab's. */
static const struct course_shape *shapes(const struct lab_program *program,
                                         int *count)
{
    *count = program->options.shape.m > 0 ? 1 : lab_info.shapes;
    return program->options.shape.m > 0 ? &program->options.shape
                                        : lab_info.shape;
}

/*
 * Verifies one entry at each size, up to the first that fails: a beginner
 * wants one thing at a time. The small sizes come before the last, which is
 * timed as well, except in the analyse build, whose time is spent on recording;
 * that one checks instead.
 */
static int verify_entry(struct lab_program *program,
                        const struct course_entry *entry)
{
    int count, wrong = 0;
    const struct course_shape *shape = shapes(program, &count);

    for (int i = 0; wrong == 0 && i < count; i++) {
        const int last = i == count - 1 ? LAB_TIME : 0;
        const int what = lab_can_count() ? LAB_CHECK : last;

        if (last && count > 1)
            wrong = lab_examine_small(program, entry, what & LAB_CHECK);
        if (wrong == 0)
            wrong = lab_examine(program, entry, shape[i], what);
        if (wrong > 0 && i < count - 1) {
            fprintf(lab_screen(), _("      (%d more size%s not run)\n"),
                    count - 1 - i, count - 1 - i == 1 ? "" : "s");
        }
    }
    return wrong;
}

int lab_mode_verify(struct lab_program *program)
{
    int count, wrong = 0;

    shapes(program, &count);
    program->peak_gflops = lab_peak_gflops(&program->clock_mhz);
    for (int i = 0; wrong == 0 && i < lab_info.lab->entries; i++)
        wrong = verify_entry(program, &lab_info.lab->entry[i]);
    if (wrong == 0)
        wrong = check_calls(program);
    if (wrong < 0)
        return -1;
    snprintf(program->summary, sizeof program->summary, _("%zu run%s"),
             program->results, program->results == 1 ? "" : "s");
    if (wrong)
        return lab_mode_wrong();
    if (lab_info.lab->entries == 1) {
        snprintf(program->summary, sizeof program->summary, _("%d size%s"),
                 count, count == 1 ? "" : "s");
    } else {
        snprintf(program->summary, sizeof program->summary,
                 _("%d size%s, %d entries"), count, count == 1 ? "" : "s",
                 lab_info.lab->entries);
    }
    mention_todos();
    return LAB_PASS;
}

struct course_shape lab_bench_shape(const struct lab_program *program)
{
    const int side = lab_device_is_gpu() ? BENCH_GPU : BENCH_CPU;

    return program->options.shape.m > 0 ? program->options.shape
           : lab_info.lab->problem != NULL
               ? lab_info.lab->counting
               : (struct course_shape){side, side, side};
}

int lab_mode_bench(struct lab_program *program)
{
    const struct course_shape shape = lab_bench_shape(program);
    char text[COURSE_SIZE_TEXT];
    int wrong = 0;

    if (lab_can_count()) {
        snprintf(program->why, sizeof program->why,
                 _("--bench: this program records each access, its times say "
                   "nothing (use the one without -analyse)"));
        return -1;
    }
    program->peak_gflops = lab_peak_gflops(&program->clock_mhz);
    for (int i = 0; wrong == 0 && i < lab_info.lab->entries; i++)
        wrong = lab_examine(program, &lab_info.lab->entry[i], shape, LAB_TIME);
    if (wrong < 0)
        return -1;
    snprintf(program->summary, sizeof program->summary, _("%s timed"),
             course_size(lab_info.lab, shape, text));
    return wrong ? lab_mode_wrong() : LAB_PASS;
}
