/* cuda.h: many programs include it and use the runtime API alone. The driver
   API (cuLaunchKernel and so on) is not on the CPU device. */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#include "cuda_runtime_api.h"

#include <stdlib.h> /* as NVIDIA's does */

#define CUDA_VERSION CUDART_VERSION

#endif /* SIMT_CUDA_H */
