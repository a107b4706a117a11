#include "grade/judge/judging.h"

#include "simt/report_sums.h"

#include <math.h>

/*
 * A thread has at most 255 registers of 32 bits (CUDA C++ Programming Guide,
 * "Technical Specifications per Compute Capability"). One that keeps r x s sums
 * loads r + s words for r s multiply-adds. A warp can share what its 32 threads
 * have loaded, by shuffles: with r s <= 32 * 255 that is at least 2 / sqrt(32 *
 * 255) of a word for each.
 */
static const double registers = 255.0, lanes_of_warp = 32.0;

static struct simt_sum sum_rows(const struct simt_count *count,
                                enum simt_space space, enum simt_kind kind)
{
    return simt_sum_rows(count,
                         (struct simt_rows){.space = space, .kind = kind});
}

static void look_at_kernels(struct grade_judging *j,
                            const struct simt_count *count, double elements,
                            double fmas)
{
    const struct simt_kernel all = simt_sum_kernels(count, NULL);
    const double flops = (double)all.flops, threads = (double)all.threads;

    /* The first product of a sum need not be added to anything. */
    if (flops < 2.0 * fmas - elements) {
        grade_flag(
            j,
            "The kernels make %.0f floating-point operations; the product "
            "takes %.0f.",
            flops, 2.0 * fmas);
    }
    if (threads * registers < elements) {
        grade_flag(
            j,
            "%.0f threads compute the %.0f elements of C. A thread has "
            "registers for %.0f sums, so most of the work is done one after "
            "the other.",
            threads, elements, registers);
    }
}

void grade_lower_bounds(struct grade_judging *j, const struct simt_count *count,
                        struct course_shape shape)
{
    const double m = shape.m, n = shape.n, k = shape.k, fmas = m * n * k;
    const struct simt_sum loads = sum_rows(count, SIMT_GLOBAL, SIMT_LOAD);
    const struct simt_sum shared = sum_rows(count, SIMT_SHARED, SIMT_LOAD);
    const struct simt_sum constant = sum_rows(count, SIMT_CONSTANT, SIMT_LOAD);
    const double loaded = (double)(loads.asked + constant.asked) / 4.0;
    const double words = loaded + (double)shared.asked / 4.0;
    const double least = 2.0 / sqrt(registers * lanes_of_warp);
    const double requests = (double)(loads.row.requests + shared.row.requests +
                                     constant.row.requests);
    const double lanes =
        (double)(loads.row.lanes + shared.row.lanes + constant.row.lanes);

    look_at_kernels(j, count, m * n, fmas);
    if (loaded < m * k + k * n) {
        grade_flag(
            j,
            "The kernels load %.0f words of global memory, and A and B have "
            "%.0f elements.",
            loaded, m * k + k * n);
    }
    if (words < least * fmas) {
        grade_flag(
            j,
            "The kernels load %.3f words for each multiply-add; with the "
            "registers that a warp has, %.3f are the least.",
            words / fmas, least);
    }
    if (lanes < 2.0 * requests) {
        grade_flag(
            j,
            "A request has %.1f active lanes of 32: one thread of each warp "
            "does the work.",
            lanes / requests);
    }
}
