/*
 * What the CPU device says of itself: its own name, its own cores and memory,
 * and the limits of a GPU of a chosen compute capability, so that a kernel
 * that is too large for such a GPU fails here too. SIMT_COMPUTE_CAPABILITY in
 * the environment chooses ("7.5"); 9.0 otherwise.
 */
#define _GNU_SOURCE
#include "base/language.h"
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
    const int error = simt_enter(call, __builtin_return_address(0));

    if (error != 0)
        return (cudaError_t)error;
    if (device == 0 && result != NULL)
        return cudaSuccess;
    return simt_set_error(device != 0 ? cudaErrorInvalidDevice
                                      : cudaErrorInvalidValue);
}

/* CUDA C++ Programming Guide, "Technical Specifications per Compute
   Capability". */
static void set_texture_limits(struct cudaDeviceProp *prop)
{
    prop->maxTexture1D = prop->maxTexture2D[0] = 131072;
    prop->maxTexture2D[1] = 65536;
    prop->maxTexture3D[0] = prop->maxTexture3D[1] = prop->maxTexture3D[2] =
        16384;
    prop->maxTexture1DLayered[0] = prop->maxTexture2DLayered[0] =
        prop->maxTexture2DLayered[1] = 32768;
    prop->maxTexture1DLayered[1] = prop->maxTexture2DLayered[2] = 2048;
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
    snprintf(prop->name, sizeof prop->name,
             simt_worker_count() == 1 ? N_("CPU device, %d core")
                                      : N_("CPU device, %d cores"),
             simt_worker_count());
    snprintf(prop->name + strlen(prop->name),
             sizeof prop->name - strlen(prop->name), "%s%s",
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
    prop->cooperativeLaunch = 1;
    prop->hostNativeAtomicSupported = 1;
    prop->maxThreadsPerMultiProcessor = limits->threads;
    prop->maxBlocksPerMultiProcessor = limits->blocks;
    prop->memoryPoolsSupported = 1;
    set_texture_limits(prop);
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

    const struct {
        enum cudaDeviceAttr attribute;
        int value; /* 0: there is none, or a CPU's is not what is asked for */
    } values[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)p.sharedMemPerBlock},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
         (int)p.sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin,
         (int)p.sharedMemPerBlockOptin},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
        {cudaDevAttrIntegrated, p.integrated},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrManagedMemory, p.managedMemory},
        {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
        {cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrStreamPrioritiesSupported, 0},
        {cudaDevAttrGpuOverlap, 0},
        {cudaDevAttrPageableMemoryAccess, 0},
        {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
        {cudaDevAttrComputePreemptionSupported, 0},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrKernelExecTimeout, 0},
        {cudaDevAttrConcurrentKernels, 0},
        {cudaDevAttrEccEnabled, 0},
        {cudaDevAttrAsyncEngineCount, 0},
        {cudaDevAttrComputeMode, 0},
        {cudaDevAttrClockRate, 0},
        {cudaDevAttrMemoryClockRate, 0},
        {cudaDevAttrGlobalMemoryBusWidth, 0},
        {cudaDevAttrL2CacheSize, 0},
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i].attribute == attribute) {
            *value = values[i].value;
            return cudaSuccess;
        }
    }
    return simt_set_error(cudaErrorInvalidValue);
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

/* As they are when a program begins: CUDA Runtime API, cudaDeviceGetLimit. */
static size_t limit_values[] = {1024, 1024 * 1024, 8 * 1024 * 1024, 2, 2048};

static cudaError_t check_limit(const char *call, const void *value,
                               enum cudaLimit limit)
{
    const cudaError_t error = check_device(call, value, 0);
    const size_t known_limits = sizeof limit_values / sizeof limit_values[0];

    return error == cudaSuccess && (size_t)limit >= known_limits
               ? simt_set_error(cudaErrorInvalidValue)
               : error;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    const cudaError_t error = check_limit("cudaDeviceSetLimit", &value, limit);

    if (error == cudaSuccess)
        limit_values[limit] = value;
    return error;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    const cudaError_t error = check_limit("cudaDeviceGetLimit", value, limit);

    if (error == cudaSuccess)
        *value = limit_values[limit];
    return error;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    cudaError_t error = check_device("cudaDeviceCanAccessPeer", can, device);

    if (error == cudaSuccess)
        error = check_device("cudaDeviceCanAccessPeer", can, peer);
    if (error == cudaSuccess)
        *can = 0;
    return error;
}

/* The peer would have to be another device. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    const cudaError_t error =
        check_device("cudaDeviceEnablePeerAccess", &flags, peer);

    return error == cudaSuccess ? simt_set_error(cudaErrorInvalidDevice)
                                : error;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    const cudaError_t error =
        check_device("cudaDeviceDisablePeerAccess", &peer, peer);

    return error == cudaSuccess ? simt_set_error(cudaErrorPeerAccessNotEnabled)
                                : error;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from,
                           int from_device, size_t size)
{
    cudaError_t error = check_device("cudaMemcpyPeer", &to_device, to_device);

    if (error == cudaSuccess)
        error = check_device("cudaMemcpyPeer", &from_device, from_device);
    return error == cudaSuccess
               ? cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice)
               : error;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                int from_device, size_t size,
                                cudaStream_t stream)
{
    (void)stream; /* all are in order */
    return cudaMemcpyPeer(to, to_device, from, from_device, size);
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
