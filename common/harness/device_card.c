#define _GNU_SOURCE
#include "device_card.h"

#include "device_kind.h"
#include "origin.h"
#include "base/replace_file.h"
#include "base/print.h"
#include "simt/report_message.h"

#include <string.h>
#include <unistd.h>

int lab_device_open(struct lab_device *device, char *why, size_t size)
{
    int count = 0, number = 0;
    cudaError_t error = cudaGetDeviceCount(&count);

    *device = (struct lab_device){0};
    if (lab_origin_fits(why, (unsigned)size) != 0)
        return -1;
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaGetDevice(&number);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&device->prop, number);
    if (error != cudaSuccess) {
        snprintf(why, size,
                 "no GPU can be used: %s: %s (DEVICE=cpu needs none)",
                 cudaGetErrorName(error), cudaGetErrorString(error));
        return -1;
    }

    /* "CPU device, 2 cores of ...": the label leaves out the processor. */
    const char *name = device->prop.name;
    const char *of = lab_device_is_gpu() ? NULL : strstr(name, " of ");
    const size_t length = of != NULL ? (size_t)(of - name) : strlen(name);

    char shown[49], said[100];

    snprintf(shown, sizeof shown, "%.*s", (int)length, name);
    simt_sentence_say(said, sizeof said, shown);
    snprintf(device->label, sizeof device->label, "%s (%s)", lab_device_kind(),
             said);
    return 0;
}

int lab_device_check_memory(const struct lab_device *device,
                            struct course_shape s, char *why, size_t size)
{
    const double m = s.m, n = s.n, k = s.k;
    const double whole = m * n < 0x1p24 ? m * n : 0x1p24; /* reference.h */
    const double on_device = 4.0 * (m * k + k * n + m * n);
    /* The lab's copies, the filled ones, and a reference in double. */
    double on_host = on_device + 4.0 * (m * k + k * n) + 16.0 * whole + m * n;
    const double host =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double memory = (double)device->prop.totalGlobalMem;

    if (!lab_device_is_gpu())
        on_host += on_device;
    if (on_device <= memory && on_host <= host)
        return 0;
    snprintf(why, size,
             "%d x %d x %d needs %.1f GB of device and %.1f GB of host memory; "
             "there are %.1f and %.1f (choose a smaller size)",
             s.m, s.n, s.k, on_device / 1e9, on_host / 1e9, memory / 1e9,
             host / 1e9);
    return -1;
}

/* Where the card goes: a table for people, or CSV. */
struct sink {
    FILE *file;
    int csv;
};

static void put_property(const struct sink *to, const char *what,
                         const char *value, const char *unit)
{
    if (to->csv) {
        base_print(to->file, BASE_CSV, "%s,%s,%s\n", what + strspn(what, " "),
                   value, unit);
    } else {
        fprintf(to->file, "  %-34s %12s%s%s\n", what, value,
                unit[0] != '\0' ? " " : "", unit);
    }
}

static void put_number(const struct sink *to, const char *what, double value,
                       const char *unit)
{
    char text[32] = "none";

    if (value > 0.0)
        snprintf(text, sizeof text, "%.6g", value);
    put_property(to, what, text, value > 0.0 ? unit : "");
}

/* The sides of a block or a grid. */
static void put_sides(const struct sink *to, const char *what,
                      const int side[3])
{
    char text[64];

    snprintf(text, sizeof text, "%d x %d x %d", side[0], side[1], side[2]);
    put_property(to, what, text, "");
}

static void put_versions(const struct sink *to)
{
    int runtime = 0, driver = 0;
    char text[64];

    if (cudaRuntimeGetVersion(&runtime) != cudaSuccess ||
        cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return;
    snprintf(text, sizeof text, "%d.%d, driver for up to %d.%d", runtime / 1000,
             runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
    put_property(to, "CUDA runtime", text, "");
}

static int attribute(enum cudaDeviceAttr which)
{
    int number = 0, value = 0;

    if (cudaGetDevice(&number) != cudaSuccess ||
        cudaDeviceGetAttribute(&value, which, number) != cudaSuccess)
        return 0;
    return value;
}

static void put_limits(const struct sink *to, const struct cudaDeviceProp *p)
{
    const struct {
        const char *what;
        double value;
        const char *unit;
    } limit[] = {
        {"multiprocessors", p->multiProcessorCount, ""},
        {"resident threads of each", p->maxThreadsPerMultiProcessor, ""},
        {"resident warps of each", p->maxThreadsPerMultiProcessor / 32.0, ""},
        {"resident blocks of each", p->maxBlocksPerMultiProcessor, ""},
        {"registers of each", p->regsPerMultiprocessor, ""},
        {"shared memory of each",
         (double)p->sharedMemPerMultiprocessor / 1024.0, "KB"},
        {"shared memory of a block", (double)p->sharedMemPerBlock / 1024.0,
         "KB"},
        {"  if it asks for more, at most",
         (double)p->sharedMemPerBlockOptin / 1024.0, "KB"},
        {"threads of a block", p->maxThreadsPerBlock, ""},
        {"threads of a warp", p->warpSize, ""}};

    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
        put_number(to, limit[i].what, limit[i].value, limit[i].unit);
    put_sides(to, "sides of a block, at most", p->maxThreadsDim);
    put_sides(to, "sides of a grid, at most", p->maxGridSize);
}

static void put_card(const struct sink *to, const struct lab_device *device)
{
    const struct cudaDeviceProp *p = &device->prop;
    const double clock = attribute(cudaDevAttrClockRate) * 1e3;        /* Hz */
    const double memory = attribute(cudaDevAttrMemoryClockRate) * 1e3; /* Hz */
    const double bus = attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0; /* B */
    char capability[64];

    snprintf(capability, sizeof capability, "%d.%d", p->major, p->minor);
    put_property(to, "compute capability", capability,
                 lab_device_is_gpu() ? "" : "(whose limits it keeps)");
    put_limits(to, p);
    put_number(to, "global memory", (double)p->totalGlobalMem / 1e9, "GB");
    put_number(to, "clock of the multiprocessors", clock / 1e6, "MHz");
    put_number(to, "clock of the memory", memory / 1e6, "MHz");
    put_number(to, "width of the memory bus", bus * 8.0, "bits");
    /* Two transfers a clock: double data rate. */
    put_number(to, "bandwidth: 2 x clock x width / 8", 2.0 * memory * bus / 1e9,
               "GB/s");
    put_versions(to);
}

void lab_device_print(FILE *stream, const struct lab_device *device)
{
    const struct sink to = {stream, 0};

    fprintf(stream, "  %s\n", device->prop.name);
    put_card(&to, device);
}

int lab_device_write_csv(const char *path, const struct lab_device *device,
                         char *why, size_t size)
{
    struct base_replacement r;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    const struct sink to = {r.file, 1};

    fprintf(r.file, "what,value,unit\n");
    put_property(&to, "device", device->prop.name, "");
    put_card(&to, device);
    return base_replace_end(&r, 1, why, size);
}
