/* A GPU. Its counters belong to its profiler: a program cannot read them. */
#include "device_kind.h"

#include <errno.h>
#include <cuda_runtime.h>

const char *lab_device_kind(void)
{
    return "gpu";
}

int lab_device_is_gpu(void)
{
    return 1;
}

size_t lab_device_red_zone(void)
{
    return 1024; /* a tile's worth of rows and more; 4 KB */
}

size_t lab_device_l2_bytes(void)
{
    int device, bytes;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) !=
            cudaSuccess)
        return 0;
    return (size_t)bytes;
}

void lab_device_settings(int threads, uint64_t seed,
                         int compute_capability_major)
{
    (void)threads;
    (void)seed;
    (void)compute_capability_major;
}

void lab_device_watch(int seconds)
{
    (void)seconds;
}

void lab_device_unwritten(const void *pointer)
{
    (void)pointer;
}

void lab_device_name_array(const void *pointer, const char *name)
{
    (void)pointer;
    (void)name;
}

int lab_can_count(void)
{
    return 0;
}

void lab_count_begin(void)
{
}

int lab_count_end(struct simt_count *count)
{
    *count = (struct simt_count){0};
    errno = ENOTSUP;
    return -1;
}

void lab_findings_read(struct simt_findings *findings)
{
    *findings = (struct simt_findings){0};
}

int lab_device_first_loads(void (*run)(void *argument), void *argument,
                           int threads, long *offset, struct lab_place *line)
{
    (void)run;
    (void)argument;
    (void)threads;
    (void)offset;
    (void)line;
    return 0;
}

const struct lab_recording lab_recording = {NULL, NULL, NULL, NULL};
