#include "program.h"

#include "device_kind.h"
#include "measure.h"
#include "screen.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    REPEAT_GPU = 20,
    REPEAT_CPU = 5
};

/* One entry at one size, while it is examined. */
struct examination {
    struct lab_program *program;
    const struct lab_entry *entry;
    struct lab_buffers b;
    struct lab_reference *reference;
    struct lab_outcome outcome;
    struct lab_result *result;
    int repeat;
};

static double multiply_adds(struct lab_shape s)
{
    return (double)s.m * s.n * s.k;
}

/* Decimal places that show a rate to three digits or more. */
static int places(double rate)
{
    return rate < 10.0 ? 2 : rate < 1000.0 ? 1 : 0;
}

static void print_line(const struct examination *x, int right)
{
    const struct lab_diff *d = &x->outcome.diff;
    const struct lab_shape s = x->b.shape;
    FILE *to = lab_screen();
    char size[48];

    snprintf(size, sizeof size, "%d x %d x %d", s.m, s.n, s.k);
    fprintf(to, "%s  ", lab_screen_word(right ? LAB_PASS : LAB_FAIL));
    if (!right) {
        fprintf(to, "%s%s%s\n", size, lab_info.entries > 1 ? "  " : "",
                lab_info.entries > 1 ? x->entry->variant : "");
        lab_screen_wrong(&x->outcome);
        return;
    }
    fprintf(to, "%-17s", size);
    if (lab_info.entries > 1)
        fprintf(to, "  %-8s", x->entry->variant);
    fprintf(to, "  max error %.1e of %.1e allowed%s\n", d->max_error,
            d->tolerance, d->exact ? "" : ", sampled");
}

/* Says how fast a host entry is. */
static void print_host_times(const struct examination *x,
                             const struct lab_times *t)
{
    const char *what = "host code, one core unless it makes threads";

    if (lab_measure_entry(&lab_info) >= 0) { /* the lab has a kernel as well */
        what = lab_device_is_gpu()
                   ? "the whole call, with allocations and copies"
                   : "the whole call, on the CPU device: not a GPU's";
    }
    fprintf(lab_screen(),
            "      %.4g ms (%.4g to %.4g, %d runs), %.*f GFLOP/s\n"
            "      %s\n",
            t->median, t->min, t->max, x->repeat, places(x->result->gflops),
            x->result->gflops, what);
}

static void print_kernel_times(const struct examination *x,
                               const struct lab_times *t)
{
    const struct lab_program *p = x->program;
    const double gflops = x->result->gflops;
    FILE *to = lab_screen();

    fprintf(to, "      kernel %.4g ms (%.4g to %.4g, %d runs), %.*f GFLOP/s\n",
            t->median, t->min, t->max, x->repeat, places(gflops), gflops);
    fprintf(to, "      copies %.4g ms: kernel and copies %.4g ms\n", t->copies,
            t->median + t->copies);
    if (!lab_device_is_gpu())
        fprintf(to, "      These are times on the CPU device, not a GPU's.\n");
    if (p->peak_gflops > 0.0) {
        fprintf(to, "      peak %.0f GFLOP/s", p->peak_gflops);
        if (p->clock_mhz > 0)
            fprintf(to, " at %d MHz", p->clock_mhz);
        if (gflops > p->peak_gflops) {
            fprintf(to, ": above this chip's peak: not believed\n");
        } else {
            fprintf(to, ": %.1f %% of it\n", 100.0 * gflops / p->peak_gflops);
        }
    }
    if (!isnan(t->cublas)) {
        fprintf(to,
                "      cuBLAS %.4g ms, %.*f GFLOP/s: this is %.1f %% of it\n",
                t->cublas, places(x->result->cublas_gflops),
                x->result->cublas_gflops, 100.0 * t->cublas / t->median);
    }
}

/* Times the entry and judges C again. 0, 1 or -1. */
static int time_it(struct examination *x)
{
    struct lab_program *p = x->program;
    const double flops = 2.0 * multiply_adds(x->b.shape);
    struct lab_times t;
    int wrong = lab_time(x->entry, &x->b, x->repeat, x->reference, p->cublas,
                         &t, &x->outcome, p->why, sizeof p->why);

    if (wrong == 0) {
        wrong = lab_run_judge(x->entry, &x->b, x->reference, &x->outcome,
                              p->why, sizeof p->why);
    }
    if (wrong != 0) {
        if (wrong > 0) {
            fprintf(lab_screen(),
                    "      Right at first, but not after %d more "
                    "runs:\n",
                    x->repeat);
        }
        if (wrong > 0)
            lab_screen_wrong(&x->outcome);
        return wrong;
    }
    x->result->kernel_ms = t.median;
    x->result->kernel_ms_min = t.min;
    x->result->kernel_ms_max = t.max;
    x->result->copies_ms = t.copies;
    x->result->gflops = flops / t.median / 1e6;
    if (!isnan(t.cublas))
        x->result->cublas_gflops = flops / t.cublas / 1e6;
    if (p->peak_gflops > 0.0)
        x->result->peak_gflops = p->peak_gflops;
    if (p->clock_mhz > 0)
        x->result->sm_clock_mhz = p->clock_mhz;
    if (x->entry->kind == LAB_ENTRY_HOST) {
        print_host_times(x, &t);
    } else {
        print_kernel_times(x, &t);
    }
    return 0;
}

/* Runs the entry, with the counters on from its first to its last access. */
static int run_and_count(struct examination *x, int what,
                         struct simt_count *count)
{
    struct lab_program *p = x->program;
    int wrong;

    if (what & LAB_COUNT)
        lab_count_begin();
    wrong = lab_run(x->entry, &x->b, x->reference, &x->outcome, p->why,
                    sizeof p->why);
    if (wrong == 0 && what & LAB_COUNT && lab_count_end(count) != 0) {
        snprintf(p->why, sizeof p->why,
                 "the counters cannot be read: out of memory");
        return -1;
    }
    return wrong;
}

/* Why no goal is asked of this run; NULL if one is. A goal belongs to the size
   that INDEX names, since some counts grow with the size. */
static const char *no_goal(const struct examination *x)
{
    const struct lab_shape *a = &x->b.shape, *b = &lab_info.counting;

    if (x->entry->shown_only)
        return "shown, no goal";
    if (a->m != b->m || a->n != b->n || a->k != b->k)
        return "another size than the goal's";
    return NULL;
}

/* Prints what was counted, and holds it against the goal. */
static void tell_counts(struct examination *x, const struct simt_count *count)
{
    lab_counters_derive(count, multiply_adds(x->b.shape), x->result->counter);
    if (no_goal(x) == NULL) {
        x->result->measure_ok =
            lab_measures_reached(&lab_info, x->result->counter);
    }
    lab_counters_print(lab_screen(), count);
    lab_measures_print(lab_screen(), &lab_info, x->result->counter, no_goal(x));
}

static int examine(struct examination *x, int what)
{
    struct simt_count count = {0};
    int wrong = run_and_count(x, what, &count);

    if (wrong < 0)
        return wrong;
    if (x->outcome.compared) {
        x->result->max_error = x->outcome.diff.max_error;
        x->result->tolerance = x->outcome.diff.tolerance;
    }
    print_line(x, wrong == 0);
    if (wrong == 0 && what & LAB_COUNT)
        tell_counts(x, &count);
    if (wrong == 0 && what & LAB_TIME)
        wrong = time_it(x);
    if (wrong == 0) {
        x->result->verdict = lab_verdict_word(LAB_PASS);
    } else {
        x->result->verdict =
            lab_verdict_word(lab_info.todos > 0 ? LAB_UNFINISHED : LAB_FAIL);
    }
    return wrong;
}

int lab_examine(struct lab_program *program, const struct lab_entry *entry,
                struct lab_shape shape, int what)
{
    struct examination x = {.program = program, .entry = entry};
    const size_t size = sizeof program->why;
    int wrong = -1;

    x.repeat = program->options.repeat > 0 ? program->options.repeat
               : lab_device_is_gpu()       ? REPEAT_GPU
                                           : REPEAT_CPU;
    if (lab_shape_check(shape, program->why, size) != 0 ||
        lab_device_check_memory(&program->device, shape, program->why, size) !=
            0 ||
        lab_buffers_new(&x.b, shape, program->options.seed,
                        entry->kind != LAB_ENTRY_HOST, program->why, size) != 0)
        return -1;
    x.reference = lab_reference_new(x.b.filled[LAB_A], x.b.filled[LAB_B],
                                    shape.m, shape.n, shape.k,
                                    program->options.seed, program->why, size);
    if (x.reference != NULL)
        x.result = lab_program_add(program, entry->variant, shape);
    if (x.result != NULL)
        wrong = examine(&x, what);
    lab_reference_free(x.reference);
    lab_buffers_free(&x.b);
    return wrong;
}
