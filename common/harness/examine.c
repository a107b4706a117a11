/* What comes of one function of a lab at one size: is it right, what did it
   count, how fast is it? */
#include "program.h"

#include "base/language.h"
#include "base/wrap.h"
#include "device_kind.h"
#include "measure.h"
#include "screen.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_line(const struct lab_examination *x, int right)
{
    const struct lab_diff *d = &x->outcome.diff;
    FILE *to = lab_screen();
    char size[COURSE_SIZE_TEXT];

    course_size(lab_info.lab, x->b.shape, size);
    fprintf(to, "%s  ",
            lab_screen_word(right ? LAB_PASS : lab_wrong_verdict()));
    if (!right) {
        fprintf(to, "%s%s%s\n", size, lab_info.lab->entries > 1 ? "  " : "",
                lab_info.lab->entries > 1 ? x->entry->variant : "");
        return;
    }
    fprintf(to, "%-17s", size);
    if (lab_info.lab->entries > 1)
        fprintf(to, "  %-8s", x->entry->variant);
    fprintf(to, _("  max error %.1e of %.1e allowed"), d->max_error,
            d->tolerance);
    if (x->entry->precision != LAB_FP32)
        fprintf(to, " in %s", lab_precision_word(x->entry->precision));
    fprintf(to, "%s\n", d->exact ? "" : _(", sampled"));
}

/* Says how fast a host entry is. */
static void print_host_times(const struct lab_examination *x,
                             const struct lab_times *t)
{
    const char *what = _("host code, one core unless it makes threads");

    if (lab_measure_entry(lab_info.lab) >=
        0) { /* the lab has a kernel as well */
        what = lab_device_is_gpu()
                   ? _("the whole call, with allocations and copies")
                   : _("the whole call, on the CPU device: not a GPU's");
    }
    fprintf(lab_screen(),
            _("      %.4g ms (%.4g to %.4g, %d run%s), %.*f GFLOP/s\n"
              "      %s\n"),
            t->median, t->min, t->max, t->runs, t->runs == 1 ? "" : "s",
            lab_screen_decimals(x->result->gflops), x->result->gflops, what);
}

static void print_kernel_times(const struct lab_examination *x,
                               const struct lab_times *t)
{
    const struct lab_program *p = x->program;
    const char *unit;
    const double speed = lab_speed_of(x->b.shape, t->median, &unit);
    FILE *to = lab_screen();

    fprintf(to, _("      kernel %.4g ms (%.4g to %.4g, %d run%s), %.*f %s\n"),
            t->median, t->min, t->max, t->runs, t->runs == 1 ? "" : "s",
            lab_screen_decimals(speed), speed, unit);
    fprintf(to, _("      copies %.4g ms: kernel and copies %.4g ms\n"),
            t->copies, t->median + t->copies);
    if (!lab_device_is_gpu()) {
        fprintf(to,
                _("      These are times on the CPU device, not a GPU's.\n"));
    }
    if (t->sets > 1) {
        fprintf(to,
                _("      %d copies of all arrays in turn: none is in the L2\n"),
                t->sets);
    }
    if (lab_info.lab->problem == NULL && p->peak_gflops > 0.0 &&
        x->entry->precision == LAB_FP32) {
        fprintf(to, _("      peak %.0f GFLOP/s"), p->peak_gflops);
        if (p->clock_mhz > 0)
            fprintf(to, _(" at %d MHz"), p->clock_mhz);
        if (speed > p->peak_gflops) {
            fprintf(to, _(": above this chip's peak: not believed\n"));
        } else {
            fprintf(to, _(": %.1f %% of it\n"), 100.0 * speed / p->peak_gflops);
        }
    }
    if (!isnan(t->cublas)) {
        fprintf(
            to,
            _("      cuBLAS %.4g ms, %.*f GFLOP/s: this is %.1f %% of it\n"),
            t->cublas, lab_screen_decimals(x->result->cublas_gflops),
            x->result->cublas_gflops, 100.0 * t->cublas / t->median);
        if (x->entry->precision != LAB_FP32) {
            fprintf(to, _("      cuBLAS has a max error of %.1e, in %s too\n"),
                    t->cublas_error, lab_precision_word(x->entry->precision));
        }
    }
}

/* Times the entry and judges C again. 0, 1 or -1. */
static int time_it(struct lab_examination *x)
{
    struct lab_program *p = x->program;
    const double flops = 2.0 * course_multiply_adds(&x->b.shape);
    struct lab_times t;
    int wrong = lab_time(x->entry, &x->b, p->options.repeat, x->reference,
                         p->cublas, &t, &x->outcome, p->why, sizeof p->why);

    if (wrong == 0) {
        wrong = lab_run_judge(x->entry, &x->b, x->reference, &x->outcome,
                              p->why, sizeof p->why);
    }
    if (wrong != 0) {
        if (wrong > 0) {
            fprintf(lab_screen(),
                    _("      Right at first, but not when it ran again:\n"));
        }
        if (wrong > 0)
            lab_screen_wrong(&x->outcome);
        return wrong;
    }
    x->result->kernel_ms = t.median;
    x->result->kernel_ms_min = t.min;
    x->result->kernel_ms_max = t.max;
    x->result->copies_ms = t.copies;
    if (lab_info.lab->problem == NULL)
        x->result->gflops = flops / t.median / 1e6;
    if (!isnan(t.cublas))
        x->result->cublas_gflops = flops / t.cublas / 1e6;
    x->result->cublas_error = t.cublas_error;
    if (t.sets > 0)
        x->result->buffer_sets = t.sets;
    if (p->peak_gflops > 0.0 && x->entry->precision == LAB_FP32)
        x->result->peak_gflops = p->peak_gflops;
    if (p->clock_mhz > 0)
        x->result->sm_clock_mhz = p->clock_mhz;
    if (x->entry->kind == COURSE_HOST) {
        print_host_times(x, &t);
    } else {
        print_kernel_times(x, &t);
    }
    return 0;
}

/* Runs the entry and judges C. With LAB_CHECK the device is asked what it saw,
   also of a run that went wrong. 0, 1 or -1. */
static int run_entry(struct lab_examination *x, int what,
                     struct lab_tally *tally)
{
    struct lab_program *p = x->program;
    int wrong;

    if (what & LAB_CHECK)
        lab_count_begin();
    wrong = lab_run(x->entry, &x->b, x->reference, &x->outcome, p->why,
                    sizeof p->why);
    if (wrong < 0 || !(what & LAB_CHECK))
        return wrong;
    return lab_tally_read(p, tally) == 0 ? wrong : -1;
}

/* Prints what came of a run: its line, and what was found in it. */
static void tell_outcome(const struct lab_examination *x, int what, int wrong,
                         const struct lab_tally *tally)
{
    const int found = tally->findings.count > 0;
    const int is_open = lab_has_most_todos_open();

    if (!wrong && !found && what & LAB_QUIET)
        return;
    print_line(x, !wrong && !found);
    if (!wrong && found) {
        fprintf(lab_screen(), _("      %s is right this time, but%s\n"),
                lab_result_name(),
                is_open ? _(" not all is written yet.") : ":");
    } else if (wrong && found && !is_open) {
        fprintf(lab_screen(), _("      %s is wrong. The checks found:\n"),
                lab_result_name());
    } else if (wrong) {
        lab_screen_wrong(&x->outcome);
    }
    if (found && !is_open)
        lab_tell_findings(&tally->findings);
    if (wrong && !found && !is_open && what & LAB_CHECK &&
        !(x->outcome.nothing_written && lab_info.open.count > 0)) {
        base_wrap(
            lab_screen(), "      ",
            _("The checks found no race, no access out of bounds and the like."));
    }
}

static int examine(struct lab_examination *x, int what)
{
    struct lab_tally tally = {0};
    int wrong = run_entry(x, what, &tally);

    if (wrong < 0)
        return wrong;
    if (x->outcome.compared) {
        x->result->max_error = x->outcome.diff.max_error;
        x->result->tolerance = x->outcome.diff.tolerance;
    }
    tell_outcome(x, what, wrong, &tally);
    wrong |= tally.findings.count > 0;
    if (!wrong && what & LAB_COUNT)
        lab_tell_counts(x, &tally);
    if (!wrong && what & LAB_TIME)
        wrong = time_it(x);
    x->result->verdict =
        lab_verdict_word(wrong == 0 ? LAB_PASS : lab_wrong_verdict());
    return wrong;
}

int lab_examine(struct lab_program *program, const struct course_entry *entry,
                struct course_shape shape, int what)
{
    struct lab_examination x = {.program = program, .entry = entry};
    const struct lab_problem *const problem = lab_info.problem;
    const struct lab_layout layout = lab_problem_layout(problem, shape);
    const size_t size = sizeof program->why;
    int wrong = -1;

    if (lab_shape_check(shape, program->why, size) != 0 ||
        lab_device_check_memory(&program->device, shape, program->why, size) !=
            0 ||
        lab_buffers_new(&x.b, shape, &layout, program->options.seed,
                        entry->kind != COURSE_HOST, entry->precision,
                        program->why, size) != 0)
        return -1;
    lab_problem_fill(problem, x.b.filled, &layout, program->options.seed);
    x.reference =
        lab_reference_of(problem, shape, (const float *const *)x.b.filled,
                         program->options.seed, program->why, size);
    if (x.reference != NULL) {
        lab_reference_allow(x.reference, entry->precision);
        x.result = lab_program_add(program, entry->variant, shape);
    }
    if (x.result != NULL) {
        x.result->precision = lab_precision_word(entry->precision);
        wrong = examine(&x, what);
    }
    lab_reference_free(x.reference);
    lab_buffers_free(&x.b);
    return wrong;
}

int lab_examine_small(struct lab_program *program,
                      const struct course_entry *entry, int what)
{
    const int count = course_small_shapes(lab_info.lab);

    for (int i = 0; i < count; i++) {
        const int wrong =
            lab_examine(program, entry, course_small_shape(lab_info.lab, i),
                        what | LAB_QUIET);

        if (wrong != 0)
            return wrong;
        lab_program_drop(program);
    }
    if (count > 0) {
        fprintf(lab_screen(), _("%s  %d small sizes"),
                lab_screen_word(LAB_PASS), count);
        if (lab_info.lab->entries > 1)
            fprintf(lab_screen(), "    %s", entry->variant);
        fputc('\n', lab_screen());
    }
    return 0;
}
