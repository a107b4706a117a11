/*
 * hopper_calls.h: what does the rest of the device ask of hopper_*.c?
 *
 * For device.h; hopper_state.h says what these keep. Files that are below them
 * call them by a table, which worker->hopper_calls is from a block's first call
 * of the kind on, and NULL before.
 */
#ifndef SIMT_HOPPER_CALLS_H
#define SIMT_HOPPER_CALLS_H

#include <stdint.h>

struct simt_worker;

struct simt_hopper_calls {
    /* Lets threads go on whose wait is over. Returns 1 if one can. */
    int (*release)(struct simt_worker *worker);
    /* 1 if a thread still waits: then nobody can go on, which is told. */
    int (*is_stuck)(struct simt_worker *worker);
    /* The block has ended: what is still under way is told. */
    void (*end)(struct simt_worker *worker);
    /* All threads have passed a __syncthreads(), or lanes of a warp a
       __syncwarp(). */
    void (*pass)(struct simt_worker *worker);
    void (*step)(struct simt_worker *worker, int first_thread);
    /* 1 if the thread of one access (recorder.h) knows that the other one, of
       the same interval, is over. */
    int (*orders)(const struct simt_worker *worker, uint64_t mine,
                  uint64_t other);
    /* 1 if a copy of a tile goes there, come or not. */
    int (*fills)(const struct simt_worker *worker, uint64_t address);
    /* The active lanes of a request access shared memory. */
    void (*touch)(struct simt_worker *worker, uint64_t key,
                  const uint64_t *address, uint32_t active);
    /* The thread that runs uses a sum that a multiplication works on. */
    void (*early)(struct simt_worker *worker, uintptr_t code);
};

enum {
    SIMT_SHARED_DYNAMIC = 1 << 30 /* numbers of dynamic shared memory */
};

/* The number (simt_shared_number) of the first byte of dynamic shared memory.
   That lies behind the static one: a descriptor has 18 bits of a number, and
   multiples of 1024 must stay such. */
unsigned simt_first_dynamic(const struct simt_worker *worker);

#endif /* SIMT_HOPPER_CALLS_H */
