/*
 * follow.h: what does one thread load and store, value by value, and which
 * thread stored an element last?
 *
 * With inputs that are all different a value tells which element it is, however
 * it came through shared memory and registers: so a wrong sum can be explained
 * (common/harness/cause.h). What is to be kept is asked for before a launch and
 * read after it, both from the thread that launches kernels. Only the analyse
 * build keeps anything.
 */
#ifndef SIMT_FOLLOW_H
#define SIMT_FOLLOW_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SIMT_STEP_WORDS = 4 /* of 4 bytes each: a float4 */
};

/* One access of the thread that is followed, in its own order. */
struct simt_step {
    const char *file; /* "" and 0: unknown */
    int line;
    unsigned launch; /* since it was asked for, from 0 */
    enum simt_space space;
    enum simt_kind kind;
    int is_async;                 /* 1: the load of an asynchronous copy */
    int size;                     /* bytes */
    int known;                    /* 1: value is what was loaded or stored */
    float value[SIMT_STEP_WORDS]; /* of sizes 4, 8 and 16 */
    uintptr_t address, code;
    unsigned array;   /* its number */
    uintptr_t offset; /* bytes into it */
    size_t extent;    /* and its bytes */
    /* A load from shared memory: who wrote the word last; -1: unknown. */
    int writer;
    const char *writer_file;
    int writer_line;
};

/*
 * From the next launch on, follows this thread (its number in the block) of
 * this block (its number in the grid). Forgets what was kept. launch counts
 * from 0, from now on; -1: nothing any more.
 */
void simt_follow(long launch, uint64_t block, int thread);

/* From now on follows host code instead, as far as it touches the bytes from
   `from` to `to`. Both NULL: not any more. Calls add up, up to 4 ranges. */
void simt_follow_host(const void *from, const void *to);

/* What was kept; valid until the next call of the two. *cut is 1 if there was
   more than could be kept. */
const struct simt_step *simt_follow_read(size_t *count, int *cut);

/*
 * Counts the followed thread's loads from shared memory, and those that it made
 * between the load of a word from global memory and the store of the same value
 * to shared memory: the work that does not wait for the next tile. An
 * asynchronous copy is stored by the device: all loads behind the first count.
 * 0 of 0: no such store was seen. Inputs must be all different, as random ones.
 * Fills the fields of count that are the thread's own.
 */
void simt_follow_overlap(struct simt_count *count);

/* "As[0][1]", or "element 12 of A"; of the kernel of that name. */
void simt_step_place(char *text, size_t size, const char *kernel,
                     const struct simt_step *step);

/* --- who stored what ------------------------------------------------------ */

/* A store to global memory, or an atomic change. */
struct simt_stored {
    unsigned launch; /* since it was asked for, from 0 */
    const char *kernel;
    uint64_t block; /* number in the grid */
    int thread;     /* number in the block */
    unsigned grid[3], block_size[3];
    unsigned array;
    uintptr_t array_base;
    uintptr_t offset;
    int size, is_atomic;
    const char *file;
    int line;
};

/* From the next launch on, keeps all stores, in the order in which one OS
   thread makes them (simt_set_threads). 0: not any more. */
void simt_stores_ask(int on);
const struct simt_stored *simt_stores_read(size_t *count);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_FOLLOW_H */
