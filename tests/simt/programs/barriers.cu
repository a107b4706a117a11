/* Barriers that not all threads of a block reach are reported, not hung on. */
/* expect: 0 */
/* says: barriers.cu:17: barrier that not all threads reach */
/* says: waits at this __syncthreads() with 19 others; 44 of the */
/* says: in a branch: cudaErrorLaunchFailure */
/* says: thread (20,0) at that of line 28 */
/* says: in both branches: cudaErrorLaunchFailure */
/* says: return before: cudaErrorLaunchFailure */
/* says: all reach it: cudaSuccess */
#include <stdio.h>

__global__ void in_a_branch(float *x)
{
    if (threadIdx.x < 20) {
        x[threadIdx.x] = 1.0f;
        /* Line 17 is that of the barrier. */
        __syncthreads();
    }
}

__global__ void in_both_branches(float *x)
{
    if (threadIdx.x < 20) {
        x[threadIdx.x] = 1.0f;
        __syncthreads();
    } else {
        x[threadIdx.x] = 2.0f;
        __syncthreads();
    }
}

__global__ void return_before(float *x)
{
    if (threadIdx.x == 63)
        return;
    x[threadIdx.x] = 1.0f;
    __syncthreads();
}

__global__ void all_reach_it(float *x)
{
    for (int i = 0; i < 3; i++) {
        x[threadIdx.x] = (float)i;
        __syncthreads();
    }
}

static float *x;

static void show(const char *what)
{
    printf("%s: %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMalloc(&x, 64 * sizeof(float));
}

int main()
{
    cudaMalloc(&x, 64 * sizeof(float));
    in_a_branch<<<1, 64>>>(x);
    show("in a branch");
    in_both_branches<<<1, 64>>>(x);
    show("in both branches");
    return_before<<<2, 64>>>(x);
    show("return before");
    all_reach_it<<<2, 64>>>(x);
    show("all reach it");
    return 0;
}
