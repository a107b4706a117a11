/* The fast build: nothing is recorded. */
#define _GNU_SOURCE
#include "device.h"
#include "log.h"
#include "simt.h"

#include <stdio.h>

const int simt_recording = 0;

int simt_can_count(void)
{
    return 0;
}

/* What ended a launch since the counts were reset: kept from then on, and not
   printed. */
static struct simt_finding told;
static char told_text[1400], told_file[200];
static size_t told_count;
static int is_kept;

void simt_count_reset(void)
{
    is_kept = 1;
    told_count = 0;
}

int simt_count_read(struct simt_count *count)
{
    *count = (struct simt_count){0};
    return 0;
}

void simt_findings_read(struct simt_findings *result)
{
    *result = (struct simt_findings){.finding = &told, .count = told_count};
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

void simt_recorder_flops(struct simt_worker *worker, uint64_t flops)
{
    (void)worker;
    (void)flops;
}

void simt_memory_written(void *to, size_t size)
{
    (void)to;
    (void)size;
}

/* Kept for the line of an operation that faults. */
void simt_atomic(const void *pointer, int size, const void *code,
                 const void *frame)
{
    (void)pointer;
    (void)size;
    (void)frame;
    if (simt_self != NULL)
        simt_self->atomic = (uintptr_t)code;
}

void simt_atomic_cas(const void *pointer, int size, const void *code,
                     const void *frame)
{
    simt_atomic(pointer, size, code, frame);
}

/* What the compiler calls before volatile accesses, if it was asked to
   (run.mk); the functions have no header. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define STEP(function)                 \
    void function(const void *pointer) \
    {                                  \
        (void)pointer;                 \
        simt_step();                   \
    }

STEP(__tsan_volatile_read1)
STEP(__tsan_volatile_read2)
STEP(__tsan_volatile_read4)
STEP(__tsan_volatile_read8)
STEP(__tsan_volatile_read16)
STEP(__tsan_volatile_write1)
STEP(__tsan_volatile_write2)
STEP(__tsan_volatile_write4)
STEP(__tsan_volatile_write8)
STEP(__tsan_volatile_write16)

void __tsan_init(void)
{
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
    if (!is_kept)
        fputs(text, stderr);
    snprintf(told_text, sizeof told_text, "%s", text);
    snprintf(told_file, sizeof told_file, "%s", line > 0 ? file : "");
    told = (struct simt_finding){.check = check,
                                 .kernel = worker->grid->launch->kernel,
                                 .array = "",
                                 .file = told_file,
                                 .line = line,
                                 .other_file = "",
                                 .count = 1,
                                 .thread = -1,
                                 .text = told_text};
    told_count = 1;
}

void simt_set_record_only(int on)
{
    (void)on;
}

struct simt_log *simt_log_begin(const struct simt_filter *filter)
{
    (void)filter;
    return NULL;
}

void simt_log_stop(struct simt_log *log)
{
    (void)log;
}

void simt_log_free(struct simt_log *log)
{
    (void)log;
}

const struct simt_access *simt_log_read(const struct simt_log *log,
                                        size_t *count, int *cut)
{
    (void)log;
    *count = 0;
    *cut = 0;
    return NULL;
}

const char *simt_access_array(const struct simt_access *access)
{
    (void)access;
    return "?";
}

void simt_access_name(char *text, size_t size, const struct simt_access *access)
{
    (void)access;
    if (size > 0)
        text[0] = '\0';
}

int simt_count_sectors(const uint64_t address[SIMT_LANES], uint32_t active,
                       int size, int *bytes)
{
    (void)address;
    (void)active;
    (void)size;
    *bytes = 0;
    return 0;
}
