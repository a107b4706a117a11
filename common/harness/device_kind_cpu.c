/* The CPU device. It counts if a program was linked with its analyse build. */
#include "device_kind.h"
#include "origin.h"
#include "peak.h"
#include "story.h"

#include "simt/log.h"

#include <errno.h>

/* Of processor time in which no thread of a kernel ends: more than any of the
   labs takes by far. */
enum {
    KERNEL_SECONDS = 3
};

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

size_t lab_device_l2_bytes(void)
{
    return 0;
}

void lab_device_settings(int threads, uint64_t seed,
                         int compute_capability_major)
{
    simt_set_banks(compute_capability_major);
    if (simt_can_count())
        simt_findings_print(0);
    simt_set_threads(threads);
    simt_set_seed(seed);
    simt_set_limit(KERNEL_SECONDS);
}

void lab_device_watch(int seconds)
{
    simt_watch_host(seconds);
}

void lab_device_unwritten(const void *pointer)
{
    simt_array_unwritten(pointer);
}

void lab_device_name_array(const void *pointer, const char *name)
{
    simt_name_array(pointer, name);
}

int lab_can_count(void)
{
    return simt_can_count();
}

/* What the first thread of each launch does: lab_count_begin. */
static struct simt_log *first_thread;

void lab_count_begin(void)
{
    static const struct simt_filter filter = {.launch = SIMT_ANY};

    simt_count_reset();
    simt_findings_print(0);
    simt_log_free(first_thread);
    first_thread = simt_log_begin(&filter);
}

int lab_count_end(struct simt_count *count)
{
    *count = (struct simt_count){0};
    if (!simt_can_count()) {
        errno = ENOTSUP;
        return -1;
    }
    if (simt_count_read(count) != 0)
        return -1;
    simt_log_overlap(first_thread, count);
    return 0;
}

void lab_findings_read(struct simt_findings *findings)
{
    simt_findings_read(findings);
}

int lab_device_first_loads(void (*run)(void *argument), void *argument,
                           int threads, long *offset, struct lab_place *line)
{
    struct simt_log *log = simt_log_begin(&(struct simt_filter){
        .launch = SIMT_ANY, .block = SIMT_ANY, .thread = SIMT_ANY});
    const struct simt_access *step;
    size_t steps;
    int cut, met = 0;

    for (int i = 0; i < threads; i++)
        offset[i] = -1;
    run(argument);
    simt_log_stop(log);
    step = simt_log_read(log, &steps, &cut);
    for (size_t i = 0; i < steps; i++) {
        if (step[i].space != SIMT_SHARED || step[i].kind != SIMT_LOAD ||
            step[i].thread >= threads || offset[step[i].thread] >= 0)
            continue;
        offset[step[i].thread] = (long)step[i].offset;
        *line = LAB_PLACE(&step[i]);
        met++;
    }
    simt_log_free(log);
    return met == threads;
}

double lab_peak_gflops(int *clock_mhz)
{
    *clock_mhz = 0;
    return 0.0;
}

/* It has no driver, and g++ is of the same version as gcc. */
const char *lab_origin_compiler(void)
{
    return "gcc " __VERSION__;
}

void lab_origin_driver(char *text, unsigned size)
{
    (void)size;
    text[0] = '\0';
}

int lab_origin_fits(char *why, unsigned size)
{
    if (size > 0)
        why[0] = '\0';
    return 0;
}
