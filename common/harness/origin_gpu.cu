/* Compiled by nvcc, which tells its version by these names. */
#include "origin.h"

#include "nvml.h"

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
