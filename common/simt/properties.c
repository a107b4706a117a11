/*
 * What the CPU device says of itself: its own name, its own cores and memory,
 * and the limits of a GPU of a chosen compute capability, so that a kernel
 * that is too large for such a GPU fails here too. SIMT_COMPUTE_CAPABILITY in
 * the environment chooses ("7.5"); 9.0 otherwise.
 */
#define _GNU_SOURCE
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUDA C++ Programming Guide, "Technical Specifications per Compute
   Capability". All have 64 K registers a multiprocessor. */
static const struct simt_limits known[] = {
    {7, 0, 2048, 32, 96, 96},   {7, 5, 1024, 16, 64, 64},
    {8, 0, 2048, 32, 164, 163}, {8, 6, 1536, 16, 100, 99},
    {8, 9, 1536, 24, 100, 99},  {9, 0, 2048, 32, 228, 227},
};

const struct simt_limits *simt_limits(void)
{
    const int last = (int)(sizeof known / sizeof known[0]) - 1;
    const char *wanted = getenv("SIMT_COMPUTE_CAPABILITY");
    char name[16];

    for (int i = 0; wanted != NULL && i <= last; i++) {
        snprintf(name, sizeof name, "%d.%d", known[i].major, known[i].minor);
        if (strcmp(name, wanted) == 0)
            return &known[i];
    }
    if (wanted != NULL) {
        fprintf(stderr,
                "SIMT_COMPUTE_CAPABILITY is '%s': use 7.0, 7.5, 8.0, 8.6, 8.9 "
                "or 9.0; taking 9.0\n",
                wanted);
    }
    return &known[last];
}

/* The processor's name as Linux tells it; "" elsewhere. */
static void processor_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];

    name[0] = '\0';
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, size, "%.80s", colon + 2);
        break;
    }
    fclose(file);
}

static cudaError_t check_device(const char *call, const void *result,
                                int device)
{
    const int error = simt_enter(call);

    if (error != 0)
        return (cudaError_t)error;
    if (device == 0 && result != NULL)
        return cudaSuccess;
    return simt_set_error(device != 0 ? cudaErrorInvalidDevice
                                      : cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    const cudaError_t error =
        check_device("cudaGetDeviceProperties", prop, device);
    const struct simt_limits *limits;
    size_t unused;
    char processor[96];

    if (error != cudaSuccess)
        return error;
    limits = simt_limits();
    memset(prop, 0, sizeof *prop);
    processor_name(processor, sizeof processor);
    snprintf(prop->name, sizeof prop->name, "CPU device, %d core%s%s%s",
             simt_worker_count(), simt_worker_count() == 1 ? "" : "s",
             processor[0] ? " of " : "", processor);
    simt_memory_info(&unused, &prop->totalGlobalMem);
    prop->sharedMemPerBlock = SIMT_SHARED_PLAIN;
    prop->sharedMemPerBlockOptin = (size_t)limits->opt_in * 1024;
    prop->sharedMemPerMultiprocessor = (size_t)limits->shared * 1024;
    prop->regsPerBlock = prop->regsPerMultiprocessor = 65536;
    prop->warpSize = SIMT_WARP;
    prop->memPitch = 2147483647;
    prop->maxThreadsPerBlock = SIMT_MAX_THREADS;
    prop->maxThreadsDim[0] = prop->maxThreadsDim[1] = 1024;
    prop->maxThreadsDim[2] = 64;
    prop->maxGridSize[0] = 2147483647;
    prop->maxGridSize[1] = prop->maxGridSize[2] = 65535;
    prop->totalConstMem = 65536;
    prop->major = limits->major;
    prop->minor = limits->minor;
    prop->multiProcessorCount = simt_worker_count();
    prop->integrated = 1;
    prop->unifiedAddressing = prop->canMapHostMemory = 1;
    prop->managedMemory = prop->concurrentManagedAccess = 1;
    prop->maxThreadsPerMultiProcessor = limits->threads;
    prop->maxBlocksPerMultiProcessor = limits->blocks;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device)
{
    const cudaError_t error =
        check_device("cudaDeviceGetAttribute", value, device);
    struct cudaDeviceProp p;

    if (error != cudaSuccess)
        return error;
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess)
        return cudaPeekAtLastError();
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = p.maxThreadsPerBlock;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = (int)p.sharedMemPerBlock;
        break;
    case cudaDevAttrWarpSize:
        *value = p.warpSize;
        break;
    case cudaDevAttrMaxRegistersPerBlock:
        *value = p.regsPerBlock;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = p.multiProcessorCount;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = p.maxThreadsPerMultiProcessor;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = p.major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = p.minor;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = p.regsPerMultiprocessor;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)p.sharedMemPerBlockOptin;
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = p.maxBlocksPerMultiProcessor;
        break;
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
        *value = 1;
        break;
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
    case cudaDevAttrGlobalMemoryBusWidth:
    case cudaDevAttrL2CacheSize:
        *value = 0; /* there is none, or a CPU's is not what is asked for */
        break;
    default:
        return simt_set_error(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    const cudaError_t error = check_device("cudaGetDeviceCount", count, 0);

    if (error == cudaSuccess)
        *count = 1;
    return error;
}

cudaError_t cudaGetDevice(int *device)
{
    const cudaError_t error = check_device("cudaGetDevice", device, 0);

    if (error == cudaSuccess)
        *device = 0;
    return error;
}

cudaError_t cudaSetDevice(int device)
{
    return check_device("cudaSetDevice", &device, device);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    return check_device("cudaSetDeviceFlags", &flags, 0);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    const cudaError_t error = check_device("cudaRuntimeGetVersion", version, 0);

    if (error == cudaSuccess)
        *version = CUDART_VERSION;
    return error;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    const cudaError_t error = check_device("cudaDriverGetVersion", version, 0);

    if (error == cudaSuccess)
        *version = 0;
    return error;
}
