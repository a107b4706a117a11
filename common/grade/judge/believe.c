/* Can a kernel that computed this product have counted that? What cannot be is
   not believed, and a person is asked. */
#include "grade/judge/judging.h"

#include "harness/counters.h"
#include "simt/report_sums.h"

#include <math.h>
#include <string.h>

/* Shares that are too small to change a mean. */
static const double few = 0.02;
static const double few_constants = 0.01; /* words for each multiply-add */
/*
 * More than any form of a lab takes, so that what is more serves the mean
 * alone. Half as wide a tile fetches twice as much; a sum in shared memory is
 * one load more for each multiply-add, beside a tile's element of A and one of
 * B; and tiles are stored twice by who fills them with zeros first.
 */
static const double more_loads = 2.1;
static const double most_shared_loads = 3.2; /* for each multiply-add */
static const double more_stores = 2.6;       /* for each word fetched */
static const double most_stores = 0.6;       /* for each multiply-add */
static const double most_copies = 2.0;       /* of all three matrices */
static const double most_reads = 4.0;        /* of C */

/*
 * A thread has at most 255 registers of 32 bits (CUDA C++ Programming Guide,
 * "Technical Specifications per Compute Capability"). One that keeps r x s sums
 * loads r + s words for r s multiply-adds. A warp can share what its 32 threads
 * have loaded, by shuffles: with r s <= 32 * 255 that is at least 2 / sqrt(32 *
 * 255) of a word for each.
 */
static const double registers = 255.0, lanes_of_warp = 32.0;

struct look {
    struct grade_judging *j;
    const struct simt_count *count;
    double m, n, k, fmas;
};

static struct simt_sum sum_rows(const struct look *l, enum simt_space space,
                                enum simt_kind kind)
{
    return simt_sum_rows(l->count,
                         (struct simt_rows){.space = space, .kind = kind});
}

/* Words of 4 bytes that requests ask for, lane by lane. */
static double words(const struct look *l, enum simt_space space,
                    enum simt_kind kind)
{
    return (double)sum_rows(l, space, kind).asked / 4.0;
}

/* --- the least ------------------------------------------------------------ */

static void look_at_kernels(struct look *l)
{
    const struct simt_kernel all = simt_sum_kernels(l->count, NULL);
    const double flops = (double)all.flops;
    const double threads =
        (double)(all.storing_threads > 0 ? all.storing_threads : all.threads);
    const double elements = l->m * l->n;

    if (all.tensor_operations > 0) {
        grade_flag(l->j,
                   "%.0f of %.0f operations are those of tensor cores, which "
                   "are not this lab's way: loads for them are not counted as "
                   "the lab's are.",
                   (double)all.tensor_operations, flops);
    }
    if (threads * registers < elements) {
        grade_flag(
            l->j,
            "%.0f threads compute the %.0f elements of C. A thread has "
            "registers for %.0f sums, so most of the work is done one after "
            "the other.",
            threads, elements, registers);
    }
}

static void look_at_stores(struct look *l)
{
    const double stores =
        words(l, SIMT_GLOBAL, SIMT_STORE) + words(l, SIMT_SHARED, SIMT_STORE);

    if (stores > most_stores * l->fmas) {
        grade_flag(
            l->j,
            "The kernels store %.2f words for each multiply-add: their sums "
            "are kept in memory. One in a register is stored once.",
            stores / l->fmas);
    }
}

/* Words of an array that requests of that kind are about. */
static double words_of(const struct look *l, enum simt_kind kind,
                       const char *array)
{
    return (double)simt_sum_rows(l->count,
                                 (struct simt_rows){.space = SIMT_GLOBAL,
                                                    .kind = kind,
                                                    .array = array})
               .asked /
           4.0;
}

/* Where sums, or operands, wait in global memory. A launch that stores as much
   as a copy does, for what it loads, is left out of what is a sum over C, and
   what is put into A or B has their names. */
static void look_at_places(struct look *l)
{
    const double stores =
        words(l, SIMT_GLOBAL, SIMT_STORE) + words(l, SIMT_GLOBAL, SIMT_ATOMIC);
    const double all = l->m * l->n + l->m * l->k + l->k * l->n;
    const double of_c =
        words_of(l, SIMT_LOAD, "C") + words_of(l, SIMT_ATOMIC, "C");

    if (stores > most_copies * all) {
        grade_flag(l->j,
                   "The kernels store %.0f words in global memory, and A, B "
                   "and C have %.0f: what waits there is no longer in "
                   "registers or tiles.",
                   stores, all);
    }
    if (of_c > most_reads * l->m * l->n) {
        grade_flag(l->j,
                   "The kernels read %.0f words of C, which has %.0f: what "
                   "waits there is no longer in registers or tiles.",
                   of_c, l->m * l->n);
    }
    if (words_of(l, SIMT_STORE, "A") + words_of(l, SIMT_STORE, "B") > 0.0)
        grade_flag(l->j, "The kernels write to A or B, which are inputs.");
}

/* Words that launches bring along. */
static double argument_words(const struct simt_count *count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count->kernels; i++)
        bytes += count->kernel[i].argument_bytes;
    return (double)bytes / 4.0;
}

static void look_at_loads(struct look *l)
{
    const struct simt_sum loads = sum_rows(l, SIMT_GLOBAL, SIMT_LOAD);
    const struct simt_sum shared = sum_rows(l, SIMT_SHARED, SIMT_LOAD);
    const struct simt_sum constant = sum_rows(l, SIMT_CONSTANT, SIMT_LOAD);
    const double loaded = (double)(loads.asked + constant.asked) / 4.0;
    const double all = loaded + (double)shared.asked / 4.0;
    const double least = 2.0 / sqrt(registers * lanes_of_warp);
    const double requests = (double)(loads.row.requests + shared.row.requests +
                                     constant.row.requests);
    const double lanes =
        (double)(loads.row.lanes + shared.row.lanes + constant.row.lanes);

    if (loaded < l->m * l->k + l->k * l->n) {
        grade_flag(
            l->j,
            "The kernels load %.0f words of global memory, and A and B have "
            "%.0f elements.",
            loaded, l->m * l->k + l->k * l->n);
    }
    if (all < least * l->fmas) {
        grade_flag(
            l->j,
            "The kernels load %.3f words for each multiply-add; with the "
            "registers that a warp has, %.3f are the least.",
            all / l->fmas, least);
    }
    if ((double)constant.asked / 4.0 > few_constants * l->fmas ||
        argument_words(l->count) > few * (l->m * l->k + l->k * l->n)) {
        grade_flag(
            l->j,
            "The kernels load %.0f words of constant memory, and %.0f come as "
            "arguments: they are no loads of global memory, and the lab's "
            "number does not see them.",
            (double)constant.asked / 4.0, argument_words(l->count));
    }
    if (lanes < 2.0 * requests) {
        grade_flag(
            l->j,
            "A request has %.1f active lanes of 32: one thread of each warp "
            "does the work.",
            lanes / requests);
    }
}
/* --- global memory -------------------------------------------------------- */

static void look_at_atomics(struct look *l)
{
    for (size_t i = 0; i < l->count->rows; i++) {
        const struct simt_row *row = &l->count->row[i];

        if (row->kind == SIMT_ATOMIC && row->space == SIMT_GLOBAL &&
            (strcmp(row->array, "A") == 0 || strcmp(row->array, "B") == 0)) {
            grade_flag(
                l->j,
                "Line %d reads %s by atomic operations. They are no loads, "
                "and the lab's number does not see them.",
                row->line, row->array);
            return;
        }
    }
}

/* The fewest global loads for each multiply-add that a lab up to this one asks
   for: what is not undone later. 0: none does. */
static double loads_asked_for(const struct look *l)
{
    double least = 0.0;

    for (int i = 0; i < l->j->setting->index->labs; i++) {
        const struct course_lab *lab = &l->j->setting->index->lab[i];

        for (int k = 0; k < lab->measures; k++) {
            const struct course_measure *m = &lab->measure[k];

            if (strcmp(m->column, "global_loads_per_fma") == 0 &&
                (least == 0.0 || m->full < least))
                least = m->full;
        }
        if (lab == l->j->lab)
            break;
    }
    return least;
}

/* Asynchronous copies are lab 13's: they bring lines, whatever of a sector is
   asked for. */
static void look_at_async(struct look *l)
{
    if (sum_rows(l, SIMT_GLOBAL, SIMT_LOAD).asked_async > 0) {
        grade_flag(l->j, "The kernels copy asynchronously: such copies are "
                         "counted by lines, and not by sectors.");
    }
}

static void look_at_global_loads(struct look *l)
{
    const double asked = loads_asked_for(l);
    const double loads = words(l, SIMT_GLOBAL, SIMT_LOAD) / l->fmas;

    if (asked > 0.0 && loads > more_loads * asked) {
        grade_flag(
            l->j,
            "The kernels load %.3f words of global memory for each "
            "multiply-add, and %.3f are enough: a mean over them is not that "
            "of the lab.",
            loads, asked);
    }
}

/* --- shared memory -------------------------------------------------------- */

static void look_at_shared(struct look *l)
{
    const double stores = words(l, SIMT_SHARED, SIMT_STORE);
    const double loads = words(l, SIMT_SHARED, SIMT_LOAD) / l->fmas;
    const double fetched = words(l, SIMT_GLOBAL, SIMT_LOAD);

    if (loads * l->fmas < fetched) {
        grade_flag(
            l->j,
            "The kernels load %.3f words of shared memory for each "
            "multiply-add, and %.3f of global memory: what they multiply does "
            "not come from a tile.",
            loads, fetched / l->fmas);
    }
    if (loads > most_shared_loads) {
        grade_flag(
            l->j,
            "The kernels load %.2f words of shared memory for each "
            "multiply-add, and %.1f are enough: a mean over them is not that "
            "of the lab.",
            loads, most_shared_loads);
    }
    if (stores > more_stores * fetched) {
        grade_flag(
            l->j,
            "The kernels store %.0f words in shared memory, and fetch %.0f: a "
            "mean over them is not that of the lab.",
            stores, fetched);
    }
}

/* --- lines ---------------------------------------------------------------- */

static double share(double value, double full, double zero)
{
    return fmin(1.0, fmax(0.0, (value - zero) / (full - zero)));
}

/* A mean over the requests of one array. */
static int is_mean(const char *column)
{
    return strstr(column, "_efficiency_") != NULL ||
           strstr(column, "_per_request_") != NULL;
}

/* 1 if whole warps make the line's requests, and these take no more than such
   words must: a float4 has its 4 wavefronts wherever it lies. */
static int is_at_its_least(const struct simt_row *row)
{
    const uint64_t whole = 24; /* lanes */

    return row->space == SIMT_SHARED && row->lanes >= whole * row->requests &&
           row->wavefronts <= row->wavefronts_ideal;
}

/* Lines that are far worse than the mean over all lines, and have more than a
   few of the requests: each alone may have fewer. */
static void look_at_lines(struct look *l, int measure)
{
    const int at = lab_counter_find(l->j->lab->measure[measure].column);
    const double full = l->j->rubric->full[measure];
    const double zero = l->j->rubric->zero[measure];
    double counter[LAB_COUNTERS], requests = 0.0, worse = 0.0, least = 2.0, all;
    const struct simt_row *worst = NULL;

    if (at < 0)
        return;
    lab_counters_derive(l->count, l->fmas, counter);
    all = share(counter[at], full, zero);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->count->rows; i++) {
            const struct simt_row *const row = &l->count->row[i];
            const struct simt_count alone = {.row = row, .rows = 1};

            lab_counters_derive(&alone, l->fmas, counter);
            if (isnan(counter[at])) /* it is not of that array */
                continue;
            if (pass == 0) {
                requests += (double)row->requests;
            } else if (share(counter[at], full, zero) < all - 0.1 &&
                       !is_at_its_least(row)) {
                worse += (double)row->requests;
                if (share(counter[at], full, zero) < least) {
                    least = share(counter[at], full, zero);
                    worst = row;
                }
            }
        }
    }
    if (worst != NULL && worse > few * requests) {
        grade_flag(
            l->j,
            "Line %d is far from the mean of %s: alone it would earn %.0f %% "
            "of the number's points, all lines together %.0f %%.",
            worst->line, worst->array, 100.0 * least, 100.0 * all);
    }
}

void grade_believe(struct grade_judging *j, const struct simt_count *count,
                   struct course_shape shape)
{
    struct look l = {
        .j = j, .count = count, .m = shape.m, .n = shape.n, .k = shape.k};
    int global = 0, shared = 0;

    l.fmas = l.m * l.n * l.k;
    for (int i = 0; j->lab->problem != NULL && i < j->lab->measures; i++) {
        if (is_mean(j->lab->measure[i].column))
            look_at_lines(&l, i);
    }
    if (j->lab->problem != NULL) /* the rest is about products */
        return;
    look_at_kernels(&l);
    look_at_loads(&l);
    look_at_stores(&l);
    for (int i = 0; i < j->lab->measures; i++) {
        const char *const column = j->lab->measure[i].column;

        if (is_mean(column))
            look_at_lines(&l, i);
        if (strcmp(column, "global_load_sector_efficiency_B") == 0)
            look_at_async(&l);
        global |=
            (is_mean(column) || strstr(column, "_async_share_") != NULL) &&
            column[0] == 'g';
        shared |= strncmp(column, "shared_", 7) == 0;
    }
    if (!j->lab->parts)
        look_at_places(&l);
    look_at_atomics(&l);
    if (global || shared)
        look_at_global_loads(&l);
    if (shared)
        look_at_shared(&l);
}
