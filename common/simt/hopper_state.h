/*
 * hopper_state.h: what has a block begun that goes on by itself, and which of
 * its warps know how far it is?
 *
 *   hopper_order.c    which warp knows what another one has done
 *   hopper_barrier.c  barriers in shared memory
 *   hopper_copy.c     copies of tiles
 *   hopper_wgmma.c    multiplications of a warpgroup
 *   hopper_wait.c     who waits for what
 *
 * Copies of tiles and multiplications read and write shared memory while their
 * threads go on. Each is held open as long as CUDA allows: a copy comes when a
 * thread waits for it, a multiplication reads its operands at the wait. Until
 * then what they fill is NaNs.
 *
 * Time. Each warp has a clock, which ticks when it tells others something: at
 * an arrival, at a barrier. A warp knows of each other warp up to which tick;
 * at a wait it learns what those knew who arrived (L. Lamport, "Time, Clocks,
 * and the Ordering of Events", 1978). Who overwrites what a multiplication
 * reads must know the tick at which it was waited for; so a stage that is given
 * back too early is seen whichever thread goes first. This is by warps: what
 * one lane does counts as known to the others of its warp. That may hide a
 * mistake, and never makes one up.
 */
#ifndef SIMT_HOPPER_STATE_H
#define SIMT_HOPPER_STATE_H

#include "device.h"

enum {
    HOPPER_WARPS = SIMT_MAX_THREADS / SIMT_WARP,
    HOPPER_GROUP = 128, /* threads of a warpgroup */
    HOPPER_GROUPS = SIMT_MAX_THREADS / HOPPER_GROUP,
    HOPPER_GRANULE = 16,        /* bytes that are known of together */
    HOPPER_WINDOW = 256 * 1024, /* bytes that a descriptor can name */
    HOPPER_NAMED = 16,          /* barriers of bar.sync */
    HOPPER_DEPTH = 16           /* k of a multiplication in bf16 */
};

/* Up to which tick each warp is known. */
struct hopper_clock {
    uint32_t of[HOPPER_WARPS];
};

/* Where a call stands. */
struct hopper_line {
    const char *file;
    int line;
};

/* What of shared memory a copy or a multiplication uses: of each granule the
   last copy to it, by number from 1, and the last that reads it, by the
   warpgroup that began it: a multiplication's number from 1, negative for a
   copy from shared memory. And the thread, from 1, that stored there and has
   not called shared_written() since, or the tick of its warp when it did. */
struct hopper_granule {
    uint32_t load;
    int32_t reader[HOPPER_GROUPS];
    uint16_t unfenced;
    uint16_t fenced; /* the thread of fenced_at */
    uint32_t fenced_at;
};

/* What a CUtensorMap holds here. */
struct hopper_map {
    char *data;
    uint64_t apart;      /* bytes from row to row */
    uint32_t cols, rows; /* elements */
    uint32_t box_cols, box_rows;
    uint32_t element; /* bytes */
    uint32_t swizzle; /* bytes of a row that is swizzled; 16: none is */
};

/* A phase of a barrier: what those knew who completed it, and the ticks at
   which warps saw that it is complete; 0: not yet. */
struct hopper_phase {
    struct hopper_clock known, seen;
    int64_t announced; /* bytes */
};

struct hopper_barrier {
    unsigned address; /* number in shared memory, as of all that follows */
    int count, pending;
    int64_t bytes;      /* announced, and not there yet; or there too many */
    int64_t announced;  /* in this phase */
    uint32_t number;    /* of its phase, from 0 */
    size_t phase, last; /* the phase now, and the one before */
    struct hopper_clock told;         /* by those who arrived in this phase */
    struct hopper_line init, arrival; /* the last arrival; line 0: none */
    int init_thread, init_fenced;
    uint32_t init_tick;
};

/* A copy of a tile to shared memory. */
struct hopper_load {
    struct hopper_line at;
    const struct hopper_map *map;
    int thread, row, col;
    unsigned to, bytes;
    size_t barrier;
    size_t phase; /* of those of the block, that it counts in */
    int is_there;
};

/* A copy of a tile from shared memory. */
struct hopper_store {
    struct hopper_line at;
    const struct hopper_map *map;
    int thread, row, col;
    unsigned from, bytes;
    uint32_t batch; /* stores of the thread before */
    uint32_t done;  /* tick of its warp; 0: it still reads */
};

/* The sums of a warpgroup's threads that a multiplication works on. */
struct hopper_sums {
    float *d[HOPPER_GROUP];   /* NULL: not known yet */
    int columns;              /* a thread has half as many */
    float *value;             /* of thread t from t * columns / 2 on */
    char taken[HOPPER_GROUP]; /* 1: NaNs stand there in the meantime */
};

/* A multiplication of a warpgroup: D += A B, 64 x 16 by 16 x columns. */
struct hopper_product {
    struct hopper_line at;
    uint64_t a, b; /* descriptors */
    int columns;
    size_t sums;
    int came; /* threads */
    int is_done;
    uint32_t batch;                          /* commits before it */
    uint32_t done[HOPPER_GROUP / SIMT_WARP]; /* ticks of its warps; 0: none */
};

struct hopper_group {
    struct hopper_product *product;
    size_t products;
    struct hopper_sums *sums;
    size_t sum_count;
    struct hopper_thread {
        uint32_t begun, committed, fences;
        size_t done; /* products that it has waited for */
    } thread[HOPPER_GROUP];
};

/* What a thread waits for at SIMT_AT_HOPPER. */
struct hopper_wait {
    enum {
        HOPPER_FOR_BARRIER,
        HOPPER_FOR_NAMED,
        HOPPER_FOR_WGMMA
    } what;
    struct hopper_line at;
    size_t barrier; /* or the number of the named one */
    int parity;     /* or how many batches may be left */
};

struct hopper_named {
    int came, wanted;
    int owner;      /* the warpgroup that uses it, from 1; 0: none so far */
    uint32_t warps; /* a bit for each that came */
};

/* Of one block. Lists grow (base/memory.h). */
struct simt_hopper {
    struct hopper_clock clock[HOPPER_WARPS];
    int64_t base[HOPPER_WARPS]; /* tick of its step 0 (recorder.h) */
    struct hopper_barrier *barrier;
    size_t barriers;
    struct hopper_phase *phase;
    size_t phases;
    struct hopper_load *load;
    size_t loads, loads_there; /* all before are there */
    struct hopper_store *store;
    size_t stores, stores_done;
    struct hopper_group group[HOPPER_GROUPS];
    struct hopper_named named[HOPPER_NAMED];
    struct hopper_wait wait[SIMT_MAX_THREADS];
    /* The last wait of each warp for a barrier, and that one's phase then. */
    struct hopper_wait waited[HOPPER_WARPS];
    uint32_t waited_number[HOPPER_WARPS];
    uint32_t stored[SIMT_MAX_THREADS]; /* copies from shared memory begun */
    unsigned *unfenced; /* granules that threads have stored to */
    size_t unfenced_count;
    struct hopper_granule granule[HOPPER_WINDOW / HOPPER_GRANULE];
};

/* The state of the worker's block, made with the first call; ends the kernel
   without memory. */
struct simt_hopper *hopper_of(struct simt_worker *worker);

/* --- hopper_order.c ------------------------------------------------------- */

static inline int hopper_warp(int thread)
{
    return thread / SIMT_WARP;
}

/* The number of the thread that runs. */
static inline int hopper_self(const struct simt_worker *worker)
{
    return (int)(worker->current - worker->thread);
}

/* A new line in a list of the block's; ends the kernel without memory. Returns
   it, set to 0. */
void *hopper_add(struct simt_worker *worker, void *list, size_t *count,
                 size_t size);

/* Ends the kernel: says what the thread that runs does wrong there. */
void hopper_refuse(struct simt_worker *worker, enum simt_check check,
                   struct hopper_line at, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));

/* 1 if `warp` knows that tick of another one. */
int hopper_knows(const struct simt_hopper *h, int warp, int other,
                 uint32_t tick);

/* What the warp knows is told: its clock ticks. */
void hopper_tell(struct simt_worker *worker, int warp, struct hopper_clock *to);
void hopper_learn(struct simt_hopper *h, int warp,
                  const struct hopper_clock *known);

/* 1 if a warp knows that a copy's bytes are there. */
int hopper_has_come(const struct simt_hopper *h, int warp,
                    const struct hopper_load *load);

/* The number behind the last byte of shared memory. */
unsigned hopper_end(const struct simt_worker *worker);

/* Which byte that is, for a message: of dynamic shared memory, or of the static
   one if it lies there. */
unsigned hopper_byte(const struct simt_worker *worker, unsigned address);

/* The thread that runs is about to read, or to fill, the granule at `address`
   by a copy or a multiplication that goes on by itself. Ends the kernel with a
   message if that is a mistake. what: "copy", "wgmma()". */
void hopper_read(struct simt_worker *worker, unsigned address, const char *what,
                 struct hopper_line at);
void hopper_fill(struct simt_worker *worker, unsigned address,
                 struct hopper_line at);

/* The thread that runs waits. */
void hopper_wait_for(struct simt_worker *worker,
                     const struct hopper_wait *wait);

/* The block ends, and what that thread has begun there is under way. */
void hopper_ends(struct simt_worker *worker, int thread, struct hopper_line at,
                 const char *what);

/* Those of hopper_calls.h, which hopper_wait.c puts into the table. */
extern const struct simt_hopper_calls *hopper_calls;
void hopper_pass(struct simt_worker *worker);
void hopper_step(struct simt_worker *worker, int first_thread);
int hopper_orders(const struct simt_worker *worker, uint64_t mine,
                  uint64_t other);
int hopper_fills(const struct simt_worker *worker, uint64_t address);
void hopper_touch(struct simt_worker *worker, uint64_t key,
                  const uint64_t *address, uint32_t active);
void hopper_early(struct simt_worker *worker, uintptr_t code);

/* --- hopper_barrier.c ----------------------------------------------------- */

/* The barrier at that address, which the thread that runs may use; else ends
   the kernel with a message. */
size_t hopper_find(struct simt_worker *worker, unsigned address,
                   struct hopper_line at);

/* Bytes of a copy have come. */
void hopper_came(struct simt_worker *worker, size_t barrier, unsigned bytes);

/* Begins the next phase, if this one is complete. */
void hopper_complete(struct simt_worker *worker, struct hopper_barrier *b);

/* --- hopper_copy.c -------------------------------------------------------- */

/* The next copy that is under way for that barrier comes. 0: there is none. */
int hopper_deliver(struct simt_worker *worker, size_t barrier);

/* The element of an array that a granule holds: its first. 0: no copy has
   brought it. */
int hopper_source(const struct simt_worker *worker, unsigned address,
                  const struct hopper_load **load, int *row, int *col);

/* The bytes of a tile at `to` where piece 0 of its first row begins. */
static inline unsigned hopper_swizzle(unsigned address, unsigned swizzle)
{
    return address ^ ((address >> 7 & (swizzle / 16 - 1)) << 4);
}

/* The 18 bits of a number that a descriptor has. */
static inline unsigned hopper_short(unsigned address)
{
    return address & (HOPPER_WINDOW - 1);
}

/* --- hopper_wgmma.c ------------------------------------------------------- */

/* 1 if the thread's wait is over: then its sums are there. */
int hopper_multiplied(struct simt_worker *worker, int thread);

/* The first multiplication that keeps the thread waiting; NULL: none. */
const struct hopper_product *hopper_awaited(const struct simt_hopper *h,
                                            int thread);

/* Says what is still under way when the block ends. */
void hopper_wgmma_ends(struct simt_worker *worker);
void hopper_copies_end(struct simt_worker *worker);

#endif /* SIMT_HOPPER_STATE_H */
