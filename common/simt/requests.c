/*
 * Writes each request of the first block of every launch to a file, if the
 * environment asks for one (trace.h). A block runs on one OS thread and
 * launches follow each other, so the file needs no lock.
 */
#define _GNU_SOURCE
#include "trace.h"

#include "lines.h"
#include "recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *requests;

static const char *word_of_kind(enum simt_kind kind)
{
    return kind == SIMT_LOAD ? "load" : kind == SIMT_STORE ? "store" : "atomic";
}

static const char *word_of_space(enum simt_space space)
{
    return space == SIMT_SHARED   ? "shared"
           : space == SIMT_GLOBAL ? "global"
                                  : "other";
}

int simt_requests_asked(void)
{
    return requests != NULL;
}

void simt_requests_write(const struct simt_worker *worker,
                         const struct simt_site *site, uint64_t key,
                         const uint64_t address[SIMT_WARP], uint32_t active)
{
    const struct uint3 *at = &worker->block_index, *block;
    const struct simt_launch *launch = worker->grid->launch;
    const struct uint3 *size = &worker->grid->size;
    const char *file, *gap = "";
    int line;

    if (requests == NULL || at->x != 0 || at->y != 0 || at->z != 0)
        return;
    block = &worker->grid->block;
    if (simt_line_of(simt_key_code(key), &file, &line) != 0)
        line = 0;
    fprintf(requests, "%s,%u,%u,%u,%u,%u,%zu,%d,%u,%" PRIuPTR ",%d,%s,%s,%s",
            launch->kernel, size->x, size->y, size->z,
            block->x * block->y * block->z,
            worker->recorder->interval - worker->recorder->block_first,
            (size_t)launch->dynamic_shared,
            worker->recorder->first_thread / SIMT_WARP, site->array,
            simt_key_code(key), line,
            simt_array_name(launch->kernel, site->array),
            word_of_space(simt_key_space_of(key)),
            word_of_kind(simt_key_kind_of(key)));
    fprintf(requests, ",%d,%d,%" PRIx32 ",", simt_key_size(key),
            (simt_key_kind(key) & SIMT_EVENT_ASYNC) != 0, active);
    for (int lane = 0; lane < SIMT_WARP; lane++) {
        if (active >> lane & 1) {
            fprintf(requests, "%s%" PRId64, gap,
                    (int64_t)(address[lane] - site->base));
            gap = " ";
        }
    }
    fputc('\n', requests);
}

static void end(void)
{
    if (ferror(requests) | fclose(requests))
        fputs("SIMT_REQUESTS: the file could not be written\n", stderr);
}

/* Before main, as report_exit.c does. */
__attribute__((constructor(101))) static void begin(void)
{
    const char *path = getenv("SIMT_REQUESTS");

    if (path == NULL || path[0] == '\0')
        return;
    requests = fopen(path, "w");
    if (requests == NULL) {
        fprintf(stderr, "SIMT_REQUESTS: %s cannot be written\n", path);
        exit(2);
    }
    fputs("kernel,grid_x,grid_y,grid_z,threads,interval,dynamic_shared,warp,"
          "array_number,code,line,array,space,kind,size,async,lanes,offsets\n",
          requests);
    simt_tracing = 1;
    atexit(end);
}
