/*
 * ceilings: what is the most that this GPU can calculate and move?
 *
 *   ceilings FILE.csv
 *
 * Writes a row for each ceiling of the roofline: what it is, its value and
 * unit, each the best of 20 runs of a kernel that does nothing else. Exit
 * codes: 0 done, 2 a wrong call, no GPU, or a file that cannot be written.
 */
#include <stdio.h>

#include "bandwidth.h"
#include "harness/device_card.h"
#include "harness/origin.h"
#include "harness/peak.h"
#include "base/replace_file.h"
#include "base/values.h"

enum {
    WRONG = 2,
    CEILINGS = 1 + BANDWIDTH_KINDS
};

struct ceiling {
    const char *name, *unit;
    double value;
    int clock_mhz; /* of the multiprocessors meanwhile; 0: unknown */
};

/* Returns 0, or -1 with a line in why. */
static int measure_ceilings(struct ceiling ceiling[CEILINGS], char *why,
                            size_t size)
{
    static const char *const kinds[BANDWIDTH_KINDS] = {"copy", "triad",
                                                       "cache"};

    ceiling[0] = (struct ceiling){.name = "multiply_add", .unit = "GFLOP/s"};
    ceiling[0].value = lab_peak_gflops(&ceiling[0].clock_mhz);
    for (int i = 0; i < BANDWIDTH_KINDS; i++) {
        ceiling[i + 1] = (struct ceiling){.name = kinds[i], .unit = "GB/s"};
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
    struct output_replacement r;
    struct lab_origin origin;

    lab_origin_read(&origin);
    if (output_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs("device,device_name,driver,compiler,date,ceiling,value,unit,"
          "sm_clock_mhz\n",
          r.file);
    for (int i = 0; i < CEILINGS; i++) {
        fputs("gpu,", r.file);
        output_csv_text(r.file, device->prop.name);
        fprintf(r.file, ",%s,%s,%s,%s,", origin.driver, origin.compiler,
                origin.date, ceiling[i].name);
        output_csv_number(r.file, ceiling[i].value);
        fprintf(r.file, ",%s,", ceiling[i].unit);
        if (ceiling[i].clock_mhz > 0)
            output_csv_number(r.file, ceiling[i].clock_mhz);
        fputc('\n', r.file);
    }
    return output_replace_end(&r, 1, why, size);
}

int main(int argc, char **argv)
{
    struct ceiling ceiling[CEILINGS];
    struct lab_device device;
    char why[400];

    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: ceilings FILE.csv\n", stderr);
        return WRONG;
    }
    if (lab_device_open(&device, why, sizeof why) != 0 ||
        measure_ceilings(ceiling, why, sizeof why) != 0 ||
        write_csv(argv[1], &device, ceiling, why, sizeof why) != 0) {
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
