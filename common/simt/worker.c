/* What each part of the device knows of the thread that runs. */
#define _GNU_SOURCE
#include "recorder.h"

#include <sched.h>

#ifndef SIMT_OUTSIDE
SIMT_INDEX struct uint3 blockDim, gridDim;
#endif

int simt_can_count(void)
{
    return simt_recording;
}

static int wanted_threads;

void simt_set_threads(int threads)
{
    wanted_threads = threads;
}

int simt_worker_count(void)
{
    int count = wanted_threads;

    if (count <= 0) {
        cpu_set_t set;

        count =
            sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    }
    return count < SIMT_MAX_WORKERS ? count : SIMT_MAX_WORKERS;
}

/* The end, not the beginning, lies at the guard page. */
char *simt_dynamic_of(const struct simt_worker *worker)
{
    const size_t bytes = (worker->grid->launch->dynamic_shared + 15) / 16 * 16;

    return worker->dynamic_shared + SIMT_MAX_SHARED - bytes;
}

void *simt_dynamic_shared(void)
{
    return simt_dynamic_of(simt_self);
}

unsigned simt_lane(void)
{
    const struct simt_worker *worker = simt_self;

    return (unsigned)(worker->current - worker->thread) % SIMT_WARP;
}

uintptr_t simt_key_code(uint64_t key)
{
    return SIMT_CODE_BEGIN + (key >> 16 & 0xffffffff);
}
