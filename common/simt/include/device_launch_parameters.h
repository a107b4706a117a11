/* device_launch_parameters.h: threadIdx and the like, for editors. */
#include "cuda_runtime.h"
