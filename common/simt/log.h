/*
 * log.h: which single accesses did kernels make, or host code?
 *
 * The counters (simt.h) add up. A map, the model of a chip (common/why) and the
 * search for a mistake want one access after the other: a log keeps those that
 * pass its filter. With inputs that are all different a value tells which
 * element it is, however it came through shared memory and registers: so a
 * wrong sum can be explained (common/harness/cause.h).
 *
 * A log is begun before a launch and read after it, both from the thread that
 * launches kernels. Only the analyse build fills one.
 *
 * SIMT_REQUESTS=FILE in the environment: every request of the first block of
 * each launch becomes a row of that CSV file, in the order in which each warp
 * makes its own. Columns: kernel, grid_x, grid_y, grid_z, threads (of a block),
 * interval (barriers passed before), dynamic_shared (bytes), warp,
 * array_number, code (of the instruction), line, array, space, kind, size
 * (bytes a lane), async, lanes (mask, hexadecimal), offsets (bytes from the
 * array's first, of the active lanes). common/why reads it.
 *
 * SIMT_FIRST_BLOCK=1: no other block is run, so what the kernel should
 * calculate is not complete.
 */
#ifndef SIMT_LOG_H
#define SIMT_LOG_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SIMT_LANES = 32,      /* of a warp */
    SIMT_VALUES = 4,      /* of 4 bytes each: a float4 */
    SIMT_HOST_RANGES = 4, /* of one filter */
    SIMT_ANY = -1,
    SIMT_EACH = -2
};

/* An asynchronous copy that has not come to its place yet. */
struct simt_under_way {
    int is; /* 1: there is one */
    int is_committed;
    /* The last wait of its thread, if that is behind it (line 0: it is not),
       and how many batches it leaves. */
    int line;
    unsigned prior;
};

/* One access of one thread. */
struct simt_access {
    /* Who makes it. Host code has no kernel: NULL, and the rest 0. */
    const char *kernel;
    unsigned grid[3], block_size[3];
    size_t dynamic_shared; /* bytes */
    unsigned launch;       /* since the log was begun, from 0 */
    int thread;            /* its number in the block */
    uint64_t block;        /* its number in the grid */
    unsigned interval;     /* barriers that the block has passed */

    /* Where it stands, and what it is. */
    const char *file; /* "" and 0: unknown */
    int line;
    uintptr_t code;
    enum simt_space space;
    enum simt_kind kind;
    int is_async; /* 1: the load of an asynchronous copy */
    int awaited;  /* the line of the wait for a copy that was under way then, of
                     the thread that is followed; 0: there was none */
    size_t there; /* of a copy's store: accesses of the thread before the wait
                     for it; 0: none yet */
    int size;     /* bytes */

    /* What it touches: bytes from `offset` on of an array. */
    unsigned array; /* its number; of host code that of the filter's range */
    uintptr_t base, offset;
    size_t extent; /* bytes of the array */

    /* What was loaded or stored, and by which thread a word of shared memory
       that is loaded was stored last (-1: unknown). Known only where one
       thread is followed, or host code. */
    int known;
    float value[SIMT_VALUES]; /* of sizes 4, 8 and 16 */
    /* Of a store there: 1 if what it takes the place of had been loaded by some
       thread of the block; -1 if it had not; 0 if the block had stored nothing
       there. */
    int was_loaded;
    int writer;
    const char *writer_file;
    int writer_line;
    struct simt_under_way copy; /* to the word; or all 0 */
};

/* Gets the accesses of one request, those of its active lanes. Calls of one log
   follow each other. */
typedef void simt_take(void *to, const struct simt_access *access, int lanes);

/* Which accesses a log keeps: those that all of this is true of. */
struct simt_filter {
    long launch; /* since the log is begun, from 0; or SIMT_ANY */
    long block;  /* its number in the grid; or SIMT_ANY */
    int thread;  /* its number in the block: its accesses, in its own order
                    and with their values; SIMT_EACH: so those of all threads,
                    as they come, of one block; or SIMT_ANY: request by
                    request, as each OS thread (simt_set_threads) comes to
                    them */
    const char *kernel;         /* NULL: any */
    const struct simt_row *row; /* one that simt_count_read has made; NULL: any.
                                   Its array must have its name before the
                                   launch (simt_name_array) */
    int stores_only;            /* 1: stores and atomic changes */
    int memory_only; /* 1: of memory that cudaMalloc or its like has given */
    /* If there are any: of host code instead, what begins in these. */
    struct {
        const void *from, *to;
    } host[SIMT_HOST_RANGES];
    simt_take *take; /* gets them in place of the log; NULL: the log has them */
    void *to;        /* for take */
};

struct simt_log;

/* From the next launch on. The filter is copied, but for what it points to.
   NULL without memory. */
struct simt_log *simt_log_begin(const struct simt_filter *filter);

/* The log, which may be NULL, gets no more. */
void simt_log_stop(struct simt_log *log);
void simt_log_free(struct simt_log *log);

/* What the log has, valid until it gets more; of NULL nothing. *cut is 1 if
   there was more than could be kept. */
const struct simt_access *simt_log_read(const struct simt_log *log,
                                        size_t *count, int *cut);

/* What the array is called, "A" or "As"; "?": unknown. */
const char *simt_access_array(const struct simt_access *access);

/* "As[0][1]", or "element 12 of A". */
void simt_access_name(char *text, size_t size,
                      const struct simt_access *access);

/* Sectors of 32 bytes that the active lanes' accesses of `size` bytes touch;
   Sets *bytes to the distinct bytes asked for. */
int simt_count_sectors(const uint64_t address[SIMT_LANES], uint32_t active,
                       int size, int *bytes);

/* Writes the file of SIMT_REQUESTS, to a path that is neither NULL nor "", from
   now to the program's end; ends the program if that is not possible. */
void simt_log_requests(const char *path);

/*
 * Which share of its loads from shared memory does a thread make between the
 * load of a word from global memory and the store of the same value to a tile,
 * by an atomic operation or not, or between an asynchronous copy to one and the
 * wait for it: the work that does not wait for the next tile? Of tiles of which
 * only a share of the bytes come so while the thread works, that share of those
 * loads. A tile is what the thread itself loads from. Inputs must be all
 * different, as random ones.
 *
 * The log is that of the first thread of each launch since the counters were
 * set to zero. A launch weighs as many words as it stores; one in which no such
 * store was seen has no loads of that kind. Fills the fields of count that are
 * the thread's own.
 */
void simt_log_overlap(const struct simt_log *log, struct simt_count *count);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_LOG_H */
