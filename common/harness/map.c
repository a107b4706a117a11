#include "map.h"

#include "banks/banks.h"
#include "device_kind.h"
#include "base/language.h"
#include "base/print.h"
#include "base/words.h"
#include "base/wrap.h"
#include "simt/report.h"

#include <math.h>
#include <string.h>

/* --- one request: what it asks for ---------------------------------------- */

/* Where shared memory lies differs from one OS thread to the next, so its banks
   are counted from the beginning of the array: what is equal and what is not
   stays as it is. */
static void fill_banks(struct lab_request *r, const struct simt_access *a,
                       const uint64_t address[SIMT_LANES], enum banks_rule rule)
{
    const int is_store = a->kind != SIMT_LOAD;

    r->wavefronts = banks_schedule(rule, address, r->lanes, a->size, is_store,
                                   r->wavefront);
    r->wavefronts_ideal =
        banks_ideal(rule, address, r->lanes, a->size, is_store);
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        if (r->lanes >> lane & 1) {
            r->bank[lane] = (int)((r->offset[lane] + a->base % BANKS_WIDTH) /
                                  BANKS_WIDTH % (uint64_t)banks_count(rule));
        }
    }
}

void lab_request_fill(struct lab_request *r, const struct simt_access *access,
                      int lanes, int banks)
{
    uint64_t address[SIMT_LANES] = {0};
    int bytes;

    *r = (struct lab_request){.warp = access->thread / SIMT_LANES,
                              .array_bytes = access->extent};
    for (unsigned i = 0, before = 1; i < 3; before *= access->grid[i++]) {
        r->block[i] = (unsigned)(access->block / before % access->grid[i]);
        r->block_size[i] = access->block_size[i];
    }
    for (int i = 0; i < lanes; i++) {
        const int lane = access[i].thread % SIMT_LANES;

        if (access[i].array == access->array &&
            access[i].offset < access->extent) {
            r->lanes |= UINT32_C(1) << lane;
            r->offset[lane] = access[i].offset;
            address[lane] = access->base + access[i].offset;
        }
    }
    if (access->space == SIMT_SHARED) {
        fill_banks(r, access, address, banks == 16 ? BANKS_CC1 : BANKS_TODAY);
    } else if (access->space == SIMT_GLOBAL && r->lanes != 0) {
        r->sectors =
            simt_count_sectors(address, r->lanes, access->size, &bytes);
        r->sectors_ideal = (bytes + 31) / 32;
    }
}

/* --- one request: cells --------------------------------------------------- */

/* The first element that a lane asks for, by its number in the array. */
static uint64_t element_of(const struct lab_map *map, int lane)
{
    return map->request.offset[lane] / (uint64_t)map->element;
}

/* How many elements a lane asks for: 4 floats by a float4. */
static int elements_of_lane(const struct lab_map *map)
{
    return map->row.size > map->element ? map->row.size / map->element : 1;
}

static int has_lane(const struct lab_map *map, int lane)
{
    return (int)(map->request.lanes >> lane & 1);
}

/* A block's thread number in three dimensions. */
static void thread_of(const unsigned block[3], unsigned number,
                      unsigned thread[3])
{
    thread[0] = number % block[0];
    thread[1] = number / block[0] % block[1];
    thread[2] = number / block[0] / block[1];
}

void lab_map_csv_header(FILE *file)
{
    fputs("lab,device,m,n,k,kernel,file,line,space,kind,array,size,"
          "element_bytes,rows,cols,"
          "block_x,block_y,warp,nth,sectors,sectors_ideal,wavefronts,"
          "wavefronts_ideal,banks,lane,thread_x,thread_y,element,row,col,"
          "sector,bank,wavefront\n",
          file);
}

/* The number, or an empty cell. */
static double number_if(int known, long long value)
{
    return known ? (double)value : (double)NAN;
}

void lab_map_csv(FILE *file, const struct lab_map *map)
{
    const struct lab_request *r = &map->request;
    const struct simt_row *row = &map->row;
    const int shared = row->space == SIMT_SHARED, shaped = map->cols > 0;
    const int cols = shaped ? map->cols : 1;

    for (int lane = 0; lane < SIMT_LANES; lane++) {
        const long element = (long)element_of(map, lane);
        unsigned thread[3];

        if (!has_lane(map, lane))
            continue;
        thread_of(r->block_size, (unsigned)(r->warp * SIMT_LANES + lane),
                  thread);
        base_print(file, BASE_CSV,
                   "%s,%s,%d,%d,%d,%s,%s,%d,%s,%s,%s,%d,%d,%g,%g,%u,%u,%d,%d,",
                   map->lab, lab_device_kind(), map->shape.m, map->shape.n,
                   map->shape.k, row->kernel, row->file, row->line,
                   simt_space_name(row->space), simt_kind_name(row->kind),
                   row->array, row->size, map->element,
                   number_if(map->rows > 0, map->rows),
                   number_if(map->rows > 0, map->cols), r->block[0],
                   r->block[1], r->warp, map->nth);
        base_print(file, BASE_CSV, "%g,%g,%g,%g,%g,%d,%u,%u,%ld,%g,%g,%g,%g,%g",
                   number_if(!shared, r->sectors),
                   number_if(!shared, r->sectors_ideal),
                   number_if(shared, r->wavefronts),
                   number_if(shared, r->wavefronts_ideal),
                   number_if(shared, map->banks), lane, thread[0], thread[1],
                   element, number_if(shaped, element / cols),
                   number_if(shaped, element % cols),
                   number_if(!shared, (long long)(r->offset[lane] / 32)),
                   number_if(shared, r->bank[lane]),
                   number_if(shared, r->wavefront[lane]));
        fputc('\n', file);
    }
}

/* --- one request: words --------------------------------------------------- */

/* What is counted over the lanes, each value once. */
enum value {
    ELEMENTS,
    ROWS,
    COLUMNS,
    BANKS
};

/* nth: which of the elements that the lane asks for. */
static uint64_t lane_value(const struct lab_map *map, enum value what, int lane,
                           int nth)
{
    const uint64_t element = element_of(map, lane) + (uint64_t)nth;
    const uint64_t cols = map->cols > 0 ? (uint64_t)map->cols : 1;

    switch (what) {
    case ROWS:
        return element / cols;
    case COLUMNS:
        return element % cols;
    case BANKS:
        return (uint64_t)map->request.bank[lane];
    default:
        return element;
    }
}

static int different(const struct lab_map *map, enum value what)
{
    const int each = what == BANKS ? 1 : elements_of_lane(map);
    int count = 0;

    for (int at = 0; at < SIMT_LANES * each; at++) {
        int before = 0;

        if (!has_lane(map, at / each))
            continue;
        while (before < at &&
               !(has_lane(map, before / each) &&
                 lane_value(map, what, before / each, before % each) ==
                     lane_value(map, what, at / each, at % each)))
            before++;
        count += before == at;
    }
    return count;
}

static int lanes_of(const struct lab_map *map)
{
    int lanes = 0;

    for (int lane = 0; lane < SIMT_LANES; lane++)
        lanes += has_lane(map, lane);
    return lanes;
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* "16 rows and 2 columns", or nothing where the array's shape is unknown. */
static void say_shape(char *to, size_t size, const struct lab_map *map)
{
    const int rows = different(map, ROWS), cols = different(map, COLUMNS);

    to[0] = '\0';
    if (map->cols > 0) {
        snprintf(to, size, _(" in %d row%s and %d column%s of %s"), rows,
                 plural(rows), cols, plural(cols), map->row.array);
    }
}

static void tell_global(char *to, size_t size, const struct lab_map *map)
{
    const struct lab_request *r = &map->request;

    if (r->sectors > r->sectors_ideal) {
        snprintf(
            to, size,
            _("They lie in %d sectors of 32 bytes where %d would do: of %d "
              "bytes that are moved, %d are wanted."),
            r->sectors, r->sectors_ideal, 32 * r->sectors,
            different(map, ELEMENTS) * map->element);
    } else {
        snprintf(to, size,
                 _("They lie in %d sector%s of 32 bytes: fewer would not hold "
                   "them."),
                 r->sectors, plural(r->sectors));
    }
}

static void tell_shared(char *to, size_t size, const struct lab_map *map)
{
    const struct lab_request *r = &map->request;
    /* A lane of 8 or 16 bytes takes whole groups of banks, no two of which
       overlap: its address is a multiple of its size. */
    const int words =
        map->row.size > BANKS_WIDTH ? map->row.size / BANKS_WIDTH : 1;
    const int used = different(map, BANKS) * words;

    if (r->wavefronts > r->wavefronts_ideal) {
        snprintf(
            to, size,
            _("They lie in %d of %d banks. A bank gives one word a wavefront, so "
              "this takes %d wavefronts where %d would do."),
            used, map->banks, r->wavefronts, r->wavefronts_ideal);
    } else {
        snprintf(to, size,
                 _("They lie in %d of %d banks, and no bank is asked for two "
                   "words at once: %d wavefront%s, as few as can be."),
                 used, map->banks, r->wavefronts,
                 r->wavefronts == 1 ? "" : "s");
    }
}

void lab_map_tell(char *to, size_t size, const struct lab_map *map)
{
    static const char *const verb[] = {N_("loads"), N_("stores"),
                                       N_("changes")};
    const struct lab_request *r = &map->request;
    const int lanes = lanes_of(map), elements = different(map, ELEMENTS);
    char shape[240], cost[480], bytes[80] = "", each[80] = "";

    say_shape(shape, sizeof shape, map);
    if (map->row.size > map->element)
        snprintf(bytes, sizeof bytes, _(", %d bytes a lane"), map->row.size);
    if (map->element > BANKS_WIDTH)
        snprintf(each, sizeof each, _(" of %d bytes"), map->element);
    if (map->row.space == SIMT_SHARED) {
        tell_shared(cost, sizeof cost, map);
    } else {
        tell_global(cost, sizeof cost, map);
    }
    snprintf(to, size,
             _("Line %d %s %s: %d lane%s of warp %d of block (%u,%u) touch%s"),
             map->row.line, _(verb[map->row.kind]), map->row.array, lanes,
             plural(lanes), r->warp, r->block[0], r->block[1],
             lanes == 1 ? "es" : "");
    base_append(to, size, _(" %d element%s%s%s%s. %s"), elements,
                plural(elements), each, shape, bytes, cost);
}

/* --- footprints ----------------------------------------------------------- */

static const char *const by_name[LAB_BY] = {"thread", "warp", "block"};

static long elements_of(const struct lab_footprint *footprint, int array)
{
    return (long)footprint->array[array].rows * footprint->array[array].cols;
}

void lab_footprint_csv(FILE *file, const struct lab_footprint *footprint)
{
    fputs("lab,device,m,n,k,kernel,block_x,block_y,warp,thread_x,thread_y,"
          "array,rows,cols,row,col,by\n",
          file);
    for (int array = 0; array < LAB_FOOTPRINT_ARRAYS; array++) {
        for (long i = 0; i < elements_of(footprint, array); i++) {
            const struct lab_footprint *const f = footprint;
            const int by = f->array[array].by[i], cols = f->array[array].cols;

            if (by == LAB_BY)
                continue;
            base_print(file, BASE_CSV,
                       "%s,%s,%d,%d,%d,%s,%u,%u,%d,%u,%u,%s,%d,%d,%ld,%ld,%s\n",
                       f->lab, lab_device_kind(), f->shape.m, f->shape.n,
                       f->shape.k, f->kernel, f->block[0], f->block[1], f->warp,
                       f->thread[0], f->thread[1], f->array[array].name,
                       f->array[array].rows, cols, i / cols, i % cols,
                       by_name[by]);
        }
    }
}

void lab_footprint_tell(FILE *to, const struct lab_footprint *footprint)
{
    char who[LAB_BY][96];

    snprintf(who[0], sizeof who[0], _("thread (%u,%u)"), footprint->thread[0],
             footprint->thread[1]);
    snprintf(who[1], sizeof who[1], _("its warp, no. %d"), footprint->warp);
    snprintf(who[2], sizeof who[2], _("block (%u,%u)"), footprint->block[0],
             footprint->block[1]);
    fprintf(to, _("Elements in global memory that %s touches:\n"),
            footprint->kernel);
    base_cell(to, -20, "");
    for (int array = 0; array < LAB_FOOTPRINT_ARRAYS; array++)
        fprintf(to, "%10s", footprint->array[array].name);
    for (int by = 0; by < LAB_BY; by++) {
        fputs("\n  ", to);
        base_cell(to, -18, who[by]);
        for (int array = 0; array < LAB_FOOTPRINT_ARRAYS; array++) {
            long touched = 0;

            /* What a thread touches, its warp and its block touch. */
            for (long i = 0; i < elements_of(footprint, array); i++)
                touched += footprint->array[array].by[i] <= by;
            fprintf(to, "%10ld", touched);
        }
    }
    fputs("\n  ", to);
    base_cell(to, -18, _("the array has"));
    for (int array = 0; array < LAB_FOOTPRINT_ARRAYS; array++)
        fprintf(to, "%10ld", elements_of(footprint, array));
    fputc('\n', to);
}
