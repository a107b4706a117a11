/* driver_types.h: types of the runtime API, in one header here. */
#include "cuda_runtime.h"
