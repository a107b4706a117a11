/* A GPU. */
#include "device_kind.h"

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

void lab_device_settings(int threads, uint64_t seed)
{
    (void)threads;
    (void)seed;
}

void lab_device_counting(int compute_capability_major)
{
    (void)compute_capability_major;
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

int lab_device_fail_call(long nth)
{
    (void)nth;
    return -1;
}

const char *lab_device_failed_call(void)
{
    return NULL;
}
