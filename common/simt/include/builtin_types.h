/* builtin_types.h: types of kernels, in one header here. */
#include "cuda_runtime.h"
