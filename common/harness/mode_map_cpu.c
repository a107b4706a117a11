/* Which lane of a warp touches what? For --map: it chooses a request of the
   program and writes it for a plot. */
#define _POSIX_C_SOURCE 200809L
/*
 * Maps and footprints: a first run counts and tells which accesses cost most;
 * the same run is then repeated for each of them and keeps one request, or what
 * one thread touches.
 */
#include "program.h"

#include "call_check.h"
#include "device_kind.h"
#include "map.h"
#include "base/replace_file.h"
#include "base/language.h"
#include "base/wrap.h"
#include "screen.h"
#include "simt/lines.h"
#include "simt/report_sums.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPACES = 2,      /* global and shared */
    MOST_PLACES = 32 /* of accesses, that a message lists */
};

/* Small enough that every element of A, B and C can be seen; not square; each
   side is several tiles: those of lab 07 are 16 x 64. The second is for labs
   whose tile is larger than a side of the first, up to 128 x 128. */
static const struct course_shape drawn[] = {{32, 128, 64}, {128, 256, 64}};

/* One kernel of a lab, and the row of its costliest access to a memory. */
struct choice {
    const struct course_entry *entry; /* NULL: none yet */
    struct simt_row row;
    char kernel[256], array[64]; /* row's */
    unsigned grid[3], block[3];
};

struct mapping {
    struct lab_program *program;
    struct course_shape shape;
    struct choice access[SPACES], any; /* any: whose footprint is drawn */
    struct lab_map map[SPACES];
    int maps;
    struct {
        int line;
        char array[64];
    } place[MOST_PLACES]; /* where there are accesses at all */
    int places;
};

/* --- which access --------------------------------------------------------- */

static uint64_t excess(const struct simt_row *row)
{
    return simt_row_sectors_or_wavefronts(row) - simt_row_ideal(row);
}

/* Where nothing in shared memory costs more than it has to, a store is drawn
   rather than a load, and the last of them: that is where the layout of a tile
   shows, and a lab's last kernel is the one that is made for it. */
static int costs_more(const struct simt_row *row, const struct simt_row *than)
{
    const uint64_t cost = simt_row_sectors_or_wavefronts(row),
                   most = simt_row_sectors_or_wavefronts(than);

    if (excess(row) != excess(than))
        return excess(row) > excess(than);
    if (row->space == SIMT_GLOBAL)
        return cost > most;
    return row->kind != than->kind ? row->kind == SIMT_STORE : cost >= most;
}

/* Keeps the row and how its kernel was launched. */
static void choose_row(struct choice *choice, const struct course_entry *entry,
                       const struct simt_row *row,
                       const struct simt_count *count)
{
    choice->entry = entry;
    choice->row = *row;
    snprintf(choice->kernel, sizeof choice->kernel, "%s", row->kernel);
    snprintf(choice->array, sizeof choice->array, "%s", row->array);
    choice->row.kernel = choice->kernel;
    choice->row.array = choice->array;
    for (size_t i = count->launches; i-- > 0;) {
        if (strcmp(count->launch[i].kernel, row->kernel) != 0)
            continue;
        memcpy(choice->grid, count->launch[i].grid, sizeof choice->grid);
        memcpy(choice->block, count->launch[i].block, sizeof choice->block);
    }
}

/* Notes that the line accesses the array; places are kept in lines' order. */
static void note_place(struct mapping *m, const struct simt_row *row)
{
    int at = m->places;

    for (int i = 0; i < m->places; i++) {
        if (m->place[i].line == row->line &&
            strcmp(m->place[i].array, row->array) == 0)
            return;
    }
    if (m->places == MOST_PLACES)
        return;
    m->places++;
    for (; at > 0 && m->place[at - 1].line > row->line; at--)
        m->place[at] = m->place[at - 1];
    m->place[at].line = row->line;
    snprintf(m->place[at].array, sizeof m->place[at].array, "%s", row->array);
}

static int is_asked_for(const struct lab_options *o, const struct simt_row *row)
{
    return (o->map_line == 0 || o->map_line == row->line) &&
           (o->map_array == NULL || strcmp(o->map_array, row->array) == 0);
}

/* Looks through what one entry's run counted. */
static void choose_among(struct mapping *m, const struct course_entry *entry,
                         const struct simt_count *count)
{
    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];
        struct choice *access;

        if (row->space != SIMT_GLOBAL && row->space != SIMT_SHARED)
            continue;
        note_place(m, row);
        if (!is_asked_for(&m->program->options, row))
            continue;
        access = &m->access[row->space == SIMT_SHARED];
        if (access->entry == NULL || costs_more(row, &access->row))
            choose_row(access, entry, row, count);
        if (m->any.entry == NULL)
            choose_row(&m->any, entry, row, count);
    }
}

/* There is no access as it was asked for: says where there are some. */
static void say_places(struct mapping *m)
{
    struct lab_program *p = m->program;
    const struct lab_options *o = &p->options;
    FILE *why = fmemopen(p->why, sizeof p->why, "w");

    if (why == NULL) {
        snprintf(p->why, sizeof p->why, "%s", strerror(errno));
        return;
    }
    fprintf(why, "no kernel accesses %s%.40s",
            o->map_array != NULL ? "an array " : "",
            o->map_array != NULL ? o->map_array : "memory");
    if (o->map_line > 0)
        fprintf(why, " on line %d of %s", o->map_line, lab_info.source);
    for (int i = 0; i < m->places; i++) {
        const int same = i > 0 && m->place[i].line == m->place[i - 1].line;

        fputs(i == 0 ? " (choose one of: " : same ? ", " : "; ", why);
        if (!same)
            fprintf(why, "line %d ", m->place[i].line);
        fputs(m->place[i].array, why);
    }
    fputs(m->places > 0 ? ")" : "", why);
    fclose(why); /* what is too long is cut */
}

/* --- first run: what there is --------------------------------------------- */

/* 1 if a kernel's tile is as high as C: a thread may be outside of C then. */
static int has_one_block_of_rows(const struct mapping *m)
{
    return m->any.entry != NULL && m->any.grid[1] == 1;
}

/* Runs and judges each kernel at the size, and chooses among its accesses.
   Returns 0, 1 if a kernel is wrong, or -1 with why. */
static int record_kernels(struct mapping *m)
{
    struct lab_program *p = m->program;

    for (int i = 0; i < lab_info.lab->entries; i++) {
        const struct course_entry *entry = &lab_info.lab->entry[i];
        struct simt_count count;
        int wrong;

        if (!course_is_launch(entry))
            continue;
        wrong = lab_examine(p, entry, m->shape, LAB_CHECK);
        if (wrong != 0)
            return wrong;
        if (lab_count_end(&count) != 0) {
            snprintf(p->why, sizeof p->why, "the counters cannot be read: %s",
                     strerror(errno));
            return -1;
        }
        choose_among(m, entry, &count);
    }
    if (m->any.entry == NULL) {
        say_places(m);
        return -1;
    }
    return 0;
}

/* --- further runs: what is kept ------------------------------------------- */

/* Runs the entry once more, which was right before, and logs what passes the
   filter. In order: blocks follow each other on one OS thread. */
static int run_again(struct mapping *m, const struct choice *choice,
                     const struct simt_filter *filter)
{
    struct lab_program *p = m->program;
    const struct lab_layout layout =
        lab_problem_layout(lab_info.problem, m->shape);
    struct lab_outcome outcome = {0};
    struct lab_buffers b;
    struct simt_log *log = NULL;
    int result = -1;

    if (lab_buffers_new(&b, m->shape, &layout, p->options.seed, 1, LAB_FP32,
                        p->why, sizeof p->why) != 0)
        return -1;
    lab_problem_fill(lab_info.problem, b.filled, &layout, p->options.seed);
    if (lab_buffers_reset(&b, COURSE_LAUNCH, p->why, sizeof p->why) == 0) {
        lab_device_settings(1, p->options.seed, p->options.banks == 1 ? 1 : 9);
        log = simt_log_begin(filter);
        if (log == NULL) {
            snprintf(p->why, sizeof p->why, "out of memory");
        } else if (lab_run_call(choice->entry, &b, &outcome) == 0) {
            result = 0;
        } else {
            snprintf(p->why, sizeof p->why, "right at first, but then: %.300s",
                     outcome.wrong);
        }
    }
    simt_log_free(log);
    lab_buffers_free(&b);
    return result;
}

/* Rows and columns of A, B or C. Returns 0, or -1 if that is no matrix. */
static int matrix_shape(struct course_shape shape, const char *name, int *rows,
                        int *cols)
{
    const struct {
        const char *name;
        int rows, cols;
    } matrix[] = {{"A", shape.m, shape.k},
                  {"B", shape.k, shape.n},
                  {"C", shape.m, shape.n}};

    for (int i = 0; i < 3; i++) {
        if (strcmp(matrix[i].name, name) == 0) {
            *rows = matrix[i].rows;
            *cols = matrix[i].cols;
            return 0;
        }
    }
    return -1;
}

/* Rows and columns of the array of a map, where they are known. */
static void find_shape(struct lab_map *map)
{
    int dimension[SIMT_DIMENSIONS], element = 0, dimensions = 0;

    map->element = map->row.size;
    if (map->row.space == SIMT_GLOBAL) {
        if (matrix_shape(map->shape, map->row.array, &map->rows, &map->cols) ==
            0)
            map->element = sizeof(float);
    } else {
        dimensions = simt_variable_shape(
            map->row.array, map->request.array_bytes, dimension, &element);
    }
    if (dimensions > 0 && map->row.size % element == 0)
        map->element = element;
    if (dimensions == 2 && map->row.size % element == 0) {
        map->rows = dimension[0];
        map->cols = dimension[1];
    }
}

/* The nth request that a warp makes; of the first warp that makes as many. */
struct wanted {
    struct lab_map *map;
    int found;
    unsigned launch;
    uint64_t block; /* that came last */
    int made[32];   /* requests, by its warps */
};

static void take_request(void *to, const struct simt_access *access, int lanes)
{
    struct wanted *w = to;
    const int warp = access->thread / SIMT_LANES;

    if (w->launch != access->launch || w->block != access->block) {
        if (w->found)
            return;
        w->launch = access->launch;
        w->block = access->block;
        memset(w->made, 0, sizeof w->made);
    }
    if (w->made[warp]++ == w->map->nth &&
        (!w->found || warp < w->map->request.warp)) {
        lab_request_fill(&w->map->request, access, lanes, w->map->banks);
        w->found = 1;
    }
}

static int record_map(struct mapping *m, const struct choice *choice)
{
    struct lab_program *p = m->program;
    struct lab_map *map = &m->map[m->maps];
    struct wanted wanted = {.map = map};
    const struct simt_filter filter = {.launch = SIMT_ANY,
                                       .block = SIMT_ANY,
                                       .thread = SIMT_ANY,
                                       .row = &choice->row,
                                       .take = take_request,
                                       .to = &wanted};

    *map = (struct lab_map){.lab = lab_info.lab->name,
                            .shape = m->shape,
                            .row = choice->row,
                            .nth = p->options.map_request,
                            .banks = p->options.banks == 1 ? 16 : 32};
    if (run_again(m, choice, &filter) != 0)
        return -1;
    if (!wanted.found) {
        snprintf(p->why, sizeof p->why,
                 "--map-request %d: no warp accesses %s as often on line %d at "
                 "%d x %d x %d (the first is 0)",
                 map->nth, map->row.array, map->row.line, m->shape.m,
                 m->shape.n, m->shape.k);
        return -1;
    }
    find_shape(map);
    m->maps++;
    return 0;
}

/* Records one request of each access that was chosen. */
static int record_maps(struct mapping *m)
{
    for (int space = 0; space < SPACES; space++) {
        const struct choice *choice = &m->access[space];

        if (choice->entry != NULL && record_map(m, choice) != 0)
            return -1;
    }
    return 0;
}

/* --- files ---------------------------------------------------------------- */

static int write_maps(struct mapping *m)
{
    struct lab_program *p = m->program;
    struct base_replacement r;

    if (base_replace_begin(&r, p->options.map, p->why, sizeof p->why) != 0)
        return -1;
    lab_map_csv_header(r.file);
    for (int i = 0; i < m->maps; i++)
        lab_map_csv(r.file, &m->map[i]);
    return base_replace_end(&r, 1, p->why, sizeof p->why);
}

/* The block in the middle of the grid, which is whole if any is, and the thread
   in the middle of it. Returns the block's number. */
static long middle(const struct choice *choice, struct lab_footprint *footprint)
{
    const unsigned *grid = choice->grid, *size = choice->block;

    for (int i = 0; i < 3; i++) {
        footprint->block[i] = (grid[i] - 1) / 2;
        footprint->thread[i] = size[i] / 2;
    }
    footprint->number = (int)(footprint->thread[0] +
                              size[0] * (footprint->thread[1] +
                                         size[1] * footprint->thread[2]));
    footprint->warp = footprint->number / SIMT_LANES;
    return (long)(footprint->block[0] +
                  grid[0] * (footprint->block[1] +
                             (uint64_t)grid[1] * footprint->block[2]));
}

static void take_footprint(void *to, const struct simt_access *access,
                           int lanes)
{
    struct lab_footprint *f = to;

    for (int i = 0; i < lanes && access->space == SIMT_GLOBAL; i++) {
        const struct simt_access *a = &access[i];
        const unsigned char by = a->thread == f->number              ? 0
                                 : a->thread / SIMT_LANES == f->warp ? 1
                                                                     : 2;
        const size_t first = a->offset / sizeof(float);
        const size_t last = (a->offset + (size_t)a->size - 1) / sizeof(float);
        int j = 0;

        while (j < LAB_FOOTPRINT_ARRAYS &&
               strcmp(f->array[j].name, simt_access_array(a)) != 0)
            j++;
        if (j == LAB_FOOTPRINT_ARRAYS)
            continue;
        for (size_t at = first; at <= last && at < (size_t)f->array[j].rows *
                                                       (size_t)f->array[j].cols;
             at++) {
            if (by < f->array[j].by[at])
                f->array[j].by[at] = by;
        }
    }
}

static int write_footprint(struct lab_program *p,
                           const struct lab_footprint *footprint)
{
    struct base_replacement r;

    if (base_replace_begin(&r, p->options.footprint, p->why, sizeof p->why) !=
        0)
        return -1;
    lab_footprint_csv(r.file, footprint);
    fputc('\n', lab_screen());
    lab_footprint_tell(lab_screen(), footprint);
    return base_replace_end(&r, 1, p->why, sizeof p->why);
}

static int record_footprint(struct mapping *m)
{
    static const char *const names[LAB_FOOTPRINT_ARRAYS] = {"A", "B", "C"};
    struct lab_footprint footprint = {
        .lab = lab_info.lab->name, .shape = m->shape, .kernel = m->any.kernel};
    const struct simt_filter filter = {.launch = SIMT_ANY,
                                       .block = middle(&m->any, &footprint),
                                       .thread = SIMT_ANY,
                                       .kernel = m->any.kernel,
                                       .memory_only = 1,
                                       .take = take_footprint,
                                       .to = &footprint};
    int result = 0;

    for (int i = 0; i < LAB_FOOTPRINT_ARRAYS; i++) {
        int rows, cols;

        matrix_shape(m->shape, names[i], &rows, &cols);
        footprint.array[i].name = names[i];
        footprint.array[i].rows = rows;
        footprint.array[i].cols = cols;
        footprint.array[i].by = malloc((size_t)rows * (size_t)cols);
        if (footprint.array[i].by == NULL) {
            result = -1;
        } else {
            memset(footprint.array[i].by, LAB_BY, (size_t)rows * (size_t)cols);
        }
    }
    if (result != 0) {
        snprintf(m->program->why, sizeof m->program->why, "out of memory");
    } else {
        result = run_again(m, &m->any, &filter);
    }
    if (result == 0)
        result = write_footprint(m->program, &footprint);
    for (int i = 0; i < LAB_FOOTPRINT_ARRAYS; i++)
        free(footprint.array[i].by);
    return result;
}

/* --- the mode ------------------------------------------------------------- */

static void tell_maps(const struct mapping *m)
{
    for (int i = 0; i < m->maps; i++) {
        char text[1200];

        lab_map_tell(text, sizeof text, &m->map[i]);
        fputc('\n', lab_screen());
        base_wrap(lab_screen(), "", text);
    }
}

static int map_accesses(struct lab_program *program)
{
    const struct lab_options *o = &program->options;
    struct mapping m = {.program = program,
                        .shape = o->shape.m > 0 ? o->shape : drawn[0]};
    int wrong;

    if (lab_info.lab->entry[0].kind == COURSE_BANKS) {
        snprintf(program->summary, sizeof program->summary,
                 "no matrices to map (make banks shows its accesses),");
        return LAB_SKIPPED;
    }
    wrong = record_kernels(&m);
    if (wrong == 0 && o->shape.m == 0 && has_one_block_of_rows(&m)) {
        m = (struct mapping){.program = program, .shape = drawn[1]};
        wrong = record_kernels(&m);
    }
    if (wrong < 0)
        return -1;
    if (wrong > 0) {
        snprintf(program->summary, sizeof program->summary,
                 _("no map before C is right,"));
        return lab_mode_wrong();
    }
    if (o->map != NULL) {
        if (record_maps(&m) != 0 || write_maps(&m) != 0)
            return -1;
        tell_maps(&m);
    }
    if (o->footprint != NULL && record_footprint(&m) != 0)
        return -1;
    snprintf(program->summary, sizeof program->summary,
             _("%d x %d x %d recorded"), m.shape.m, m.shape.n, m.shape.k);
    return LAB_PASS;
}

const struct lab_recording lab_recording = {map_accesses, lab_mode_why,
                                            lab_mode_try, lab_call_check_run};
