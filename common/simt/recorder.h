/*
 * recorder.h: how does the analyse build see what a warp does?
 *
 *   record.c     one lane's accesses, as the compiler's calls tell them
 *   warp.c       the logs of 32 lanes, merged into the requests of a warp
 *   sectors.c    how many sectors a request takes
 *   count.c      the same and wavefronts, added up by instruction and array
 *   totals.c     what all launches counted, by source line, kernel and launch
 *   intervals.c  the time of a block, cut at its barriers
 *   shadow.c     who touched a word last, and what was written at all
 *   passages.c   the order in which a warp comes to two lines
 *   race.c       races, and reads of what nobody wrote
 *   findings.c   what is wrong, collected
 *   findings_text.c  and in words
 *   symbols.c    names of shared and device variables
 *   environment.c  what is asked for of such a program
 *   array.c      the array that an address belongs to
 *   log.c        single accesses: see log.h
 *
 * g++ -fsanitize=thread calls a function before each access to memory and
 * -fsanitize-coverage=trace-pc one in each basic block; the device implements
 * these calls. Each of the 32 threads of a warp logs its events on its own.
 * Then the logs are merged into what the warp would have done in lock step: of
 * the next events of all lanes, those in the deepest function, and there at the
 * lowest address of code, are one request. Code addresses grow along the source
 * as long as the compiler does not reorder basic blocks, so lanes that went
 * different ways meet again where the ways join.
 */
#ifndef SIMT_RECORDER_H
#define SIMT_RECORDER_H

#include "../banks/banks.h"
#include "device.h"
#include "log.h"
#include "simt.h"

enum {
    /* Events that a lane logs before it gives way; and with those that may
       come before it does: where it costs much, some calls alone do so
       (record.c). */
    SIMT_LOG_EVENTS = SIMT_GUARDED ? 32 : 64,
    SIMT_LOG_ROWS = SIMT_GUARDED ? SIMT_LOG_EVENTS : SIMT_LOG_EVENTS + 32,

    /* Kinds of event, bits of a key. */
    SIMT_EVENT_STORE = 1,
    SIMT_EVENT_ATOMIC = 2,
    SIMT_EVENT_SHARED = 4,    /* shared memory; else global */
    SIMT_EVENT_BLOCK = 8,     /* a basic block is entered; no access */
    SIMT_EVENT_VOLATILE = 16, /* neither kept in a register nor moved */
    SIMT_EVENT_CONSTANT = 32, /* constant memory */
    SIMT_EVENT_CAS = 64,      /* an atomic that compares first */
    SIMT_EVENT_ASYNC = 128    /* the load of an asynchronous copy */
};

/*
 * The key of an event; the smallest goes first:
 *   bits 63-48  minus the depth of the stack in units of 16 bytes
 *   bits 47-16  code address, from the beginning of the program
 *   bits 15-8   size in bytes
 *   bits 7-0    kind
 */
#define SIMT_KEY_WITHOUT_DEPTH UINT64_C(0x0000ffffffffffff)

/* Bits of a key from which on it names a call of a function: its frame; without
   addresses of code its number, too (tables/wasm.c), as a function that keeps
   nothing in memory has its caller's frame there. */
enum {
    SIMT_KEY_CALL = SIMT_HAS_CODE ? 48 : 36
};

static inline int simt_key_size(uint64_t key)
{
    return (int)(key >> 8 & 0xff);
}

static inline int simt_key_kind(uint64_t key)
{
    return (int)(key & 0xff);
}

/* How many lanes are active: most often all. */
static inline unsigned simt_lane_count(uint32_t active)
{
    return active == UINT32_MAX ? SIMT_WARP
                                : (unsigned)__builtin_popcount(active);
}

/* Where in the program the instruction stands, as a return address: worker.c.
 */
uintptr_t simt_key_code(uint64_t key);

/* What an event accesses, and how. */
static inline enum simt_space simt_key_space_of(uint64_t key)
{
    const int kind = simt_key_kind(key);

    return kind & SIMT_EVENT_SHARED     ? SIMT_SHARED
           : kind & SIMT_EVENT_CONSTANT ? SIMT_CONSTANT
                                        : SIMT_GLOBAL;
}

static inline enum simt_kind simt_key_kind_of(uint64_t key)
{
    const int kind = simt_key_kind(key);

    return kind & SIMT_EVENT_ATOMIC  ? SIMT_ATOMIC
           : kind & SIMT_EVENT_STORE ? SIMT_STORE
                                     : SIMT_LOAD;
}

/* What the lanes of one warp did: a column is a lane's log, so that lanes in
   step fill a row. record.c writes addresses by their distance from keys. */
struct simt_warp_log {
    uint64_t key[SIMT_LOG_ROWS][SIMT_WARP];
    uint64_t address[SIMT_LOG_ROWS][SIMT_WARP];
    int count[SIMT_WARP]; /* events in it */
    int next[SIMT_WARP];  /* the first that is not merged yet */
};

/* --- intervals, and who touched a word last ------------------------------- */

/*
 * An access, packed so that the newest can be told by one comparison:
 *   bits 63-34  interval: the time of one block between two barriers, numbered
 *               over all blocks and launches
 *   bits 33-24  thread of the block
 *   bits 23-14  step of its warp: __syncwarp() begins a new one
 *   bits 13-0   number of the instruction; 0: too many to be numbered
 */
typedef uint64_t simt_touch;

/* The last accesses to one word, or to one byte if bytes are touched alone. */
struct simt_word {
    simt_touch write;
    simt_touch read;
    simt_touch other_read; /* by another thread or block than `read` */
};

/* Of one array. Entries are made when the array is first touched. */
struct simt_shadow {
    uintptr_t base;         /* address of the first word */
    size_t bytes;           /* of the array, up to whole words */
    struct simt_word *word; /* NULL: no memory for it, nothing is checked */
    struct simt_word *_Atomic byte; /* NULL: no byte was touched alone */
    unsigned char *written; /* a mark for each byte; NULL: all are written */
    size_t written_to;      /* all bytes before are: no need to look again */
    int is_shared;
};

/* --- array.c -------------------------------------------------------------- */

/* Numbers of arrays: those of allocations (memory.c) begin at 1, those of
   variables (symbols.c) here. */
enum {
    SIMT_VARIABLES = 1 << 30,
    SIMT_DYNAMIC_SHARED = 0x7fffffff
};

/* An array as a worker sees it. */
struct simt_array {
    unsigned number;
    uintptr_t base; /* its first byte */
    size_t extent;  /* and its bytes; 0: it is freed, or there is none */
};

/* The array that an access with that key, to that address, belongs to. */
struct simt_array simt_array_at(const struct simt_worker *worker, uint64_t key,
                                uintptr_t address);

/* "As"; of an array without a name, what the kernel calls it; "?" if nobody
   calls it anything. */
const char *simt_array_name(const char *kernel, unsigned array);

/* The bytes of an element of what the kernel has as a pointer parameter; 0:
   unknown. */
int simt_array_element(const char *kernel, unsigned array);

/* Notes what the kernel calls the arrays that this launch gave it; forgets all
   of these. The name of the kernel must stay as long. */
void simt_name_parameters(const struct simt_launch *launch, const char *kernel);
void simt_forget_parameters(void);

/* --- count.c: by instruction and array ------------------------------------ */

/* The counters of one instruction on one array; of a basic block only `lanes`,
   how often it was entered. */
struct simt_site {
    uint64_t key;               /* without the depth; 0: the slot is free */
    unsigned array;             /* number of the allocation or variable */
    int kernel;                 /* in totals: number of the kernel */
    unsigned instruction;       /* its number in a simt_touch */
    uintptr_t base;             /* the array's first byte for this worker */
    size_t extent;              /* and its bytes */
    struct simt_shadow *shadow; /* the array's, or NULL */
    uint64_t requests, lanes, bytes; /* of a basic block bytes: backward jumps
                                       to it */
    uint64_t sectors, sectors_ideal;
    uint64_t wavefronts, wavefronts_ideal;
    long long apart; /* as a row's (simt.h) */
};

/* A hash table of sites. */
struct simt_sites {
    struct simt_site *site;
    size_t room, used; /* room is a power of two */
};

/* What the addresses of a whole warp amount to. Kept for the next request of
   the instruction, whose addresses most often lie as far from each other. */
struct simt_pattern {
    uint64_t key;                 /* of the instruction; 0: of none so far */
    uint64_t distance[SIMT_WARP]; /* of each address from the first */
    uint64_t below, above;        /* the first: how far the others reach */
    uint64_t bits;                /* that any distance has */
    uint64_t offset;              /* of the first address in its word */
    uint32_t differing;           /* see simt_check_request */
    int bytes, wavefronts, wavefronts_ideal;
    /* By the word of a sector that the first address is in; of wide copies, by
       the 16 bytes of a line. */
    int sectors[8];
};

enum {
    SIMT_PATTERNS = 64
};

struct simt_found;

/* When a warp was at an instruction that uses shared memory, in the interval of
   the last time: which of two lines comes first between two barriers. A time is
   how many shared accesses the worker has made before. */
struct simt_passage {
    uint32_t interval;
    uint32_t first_lanes, last_lanes; /* of the first time, and of the last */
    uint64_t first, last;
    uint32_t call; /* of its function: the key's, larger outside */
};

/* What one worker records. */
struct simt_recorder {
    struct simt_pattern pattern[SIMT_PATTERNS];
    struct simt_warp_log log; /* behind more than a row of itself: the grader's
                                 runner_watch.S looks at the last one */
    int first_thread;         /* of the warp that is being merged */
    struct simt_sites sites;

    /* The block that runs, its interval, and the warps' steps in it. */
    uint64_t block;
    uint32_t interval, block_first, launch_first;
    uint32_t run_end; /* the interval from which on it needs another run */
    uint32_t *run;    /* the first interval of each run of this block */
    int runs, runs_room;
    uint64_t acquired; /* a time after its last sync: see race.c */
    int is_syncing; /* one was recorded since the last merge, and has happened:
                          who came later may have done so since */
    uint16_t step[SIMT_MAX_THREADS / SIMT_WARP];
    struct simt_shadow statics, dynamics; /* of shared memory */
    unsigned clears; /* of all shadows, that these have seen */
    /* By number of the instruction and warp. */
    struct simt_passage (*passage)[SIMT_MAX_THREADS / SIMT_WARP];
    unsigned passages;
    uint32_t call, outermost; /* of the event at hand; the largest so far */

    uint64_t barriers;       /* passed, added up over the lanes */
    uint64_t backward_jumps; /* likewise */
    uint64_t flops;          /* of instructions that are calls here: tensor.c */
    uint64_t tensor_operations; /* the same, and of whole numbers */
    uint64_t bulk_bytes;        /* brought by copies of tiles: hopper_copy.c */
    uint64_t products, products_overlapped; /* hopper_wgmma.c */
    uint64_t others; /* accesses to other than shared memory */
    uint64_t loads;  /* words of all memory */
    uint64_t stores; /* words of global memory, atomics among them */
    /* Of the blocks that are over: how many stored something, what all of them
       stored and passed, and of each its barriers times its stores. */
    uint64_t storing_blocks, stores_before, barriers_before, barrier_stores;
    uint64_t seen[SIMT_CHECKS];
    struct simt_found *found; /* findings.c */
    size_t found_count;
    int ended; /* 1: what this block has done ends the kernel */
    int out_of_memory;
};

/*
 * Counts one request: for each bit of `active` one lane's address. The
 * addresses of inactive lanes are not looked at.
 */
void simt_count_request(struct simt_worker *worker, uint64_t key,
                        const uint64_t address[SIMT_WARP], uint32_t active);

/* simt_count_sectors (log.h) of an atomic, in which lanes that share an element
   follow each other: each sector counts as often as most lanes share an element
   of it. */
int simt_count_atomic_sectors(const uint64_t address[SIMT_WARP],
                              uint32_t active);

/*
 * Sectors of a request that copies 16 bytes a lane from global to shared memory
 * (cp.async.cg), as an H200 counts them: not the different ones, but one for
 * each two neighbouring lanes, and two where these read from different lines of
 * 128 bytes (tests/hardware/README.md). *bytes: those that the lanes copy, each
 * its own.
 */
int simt_count_copy_sectors(const uint64_t address[SIMT_WARP], uint32_t active,
                            int *bytes);

/* The site of that key, and of that array where it has one, new if need be.
   NULL without memory. */
struct simt_site *simt_site_in(struct simt_sites *sites, uint64_t key,
                               unsigned array, int kernel);

/* --- intervals.c ---------------------------------------------------------- */

enum {
    SIMT_RUN = 64,         /* intervals that a block takes at a time */
    SIMT_MOST_STEPS = 1023 /* later steps of a warp are not told apart */
};

/* An interval of the block that runs begins. */
void simt_interval_next(struct simt_worker *worker);

/* The block that ran last is over. */
void simt_recorder_block_ends(struct simt_recorder *recorder);

/* A thread does an atomic or volatile access to global memory, now. */
void simt_interval_sync_begin(struct simt_worker *worker);
void simt_interval_sync_end(struct simt_worker *worker);

/* The number of the block that an interval belongs to, and the time of that
   block's first sync, 0 if there was none. */
uint64_t simt_interval_block(uint32_t interval);
uint64_t simt_interval_released(uint32_t interval);

/* --- shadow.c ------------------------------------------------------------- */

/* The shadow of an allocation, or of a variable, by its number; NULL without
   memory. */
struct simt_shadow *simt_shadow_of(const struct simt_allocation *allocation,
                                   unsigned number);
struct simt_shadow *simt_shadow_of_variable(unsigned number, uintptr_t base,
                                            size_t bytes);

/* Makes the shadows of a worker's shared memory. */
void simt_shadow_shared(struct simt_worker *worker);

/* The shadow of the single bytes of an array, made when one is first touched
   alone; NULL without memory. */
struct simt_word *simt_shadow_bytes(struct simt_shadow *shadow);

/* Forgets all touches. No kernel runs. */
void simt_shadow_clear(void);

/* A launch is over: what was freed needs no shadow, and arrays that are written
   whole need no marks any more. */
void simt_shadow_settle(void);

/* A number for the instruction of that key, for a simt_touch; and its key. */
unsigned simt_instruction_number(uint64_t key);
uint64_t simt_instruction_key(unsigned number);

/* --- passages.c ----------------------------------------------------------- */

/* A warp is at an instruction that uses shared memory. */
void simt_passage_note(struct simt_recorder *recorder, unsigned instruction,
                       uint32_t active);

/* The event at hand is of that call. */
void simt_call_note(struct simt_recorder *recorder);

/* The order (findings.c) of a write and a read in the interval that runs. */
int simt_race_order(const struct simt_recorder *recorder, simt_touch write,
                    simt_touch read);

/* --- race.c --------------------------------------------------------------- */

/* Checks one request of a site that has a shadow, and notes it. `differing`:
   simt_lanes_that_differ, or 0 if that is not known. */
void simt_check_request(struct simt_worker *worker,
                        const struct simt_site *site,
                        const uint64_t address[SIMT_WARP], uint32_t active,
                        uint32_t differing);

/* The lanes whose load must be looked at: of neighbours that load the same word
   the first and the last do for all. */
uint32_t simt_lanes_that_differ(const uint64_t address[SIMT_WARP],
                                uint32_t active);

static inline uint32_t simt_touch_interval(simt_touch touch)
{
    return (uint32_t)(touch >> 34);
}

static inline int simt_touch_thread(simt_touch touch)
{
    return (int)(touch >> 24 & 0x3ff);
}

/* --- findings.c ----------------------------------------------------------- */

/* Which ways lead from one line of a race in shared memory to the other, as
   threads have gone them within one interval: without a barrier. Of each: is
   it known to go back to the beginning of a loop around both? */
enum {
    SIMT_WAY_TO_READ = 1, /* from the write */
    SIMT_WAY_TO_WRITE = 2,
    SIMT_WAYS = SIMT_WAY_TO_READ | SIMT_WAY_TO_WRITE,
    SIMT_WAY_BACK = 4 /* it does: times SIMT_WAY_TO_... */
};

/* One mistake as a worker sees it: all that have the same two instructions and
   the same array. The thread and the address are those of the first block. */
struct simt_found {
    enum simt_check check;
    unsigned array;
    uint64_t key, other_key; /* of the instructions; 0: no other */
    uint64_t count;
    uint64_t block, other_block;
    int thread, other_thread;
    int order;        /* of a race: SIMT_WAY_... of these two threads, */
    int ways;         /* and of all that were seen */
    uintptr_t offset; /* of the address into the array */
    size_t extent;    /* of the array, in bytes */
    int are_equal;    /* what both store, each time that it was seen */
};

/* values.c: a thread is about to store so many bytes; and whether all that were
   stored there by now, in this launch or this interval of shared memory, are
   known to be equal. Kept in make run alone. */
void simt_values_note(const struct simt_worker *worker, uintptr_t address,
                      int size, int is_shared);
int simt_values_are_equal(const struct simt_worker *worker, uintptr_t address,
                          int size, int is_shared);

/* A mistake of the thread that `touch` names, at an address of an array. For a
   race, `other` is the other access; else 0. */
void simt_found(struct simt_worker *worker, enum simt_check check,
                const struct simt_site *site, uint64_t address,
                simt_touch touch, simt_touch other);

/* findings_text.c: the whole message, and whether the two threads of a race
   belong to one warp of one block. */
void simt_found_describe(char *buffer, size_t size,
                         const struct simt_found *found,
                         const struct simt_grid *grid);
int simt_found_in_warp(const struct simt_found *found);

/* What is touched of an array: "As[3][12]", "elements 12 to 15 of A", of which
   it is that type's own if that is known. bytes: of the access. */
void simt_element_name(char *text, size_t size, const char *kernel,
                       unsigned array, long long offset, size_t extent,
                       int bytes);

/* Adds up what the workers found; prints what is new. */
void simt_found_collect(struct simt_worker **workers, int count,
                        const struct simt_grid *grid);
void simt_found_reset(void);

/* --- record.c ------------------------------------------------------------- */

/* Gives way until what the thread that runs has logged is checked. */
void simt_drain(struct simt_worker *worker);

/* --- record.c: host code -------------------------------------------------- */

/* If it is set: told each basic block of the lab's host code that is
   entered. */
typedef void simt_host_block(uintptr_t code);
extern simt_host_block *simt_on_host_block;

/* Accesses of kernels to what cudaHostRegister was given: they are in no
   count. */
extern _Atomic uint64_t simt_registered_accesses;

/* Where no page faults: ends a program whose host code touches what it may
   not. */
void simt_look_at_host(uintptr_t address, int kind, uintptr_t code);

/* An access that the compiler has made no call for: recorded, unless it was a
   moment ago. */
void simt_record_uninstrumented(const void *pointer, int size, int is_write,
                                const void *code, const void *frame);

/* 1 if it is to where the last call told of one: most often. */
static inline int simt_told_last(const struct simt_worker *worker,
                                 uint64_t address)
{
    const uint64_t *const last = worker->log_slot - SIMT_WARP;

    return last >= &worker->recorder->log.key[0][0] &&
           last[SIMT_LOG_ROWS * SIMT_WARP] == address &&
           !(simt_key_kind(*last) & SIMT_EVENT_BLOCK);
}

/* --- log.c ---------------------------------------------------------------- */

/* How many logs there are of requests, and of host code. */
extern int simt_logs_of_requests, simt_logs_of_host;

/* Logs a request. */
void simt_log_request(const struct simt_worker *worker, uint64_t key,
                      const uint64_t address[SIMT_WARP], uint32_t active);

/* 1 if what this thread does is logged; then each of its events comes to
   simt_log_thread, before it takes place. */
int simt_log_follows(const struct simt_worker *worker,
                     const struct simt_thread *thread);
void simt_log_thread(const struct simt_worker *worker, uint64_t key,
                     uintptr_t address);
/* The thread gave way: what it was about to do is done. */
void simt_log_settle(const struct simt_worker *worker,
                     const struct simt_thread *thread);

/* Logs an access that host code is about to make. */
/* How many accesses the log has that follows the thread which runs; 0: none
   does. Those from there on were made while a copy was under way, for which it
   waits in that line. */
size_t simt_log_at(const struct simt_worker *worker);
void simt_log_copied(const struct simt_worker *worker, size_t begun, int line);
void simt_log_host(uintptr_t address, int size, int kind, uintptr_t code);

void simt_log_launch_ended(void);

/* --- symbols.c ------------------------------------------------------------ */

/* The shared variable at `offset` bytes into shared memory, or the one before
   it: its number from 1, and its extent. 0 and all of shared memory if no name
   is known. */
unsigned simt_symbol_at(size_t offset, size_t *begin, size_t *bytes);

/* The same for a __device__ or __constant__ variable, by its address. */
unsigned simt_variable_at(uintptr_t address, uintptr_t *begin, size_t *bytes);

/* The name of a variable of either kind ("As"), or "?". */
const char *simt_symbol_name(unsigned number);
int simt_symbol_is_shared(unsigned number); /* or else a device variable's */

/* Reads the names from the program's own file, once. */
void simt_symbols_read(void);

#endif /* SIMT_RECORDER_H */
