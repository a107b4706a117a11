#define _GNU_SOURCE
#include "blocks.h"
#include "lines.h"
#include "tables/tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

SIMT_TABLE(struct simt_block_entry, simt_blocks);

/* Sorted by block, file and line; the n-th line belongs to the n-th block. */
static uintptr_t *block;
static struct simt_block_line *line;
static size_t count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

struct found {
    uintptr_t block;
    struct simt_block_line line;
};

static int compare_blocks(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    int order;

    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    order = strcmp(a->line.file, b->line.file);
    return order
               ? order
               : (a->line.line > b->line.line) - (a->line.line < b->line.line);
}

static uintptr_t address(const int32_t *relative)
{
    return (uintptr_t)simt_table_refers(relative);
}

/* Without memory no block has operations. */
static void read_block_table(void)
{
    const size_t entries =
        ((uintptr_t)__stop_simt_blocks - (uintptr_t)__start_simt_blocks) /
        sizeof(struct simt_block_entry);
    struct found *found = calloc(entries + 1, sizeof *found);

    block = calloc(entries + 1, sizeof *block);
    line = calloc(entries + 1, sizeof *line);
    if (found == NULL || block == NULL || line == NULL) {
        free(found);
        return;
    }
    for (size_t i = 0; i < entries; i++) {
        const struct simt_block_entry *e = &__start_simt_blocks[i];

        found[i].block = address(&e->block);
        found[i].line.flops = (unsigned)e->flops;
        /* A call of one byte at that address would return behind it. */
        simt_line_of(address(&e->code) + 1, &found[i].line.file,
                     &found[i].line.line);
    }
    qsort(found, entries, sizeof *found, compare_blocks);
    for (size_t i = 0; i < entries; i++) {
        if (i > 0 && compare_blocks(&found[i - 1], &found[i]) == 0) {
            line[count - 1].flops += found[i].line.flops;
            continue;
        }
        block[count] = found[i].block;
        line[count++] = found[i].line;
    }
    free(found);
}

size_t simt_block_flops(uintptr_t code, const struct simt_block_line **lines)
{
    size_t first = 0, behind, end;

    pthread_once(&once, read_block_table);
    behind = count;
    while (first < behind) { /* the first that is not below code */
        const size_t middle = first + (behind - first) / 2;

        if (block[middle] < code) {
            first = middle + 1;
        } else {
            behind = middle;
        }
    }
    for (end = first; end < count && block[end] == code;)
        end++;
    *lines = &line[first];
    return end - first;
}
