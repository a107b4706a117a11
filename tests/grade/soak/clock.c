/*
 * clock.c: what if the machine's clock jumps while a class is graded?
 *
 * Loaded before the C library (LD_PRELOAD) it gives another time of day from
 * second to second, up to thirty years away in either direction. The monotonic
 * clock cannot jump, and is left alone.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t jump(int64_t second)
{
    const int64_t years = 30 * INT64_C(31557600);
    const uint64_t mixed =
        (uint64_t)second * UINT64_C(0x9e3779b97f4a7c15) >> 20;

    return (int64_t)(mixed % (uint64_t)(2 * years)) - years;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, t);

    if (result == 0 &&
        (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        t->tv_sec += jump(t->tv_sec);
    return result;
}

time_t time(time_t *second)
{
    struct timespec t;

    if (clock_gettime(CLOCK_REALTIME, &t) != 0)
        return -1;
    if (second != NULL)
        *second = t.tv_sec;
    return t.tv_sec;
}

int gettimeofday(struct timeval *restrict time_of_day, void *restrict zone)
{
    struct timespec t;

    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &t) != 0)
        return -1;
    *time_of_day = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
    return 0;
}
