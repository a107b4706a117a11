/*
 * Copies of tiles between global and shared memory that one thread begins (PTX
 * ISA, "cp.async.bulk.tensor"), and the maps that describe the matrices (CUDA
 * Driver API, "Tensor Map Object Management").
 */
#define _GNU_SOURCE
#include "hopper_state.h"
#include "include/cuda.h"
#include "recorder.h"

#include <string.h>

/* --- maps ----------------------------------------------------------------- */

/* By CUtensorMapDataType; the last is TFLOAT32. */
static const unsigned char element_bytes[] = {1, 2, 4, 4, 8, 8,
                                              2, 4, 8, 2, 4, 4};

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type,
                                cuuint32_t rank, void *data,
                                const cuuint64_t *size, const cuuint64_t *apart,
                                const cuuint32_t *box, const cuuint32_t *every,
                                CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill)
{
    const unsigned element =
        type < sizeof element_bytes ? element_bytes[type] : 0;
    const unsigned swizzled = 16U << swizzle; /* bytes of a row: 16 to 128 */
    struct hopper_map m;
    unsigned row;

    (void)promotion;
    _Static_assert(sizeof m <= sizeof map->opaque, "it holds what a map is");
    if (map == NULL || rank != 2 || element == 0 || swizzled > 128 ||
        interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
        fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || every[0] != 1 ||
        every[1] != 1)
        return CUDA_ERROR_INVALID_VALUE;
    row = box[0] * element;
    if ((uintptr_t)data % 16 != 0 || apart[0] % 16 != 0 || size[0] < 1 ||
        size[1] < 1 || size[0] >> 32 != 0 || size[1] >> 32 != 0 ||
        apart[0] < size[0] * element || box[0] < 1 || box[0] > 256 ||
        box[1] < 1 || box[1] > 256 || row % 16 != 0 ||
        (swizzled > 16 && row > swizzled))
        return CUDA_ERROR_INVALID_VALUE;
    m = (struct hopper_map){
        data,   apart[0], (uint32_t)size[0], (uint32_t)size[1],
        box[0], box[1],   element,           swizzled};
    memset(map, 0, sizeof *map);
    memcpy(map->opaque, &m, sizeof m);
    return CUDA_SUCCESS;
}

cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                 unsigned version, unsigned long long flags,
                                 enum cudaDriverEntryPointQueryResult *found)
{
    const int is_there = strcmp(name, "cuTensorMapEncodeTiled") == 0;

    (void)version;
    (void)flags;
    *function = is_there ? (void *)(uintptr_t)cuTensorMapEncodeTiled : NULL;
    *found = is_there ? cudaDriverEntryPointSuccess
                      : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}

static const struct hopper_map *map_of(const CUtensorMap *map)
{
    return (const struct hopper_map *)(const void *)map->opaque;
}

/* Bytes of a tile. */
static unsigned tile_bytes(const struct hopper_map *map)
{
    return map->box_cols * map->element * map->box_rows;
}

/* Where byte `at` of a tile lies that begins at an address. */
static unsigned place_of(const struct hopper_map *map, unsigned begin,
                         unsigned at)
{
    return hopper_swizzle(begin + at, map->swizzle);
}

/* --- the bytes ------------------------------------------------------------ */

/* Calls move for each piece of the tile that lies in the matrix: `inside` of
   its 16 bytes do, behind `before` that do not. */
static void go_through(const struct hopper_map *map, unsigned begin, int row,
                       int col,
                       void (*move)(char *shared, char *global, size_t before,
                                    size_t inside))
{
    const unsigned pitch = map->box_cols * map->element;

    for (unsigned r = 0; r < map->box_rows; r++) {
        for (unsigned at = 0; at < pitch; at += 16) {
            char *const shared =
                simt_shared_pointer(place_of(map, begin, r * pitch + at));
            const int64_t first = (int64_t)col * map->element + at;
            const int64_t width = (int64_t)map->cols * map->element;
            const int64_t y = (int64_t)row + r;
            const int64_t from = first < 0 ? 0 : first;
            const int64_t to = first + 16 < width ? first + 16 : width;

            if (y < 0 || y >= map->rows || from >= to) {
                move(shared, NULL, 0, 0);
            } else {
                move(shared, map->data + (uint64_t)y * map->apart + from,
                     (size_t)(from - first), (size_t)(to - from));
            }
        }
    }
}

/* What is not in the matrix is zeros. */
static void bring(char *shared, char *global, size_t before, size_t inside)
{
    memset(shared, 0, 16);
    if (inside > 0)
        memcpy(shared + before, global, inside);
}

static void take(char *shared, char *global, size_t before, size_t inside)
{
    if (inside > 0) {
        memcpy(global, shared + before, inside);
        if (simt_recording)
            simt_memory_written(global, inside);
    }
}

/* --- beginning ------------------------------------------------------------ */

/* Ends the kernel if that is no tile in shared memory, or its matrix is not in
   global memory. */
static void look_at(struct simt_worker *worker, const struct hopper_map *map,
                    unsigned address, struct hopper_line at)
{
    if (map->element == 0) {
        hopper_refuse(
            worker, SIMT_ASSERTION, at,
            "copies a tile by a map that cuTensorMapEncodeTiled() has not "
            "made.");
    }
    if (address % 128 != 0) {
        hopper_refuse(
            worker, SIMT_ALIGNMENT, at,
            "copies a tile whose place in shared memory is no multiple of "
            "128 bytes.");
    }
    if (address + tile_bytes(map) > hopper_end(worker) ||
        address < SIMT_SHARED_DYNAMIC) {
        hopper_refuse(
            worker, SIMT_BOUNDS, at,
            "copies a tile whose place does not lie in dynamic shared "
            "memory.");
    }
    if (!simt_memory_valid(map->data, (map->rows - 1) * map->apart +
                                          (size_t)map->cols * map->element)) {
        hopper_refuse(
            worker, SIMT_ADDRESS, at,
            "copies a tile of a matrix that is not in the device's memory.");
    }
}

void simt_tile_load(unsigned to, const CUtensorMap *map, int row, int col,
                    unsigned barrier, const char *file, int line)
{
    struct simt_worker *worker = simt_self;
    struct simt_hopper *h = hopper_of(worker);
    const struct hopper_line at = {file, line};
    const struct hopper_map *m = map_of(map);
    const size_t found = hopper_find(worker, barrier, at);
    struct hopper_load *load;

    simt_drain(worker);
    look_at(worker, m, to, at);
    if (!h->barrier[found].init_fenced) {
        hopper_refuse(
            worker, SIMT_RACE_SHARED, at,
            "begins a copy that counts its bytes at a barrier which copies "
            "need not see yet: barrier_init_done() must follow the last "
            "barrier_init().");
    }
    for (unsigned i = 0; i < tile_bytes(m); i += HOPPER_GRANULE)
        hopper_fill(worker, to + i, at);
    load = hopper_add(worker, &h->load, &h->loads, sizeof *load);
    *load = (struct hopper_load){.at = at,
                                 .map = m,
                                 .thread = hopper_self(worker),
                                 .row = row,
                                 .col = col,
                                 .to = to,
                                 .bytes = tile_bytes(m),
                                 .barrier = found};
    for (unsigned i = 0; i < load->bytes; i += HOPPER_GRANULE) {
        h->granule[hopper_short(to + i) / HOPPER_GRANULE].load =
            (uint32_t)h->loads;
    }
    memset(simt_shared_pointer(to), 0xFF, load->bytes);
    if (simt_recording)
        worker->recorder->bulk_bytes += load->bytes;
}

int hopper_deliver(struct simt_worker *worker, size_t barrier)
{
    struct simt_hopper *h = worker->hopper;

    while (h->loads_there < h->loads && h->load[h->loads_there].is_there)
        h->loads_there++;
    for (size_t i = h->loads_there; i < h->loads; i++) {
        struct hopper_load *load = &h->load[i];

        if (load->is_there || load->barrier != barrier)
            continue;
        load->is_there = 1;
        load->phase = h->barrier[barrier].phase;
        go_through(load->map, load->to, load->row, load->col, bring);
        hopper_came(worker, barrier, load->bytes);
        return 1;
    }
    return 0;
}

int hopper_source(const struct simt_worker *worker, unsigned address,
                  const struct hopper_load **load, int *row, int *col)
{
    const struct simt_hopper *h = worker->hopper;
    const uint32_t number =
        h->granule[hopper_short(address) / HOPPER_GRANULE].load;
    const struct hopper_load *l = number > 0 ? &h->load[number - 1] : NULL;
    unsigned at, pitch;

    if (l == NULL)
        return 0;
    at = hopper_swizzle(address, l->map->swizzle) - l->to;
    pitch = l->map->box_cols * l->map->element;
    *load = l;
    *row = l->row + (int)(at / pitch);
    *col = l->col + (int)(at % pitch / l->map->element);
    return 1;
}

/* --- copies from shared memory -------------------------------------------- */

void simt_tile_store(const CUtensorMap *map, int row, int col, unsigned from,
                     const char *file, int line)
{
    struct simt_worker *worker = simt_self;
    struct simt_hopper *h = hopper_of(worker);
    const struct hopper_line at = {file, line};
    const struct hopper_map *m = map_of(map);
    const int self = hopper_self(worker);
    struct hopper_store *store;

    simt_drain(worker);
    look_at(worker, m, from, at);
    for (unsigned i = 0; i < tile_bytes(m); i += HOPPER_GRANULE)
        hopper_read(worker, from + i, "copy", at);
    store = hopper_add(worker, &h->store, &h->stores, sizeof *store);
    *store = (struct hopper_store){.at = at,
                                   .map = m,
                                   .thread = self,
                                   .row = row,
                                   .col = col,
                                   .from = from,
                                   .bytes = tile_bytes(m),
                                   .batch = h->stored[self]++};
    for (unsigned i = 0; i < store->bytes; i += HOPPER_GRANULE) {
        h->granule[hopper_short(from + i) / HOPPER_GRANULE]
            .reader[self / HOPPER_GROUP] = -(int32_t)h->stores;
    }
}

/* What the thread that runs copies from shared memory, but for the last `left`,
   is read, and written too. */
void simt_tile_wait(unsigned left)
{
    struct simt_worker *worker = simt_self;
    struct simt_hopper *h = hopper_of(worker);
    const int self = hopper_self(worker);
    const uint32_t begun = h->stored[self];

    while (h->stores_done < h->stores && h->store[h->stores_done].done != 0)
        h->stores_done++;
    for (size_t i = h->stores_done; i < h->stores; i++) {
        struct hopper_store *s = &h->store[i];

        if (s->thread != self || s->done != 0 || s->batch + left >= begun)
            continue;
        go_through(s->map, s->from, s->row, s->col, take);
        s->done = h->clock[hopper_warp(self)].of[hopper_warp(self)];
        if (simt_recording)
            worker->recorder->stores += s->bytes / 4;
    }
}

void hopper_copies_end(struct simt_worker *worker)
{
    const struct simt_hopper *h = worker->hopper;

    for (size_t i = 0; i < h->stores; i++) {
        if (h->store[i].done == 0) {
            hopper_ends(worker, h->store[i].thread, h->store[i].at,
                        "ends while this tile_store() still reads shared "
                        "memory, which is taken from the block then: the "
                        "thread that began it must call tile_store_wait().");
        }
    }
    for (size_t i = 0; i < h->loads; i++) {
        if (!h->load[i].is_there) {
            hopper_ends(worker, h->load[i].thread, h->load[i].at,
                        "begins a tile_load() that nobody waits for: the block "
                        "ends while it still fills shared memory.");
        }
    }
}
