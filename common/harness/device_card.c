#define _DEFAULT_SOURCE
#include "device_card.h"

#include "device_kind.h"

#include <string.h>
#include <unistd.h>

int lab_device_open(struct lab_device *device, char *why, size_t size)
{
    int count = 0, number = 0;
    cudaError_t error = cudaGetDeviceCount(&count);

    *device = (struct lab_device){0};
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

    snprintf(device->label, sizeof device->label, "%s (%.*s)",
             lab_device_kind(), length < 48 ? (int)length : 48, name);
    return 0;
}

int lab_device_check_memory(const struct lab_device *device, struct lab_shape s,
                            char *why, size_t size)
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

static void print_number(FILE *stream, const char *what, double value,
                         const char *unit)
{
    if (value > 0.0) {
        fprintf(stream, "  %-34s %12.6g%s%s\n", what, value,
                unit[0] != '\0' ? " " : "", unit);
    } else {
        fprintf(stream, "  %-34s %12s\n", what, "none");
    }
}

static int attribute(enum cudaDeviceAttr which)
{
    int number = 0, value = 0;

    if (cudaGetDevice(&number) != cudaSuccess ||
        cudaDeviceGetAttribute(&value, which, number) != cudaSuccess)
        return 0;
    return value;
}

void lab_device_print(FILE *stream, const struct lab_device *device)
{
    const struct cudaDeviceProp *p = &device->prop;
    const double clock = attribute(cudaDevAttrClockRate) * 1e3;        /* Hz */
    const double memory = attribute(cudaDevAttrMemoryClockRate) * 1e3; /* Hz */
    const double bus = attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0; /* B */
    const double limit[] = {p->multiProcessorCount,
                            p->maxThreadsPerMultiProcessor,
                            p->maxThreadsPerMultiProcessor / 32.0,
                            p->maxBlocksPerMultiProcessor,
                            p->regsPerMultiprocessor,
                            (double)p->sharedMemPerMultiprocessor / 1024.0,
                            (double)p->sharedMemPerBlock / 1024.0,
                            (double)p->sharedMemPerBlockOptin / 1024.0,
                            p->maxThreadsPerBlock,
                            p->warpSize};
    static const char *const what[][2] = {
        {"multiprocessors", ""},
        {"resident threads of each", ""},
        {"resident warps of each", ""},
        {"resident blocks of each", ""},
        {"registers of each", ""},
        {"shared memory of each", "KB"},
        {"shared memory of a block", "KB"},
        {"  if it asks for more, at most", "KB"},
        {"threads of a block", ""},
        {"threads of a warp", ""}};
    int runtime = 0, driver = 0;

    fprintf(stream, "  %s\n", p->name);
    fprintf(stream, "  %-34s %8s%2d.%d%s\n", "compute capability", "", p->major,
            p->minor, lab_device_is_gpu() ? "" : "  (whose limits it keeps)");
    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
        print_number(stream, what[i][0], limit[i], what[i][1]);
    fprintf(stream, "  %-34s %d x %d x %d\n", "sides of a block, at most",
            p->maxThreadsDim[0], p->maxThreadsDim[1], p->maxThreadsDim[2]);
    fprintf(stream, "  %-34s %d x %d x %d\n", "sides of a grid, at most",
            p->maxGridSize[0], p->maxGridSize[1], p->maxGridSize[2]);
    print_number(stream, "global memory", (double)p->totalGlobalMem / 1e9,
                 "GB");
    print_number(stream, "clock of the multiprocessors", clock / 1e6, "MHz");
    print_number(stream, "clock of the memory", memory / 1e6, "MHz");
    print_number(stream, "width of the memory bus", bus * 8.0, "bits");
    /* Two transfers a clock: double data rate. */
    print_number(stream, "bandwidth: 2 x clock x width / 8",
                 2.0 * memory * bus / 1e9, "GB/s");
    if (cudaRuntimeGetVersion(&runtime) == cudaSuccess &&
        cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) {
        fprintf(stream, "  %-34s %d.%d, driver for up to %d.%d\n",
                "CUDA runtime", runtime / 1000, runtime % 1000 / 10,
                driver / 1000, driver % 1000 / 10);
    }
}
