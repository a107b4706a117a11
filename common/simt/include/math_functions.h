/* math_functions.h: mathematics, in one header here. */
#include "cuda_runtime.h"
