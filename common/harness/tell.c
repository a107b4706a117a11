/* How is told what a run counted and what the device found? */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include "base/language.h"
#include "base/memory.h"
#include "base/wrap.h"
#include "advice.h"
#include "device_kind.h"
#include "measure.h"
#include "screen.h"
#include "simt/report_message.h"
#include "lab.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FINDINGS_SHOWN = 3, /* a beginner wants one thing at a time */
    ADVICE_SIDE = 64    /* smaller products are mostly edge */
};

int lab_tally_read(struct lab_program *program, struct lab_tally *tally)
{
    if (lab_count_end(&tally->count) != 0) {
        snprintf(program->why, sizeof program->why,
                 _("the counters cannot be read: %s"), strerror(errno));
        return -1;
    }
    lab_findings_read(&tally->findings);
    simt_checks_add(&program->checks, &tally->count, &tally->findings);
    for (size_t i = 0; i < tally->findings.count; i++) {
        struct simt_finding *const found =
            base_list_add(&program->found, &program->founds, sizeof *found);

        if (found == NULL) {
            snprintf(program->why, sizeof program->why, _("out of memory"));
            return -1;
        }
        *found = tally->findings.finding[i];
    }
    return 0;
}

void lab_tell_findings(const struct simt_findings *findings)
{
    FILE *to = lab_screen();
    char text[2500];

    for (size_t i = 0; i < findings->count && i < FINDINGS_SHOWN; i++) {
        simt_message_say(text, sizeof text, findings->finding[i].text);
        base_wrap(to, "", text);
    }
    if (findings->count > FINDINGS_SHOWN) {
        fprintf(to, _("(and %zu more)\n"), findings->count - FINDINGS_SHOWN);
    }
}

/* Why no goal is asked of this run; NULL if one is, "" of an entry
   beside the one that counts. A goal belongs to the size
   that INDEX names, since some counts grow with the size. */
static const char *no_goal(const struct lab_examination *x)
{
    const struct course_shape *a = &x->b.shape;
    const struct course_shape b =
        course_counting(&lab_info.index, lab_info.lab);

    if (x->entry->kind == COURSE_SHOWN)
        return "";
    if (x->program->options.banks == 1)
        return _("goals are for the banks of today, not of 1.x");
    if (a->m != b.m || a->n != b.n || a->k != b.k)
        return _("another size than the goal's");
    return NULL;
}

/* What each thread does, in a line. */
static void print_threads(FILE *to, const double counter[LAB_COUNTERS])
{
    if (counter[LAB_BARRIERS_PER_THREAD] > 0.0) {
        fprintf(to, _("  each thread passes %.4g barriers"),
                counter[LAB_BARRIERS_PER_THREAD]);
    } else {
        fprintf(to, _("  no thread passes a barrier"));
    }
    if (counter[LAB_FLOP_PER_BYTE] > 0.0) {
        fprintf(to, _("; %.3g FLOP for each byte of global memory"),
                counter[LAB_FLOP_PER_BYTE]);
    }
    fputc('\n', to);
}

static void print_verbose(FILE *to, const struct simt_count *count)
{
    fputc('\n', to);
    simt_report_lines(to, count);
    fputc('\n', to);
    simt_report_kernels(to, count);
    fputc('\n', to);
    simt_report_launches(to, count);
    fputc('\n', to);
    simt_metrics_brief(to);
}

static void give_advice(const struct lab_examination *x,
                        const struct simt_count *count)
{
    const struct course_shape s = x->b.shape;
    const struct lab_spent spent = {
        .count = count,
        .counter = x->result->counter,
        .fmas = course_multiply_adds(&s),
        .reached = lab_measures_reached(lab_info.lab, x->result->counter) != 0,
        .missed = no_goal(x) == NULL
                      ? lab_measure_missed(lab_info.lab, x->result->counter)
                      : NULL,
        .index = &lab_info.index,
        .lab = lab_info.lab,
    };
    struct lab_advice advice;

    if (x->entry->kind == COURSE_SHOWN || s.m < ADVICE_SIDE ||
        s.n < ADVICE_SIDE || s.k < ADVICE_SIDE)
        return;
    lab_advise(&spent, &advice);
    fputc('\n', lab_screen());
    lab_advice_print(lab_screen_summary(), &advice);
}

/* Most blocks of a launch store nothing, as C is covered by fewer. */
static void check_grid(struct lab_examination *x,
                       const struct simt_launch_count *l)
{
    const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    const unsigned across = lab_ceil_div(x->b.shape.n, (int)l->block[0]);
    const unsigned down = lab_ceil_div(x->b.shape.m, (int)l->block[1]);
    char cover[160] = "", all[SIMT_GROUPED], some[SIMT_GROUPED];

    if (blocks < 2 * l->storing_blocks)
        return;
    if (l->storing_blocks == (uint64_t)across * down) {
        snprintf(
            cover, sizeof cover,
            _(" A grid counts blocks, not threads: %u x %u blocks of %u x %u "
              "threads cover C."),
            across, down, l->block[0], l->block[1]);
    }
    snprintf(
        x->program->unchecked, sizeof x->program->unchecked,
        _("%s:%d launches a grid of %u x %u, and of these %s blocks %s store "
          "nothing to C.%s"),
        simt_base_name(l->file), l->line, l->grid[0], l->grid[1],
        simt_group(all, blocks), simt_group(some, blocks - l->storing_blocks),
        cover);
}

/* Two functions of a lab launch the same kernel: the same name, with the same
   requests from the same lines. */
static void check_kernel(struct lab_examination *x,
                         const struct simt_count *count)
{
    const struct course_entry *const before = x->program->counted.entry;
    const char *const kernel = count->kernel[0].kernel;
    uint64_t requests = 0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        requests = requests * 31 + row->requests * (uint64_t)row->line +
                   row->wavefronts;
    }
    if (before != NULL && x->program->counted.requests == requests &&
        strcmp(x->program->counted.kernel, kernel) == 0) {
        snprintf(
            x->program->unchecked, sizeof x->program->unchecked,
            _("%s:%d: %s launches %s, the kernel that %s launches: this lab "
              "has two kernels, and the other was never run."),
            simt_base_name(count->launch[0].file), count->launch[0].line,
            x->entry->function, kernel, before->function);
    }
    x->program->counted.entry = x->entry;
    x->program->counted.requests = requests;
    snprintf(x->program->counted.kernel, sizeof x->program->counted.kernel,
             "%s", kernel);
}

void lab_tell_counts(struct lab_examination *x, const struct lab_tally *tally)
{
    FILE *to = lab_screen();
    const struct course_entry *const next = x->entry + 1;
    const int is_last = next == lab_info.lab->entry + lab_info.lab->entries ||
                        next->kind != COURSE_LAUNCH;
    const int is_one = x->entry == lab_info.lab->entry && is_last;
    char title[100];
    struct course_lab lab = *lab_info.lab;

    lab_counters_derive(&tally->count, course_multiply_adds(&x->b.shape),
                        x->result->counter);
    /* Two elements of bf16 are a word, and copies of tiles are whole ones. */
    if (lab_info.lab->problem == NULL && !lab_info.lab->parts &&
        x->entry->precision != LAB_BF16) {
        lab_counters_of_results(&tally->count,
                                (double)x->b.shape.m * x->b.shape.n,
                                x->result->counter);
    }
    if (no_goal(x) == NULL) {
        x->result->measure_ok =
            lab_measures_reached(lab_info.lab, x->result->counter);
    }
    simt_report_arrays(to, &tally->count);
    print_threads(to, x->result->counter);
    if (x->program->options.banks == 1) {
        fprintf(to, _("  wavefronts by the banks of compute capability 1.x: 16 "
                      "banks, half a warp\n"));
    }
    fputc('\n', to);
    snprintf(title, sizeof title, "%.20s%s%s", is_one ? "" : x->entry->variant,
             is_one ? "" : ": ",
             x->entry->kind == COURSE_SHOWN ? _("only shown")
                                            : _("this lab's number"));
    for (int i = 0; x->program->options.banks == 1 && i < lab.measures; i++)
        lab.measure[i].before = -1.0; /* which is of today's banks */
    lab_measures_print(lab_screen_summary(), title, &lab, x->result->counter,
                       no_goal(x));
    if (is_last || !x->result->measure_ok)
        give_advice(x, &tally->count);
    if (x->program->options.verbose)
        print_verbose(to, &tally->count);
    if (lab_info.lab->problem == NULL && tally->count.kernels == 1 &&
        tally->count.launches == 1) {
        check_grid(x, &tally->count.launch[0]);
        check_kernel(x, &tally->count);
    }
}

void lab_tell_checks(const struct lab_program *program)
{
    fprintf(lab_screen(), _("\n  Checks, in %d run%s:\n"), program->checks.runs,
            program->checks.runs == 1 ? "" : "s");
    simt_report_checks(lab_screen(), &program->checks);
}
