/* device_atomic_functions.h: atomic operations, in one header here. */
#include "cuda_runtime.h"
