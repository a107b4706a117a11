/* The fast build: nothing is recorded. */
#define _GNU_SOURCE
#include "device.h"
#include "simt.h"
#include "trace.h"

#include <stdio.h>

const int simt_recording = 0;

int simt_can_count(void)
{
    return 0;
}

void simt_count_reset(void)
{
}

int simt_count_read(struct simt_count *count)
{
    *count = (struct simt_count){0};
    return 0;
}

void simt_findings_read(struct simt_findings *result)
{
    *result = (struct simt_findings){0};
}

void simt_findings_print(int on)
{
    (void)on;
}

void simt_array_unwritten(const void *pointer)
{
    (void)pointer;
}

void simt_set_banks(int compute_capability_major)
{
    (void)compute_capability_major;
}

int simt_recorder_begin(struct simt_worker *worker)
{
    (void)worker;
    return 0;
}

void simt_recorder_run(struct simt_worker *worker)
{
    (void)worker;
}

void simt_recorder_stop(struct simt_worker *worker)
{
    (void)worker;
}

void simt_recorder_end(struct simt_worker **workers, int count,
                       const struct simt_grid *grid)
{
    (void)workers;
    (void)count;
    (void)grid;
}

void simt_recorder_syncwarp(struct simt_worker *worker, int first_thread,
                            uint32_t mask)
{
    (void)worker;
    (void)first_thread;
    (void)mask;
}

void simt_memory_written(void *to, size_t size)
{
    (void)to;
    (void)size;
}

void simt_atomic(const void *pointer, int size, const void *code,
                 const void *frame)
{
    (void)pointer;
    (void)size;
    (void)code;
    (void)frame;
}

void simt_atomic_cas(const void *pointer, int size, const void *code,
                     const void *frame)
{
    (void)pointer;
    (void)size;
    (void)code;
    (void)frame;
}

void simt_interval_block_begins(struct simt_worker *worker, uint64_t block)
{
    (void)worker;
    (void)block;
}

int simt_interval_launch(void)
{
    return 0;
}

void simt_tell(struct simt_worker *worker, enum simt_check check,
               const char *file, int line, const char *text)
{
    (void)worker;
    (void)check;
    (void)file;
    (void)line;
    fputs(text, stderr);
}

void simt_record_alone(int on)
{
    (void)on;
}

int simt_request_ask(const struct simt_row *row, int nth)
{
    (void)row;
    (void)nth;
    return 0;
}

int simt_request_read(struct simt_request *request)
{
    (void)request;
    return 0;
}

int simt_footprint_ask(const char *kernel, uint64_t block, int thread)
{
    (void)kernel;
    (void)block;
    (void)thread;
    return 0;
}

int simt_footprint_read(const struct simt_footprint **found, size_t *count)
{
    *found = NULL;
    *count = 0;
    return 0;
}
