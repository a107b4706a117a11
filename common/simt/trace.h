/*
 * trace.h: what does one request ask for, lane by lane, and which elements does
 * one thread touch?
 *
 * The counters (simt.h) add up over all requests; a picture shows one. What is
 * to be kept is asked for before a launch and read after it, both from the
 * thread that launches kernels. Only the analyse build keeps anything. The
 * answer is the same whatever the number of OS threads and the seed.
 */
#ifndef SIMT_TRACE_H
#define SIMT_TRACE_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SIMT_LANES = 32 /* of a warp */
};

/* --- one request ---------------------------------------------------------- */

/* For each lane of `lanes`, which are the active ones within the array. */
struct simt_request {
    unsigned block[3], block_size[3]; /* blockIdx and blockDim */
    int warp;                         /* of the block, from 0 */
    uint32_t lanes;
    uint64_t offset[SIMT_LANES]; /* bytes from the array's first */
    int bank[SIMT_LANES]; /* of its first byte, if the array's first is in
                                    bank 0; shared memory only */
    int wavefront
        [SIMT_LANES]; /* the wavefront that serves it, from 1, likewise */
    uint64_t array_bytes;
    int sectors, sectors_ideal; /* global memory only */
    int wavefronts, wavefronts_ideal;
};

/*
 * From the next launch on, keeps a request of this row (simt_count_read): of
 * the first warp, in the order of blocks and warps, that makes more than `nth`
 * of them, the nth from 0; of the first launch that has such a warp. The row is
 * copied; its array must have its name (simt_name_array) before the launch.
 * NULL: nothing any more. Returns 0, or -1 with errno ENOMEM.
 */
int simt_request_ask(const struct simt_row *row, int nth);

/* 1 with the request, or 0 if no warp has made it. */
int simt_request_read(struct simt_request *request);

/* --- footprints ----------------------------------------------------------- */

/* Who touched a byte, as bits. What a thread touches, its warp touches too. */
enum {
    SIMT_BY_THREAD = 1,
    SIMT_BY_WARP = 2,
    SIMT_BY_BLOCK = 4
};

/* One array of global memory. */
struct simt_footprint {
    const char *array; /* "A", or "?" */
    size_t bytes;
    const unsigned char *touched; /* bits for each byte */
};

/*
 * From the next launch on, marks what this thread (its number in the block),
 * its warp and its block (its number in the grid) load from, store to or change
 * in global memory while that kernel runs. NULL: nothing any more; what was
 * kept is gone either way. Returns 0, or -1 with errno ENOMEM.
 */
int simt_footprint_ask(const char *kernel, uint64_t block, int thread);

/*
 * The arrays that the block has touched. They are the device's own and valid
 * until the next launch, or simt_footprint_ask. Returns 0, or -1 with errno
 * ENOMEM if not all could be kept.
 */
int simt_footprint_read(const struct simt_footprint **found, size_t *count);

/*
 * --- all requests of a block ------------------------------------------------
 *
 * SIMT_REQUESTS=FILE in the environment: every request of the first block of
 * each launch becomes a row of that CSV file, in the order in which each warp
 * makes its own. Columns: kernel, grid_x, grid_y, grid_z, threads (of a block),
 * interval (barriers passed before), dynamic_shared (bytes), warp,
 * array_number, code (of the instruction), line, array, space, kind, size
 * (bytes a lane), async, lanes (mask, hexadecimal), offsets (bytes from the
 * array's first, of the active lanes). common/chip reads it.
 *
 * SIMT_FIRST_BLOCK=1: no other block is run, so what the kernel should
 * calculate is not complete.
 */

#ifdef __cplusplus
}
#endif

#endif /* SIMT_TRACE_H */
