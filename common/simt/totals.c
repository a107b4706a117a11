/* What all launches counted: by source line and array, by kernel, by launch. */
#define _GNU_SOURCE
#include "blocks.h"
#include "lines.h"
#include "recorder.h"
#include "report_sums.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By instruction, array and kernel. */
static struct simt_sites totals;
static struct simt_kernel *kernels;
static size_t kernel_count;
static struct simt_launch_count *launches;
static size_t launch_count;
static struct simt_row *rows;
static struct simt_flops *lines;
static int out_of_memory;

/* --- launches ------------------------------------------------------------- */

int simt_recorder_begin(struct simt_worker *worker)
{
    if (!simt_recording)
        return 0;
    if (worker->recorder == NULL) {
        worker->recorder = calloc(1, sizeof *worker->recorder);
        if (worker->recorder == NULL)
            return -1;
    }
    simt_symbols_read();
    return 0;
}

/* The number of the kernel of this name, new if need be; -1 without memory. */
static int kernel_number(const char *name)
{
    struct simt_kernel *added;

    for (size_t i = 0; i < kernel_count; i++) {
        if (strcmp(kernels[i].kernel, name) == 0)
            return (int)i;
    }
    added = base_list_add(&kernels, &kernel_count, sizeof *added);
    if (added != NULL)
        added->kernel = strdup(name);
    if (added == NULL || added->kernel == NULL) {
        kernel_count -= added != NULL;
        return -1;
    }
    return (int)kernel_count - 1;
}

/* A place for one more launch; NULL if they are no longer kept. */
static struct simt_launch_count *new_launch(const struct simt_grid *grid,
                                            const char *kernel)
{
    const struct simt_launch *launch = grid->launch;

    if (launches == NULL)
        launches = calloc(SIMT_LAUNCHES, sizeof *launches);
    if (launches == NULL || launch_count == SIMT_LAUNCHES)
        return NULL;
    launches[launch_count] = (struct simt_launch_count){
        .kernel = kernel,
        .file = launch->file,
        .line = launch->line,
        .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
        .block = {launch->block.x, launch->block.y, launch->block.z},
        .dynamic_shared = launch->dynamic_shared,
    };
    return &launches[launch_count++];
}

static void add_counts(struct simt_site *to, const struct simt_site *from)
{
    to->requests += from->requests;
    to->lanes += from->lanes;
    to->bytes += from->bytes;
    to->sectors += from->sectors;
    to->sectors_ideal += from->sectors_ideal;
    to->wavefronts += from->wavefronts;
    to->wavefronts_ideal += from->wavefronts_ideal;
    to->apart = from->apart;
    to->extent = from->extent;
}

/* Operations of a basic block that was entered `times` times. */
static uint64_t flops_of(uint64_t key, uint64_t times)
{
    const struct simt_block_line *line;
    const size_t count = simt_block_flops(simt_key_code(key), &line);
    uint64_t flops = 0;

    for (size_t i = 0; i < count; i++)
        flops += times * (uint64_t)line[i].flops;
    return flops;
}

/* The block that most jumps lead back to is a loop's. */
static void note_loop(struct simt_kernel *kernel, const struct simt_site *block)
{
    if (block->bytes <= kernel->loop_jumps)
        return;
    kernel->loop_jumps = block->bytes;
    simt_line_of(simt_key_code(block->key), &kernel->loop_file,
                 &kernel->loop_line);
}

/* Adds one site of a worker to the totals. Returns 0, or -1 without memory. */
static int add_site(const struct simt_site *from, int kernel,
                    struct simt_launch_count *launch)
{
    struct simt_site *site =
        simt_site_in(&totals, from->key, from->array, kernel);

    if (site == NULL)
        return -1;
    add_counts(site, from);
    if (simt_key_kind(from->key) == SIMT_EVENT_BLOCK) {
        const uint64_t flops = flops_of(from->key, from->lanes);

        kernels[kernel].flops += flops;
        note_loop(&kernels[kernel], site);
        if (launch != NULL)
            launch->flops += flops;
    } else if (launch != NULL) {
        const enum simt_space space = simt_key_space_of(from->key);
        const enum simt_kind kind = simt_key_kind_of(from->key);

        launch->requests[space][kind] += from->requests;
        launch->lanes[space][kind] += from->lanes;
        launch->sectors_or_wavefronts[space][kind] +=
            space == SIMT_GLOBAL ? from->sectors : from->wavefronts;
    }
    return 0;
}

/* What the workers of one launch did in their blocks. */
struct work {
    uint64_t loads, stores, storing_blocks, barrier_stores;
};

/* Adds what one worker counted, and sets its counters to zero. */
static void add_worker(struct simt_recorder *r, int kernel,
                       struct simt_launch_count *launch, struct work *work)
{
    simt_recorder_block_ends(r);
    work->loads += r->loads + r->flops;
    work->stores += r->stores;
    work->storing_blocks += r->storing_blocks;
    work->barrier_stores += r->barrier_stores;
    r->loads = r->stores = r->stores_before = 0;
    r->storing_blocks = r->barriers_before = r->barrier_stores = 0;
    for (size_t i = 0; i < r->sites.room; i++) {
        if (r->sites.site[i].key != 0)
            out_of_memory |= add_site(&r->sites.site[i], kernel, launch) != 0;
    }
    kernels[kernel].barriers += r->barriers;
    kernels[kernel].backward_jumps += r->backward_jumps;
    kernels[kernel].flops += r->flops;
    kernels[kernel].tensor_operations += r->tensor_operations;
    kernels[kernel].bulk_bytes += r->bulk_bytes;
    kernels[kernel].products += r->products;
    kernels[kernel].products_overlapped += r->products_overlapped;
    if (launch != NULL) {
        launch->barriers += r->barriers;
        launch->backward_jumps += r->backward_jumps;
        launch->flops += r->flops;
    }
    out_of_memory |= r->out_of_memory;
    r->seen[SIMT_DIVERGENCE] = r->barriers;
    r->seen[SIMT_ADDRESS] = r->others;
    r->others = 0;
    r->barriers = 0;
    r->backward_jumps = 0;
    r->flops = r->tensor_operations = 0;
    r->bulk_bytes = r->products = r->products_overlapped = 0;
    r->out_of_memory = 0;
    r->sites.used = 0;
    memset(r->sites.site, 0, r->sites.room * sizeof *r->sites.site);
}

/* What a launch stored, unless it copied. */
static void add_work(const struct work *work, int threads,
                     struct simt_kernel *kernel,
                     struct simt_launch_count *launch)
{
    kernel->storing_threads += work->storing_blocks * (uint64_t)threads;
    if (launch != NULL)
        launch->storing_blocks = work->storing_blocks;
    if (work->loads < SIMT_WORK * work->stores)
        return;
    kernel->result_words += (double)work->stores;
    kernel->barrier_words += (double)work->barrier_stores / threads;
    if (launch != NULL)
        launch->result_words = work->stores;
}

void simt_recorder_end(struct simt_worker **workers, int count,
                       const struct simt_grid *grid)
{
    const int kernel = kernel_number(grid->launch->kernel);
    struct simt_launch_count *launch;
    struct work work = {.loads = 0};

    if (kernel < 0) {
        out_of_memory = 1;
        return;
    }
    launch = new_launch(grid, kernels[kernel].kernel);
    simt_name_parameters(grid->launch, kernels[kernel].kernel);
    kernels[kernel].function = (uintptr_t)grid->launch->function;
    kernels[kernel].launches++;
    kernels[kernel].argument_bytes += grid->launch->closure_size;
    kernels[kernel].threads += grid->blocks * (uint64_t)grid->threads;
    for (int i = 0; i < count; i++) {
        if (workers[i]->recorder != NULL)
            add_worker(workers[i]->recorder, kernel, launch, &work);
    }
    add_work(&work, grid->threads, &kernels[kernel], launch);
    simt_log_launch_ended();
    simt_found_collect(workers, count, grid);
    simt_shadow_settle();
}

void simt_count_reset(void)
{
    free(totals.site);
    totals = (struct simt_sites){0};
    for (size_t i = 0; i < kernel_count; i++)
        free((void *)(uintptr_t)kernels[i].kernel);
    free(kernels);
    kernels = NULL;
    simt_forget_parameters();
    simt_memory_reset();
    kernel_count = 0;
    launch_count = 0;
    free(rows);
    rows = NULL;
    free(lines);
    lines = NULL;
    out_of_memory = 0;
    simt_found_reset();
}

/* --- reports -------------------------------------------------------------- */

static struct simt_row row_of_site(const struct simt_site *site)
{
    struct simt_row row = {
        .kernel = kernels[site->kernel].kernel,
        .array = simt_array_name(kernels[site->kernel].kernel, site->array),
        .file = "",
        .space = simt_key_space_of(site->key),
        .kind = simt_key_kind_of(site->key),
        .size = simt_key_size(site->key),
        .requests = site->requests,
        .lanes = site->lanes,
        .bytes = site->bytes,
        .sectors = site->sectors,
        .sectors_ideal = site->sectors_ideal,
        .wavefronts = site->wavefronts,
        .wavefronts_ideal = site->wavefronts_ideal,
        .lanes_async =
            simt_key_kind(site->key) & SIMT_EVENT_ASYNC ? site->lanes : 0,
    };
    int dimension[SIMT_DIMENSIONS], element_bytes, dimensions;

    simt_line_of(simt_key_code(site->key), &row.file, &row.line);
    row.apart = site->apart;
    dimensions = row.space == SIMT_SHARED
                     ? simt_variable_shape(row.array, site->extent, dimension,
                                           &element_bytes)
                     : 0;
    if (dimensions > 1)
        row.row_bytes = dimension[dimensions - 1] * element_bytes;
    return row;
}

static int compare_rows(const void *left, const void *right)
{
    const struct simt_row *a = left, *b = right;
    int order = strcmp(a->kernel, b->kernel);

    if (order == 0)
        order = (int)a->space - (int)b->space;
    if (order == 0)
        order = strcmp(a->array, b->array);
    if (order == 0)
        order = (int)a->kind - (int)b->kind;
    if (order == 0)
        order = strcmp(a->file, b->file);
    if (order == 0)
        order = a->line - b->line;
    return order ? order : a->size - b->size;
}

/* Adds up neighbours that differ only in the instruction. Returns how many
   rows are left. */
static size_t join_rows(struct simt_row *row, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        struct simt_row *to = kept ? &row[kept - 1] : NULL;

        if (to == NULL || compare_rows(to, &row[i]) != 0) {
            row[kept++] = row[i];
            continue;
        }
        simt_row_add(to, &row[i]);
    }
    return kept;
}

static int compare_lines(const void *left, const void *right)
{
    const struct simt_flops *a = left, *b = right;
    int order = strcmp(a->kernel, b->kernel);

    if (order == 0)
        order = strcmp(a->file, b->file);
    return order ? order : a->line - b->line;
}

/* The lines of one basic block that calculate. Returns how many. */
static size_t flop_lines_of(const struct simt_site *site, struct simt_flops *to)
{
    const struct simt_block_line *line;
    const size_t count = simt_block_flops(simt_key_code(site->key), &line);

    for (size_t i = 0; i < count && to != NULL; i++) {
        to[i] =
            (struct simt_flops){.kernel = kernels[site->kernel].kernel,
                                .file = line[i].file,
                                .line = line[i].line,
                                .flops = site->lanes * (uint64_t)line[i].flops};
    }
    return count;
}

/* Fills lines[] with what each source line calculates. Returns how many there
   are; *failed without memory. */
static size_t fill_lines(int *failed)
{
    size_t count = 0, filled = 0, kept = 0;

    for (size_t i = 0; i < totals.room; i++) {
        if (simt_key_kind(totals.site[i].key) == SIMT_EVENT_BLOCK)
            count += flop_lines_of(&totals.site[i], NULL);
    }
    free(lines);
    lines = calloc(count + 1, sizeof *lines);
    if (lines == NULL) {
        *failed = 1;
        return 0;
    }
    for (size_t i = 0; i < totals.room; i++) {
        if (simt_key_kind(totals.site[i].key) == SIMT_EVENT_BLOCK)
            filled += flop_lines_of(&totals.site[i], &lines[filled]);
    }
    qsort(lines, filled, sizeof *lines, compare_lines);
    for (size_t i = 0; i < filled; i++) {
        if (kept > 0 && compare_lines(&lines[kept - 1], &lines[i]) == 0) {
            lines[kept - 1].flops += lines[i].flops;
        } else {
            lines[kept++] = lines[i];
        }
    }
    return kept;
}

int simt_count_read(struct simt_count *count)
{
    size_t filled = 0;
    int failed = out_of_memory;

    *count = (struct simt_count){0};
    free(rows);
    rows = calloc(totals.used + 1, sizeof *rows);
    count->flops_lines = fill_lines(&failed);
    if (rows == NULL || failed) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < totals.room; i++) {
        if (totals.site[i].requests != 0)
            rows[filled++] = row_of_site(&totals.site[i]);
    }
    qsort(rows, filled, sizeof *rows, compare_rows);
    count->row = rows;
    count->rows = join_rows(rows, filled);
    count->flops = lines;
    count->kernel = kernels;
    count->kernels = kernel_count;
    count->launch = launches;
    count->launches = launch_count;
    return 0;
}
