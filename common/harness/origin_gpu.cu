/* Compiled by nvcc, which tells its version by these names. */
#include "origin.h"

#include "nvml.h"

#include <cuda_runtime.h>
#include <stdio.h>

#define WORD(number) #number
#define VERSION(major, minor, build) \
    "nvcc " WORD(major) "." WORD(minor) "." WORD(build)

const char *lab_origin_compiler(void)
{
    return VERSION(__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
                   __CUDACC_VER_BUILD__);
}

void lab_origin_driver(char *text, unsigned size)
{
    lab_nvml_driver(text, size);
}

/* Stands for the kernels of the program, which are built for the same GPUs. */
__global__ void nothing()
{
}

int lab_origin_fits(char *why, unsigned size)
{
    int driver = 0, toolkit = 0, number = 0;
    struct cudaDeviceProp prop;
    struct cudaFuncAttributes attributes;

    if (cudaDriverGetVersion(&driver) != cudaSuccess ||
        cudaRuntimeGetVersion(&toolkit) != cudaSuccess || driver == 0)
        return 0; /* no driver at all: the next call says so */
    if (driver / 1000 < toolkit / 1000) {
        snprintf(why, size,
                 "the driver is too old: it can run CUDA %d.%d, and nvcc is of "
                 "CUDA %d.%d (update the driver, use an older nvcc, or "
                 "DEVICE=cpu)",
                 driver / 1000, driver % 1000 / 10, toolkit / 1000,
                 toolkit % 1000 / 10);
        return -1;
    }
    if (cudaGetDevice(&number) != cudaSuccess ||
        cudaGetDeviceProperties(&prop, number) != cudaSuccess)
        return 0; /* likewise */
    if (cudaFuncGetAttributes(&attributes, nothing) == cudaSuccess)
        return 0;
    snprintf(why, size,
             "this program was built for other GPUs than %s: make it again "
             "with ARCH=sm_%d%d",
             prop.name, prop.major, prop.minor);
    return -1;
}
