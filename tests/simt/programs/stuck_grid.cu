/* A barrier of a whole grid that not all blocks reach, or that is in a launch
   which is not cooperative. */
/* expect: 0 */
/* says: stuck_grid.cu:20: barrier that not all threads reach */
/* says: waits at this grid.sync(), and 1 of the 3 blocks ended without */
/* says: one block returns: cudaErrorLaunchFailure */
/* says: is at a grid.sync(), and the kernel was not launched by */
/* says: plain launch: cudaErrorLaunchFailure */
/* says: too many: cudaErrorCooperativeLaunchTooLarge */
/* says: all come: cudaSuccess */
#include <cooperative_groups.h>
#include <stdio.h>

__global__ void meet(float *x, int last)
{
    if (last && blockIdx.x == 2)
        return;
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
    /* Line 20 is that of the barrier. */
    cooperative_groups::this_grid().sync();
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

static float *x;

static void show(const char *what)
{
    printf("%s: %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMalloc(&x, 3 * 64 * sizeof(float));
}

static cudaError_t launch(int last, int blocks)
{
    void *arguments[] = {&x, &last};

    return cudaLaunchCooperativeKernel(meet, blocks, 64, arguments);
}

int main()
{
    cudaMalloc(&x, 3 * 64 * sizeof(float));
    launch(1, 3);
    show("one block returns");
    meet<<<3, 64>>>(x, 0);
    show("plain launch");
    printf("too many: %s\n", cudaGetErrorName(launch(0, 1 << 20)));
    cudaGetLastError();
    launch(0, 3);
    show("all come");
    return 0;
}
