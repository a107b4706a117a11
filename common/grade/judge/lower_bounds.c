#include "grade/judge/lower_bounds.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/*
 * A thread has at most 255 registers of 32 bits (CUDA C++ Programming Guide,
 * "Technical Specifications per Compute Capability"). One that keeps r x s sums
 * loads r + s words for r s multiply-adds, and with r s <= 255 that is at least
 * 2 / sqrt(255) of a word for each.
 */
static const double registers = 255.0;

/* Sums of the rows of one kind. */
struct sums {
    double requests, lanes, words; /* of 4 bytes */
};

struct bounds {
    char (*text)[GRADE_BOUND_TEXT];
    int count;
};

static void tell(struct bounds *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(struct bounds *b, const char *format, ...)
{
    va_list list;

    if (b->count == GRADE_BOUNDS)
        return;
    va_start(list, format);
    vsnprintf(b->text[b->count++], GRADE_BOUND_TEXT, format, list);
    va_end(list);
}

static struct sums add_up(const struct simt_count *count, enum simt_space space,
                          int stores)
{
    struct sums sums = {0};

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (row->space != space || (row->kind != SIMT_LOAD) != stores)
            continue;
        sums.requests += (double)row->requests;
        sums.lanes += (double)row->lanes;
        sums.words += (double)row->lanes * row->size / 4.0;
    }
    return sums;
}

static void look_at_kernels(struct bounds *b, const struct simt_count *count,
                            double elements, double fmas)
{
    double flops = 0.0, threads = 0.0, blocks = 0.0;

    for (size_t i = 0; i < count->kernels; i++) {
        flops += (double)count->kernel[i].flops;
        threads += (double)count->kernel[i].threads;
        blocks += (double)count->kernel[i].basic_blocks;
    }
    /* The first product of a sum need not be added to anything. */
    if (flops < 2.0 * fmas - elements) {
        tell(b,
             "The kernels make %.0f floating-point operations; the product "
             "takes %.0f.",
             flops, 2.0 * fmas);
    }
    if (threads * registers < elements) {
        tell(b,
             "%.0f threads compute the %.0f elements of C. A thread has "
             "registers for %.0f sums, so most of the work is done one after "
             "the other.",
             threads, elements, registers);
    }
    if (blocks < threads) {
        tell(b,
             "%.0f threads entered %.0f basic blocks: each enters one at "
             "least.",
             threads, blocks);
    }
}

int grade_lower_bounds(const struct simt_count *count,
                       struct course_shape shape,
                       char text[GRADE_BOUNDS][GRADE_BOUND_TEXT])
{
    const double m = shape.m, n = shape.n, k = shape.k, fmas = m * n * k;
    const struct sums loads = add_up(count, SIMT_GLOBAL, 0);
    const struct sums stores = add_up(count, SIMT_GLOBAL, 1);
    const struct sums shared = add_up(count, SIMT_SHARED, 0);
    const struct sums constant = add_up(count, SIMT_CONSTANT, 0);
    const double words = loads.words + shared.words + constant.words;
    const double requests =
        loads.requests + shared.requests + constant.requests;
    const double lanes = loads.lanes + shared.lanes + constant.lanes;
    struct bounds b = {.text = text, .count = 0};

    look_at_kernels(&b, count, m * n, fmas);
    if (loads.words + constant.words < m * k + k * n) {
        tell(&b,
             "The kernels load %.0f words of global memory, and A and B have "
             "%.0f elements.",
             loads.words + constant.words, m * k + k * n);
    }
    if (stores.words < m * n) {
        tell(&b, "The kernels store %.0f words, and C has %.0f elements.",
             stores.words, m * n);
    }
    if (words < 2.0 / sqrt(registers) * fmas) {
        tell(&b,
             "The kernels load %.3f words for each multiply-add; with the "
             "registers that a thread has, %.3f are the least.",
             words / fmas, 2.0 / sqrt(registers));
    }
    if (lanes < 2.0 * requests) {
        tell(&b,
             "A request has %.1f active lanes of 32: one thread of each warp "
             "does the work.",
             lanes / requests);
    }
    return b.count;
}
