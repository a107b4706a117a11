/* vector_functions.h: make_float4() and the like, in one header here. */
#include "cuda_runtime.h"
