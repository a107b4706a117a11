/* host_defines.h: __global__ and the like, in one header here. */
#include "cuda_runtime.h"
