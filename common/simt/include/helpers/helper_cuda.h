/*
 * helper_cuda.h: what programs most often take from the helpers of NVIDIA's
 * samples, with their names. If a program brings NVIDIA's own along, beside it
 * or in a folder of INCLUDES=, those are taken instead.
 */
#ifndef SIMT_HELPER_CUDA_H
#define SIMT_HELPER_CUDA_H

#include "helper_string.h"

#include <cuda_runtime.h>

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

static inline const char *_cudaGetErrorEnum(cudaError_t error)
{
    return cudaGetErrorName(error);
}

/* The status of another library has a number alone. */
template <class T> static inline const char *_cudaGetErrorEnum(T)
{
    return "its own status";
}

/* Ends the program if a call was not successful. */
template <class T>
static inline void check(T result, const char *call, const char *file, int line)
{
    if (result == T{})
        return;
    fprintf(stderr, "CUDA error at %s:%d: %s returned %d (%s)\n", file, line,
            call, (int)result, _cudaGetErrorEnum(result));
    exit(EXIT_FAILURE);
}

#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

static inline bool simt_helper_last(const char *what, const char *file,
                                    int line)
{
    const cudaError_t error = cudaGetLastError();

    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s: CUDA error %d (%s): %s\n", file, line, what,
                (int)error, cudaGetErrorName(error), cudaGetErrorString(error));
    }
    return error == cudaSuccess;
}

#define getLastCudaError(what) \
    (simt_helper_last(what, __FILE__, __LINE__) ? (void)0 : exit(EXIT_FAILURE))
#define printLastCudaError(what) \
    (void)simt_helper_last(what, __FILE__, __LINE__)

/* Arithmetic units for float of one multiprocessor: CUDA C++ Programming Guide,
   "Arithmetic Instructions", the row of 32-bit additions. */
static inline int _ConvertSMVer2Cores(int major, int minor)
{
    if (major == 8 || major == 6)
        return minor == 0 ? 64 : 128;
    return major == 7 ? 64 : major == 3 ? 192 : 128;
}

/* There is one device, whatever is asked for. */
static inline int gpuDeviceInit(int device)
{
    checkCudaErrors(cudaSetDevice(device));
    return device;
}

static inline int gpuGetMaxGflopsDeviceId()
{
    return 0;
}

static inline int findCudaDevice(int count, const char **argument)
{
    const int device =
        gpuDeviceInit(getCmdLineArgumentInt(count, argument, "device"));
    cudaDeviceProp is;

    checkCudaErrors(cudaGetDeviceProperties(&is, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
           is.name, is.major, is.minor);
    return device;
}

static inline bool checkCudaCapabilities(int major, int minor)
{
    cudaDeviceProp is;

    checkCudaErrors(cudaGetDeviceProperties(&is, 0));
    return is.major > major || (is.major == major && is.minor >= minor);
}

#endif /* SIMT_HELPER_CUDA_H */
