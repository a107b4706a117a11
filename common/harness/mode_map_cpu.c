#define _POSIX_C_SOURCE 200809L
/*
 * Maps and footprints: a first run counts and tells which accesses cost most;
 * the same run is then repeated for each of them and keeps one request, or what
 * one thread touches.
 */
#include "program.h"

#include "device_kind.h"
#include "map.h"
#include "base/replace_file.h"
#include "base/wrap.h"
#include "screen.h"
#include "simt/lines.h"
#include "simt/report_sums.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    SPACES = 2,      /* global and shared */
    MOST_PLACES = 32 /* of accesses, that a message lists */
};

/* Small enough that every element of A, B and C can be seen; not square; each
   side is several tiles, those of lab 07 too, which are 16 x 64. */
static const struct course_shape drawn = {32, 128, 64};

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

static int costs_more(const struct simt_row *row, const struct simt_row *than)
{
    if (excess(row) != excess(than))
        return excess(row) > excess(than);
    return simt_row_sectors_or_wavefronts(row) >
           simt_row_sectors_or_wavefronts(than);
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
    fprintf(why, "no kernel accesses %.40s",
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

/* Called between the run and the end of its arrays. Returns 0, or -1: why. */
typedef int after_run(struct mapping *m, const struct choice *choice);

/* Runs the entry once more, which was right before. */
static int run_again(struct mapping *m, const struct choice *choice,
                     after_run *after)
{
    struct lab_program *p = m->program;
    struct lab_outcome outcome = {0};
    struct lab_buffers b;
    int result = -1;

    if (lab_buffers_new(&b, m->shape, p->options.seed, 1, LAB_FP32, p->why,
                        sizeof p->why) != 0)
        return -1;
    if (lab_buffers_reset(&b, COURSE_LAUNCH, p->why, sizeof p->why) == 0) {
        if (lab_run_call(choice->entry, &b, &outcome) == 0) {
            result = after(m, choice);
        } else {
            snprintf(p->why, sizeof p->why, "right at first, but then: %.300s",
                     outcome.wrong);
        }
    }
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
    int dimension[SIMT_DIMENSIONS], element = 0;

    if (map->row.space == SIMT_GLOBAL) {
        if (matrix_shape(map->shape, map->row.array, &map->rows, &map->cols))
            map->rows = map->cols = 0;
    } else if (simt_variable_shape(map->row.array, map->request.array_bytes,
                                   dimension, &element) == 2 &&
               element == map->row.size) {
        map->rows = dimension[0];
        map->cols = dimension[1];
    }
}

static int keep_map(struct mapping *m, const struct choice *choice)
{
    struct lab_program *p = m->program;
    struct lab_map *map = &m->map[m->maps];

    *map = (struct lab_map){.lab = lab_info.lab->name,
                            .shape = m->shape,
                            .row = choice->row,
                            .nth = p->options.map_request,
                            .banks = p->options.banks == 1 ? 16 : 32};
    if (!simt_request_read(&map->request)) {
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
    struct lab_program *p = m->program;
    int result = 0;

    for (int space = 0; result == 0 && space < SPACES; space++) {
        const struct choice *choice = &m->access[space];

        if (choice->entry == NULL)
            continue;
        if (simt_request_ask(&choice->row, p->options.map_request) != 0) {
            snprintf(p->why, sizeof p->why, "out of memory");
            return -1;
        }
        result = run_again(m, choice, keep_map);
    }
    simt_request_ask(NULL, 0);
    return result;
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
   in the middle of it. */
static void middle(const struct choice *choice, struct lab_footprint *footprint,
                   uint64_t *block, int *thread)
{
    const unsigned *grid = choice->grid, *size = choice->block;

    for (int i = 0; i < 3; i++) {
        footprint->block[i] = (grid[i] - 1) / 2;
        footprint->thread[i] = size[i] / 2;
    }
    *block = footprint->block[0] +
             grid[0] * (footprint->block[1] +
                        (uint64_t)grid[1] * footprint->block[2]);
    *thread = (int)(footprint->thread[0] +
                    size[0] * (footprint->thread[1] +
                               size[1] * footprint->thread[2]));
    footprint->warp = *thread / SIMT_LANES;
}

static int write_footprint(struct mapping *m, const struct choice *choice)
{
    static const char *const names[LAB_FOOTPRINT_ARRAYS] = {"A", "B", "C"};
    struct lab_program *p = m->program;
    struct lab_footprint footprint = {
        .lab = lab_info.lab->name, .shape = m->shape, .kernel = choice->kernel};
    const struct simt_footprint *kept;
    struct base_replacement r;
    uint64_t block;
    size_t count;
    int thread;

    if (simt_footprint_read(&kept, &count) != 0) {
        snprintf(p->why, sizeof p->why, "out of memory");
        return -1;
    }
    middle(choice, &footprint, &block, &thread);
    for (int i = 0; i < LAB_FOOTPRINT_ARRAYS; i++) {
        footprint.array[i].name = names[i];
        matrix_shape(m->shape, names[i], &footprint.array[i].rows,
                     &footprint.array[i].cols);
        for (size_t j = 0; j < count; j++) {
            if (strcmp(kept[j].array, names[i]) == 0)
                footprint.array[i].touched = kept[j].touched;
        }
    }
    if (base_replace_begin(&r, p->options.footprint, p->why, sizeof p->why) !=
        0)
        return -1;
    lab_footprint_csv(r.file, &footprint);
    fputc('\n', lab_screen());
    lab_footprint_tell(lab_screen(), &footprint);
    return base_replace_end(&r, 1, p->why, sizeof p->why);
}

static int record_footprint(struct mapping *m)
{
    struct lab_footprint footprint = {0};
    uint64_t block;
    int thread, result;

    middle(&m->any, &footprint, &block, &thread);
    if (simt_footprint_ask(m->any.kernel, block, thread) != 0) {
        snprintf(m->program->why, sizeof m->program->why, "out of memory");
        return -1;
    }
    result = run_again(m, &m->any, write_footprint);
    simt_footprint_ask(NULL, 0, 0);
    return result;
}

/* --- the mode ------------------------------------------------------------- */

static void tell_maps(const struct mapping *m)
{
    for (int i = 0; i < m->maps; i++) {
        char text[600];

        lab_map_tell(text, sizeof text, &m->map[i]);
        fputc('\n', lab_screen());
        base_wrap(lab_screen(), "", text);
    }
}

int lab_mode_map(struct lab_program *program)
{
    const struct lab_options *o = &program->options;
    struct mapping m = {.program = program,
                        .shape = o->shape.m > 0 ? o->shape : drawn};
    int verdict, wrong;

    if (!lab_mode_possible(program, o->map != NULL ? "map" : "footprint",
                           &verdict))
        return verdict;
    if (lab_info.lab->entry[0].kind == COURSE_BANKS) {
        snprintf(program->summary, sizeof program->summary,
                 "no matrices to map (make banks shows its accesses),");
        return LAB_SKIPPED;
    }
    wrong = record_kernels(&m);
    if (wrong < 0)
        return -1;
    if (wrong > 0) {
        snprintf(program->summary, sizeof program->summary,
                 "no map before C is right,");
        return lab_mode_wrong();
    }
    if (o->map != NULL) {
        if (record_maps(&m) != 0 || write_maps(&m) != 0)
            return -1;
        tell_maps(&m);
    }
    if (o->footprint != NULL && record_footprint(&m) != 0)
        return -1;
    snprintf(program->summary, sizeof program->summary, "%d x %d x %d recorded",
             m.shape.m, m.shape.n, m.shape.k);
    return LAB_PASS;
}
