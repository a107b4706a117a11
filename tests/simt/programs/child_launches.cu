/* Kernels launch kernels: each child runs when its parent has ended, those of a
   block one after the other, and what a child launches before the next. */
/* expect: 0 */
/* says: 3 blocks, 4 steps each: 1 2 3 4 */
/* says: halves of 64: 127 threads */
/* says: child_launches.cu:{A}: launch of touch: argument 1 points to no global */
/* says: stack: an illegal memory access was encountered */
/* says: child_launches.cu:{B}: launch of kernel: a kernel cannot launch one */
/* says: pointer: operation not supported */
#include <cuda_runtime.h>
#include <stdio.h>

enum {
    BLOCKS = 3,
    STEPS = 4
};

struct place {
    int block, step;
};

__device__ int clock_of_block[BLOCKS];
__device__ int threads;

__global__ void note(struct place at, int (*when)[STEPS])
{
    if (threadIdx.x == 0)
        when[at.block][at.step] = ++clock_of_block[at.block];
}

__global__ void note_and_launch(struct place at, int (*when)[STEPS])
{
    if (threadIdx.x > 0)
        return;
    when[at.block][at.step] = ++clock_of_block[at.block];
    at.step++;
    note<<<1, 32>>>(at, when);
}

/* Steps 1 and 2 are of the first child and its own child, 3 of the second. */
__global__ void steps(int (*when)[STEPS])
{
    struct place at = {(int)blockIdx.x, 1};

    if (threadIdx.x > 0)
        return;
    note_and_launch<<<1, 32>>>(at, when);
    at.step = 3;
    note<<<1, 32>>>(at, when);
    when[at.block][0] = ++clock_of_block[at.block];
}

__global__ void halve(int n)
{
    atomicAdd(&threads, 1);
    if (threadIdx.x == 0 && n > 1)
        halve<<<1, n / 2>>>(n / 2);
}

__global__ void touch(int *x)
{
    *x = 1;
}

__global__ void pass_local()
{
    int x = 0;

    touch<<<1, 1>>>(&x); /* A */
}

template <class Kernel> __global__ void through_a_pointer(Kernel kernel)
{
    kernel<<<1, 1>>>(&threads); /* B */
}

int main()
{
    int(*when)[STEPS], wrong = 0, sum;

    cudaMallocManaged(&when, BLOCKS * sizeof *when);
    steps<<<BLOCKS, 32>>>(when);
    cudaDeviceSynchronize();
    for (int block = 0; block < BLOCKS; block++) {
        for (int step = 0; step < STEPS; step++)
            wrong += when[block][step] != step + 1;
    }
    if (wrong == 0)
        printf("%d blocks, %d steps each: 1 2 3 4\n", BLOCKS, STEPS);
    halve<<<1, 64>>>(64);
    cudaMemcpyFromSymbol(&sum, threads, sizeof sum);
    printf("halves of 64: %d threads\n", sum);
    pass_local<<<1, 1>>>();
    printf("stack: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaDeviceReset();
    through_a_pointer<<<1, 1>>>(touch);
    printf("pointer: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
