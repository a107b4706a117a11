/* How long a program is counted: make run LIMIT=20. */
#define _GNU_SOURCE
#include "device.h"

#include <time.h>

static int seconds_to_count; /* 0: as long as it takes */
static long long first_look; /* in nanoseconds, at the first launch; 0: none */

long long simt_nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void simt_count_for(int seconds)
{
    seconds_to_count = seconds;
}

int simt_seconds_to_count(void)
{
    return seconds_to_count;
}

int simt_is_late(void)
{
    if (!simt_recording || seconds_to_count == 0)
        return 0;
    if (first_look == 0)
        first_look = simt_nanoseconds();
    return simt_nanoseconds() - first_look > seconds_to_count * 1000000000LL;
}

int simt_cut_off(struct simt_grid *grid)
{
    const int late = simt_is_late();

    if (late)
        atomic_store(&grid->is_cut, 1);
    return late;
}
