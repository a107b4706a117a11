/*
 * Multiplications of a warpgroup whose operands lie in shared memory (PTX ISA,
 * "wgmma"): D += A B in bf16 with sums in float. A is 64 x 16 with rows along
 * k, B is 16 x columns with rows along n.
 *
 * A descriptor has the address of the first element, bits 0 to 13, and two
 * distances, bits 16 to 29 and 32 to 45, all in units of 16 bytes, and in bits
 * 62 and 63 how rows are swizzled: 1, 2, 3 for 128, 64, 32 bytes. Eight rows of
 * so many bytes lie one behind the other; the second distance is that from 8
 * rows to the next, and the first that from the end of such a row to where it
 * goes on.
 */
#define _GNU_SOURCE
#include "hopper_state.h"
#include "lines.h"
#include "recorder.h"

#include <stdio.h>
#include <string.h>

enum {
    A_ROWS = HOPPER_GROUP / 2, /* of A and D */
    MOST_COLUMNS = 256
};

/* --- operands ------------------------------------------------------------- */

/* The bytes of a row that a descriptor swizzles. */
static unsigned swizzled(uint64_t descriptor)
{
    static const unsigned bytes[4] = {16, 128, 64, 32};

    return bytes[descriptor >> 62];
}

/* The number in shared memory of the element in row `row` of a tile, `along`
   bytes from its beginning. */
static unsigned place_of(const struct simt_worker *worker, uint64_t descriptor,
                         unsigned row, unsigned along)
{
    const unsigned width = swizzled(descriptor);
    const unsigned first = (unsigned)(descriptor & 0x3fff) << 4;
    const unsigned on = (unsigned)(descriptor >> 16 & 0x3fff) << 4;
    const unsigned down = (unsigned)(descriptor >> 32 & 0x3fff) << 4;
    const unsigned place =
        hopper_swizzle(first + along / width * on + row / 8 * down +
                           row % 8 * width + along % width,
                       width) &
        (HOPPER_WINDOW - 1);

    return place < hopper_short(simt_first_dynamic(worker))
               ? place
               : SIMT_SHARED_DYNAMIC + place;
}

static float bf16(const char *at)
{
    uint16_t half;
    uint32_t bits;
    float value;

    memcpy(&half, at, sizeof half);
    bits = (uint32_t)half << 16;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Loads an operand: rows x cols, of which a row lies along the tile's. */
static void load(float *to, const struct simt_worker *worker,
                 uint64_t descriptor, unsigned rows, unsigned cols)
{
    for (unsigned r = 0; r < rows; r++) {
        for (unsigned c = 0; c < cols; c += 8) {
            const char *at =
                simt_shared_pointer(place_of(worker, descriptor, r, 2 * c));

            for (unsigned i = 0; i < 8; i++)
                to[r * cols + c + i] = bf16(at + 2 * i);
        }
    }
}

/* Where thread t has its sum i: row and column of D. */
static void place_of_sum(int t, int i, int *row, int *col)
{
    *row = t / SIMT_WARP * 16 + t % SIMT_WARP / 4 + i / 2 % 2 * 8;
    *col = i / 4 * 8 + t % 4 * 2 + i % 2;
}

static void multiply(struct simt_worker *worker, struct hopper_group *group,
                     const struct hopper_product *p)
{
    const int columns = p->columns, each = columns / 2;
    float A[A_ROWS * HOPPER_DEPTH], B[HOPPER_DEPTH * MOST_COLUMNS];
    float D[A_ROWS * MOST_COLUMNS];
    float *const value = group->sums[p->sums].value;
    int row, col;

    load(A, worker, p->a, A_ROWS, HOPPER_DEPTH);
    load(B, worker, p->b, HOPPER_DEPTH, (unsigned)columns);
    memset(D, 0, sizeof D);
    for (int r = 0; r < A_ROWS; r++) {
        for (int k = 0; k < HOPPER_DEPTH; k++) {
            const float a = A[r * HOPPER_DEPTH + k];

            for (int c = 0; c < columns; c++)
                D[r * columns + c] += a * B[k * columns + c];
        }
    }
    for (int t = 0; t < HOPPER_GROUP; t++) {
        for (int i = 0; i < each; i++) {
            place_of_sum(t, i, &row, &col);
            value[t * each + i] += D[row * columns + col];
        }
    }
    if (simt_recording) {
        worker->recorder->flops +=
            2 * (uint64_t)A_ROWS * HOPPER_DEPTH * (uint64_t)columns;
    }
}

/* --- what it multiplies --------------------------------------------------- */

/* Notes what an operand reads, and looks whether it may be read. */
static void claim(struct simt_worker *worker, uint64_t descriptor,
                  unsigned rows, unsigned cols, int32_t number,
                  struct hopper_line at)
{
    struct simt_hopper *h = worker->hopper;
    const int group = hopper_self(worker) / HOPPER_GROUP;

    for (unsigned r = 0; r < rows; r++) {
        for (unsigned c = 0; c < cols; c += 8) {
            const unsigned place = place_of(worker, descriptor, r, 2 * c);

            if (place + HOPPER_GRANULE > hopper_end(worker)) {
                hopper_refuse(
                    worker, SIMT_BOUNDS, at,
                    "multiplies by this wgmma() what is at byte %u of "
                    "shared memory, which has %zu bytes.",
                    hopper_byte(worker, place),
                    worker->grid->launch->dynamic_shared);
            }
            hopper_read(worker, place, "wgmma()", at);
            h->granule[hopper_short(place) / HOPPER_GRANULE].reader[group] =
                number;
        }
    }
}

/* An element of an operand, and of which array it was copied. */
struct element {
    int operand_row, operand_col; /* in the operand */
    int row, col;                 /* in the array */
    const char *array;
};

/* 1 if a copy has brought it. An array without a name, as one that a matrix was
   copied to first, is called by the operand. */
static int find_element(const struct simt_worker *worker, uint64_t descriptor,
                        unsigned row, unsigned col, const char *operand,
                        struct element *e)
{
    const unsigned place = place_of(worker, descriptor, row, 2 * col);
    const struct hopper_load *load = NULL;

    *e = (struct element){.operand_row = (int)row, .operand_col = (int)col};
    if (!hopper_source(worker, place, &load, &e->row, &e->col))
        return 0;
    e->array = simt_array_name(worker->grid->launch->kernel,
                               simt_memory_number(load->map->data));
    if (strlen(e->array) != 1 || e->array[0] == '?')
        e->array = operand;
    return 1;
}

static void tell_mixed(struct simt_worker *worker, struct hopper_line at,
                       const struct element *a, const struct element *b)
{
    char words[600], lines[800], text[1200];

    snprintf(words, sizeof words,
             "This wgmma() multiplies %s[%d][%d] by %s[%d][%d]. A product of "
             "matrices multiplies A[i][k] by B[k][j] alone. They are what its "
             "descriptors and the swizzle have for element (%d, %d) of the 64 "
             "x 16 and element (%d, %d) of the 16 x n.",
             a->array, a->row, a->col, b->array, b->row, b->col, a->operand_row,
             a->operand_col, b->operand_row, b->operand_col);
    simt_fill_lines(lines, sizeof lines, words);
    snprintf(text, sizeof text, "%.200s:%d: %s\n%s\n    In kernel %.80s.\n",
             at.file, at.line, simt_check_name[SIMT_OPERANDS], lines,
             worker->grid->launch->kernel);
    simt_tell(worker, SIMT_OPERANDS, at.file, at.line, text, 0);
}

/*
 * Where arrays are called A and B, C is to be their product (lab.h): then what
 * is multiplied must be of one k. The first two elements for which it is not
 * are told, once a launch; the kernel goes on.
 */
static void look_at_pairs(struct simt_worker *worker,
                          const struct hopper_product *p)
{
    int none = 0;
    struct element a, b;

    if (!simt_memory_is_named("A", 0) || !simt_memory_is_named("B", 0))
        return;
    for (unsigned i = 0; i < A_ROWS * HOPPER_DEPTH; i++) {
        const unsigned r = i / HOPPER_DEPTH, k = i % HOPPER_DEPTH;

        /* A piece of 8 elements has one place in A; B has a row for each k. */
        if (!find_element(worker, p->a, r, k / 8 * 8, "A", &a))
            return;
        a.col += (int)(k % 8);
        a.operand_col = (int)k;
        for (unsigned c = 0; c < (r == 0 ? (unsigned)p->columns : 8); c += 8) {
            if (!find_element(worker, p->b, k, c, "B", &b))
                return;
            if (a.col == b.row && strcmp(a.array, b.array) != 0)
                continue;
            if (atomic_compare_exchange_strong(&worker->grid->is_mixed, &none,
                                               1))
                tell_mixed(worker, p->at, &a, &b);
            return;
        }
    }
}

/* --- beginning ------------------------------------------------------------ */

/* The sums at d, of thread t of the group; new ones if it has none there. */
static size_t find_sums(struct simt_worker *worker, struct hopper_group *group,
                        int t, float *d, int columns, size_t known)
{
    struct hopper_sums *sums;
    size_t at = known, none = 0;

    for (size_t i = 0; i < group->sum_count; i++) {
        if (group->sums[i].d[t] == d && group->sums[i].columns == columns)
            at = i;
    }
    if (at == SIZE_MAX) {
        sums =
            hopper_add(worker, &group->sums, &group->sum_count, sizeof *sums);
        sums->columns = columns;
        hopper_add(worker, &sums->value, &none,
                   HOPPER_GROUP * (size_t)columns / 2 * sizeof(float));
        at = group->sum_count - 1;
    }
    group->sums[at].d[t] = d;
    return at;
}

/* From now on the sums are not the thread's. */
static void take_sums(struct simt_worker *worker, struct hopper_sums *sums,
                      int t)
{
    const size_t bytes = (size_t)sums->columns / 2 * sizeof(float);

    if (sums->taken[t])
        return;
    sums->taken[t] = 1;
    memcpy(sums->value + (size_t)t * (size_t)sums->columns / 2, sums->d[t],
           bytes);
    memset(sums->d[t], 0xFF, bytes);
    worker->current->taken = (uintptr_t)sums->d[t];
    worker->current->taken_bytes = bytes;
}

/* done: products that the thread has waited for. */
static void count(struct simt_worker *worker, const struct hopper_group *group,
                  const struct hopper_product *p, size_t done)
{
    if (!simt_recording)
        return;
    worker->recorder->products++;
    worker->recorder->products_overlapped +=
        group->product[done].batch < p->batch;
}

static struct hopper_thread *own_thread(struct simt_worker *worker)
{
    const int self = hopper_self(worker);

    return &hopper_of(worker)
                ->group[self / HOPPER_GROUP]
                .thread[self % HOPPER_GROUP];
}

void simt_wgmma_fence(void)
{
    own_thread(simt_self)->fences++;
}

void simt_wgmma_commit(void)
{
    own_thread(simt_self)->committed++;
}

void simt_wgmma(float *d, int columns, uint64_t a, uint64_t b, const char *file,
                int line)
{
    struct simt_worker *worker = simt_self;
    struct simt_hopper *h = hopper_of(worker);
    const struct hopper_line at = {file, line};
    const int self = hopper_self(worker), t = self % HOPPER_GROUP;
    struct hopper_group *group = &h->group[self / HOPPER_GROUP];
    const size_t number = group->thread[t].begun;
    struct hopper_product *p;
    int is_first;

    if (self / HOPPER_GROUP * HOPPER_GROUP + HOPPER_GROUP >
        worker->grid->threads) {
        hopper_refuse(worker, SIMT_ASSERTION, at,
                      "multiplies by wgmma(), and the block has less than "
                      "the 128 threads of a warpgroup from there on.");
    }
    if (group->thread[t].fences == 0) {
        hopper_refuse(
            worker, SIMT_EARLY, at,
            "multiplies by wgmma() without a wgmma_begin() before: the "
            "sums that the thread has set need not be there yet.");
    }
    is_first = number == group->products;
    if (is_first) {
        p = hopper_add(worker, &group->product, &group->products, sizeof *p);
        p->at = at;
        p->a = a;
        p->b = b;
        p->columns = columns;
        p->batch = group->thread[t].committed;
        p->sums = SIZE_MAX;
    }
    p = &group->product[number];
    if (p->a != a || p->b != b || p->columns != columns) {
        hopper_refuse(worker, SIMT_ASSERTION, at,
                      "multiplies by wgmma() another tile than other "
                      "threads of its warpgroup: all must give the same "
                      "descriptors.");
    }
    p->sums = find_sums(worker, group, t, d, columns, p->sums);
    if (t % SIMT_WARP == 0 || p->came == 0) {
        claim(worker, a, A_ROWS, HOPPER_DEPTH, (int32_t)number + 1, at);
        claim(worker, b, HOPPER_DEPTH, (unsigned)columns, (int32_t)number + 1,
              at);
    }
    if (is_first) {
        look_at_pairs(worker, p);
        count(worker, group, p, group->thread[t].done);
    }
    take_sums(worker, &group->sums[p->sums], t);
    p->came++;
    group->thread[t].begun++;
}

void simt_wgmma_wait(int left, const char *file, int line)
{
    struct simt_worker *worker = simt_self;

    hopper_of(worker);
    hopper_wait_for(worker, &(struct hopper_wait){.what = HOPPER_FOR_WGMMA,
                                                  .at = {file, line},
                                                  .parity = left});
}

/* --- the end -------------------------------------------------------------- */

const struct hopper_product *hopper_awaited(const struct simt_hopper *h,
                                            int thread)
{
    const struct hopper_group *group = &h->group[thread / HOPPER_GROUP];
    const int t = thread % HOPPER_GROUP;

    for (size_t i = group->thread[t].done; i < group->thread[t].begun; i++) {
        const struct hopper_product *p = &group->product[i];

        if (p->batch + (unsigned)h->wait[thread].parity >=
            group->thread[t].committed)
            return NULL;
        if (p->came < HOPPER_GROUP)
            return p;
    }
    return NULL;
}

/* Gives a thread back the sums that nothing works on any more. */
static void give_sums(struct simt_worker *worker, struct hopper_group *group,
                      int thread)
{
    const int t = thread % HOPPER_GROUP;

    for (size_t s = 0; s < group->sum_count; s++) {
        struct hopper_sums *sums = &group->sums[s];
        const size_t bytes = (size_t)sums->columns / 2 * sizeof(float);
        int is_used = 0;

        for (size_t i = group->thread[t].done; i < group->thread[t].begun; i++)
            is_used |= group->product[i].sums == s;
        if (is_used || !sums->taken[t])
            continue;
        sums->taken[t] = 0;
        memcpy(sums->d[t], sums->value + (size_t)t * (size_t)sums->columns / 2,
               bytes);
        if (worker->thread[thread].taken == (uintptr_t)sums->d[t])
            worker->thread[thread].taken_bytes = 0;
    }
}

int hopper_multiplied(struct simt_worker *worker, int thread)
{
    struct simt_hopper *h = worker->hopper;
    struct hopper_group *group = &h->group[thread / HOPPER_GROUP];
    const int t = thread % HOPPER_GROUP, warp = hopper_warp(thread);

    if (hopper_awaited(h, thread) != NULL)
        return 0;
    while (group->thread[t].done < group->thread[t].begun) {
        struct hopper_product *p = &group->product[group->thread[t].done];

        if (p->batch + (unsigned)h->wait[thread].parity >=
            group->thread[t].committed)
            break;
        if (!p->is_done)
            multiply(worker, group, p);
        p->is_done = 1;
        if (p->done[t / SIMT_WARP] == 0)
            p->done[t / SIMT_WARP] = h->clock[warp].of[warp];
        group->thread[t].done++;
    }
    give_sums(worker, group, thread);
    return 1;
}

void hopper_early(struct simt_worker *worker, uintptr_t code)
{
    const struct simt_hopper *h = worker->hopper;
    const int self = hopper_self(worker), t = self % HOPPER_GROUP;
    const struct hopper_group *group = &h->group[self / HOPPER_GROUP];
    const struct hopper_product *p =
        &group->product[group->thread[t].begun - 1];
    const int is_committed = p->batch < group->thread[t].committed;
    struct hopper_line at = {"", 0};

    simt_line_of(code, &at.file, &at.line);
    simt_report(
        worker, SIMT_EARLY, cudaErrorLaunchFailure, at.file, at.line,
        "uses a sum that the wgmma() of line %d still works on. %s", p->at.line,
        is_committed ? "No wgmma_wait() has waited for that batch yet."
                     : "No wgmma_commit() follows it, so no wgmma_wait() waits "
                       "for it.");
    simt_abandon_block(worker);
}

void hopper_wgmma_ends(struct simt_worker *worker)
{
    const struct simt_hopper *h = worker->hopper;

    for (int i = 0; i < worker->grid->threads; i++) {
        const struct hopper_group *group = &h->group[i / HOPPER_GROUP];
        const size_t done = group->thread[i % HOPPER_GROUP].done;

        if (done < group->thread[i % HOPPER_GROUP].begun) {
            hopper_ends(worker, i, group->product[done].at,
                        "ends while this wgmma() is under way: no wgmma_wait() "
                        "has waited for it.");
        }
    }
}
