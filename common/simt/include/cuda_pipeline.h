/*
 * cuda_pipeline.h: asynchronous copies to shared memory. There are the
 * functions __pipeline_memcpy_async, _commit and _wait_prior; the class
 * pipeline is not here.
 */
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif /* SIMT_CUDA_PIPELINE_H */
