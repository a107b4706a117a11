/*
 * recorder.h: how does the analyse build see what a warp does?
 *
 * g++ -fsanitize=thread calls a function before each access to memory and
 * -fsanitize-coverage=trace-pc one in each basic block; the device implements
 * these calls (record.c). Each of the 32 threads of a warp logs its events
 * on its own. Then the logs are merged (warp.c) into what the warp would have
 * done in lock step: of the next events of all lanes, those in the deepest
 * function, and there at the lowest address of code, are one request. Code
 * addresses grow along the source as long as the compiler does not reorder
 * basic blocks, so lanes that went different ways meet again where the ways
 * join. The requests are counted (count.c).
 */
#ifndef SIMT_RECORDER_H
#define SIMT_RECORDER_H

#include "device.h"

enum {
    SIMT_LOG_EVENTS = 64,

    /* Kinds of event, bits of a key. */
    SIMT_EVENT_STORE = 1,
    SIMT_EVENT_ATOMIC = 2,
    SIMT_EVENT_SHARED = 4, /* shared memory; else global */
    SIMT_EVENT_BLOCK = 8   /* a basic block is entered; no access */
};

/*
 * One event. The smallest key goes first:
 *   bits 63-48  0xffff - depth of the stack in units of 16 bytes
 *   bits 47-16  code address, from the beginning of the program
 *   bits 15-8   size in bytes
 *   bits 7-0    kind
 */
struct simt_event_record {
    uintptr_t address;
    uint64_t key;
};

struct simt_log {
    int count; /* events in it */
    int next;  /* the first that is not merged yet */
    struct simt_event_record event[SIMT_LOG_EVENTS];
};

static inline int simt_key_size(uint64_t key)
{
    return (int)(key >> 8 & 0xff);
}

static inline int simt_key_kind(uint64_t key)
{
    return (int)(key & 0xff);
}

/* The counters of one instruction on one array. */
struct simt_site {
    uint64_t key;   /* without the depth; 0: the place is free */
    unsigned array; /* number of the allocation or shared variable */
    int kernel;     /* in totals: number of the kernel */
    uintptr_t base; /* the array's first byte for this worker */
    size_t extent;  /* and its bytes */
    uint64_t requests, lanes, bytes;
    uint64_t sectors, sectors_ideal;
    uint64_t wavefronts, wavefronts_ideal;
};

/* A hash table of sites. */
struct simt_sites {
    struct simt_site *site;
    size_t room, used; /* room is a power of two */
};

/* What one worker records. */
struct simt_recorder {
    struct simt_log log[SIMT_WARP];
    int first_thread; /* of the warp that is being merged */
    struct simt_sites sites;
    uint64_t basic_blocks; /* entered, added up over the lanes */
    uint64_t barriers;     /* passed, likewise */
    int out_of_memory;
};

/* --- count.c ---------------------------------------------------------------- */

/*
 * Counts one request: for each bit of `active` one lane's address. The
 * addresses of inactive lanes are not looked at.
 */
void simt_count_request(struct simt_worker *worker, uint64_t key,
                        const uint64_t address[SIMT_WARP], uint32_t active);

/* Sectors of 32 bytes that the active lanes' accesses of `size` bytes touch;
   *bytes is set to the distinct bytes asked for. */
int simt_count_sectors(const uint64_t address[SIMT_WARP], uint32_t active,
                       int size, int *bytes);

/* --- symbols.c -------------------------------------------------------------- */

/* The shared variable at `offset` bytes into shared memory: its number, and
   its extent. 0 and the whole of shared memory if no name is known. */
unsigned simt_symbol_at(size_t offset, size_t *begin, size_t *bytes);

/* The name of that variable ("As"), or "?". */
const char *simt_symbol_name(unsigned number);

/* Reads the names from the program's own file, once. */
void simt_symbols_read(void);

#endif /* SIMT_RECORDER_H */
