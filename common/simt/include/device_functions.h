/* device_functions.h: what kernels call, in one header here. */
#include "cuda_runtime.h"
