/*
 * simt_driver.h: the driver API (cu...), as far as it does what the runtime API
 * does too: its calls are the runtime's by other names, so that messages name
 * the program's own line. Kernels of a module (cuModuleLoad, cuLaunchKernel)
 * are not here. What each call does: NVIDIA's "CUDA Driver API".
 */
#ifndef SIMT_DRIVER_H
#define SIMT_DRIVER_H

#include "cuda_runtime_api.h"

#include <stdint.h>
#include <string.h>

typedef int CUdevice;
typedef uintptr_t CUdeviceptr;
typedef struct simt_context *CUcontext; /* there is one, and NULL */
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

/* The runtime's errors have the same numbers. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

#define CUdevice_attribute                        enum cudaDeviceAttr
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK cudaDevAttrMaxThreadsPerBlock
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X       cudaDevAttrMaxBlockDimX
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y       cudaDevAttrMaxBlockDimY
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z       cudaDevAttrMaxBlockDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X        cudaDevAttrMaxGridDimX
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y        cudaDevAttrMaxGridDimY
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z        cudaDevAttrMaxGridDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK \
    cudaDevAttrMaxSharedMemoryPerBlock
#define CU_DEVICE_ATTRIBUTE_WARP_SIZE            cudaDevAttrWarpSize
#define CU_DEVICE_ATTRIBUTE_CLOCK_RATE           cudaDevAttrClockRate
#define CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT cudaDevAttrMultiProcessorCount
#define CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE    cudaDevAttrMemoryClockRate
#define CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH \
    cudaDevAttrGlobalMemoryBusWidth
#define CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE cudaDevAttrL2CacheSize
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR \
    cudaDevAttrMaxThreadsPerMultiProcessor
#define CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING cudaDevAttrUnifiedAddressing
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR \
    cudaDevAttrComputeCapabilityMajor
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR \
    cudaDevAttrComputeCapabilityMinor

#define CU_CTX_SCHED_AUTO      0
#define CU_STREAM_DEFAULT      cudaStreamDefault
#define CU_STREAM_NON_BLOCKING cudaStreamNonBlocking
#define CU_EVENT_DEFAULT       cudaEventDefault

static inline CUresult simt_set_device(CUdevice *device, int number)
{
    *device = number;
    return number == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static inline CUresult simt_set_context(CUcontext *context)
{
    *context = NULL;
    return CUDA_SUCCESS;
}

static inline CUresult simt_device_name(char *name, int size, CUdevice device)
{
    struct cudaDeviceProp prop;
    const CUresult result = (CUresult)cudaGetDeviceProperties(&prop, device);

    if (result == CUDA_SUCCESS && size > 0) {
        name[0] = '\0';
        strncat(name, prop.name, (size_t)size - 1);
    }
    return result;
}

static inline CUresult simt_total_memory(size_t *bytes)
{
    size_t unused;

    return (CUresult)cudaMemGetInfo(&unused, bytes);
}

static inline CUresult simt_error_text(const char **to, const char *text)
{
    *to = text;
    return CUDA_SUCCESS;
}

#define SIMT_CU(call)                       ((CUresult)(call))
#define cuInit(flags)                       ((void)(flags), CUDA_SUCCESS)
#define cuDriverGetVersion(version)         SIMT_CU(cudaDriverGetVersion(version))
#define cuDeviceGetCount(count)             SIMT_CU(cudaGetDeviceCount(count))
#define cuDeviceGet(device, number)         simt_set_device(device, number)
#define cuDeviceGetName(name, size, device) simt_device_name(name, size, device)
#define cuDeviceTotalMem(bytes, device) \
    ((void)(device), simt_total_memory(bytes))
#define cuDeviceGetAttribute(value, which, device) \
    SIMT_CU(cudaDeviceGetAttribute(value, which, device))
#define cuDevicePrimaryCtxRetain(context, device) \
    ((void)(device), simt_set_context(context))
#define cuDevicePrimaryCtxRelease(device) ((void)(device), CUDA_SUCCESS)
#define cuCtxCreate(context, ...)         simt_set_context(context)
#define cuCtxGetCurrent(context)          simt_set_context(context)
#define cuCtxPopCurrent(context)          simt_set_context(context)
#define cuCtxSetCurrent(context)          ((void)(context), CUDA_SUCCESS)
#define cuCtxPushCurrent(context)         ((void)(context), CUDA_SUCCESS)
#define cuCtxDestroy(context)             ((void)(context), CUDA_SUCCESS)
#define cuCtxGetDevice(device)            simt_set_device(device, 0)
#define cuCtxSynchronize()                SIMT_CU(cudaDeviceSynchronize())
#define cuMemAlloc(at, bytes)             SIMT_CU(cudaMalloc((void **)(at), bytes))
#define cuMemAllocHost(at, bytes)         SIMT_CU(cudaMallocHost((void **)(at), bytes))
#define cuMemFree(at)                     SIMT_CU(cudaFree((void *)(at)))
#define cuMemFreeHost(at)                 SIMT_CU(cudaFreeHost(at))
#define cuMemGetInfo(free, total)         SIMT_CU(cudaMemGetInfo(free, total))
#define cuMemcpyHtoD(to, from, bytes) \
    SIMT_CU(cudaMemcpy((void *)(to), from, bytes, cudaMemcpyHostToDevice))
#define cuMemcpyDtoH(to, from, bytes) \
    SIMT_CU(cudaMemcpy(to, (void *)(from), bytes, cudaMemcpyDeviceToHost))
#define cuMemcpyDtoD(to, from, bytes)                       \
    SIMT_CU(cudaMemcpy((void *)(to), (void *)(from), bytes, \
                       cudaMemcpyDeviceToDevice))
#define cuMemcpyHtoDAsync(to, from, bytes, stream)                             \
    SIMT_CU(cudaMemcpyAsync((void *)(to), from, bytes, cudaMemcpyHostToDevice, \
                            stream))
#define cuMemcpyDtoHAsync(to, from, bytes, stream)                             \
    SIMT_CU(cudaMemcpyAsync(to, (void *)(from), bytes, cudaMemcpyDeviceToHost, \
                            stream))
#define cuMemsetD8(to, value, count) \
    SIMT_CU(cudaMemset((void *)(to), value, count))
#define cuStreamCreate(stream, flags) \
    SIMT_CU(cudaStreamCreateWithFlags(stream, flags))
#define cuStreamSynchronize(stream) SIMT_CU(cudaStreamSynchronize(stream))
#define cuStreamDestroy(stream)     SIMT_CU(cudaStreamDestroy(stream))
#define cuEventCreate(event, flags) \
    SIMT_CU(cudaEventCreateWithFlags(event, flags))
#define cuEventRecord(event, stream) SIMT_CU(cudaEventRecord(event, stream))
#define cuEventSynchronize(event)    SIMT_CU(cudaEventSynchronize(event))
#define cuEventElapsedTime(ms, from, to) \
    SIMT_CU(cudaEventElapsedTime(ms, from, to))
#define cuEventDestroy(event) SIMT_CU(cudaEventDestroy(event))
#define cuGetErrorName(error, text) \
    simt_error_text(text, cudaGetErrorName((cudaError_t)(error)))
#define cuGetErrorString(error, text) \
    simt_error_text(text, cudaGetErrorString((cudaError_t)(error)))

#endif /* SIMT_DRIVER_H */
