/* cuda_device_runtime_api.h: launches by kernels, in one header here. */
#include "cuda_runtime.h"
