/*
 * sums.h: what do the accesses of one kind come to?
 *
 * Works on the structures of simt.h alone, as report.h does.
 */
#ifndef SIMT_SUMS_H
#define SIMT_SUMS_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which rows to add up. What is NULL takes all. */
struct simt_rows {
    enum simt_space space;
    enum simt_kind kind;
    const char *kernel;
    const char *array;
    const char *but[2]; /* arrays that are left out */
};

/* What those rows come to. */
struct simt_sum {
    struct simt_row row;            /* their counters; its names are NULL */
    uint64_t asked, asked_async;    /* bytes, lane by lane; and those that an
                                       asynchronous copy loads */
    const struct simt_row *largest; /* asks for most bytes; NULL: none does */
};

struct simt_sum simt_sum_rows(const struct simt_count *count,
                              struct simt_rows which);

/* Adds the counters of a row to those of another. */
void simt_row_add(struct simt_row *to, const struct simt_row *row);

/* 1 if two rows are of one kernel, array, space and kind, whatever the line.
   Rows of one array follow each other in simt_count. */
int simt_row_same_array(const struct simt_row *a, const struct simt_row *b);

/* All kernels of that name added up, or all kernels for NULL. */
struct simt_kernel simt_sum_kernels(const struct simt_count *count,
                                    const char *kernel);

/* What a row's requests took in all, and at least: sectors of global memory,
   wavefronts of the others. */
uint64_t simt_row_sectors_or_wavefronts(const struct simt_row *row);
uint64_t simt_row_ideal(const struct simt_row *row);

/* Floating-point operations of a kernel over the bytes that its lanes load from
   global memory, and that copies of tiles bring; NaN if there are none. kernel
   NULL: of all kernels. */
double simt_flop_per_byte(const struct simt_count *count, const char *kernel);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_SUMS_H */
