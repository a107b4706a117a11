/*
 * counts.h: what does one block of a kernel ask of its multiprocessor?
 *
 * From the requests that the CPU device wrote (SIMT_REQUESTS, simt/log.h) of
 * the first block of a launch. nvcc merges loads of neighbouring words of
 * shared memory into one of 8 or 16 bytes; which ones, a rule says that holds
 * for all solutions (tests/chip):
 *
 *   Loads that a warp makes of one array before it comes back to one of them
 *   stand together, as the body of an unrolled loop does. A loop over
 *   neighbouring words counts as unrolled. Two, or four, whose lanes lie 4
 *   bytes apart, one behind the other, are one load, if the first one's address
 *   is a multiple of the width in every execution.
 */
#ifndef CHIP_COUNTS_H
#define CHIP_COUNTS_H

#include <stddef.h>

enum {
    CHIP_WIDTHS = 3 /* of a shared load: 4, 8 and 16 bytes a lane */
};

/* Of one block; requests are those of its warps, added up. */
enum chip_count {
    BLOCK_BARRIERS, /* that a thread passes */
    BLOCK_LOADS,    /* requests of shared loads, merged, by width */
    BLOCK_LOAD_PASSES = BLOCK_LOADS + CHIP_WIDTHS,  /* of the banks, likewise */
    BLOCK_STORES = BLOCK_LOAD_PASSES + CHIP_WIDTHS, /* to shared memory */
    BLOCK_STORE_PASSES,
    BLOCK_GLOBAL_LOADS,  /* requests, asynchronous copies among them */
    BLOCK_GLOBAL_LINES,  /* of 128 bytes, that they touch */
    BLOCK_ASYNC_LOADS,   /* requests */
    BLOCK_GLOBAL_STORES, /* requests, with atomics */
    BLOCK_STORE_LINES,
    BLOCK_SECTORS,  /* different ones of 32 bytes, that it loads */
    BLOCK_DISTINCT, /* different lines of 128 bytes, that it loads */
    BLOCK_FRESH,    /* global loads with a line that its warp loads first */
    BLOCK_STORED,   /* different elements of 4 bytes, that it stores */
    BLOCK_TILES,    /* intervals between barriers that store to shared memory */
    BLOCK_COUNTS
};

struct chip_block {
    char kernel[256];
    int threads;
    unsigned grid[3];
    size_t dynamic_shared; /* bytes */
    double count[BLOCK_COUNTS];
};

/*
 * Reads kernel number nth, from 0, of the file. Returns 0, 1 if there are
 * fewer, or -1 with a line in why that names the file.
 */
int chip_block_read(const char *path, int nth, struct chip_block *block,
                    char *why, size_t size);

#endif /* CHIP_COUNTS_H */
