/* Writes each request of the first block of every launch to a file. */
#define _GNU_SOURCE
#include "log.h"
#include "report.h"

#include "base/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *requests;

static void write_request(void *to, const struct simt_access *access, int lanes)
{
    const struct simt_access *a = &access[0];
    uint32_t active = 0;

    (void)to;
    for (int i = 0; i < lanes; i++)
        active |= UINT32_C(1) << access[i].thread % SIMT_LANES;
    base_put_csv_text(requests, a->kernel); /* a template's has commas */
    fprintf(requests, ",%u,%u,%u,%u,%u,%zu,%d,%u,%" PRIuPTR ",%d,%s,%s,%s",
            a->grid[0], a->grid[1], a->grid[2],
            a->block_size[0] * a->block_size[1] * a->block_size[2], a->interval,
            a->dynamic_shared, a->thread / SIMT_LANES, a->array, a->code,
            a->line, simt_access_array(a), simt_space_name(a->space),
            simt_kind_name(a->kind));
    fprintf(requests, ",%d,%d,%" PRIx32 ",", a->size, a->is_async, active);
    for (int i = 0; i < lanes; i++) { /* all from the first one's array on */
        fprintf(requests, "%s%" PRIdPTR, i > 0 ? " " : "",
                (intptr_t)(access[i].base + access[i].offset - a->base));
    }
    fputc('\n', requests);
}

static void end(void)
{
    if (ferror(requests) | fclose(requests))
        fputs("SIMT_REQUESTS: the file could not be written\n", stderr);
}

void simt_log_requests(const char *path)
{
    static const struct simt_filter first_block = {
        .launch = SIMT_ANY, .thread = SIMT_ANY, .take = write_request};

    if (path == NULL || path[0] == '\0')
        return;
    requests = fopen(path, "w");
    if (requests == NULL || simt_log_begin(&first_block) == NULL) {
        fprintf(stderr, "SIMT_REQUESTS: %s cannot be written\n", path);
        exit(2);
    }
    fputs("kernel,grid_x,grid_y,grid_z,threads,interval,dynamic_shared,warp,"
          "array_number,code,line,array,space,kind,size,async,lanes,offsets\n",
          requests);
    atexit(end);
}
