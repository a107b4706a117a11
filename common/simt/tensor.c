/*
 * What a warp does with small matrices that lie in its lanes' registers (PTX
 * ISA, "Matrix Fragments for mma.m16n8k8", those for mma.m16n8k16 with
 * elements of 16 bits, and "ldmatrix").
 */
#define _GNU_SOURCE
#include "recorder.h"

#include "fragments.h"

#include <string.h>

static struct simt_fragments *fragments_of(const struct simt_thread *warp,
                                           int lane)
{
    return (struct simt_fragments *)(uintptr_t)warp[lane].warp_call->value;
}

/* TF32 is a float without its last 13 bits: a tensor core drops them. */
static float tf32(uint32_t bits)
{
    float value;

    bits &= 0xffffe000;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* C += A B of mma.sync.m16n8k8. */
static void multiply(const struct simt_thread *warp)
{
    float A[16][8], B[8][8];

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        const struct simt_fragments *f = fragments_of(warp, lane);

        for (int i = 0; i < 4; i++) {
            const struct simt_place at = simt_fragment(SIMT_MATRIX_A, lane, i);

            A[at.row][at.col] = tf32(f->a[i]);
        }
        for (int i = 0; i < 2; i++) {
            const struct simt_place at = simt_fragment(SIMT_MATRIX_B, lane, i);

            B[at.row][at.col] = tf32(f->b[i]);
        }
    }
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        float *c = fragments_of(warp, lane)->c;

        for (int i = 0; i < 4; i++) {
            const struct simt_place at = simt_fragment(SIMT_MATRIX_C, lane, i);

            /* Each product is exact: twice 11 bits are 22. */
            for (int k = 0; k < 8; k++)
                c[i] += A[at.row][k] * B[k][at.col];
        }
    }
}

/* Element `half` of a pair of bf16, each the upper half of a float. */
static float bf16(uint32_t pair, int half)
{
    const uint32_t bits = half ? pair & 0xffff0000 : pair << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The same of half: 5 bits of exponent, whose 0 is the 112 of a float, and 10
   behind the point. */
static float f16(uint32_t pair, int half)
{
    const uint32_t number = half ? pair >> 16 : pair & 0xffff;
    const uint32_t bits = (number & 0x7fff) << 13;
    const uint32_t special = 0x7f800000 | bits; /* infinite, or a NaN */
    float value;

    memcpy(&value, (bits >> 23) == 31 ? &special : &bits, sizeof value);
    if (bits >> 23 != 31)
        value *= 0x1p112f;
    return number & 0x8000 ? -value : value;
}

/* C += A B of mma.sync.m16n8k16: a register has two neighbours along k, which
   value() reads. */
static void multiply_pairs(const struct simt_thread *warp,
                           float value(uint32_t pair, int half))
{
    float A[16][16], B[16][8];

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        const struct simt_fragments *f = fragments_of(warp, lane);
        const int g = lane / 4, t = lane % 4;

        for (int i = 0; i < 8; i++) {
            A[g + i / 2 % 2 * 8][2 * t + i / 4 * 8 + i % 2] =
                value(f->a[i / 2], i % 2);
        }
        for (int i = 0; i < 4; i++)
            B[2 * t + i / 2 * 8 + i % 2][g] = value(f->b[i / 2], i % 2);
    }
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        float *c = fragments_of(warp, lane)->c;

        for (int i = 0; i < 4; i++) {
            const struct simt_place at = simt_fragment(SIMT_MATRIX_C, lane, i);

            for (int k = 0; k < 16; k++)
                c[i] += A[at.row][k] * B[k][at.col];
        }
    }
}

/* Lane l gets, of each matrix m, word l % 4 of the row that lane 8 m + l / 4
   has loaded. */
static void deal(const struct simt_thread *warp)
{
    uint32_t row[SIMT_WARP][4];

    for (int lane = 0; lane < SIMT_WARP; lane++)
        memcpy(row[lane], fragments_of(warp, lane)->a, sizeof row[lane]);
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        for (int m = 0; m < 4; m++)
            fragments_of(warp, lane)->a[m] = row[8 * m + lane / 4][lane % 4];
    }
}

/* Likewise of matrices of 16 bits, transposed: lane l gets elements l / 4 of
   rows 2 (l % 4) and the next one. */
static void deal_transposed(const struct simt_thread *warp)
{
    uint16_t row[SIMT_WARP][8];

    for (int lane = 0; lane < SIMT_WARP; lane++)
        memcpy(row[lane], fragments_of(warp, lane)->a, sizeof row[lane]);
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        const int from = lane % 4 * 2, at = lane / 4;

        for (int m = 0; m < 4; m++) {
            fragments_of(warp, lane)->a[m] =
                row[8 * m + from][at] | (uint32_t)row[8 * m + from + 1][at]
                                            << 16;
        }
    }
}

/* The inverse: lane l stores row l % 8 of matrix l / 8. */
static void collect(const struct simt_thread *warp)
{
    uint32_t row[SIMT_WARP][4];

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        for (int i = 0; i < 4; i++)
            row[lane][i] = fragments_of(warp, lane % 8 * 4 + i)->a[lane / 8];
    }
    for (int lane = 0; lane < SIMT_WARP; lane++)
        memcpy(fragments_of(warp, lane)->a, row[lane], sizeof row[lane]);
}

/* Puts what the lanes have of a matrix into one, by rows. */
static void gather(double *to, int rows, int columns, int by_columns,
                   const struct simt_thread *warp, size_t offset)
{
    for (int i = 0; i < rows * columns; i++) {
        const char *lane =
            (const char *)(uintptr_t)warp[i % SIMT_WARP].warp_call->value;
        const int place = by_columns ? i % rows * columns + i / rows : i;

        memcpy(&to[place], lane + offset + (size_t)i / SIMT_WARP * sizeof *to,
               sizeof *to);
    }
}

/* C += A B of nvcuda::wmma: exact but for one rounding, which is that to C's
   type. */
static void multiply_any(struct simt_worker *worker,
                         const struct simt_thread *warp)
{
    const struct simt_matrices *of =
        (struct simt_matrices *)(uintptr_t)warp->warp_call->value;
    double A[32 * 16] = {0}, B[32 * 16] = {0};

    gather(A, of->m, of->k, of->a_by_columns, warp,
           offsetof(struct simt_matrices, a));
    gather(B, of->k, of->n, of->b_by_columns, warp,
           offsetof(struct simt_matrices, b));
    for (int i = 0; i < of->m * of->n; i++) {
        struct simt_matrices *lane =
            (struct simt_matrices *)(uintptr_t)warp[i % SIMT_WARP]
                .warp_call->value;

        for (int k = 0; k < of->k; k++) {
            lane->c[i / SIMT_WARP] +=
                A[i / of->n * of->k + k] * B[k * of->n + i % of->n];
        }
    }
    if (simt_recording) {
        worker->recorder->flops += (uint64_t)of->flops;
        worker->recorder->tensor_operations +=
            2 * (uint64_t)of->m * (uint64_t)of->n * (uint64_t)of->k;
    }
}

void simt_tensor_finish(struct simt_worker *worker, int first, uint32_t group)
{
    const struct simt_thread *warp = &worker->thread[first];
    uint64_t flops = 0;

    if (group != UINT32_MAX)
        return; /* lanes have ended: what is left of it, nobody says */
    switch (warp->warp_call->operation) {
    case SIMT_WARP_LDMATRIX:
        deal(warp);
        break;
    case SIMT_WARP_LDMATRIX_TRANSPOSED:
        deal_transposed(warp);
        break;
    case SIMT_WARP_STMATRIX:
        collect(warp);
        break;
    case SIMT_WARP_MATRICES:
        multiply_any(worker, warp);
        break;
    case SIMT_WARP_MMA_BF16:
    case SIMT_WARP_MMA_F16:
        multiply_pairs(
            warp, warp->warp_call->operation == SIMT_WARP_MMA_F16 ? f16 : bf16);
        flops = 2 * 16 * 8 * 16;
        break;
    default:
        multiply(warp);
        flops = 2 * 16 * 8 * 8;
    }
    if (simt_recording) {
        worker->recorder->flops += flops;
        worker->recorder->tensor_operations += flops;
    }
}

unsigned simt_first_dynamic(const struct simt_worker *worker)
{
    return SIMT_SHARED_DYNAMIC +
           (unsigned)(worker->shared_size + 1023) / 1024 * 1024;
}

unsigned simt_shared_number(const void *pointer)
{
    const struct simt_worker *worker = simt_self;
    const size_t offset = (size_t)((const char *)pointer - worker->shared);

    return offset < worker->shared_size
               ? (unsigned)offset
               : simt_first_dynamic(worker) +
                     (unsigned)((const char *)pointer -
                                simt_dynamic_of(worker));
}

void *simt_shared_pointer(unsigned number)
{
    return number < SIMT_SHARED_DYNAMIC
               ? simt_self->shared + number
               : simt_dynamic_of(simt_self) +
                     (number - simt_first_dynamic(simt_self));
}
