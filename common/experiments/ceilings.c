/*
 * ceilings: what is the most that this GPU can calculate and move?
 *
 *   ceilings FILE.csv CHIP.csv
 *
 * Writes a row for each ceiling of the roofline: what it is, its value and
 * unit, each the best of 20 runs of a kernel that does nothing else; and the
 * chip as make why-NN wants it (common/chip/chip.h). Exit codes: 0 done, 2 a
 * wrong call, no GPU, or a file that cannot be written.
 */
#include <math.h>
#include <stdio.h>

#include "bandwidth.h"
#include "chip.h"
#include "harness/device_card.h"
#include "harness/origin.h"
#include "harness/peak.h"
#include "base/replace_file.h"
#include "base/print.h"

enum {
    WRONG = 2,
    CEILINGS = 1 + BANDWIDTH_KINDS
};

struct ceiling {
    const char *name, *unit;
    double value;
    double clock_mhz; /* of the multiprocessors meanwhile; NaN: unknown */
};

/* Returns 0, or -1 with a line in why. */
static int measure_ceilings(struct ceiling ceiling[CEILINGS], char *why,
                            size_t size)
{
    static const char *const kinds[BANDWIDTH_KINDS] = {"copy", "triad",
                                                       "cache"};

    int clock_mhz;

    ceiling[0] = (struct ceiling){.name = "multiply_add", .unit = "GFLOP/s"};
    ceiling[0].value = lab_peak_gflops(&clock_mhz);
    ceiling[0].clock_mhz = clock_mhz > 0 ? clock_mhz : (double)NAN;
    for (int i = 0; i < BANDWIDTH_KINDS; i++) {
        ceiling[i + 1] = (struct ceiling){
            .name = kinds[i], .unit = "GB/s", .clock_mhz = NAN};
        ceiling[i + 1].value = bandwidth_measure((enum bandwidth_kind)i);
    }
    for (int i = 0; i < CEILINGS; i++) {
        if (ceiling[i].value <= 0.0) {
            snprintf(why, size,
                     "%s: not measured: a CUDA call failed (is the GPU's "
                     "memory in use?)",
                     ceiling[i].name);
            return -1;
        }
    }
    return 0;
}

static int write_csv(const char *path, const struct lab_device *device,
                     const struct ceiling ceiling[CEILINGS], char *why,
                     size_t size)
{
    struct base_replacement r;
    struct lab_origin origin;

    lab_origin_read(&origin);
    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs("device,device_name,driver,compiler,date,ceiling,value,unit,"
          "sm_clock_mhz\n",
          r.file);
    for (int i = 0; i < CEILINGS; i++) {
        base_print(r.file, BASE_CSV, "gpu,%s,%s,%s,%s,%s,%g,%s,%g\n",
                   device->prop.name, origin.driver, origin.compiler,
                   origin.date, ceiling[i].name, ceiling[i].value,
                   ceiling[i].unit, ceiling[i].clock_mhz);
    }
    return base_replace_end(&r, 1, why, size);
}

/* Multiply-adds of a multiprocessor in a cycle, by compute capability
   (Programming Guide, "Arithmetic Instructions"). */
static int lanes_of(const struct cudaDeviceProp *prop)
{
    return prop->major >= 9 || (prop->major == 8 && prop->minor > 0) ? 128 : 64;
}

/* The chip for make why-NN. The values of a multiprocessor are the driver's. */
static int write_chip(const char *path, const struct lab_device *device,
                      double dram, char *why, size_t size)
{
    const struct cudaDeviceProp *prop = &device->prop;
    struct base_replacement r;
    struct lab_origin origin;
    struct chip_limits l;

    if (chip_measure(&l) != 0 || l.clock_mhz <= 0.0 || l.l2_gbytes <= 0.0) {
        snprintf(why, size, "latencies: not measured: a CUDA call failed");
        return -1;
    }
    lab_origin_read(&origin);
    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs("key,value,unit,source\n", r.file);
    base_print(r.file, BASE_CSV,
               "name,%s,,make bench WHAT=ceilings; driver %s; %s; %s\n",
               prop->name, origin.driver, origin.compiler, origin.date);
    fprintf(r.file,
            "measured,1,,make bench WHAT=ceilings\n"
            "multiprocessors,%d,,the driver\n"
            "lanes,%d,,CUDA C++ Programming Guide: Arithmetic Instructions\n"
            "clock,%.0f,MHz,common/experiments/chip.cu: work\n"
            "dram,%.0f,GB/s,common/experiments/bandwidth.cu: copy\n"
            "registers,%d,,the driver\n"
            "shared,%zu,bytes,the driver\n"
            "warps,%d,,the driver\n"
            "blocks,%d,,the driver\n",
            prop->multiProcessorCount, lanes_of(prop), l.clock_mhz, dram,
            prop->regsPerMultiprocessor, prop->sharedMemPerMultiprocessor,
            prop->maxThreadsPerMultiProcessor / 32,
            prop->maxBlocksPerMultiProcessor);
    fprintf(r.file,
            "l2,%.0f,GB/s,common/experiments/chip.cu: read_l2\n"
            "dram_latency,%.1f,cycles,common/experiments/chip.cu: latencies\n"
            "l2_latency,%.1f,cycles,likewise\n"
            "l1_latency,%.1f,cycles,likewise\n"
            "shared_latency,%.1f,cycles,likewise\n"
            "barrier,%.1f,cycles,common/experiments/chip.cu: barriers\n"
            "launch,%.2f,us,common/experiments/chip.cu: do_nothing\n",
            l.l2_gbytes, l.dram_latency, l.l2_latency, l.l1_latency,
            l.shared_latency, l.barrier, l.launch_us);
    return base_replace_end(&r, 1, why, size);
}

int main(int argc, char **argv)
{
    struct ceiling ceiling[CEILINGS];
    struct lab_device device;
    char why[400];

    if (argc != 3 || argv[1][0] == '-') {
        fputs("usage: ceilings FILE.csv CHIP.csv\n", stderr);
        return WRONG;
    }
    if (lab_device_open(&device, why, sizeof why) != 0 ||
        measure_ceilings(ceiling, why, sizeof why) != 0 ||
        write_csv(argv[1], &device, ceiling, why, sizeof why) != 0 ||
        write_chip(argv[2], &device, ceiling[1].value, why, sizeof why) != 0) {
        fprintf(stderr, "ceilings: %s\n", why);
        return WRONG;
    }
    printf("Ceilings of %s, the best of 20 runs each:\n", device.label);
    for (int i = 0; i < CEILINGS; i++) {
        printf("  %-14s %10.0f %s\n", ceiling[i].name, ceiling[i].value,
               ceiling[i].unit);
    }
    return fflush(stdout) == 0 ? 0 : WRONG;
}
