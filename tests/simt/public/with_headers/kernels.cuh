/* kernels.cuh: a header that launches, as many programs have them. */
#ifndef KERNELS_CUH
#define KERNELS_CUH

#include <cuda_runtime.h>

__constant__ float steps[3] = {1, 2, 3};

/* x[i] += steps[i % 3], turned round within each block. */
template <class T> __global__ void turn(T *x)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *tile = reinterpret_cast<T *>(memory);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = x[i] + T(steps[i % 3]);
    __syncthreads();
    x[i] = tile[blockDim.x - 1 - threadIdx.x];
}

#if __CUDA_ARCH__ < 200
static __device__ int path_of_old_devices()
{
    return 1;
}
#endif

static __global__ void path(int *found)
{
#if __CUDA_ARCH__ >= 700
    *found = 7;
#elif defined(__CUDA_ARCH__)
    *found = 1;
#endif
}

template <class T> static void launch_turn(T *x, int blocks, int threads)
{
    turn<T><<<blocks, threads, threads * sizeof(T)>>>(x);
}

#endif
