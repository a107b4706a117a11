/* The CPU device. */
#include "device_kind.h"
#include "simt/simt.h"

const char *lab_device_kind(void)
{
    return "cpu";
}

int lab_device_is_gpu(void)
{
    return 0;
}

size_t lab_device_red_zone(void)
{
    return 0;
}

void lab_device_settings(int threads, uint64_t seed)
{
    simt_set_threads(threads);
    simt_set_seed(seed);
}

void lab_device_counting(int compute_capability_major)
{
    simt_set_banks(compute_capability_major);
    simt_findings_print(0);
}

void lab_device_unwritten(const void *pointer)
{
    simt_array_unwritten(pointer);
}

void lab_device_name_array(const void *pointer, const char *name)
{
    simt_name_array(pointer, name);
}

int lab_device_fail_call(long nth)
{
    simt_fail_call(nth);
    return 0;
}

const char *lab_device_failed_call(void)
{
    return simt_failed_call();
}
