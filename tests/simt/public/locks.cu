/* Blocks that take turns by a lock, and so may share plain variables. */
/* expect: 0 */
/* says: 0 wrong */
#include "check.h"

struct lock {
    int *taken;

    __device__ void take()
    {
        while (atomicCAS(taken, 0, 1) != 0)
            continue;
        __threadfence();
    }
    __device__ void give()
    {
        __threadfence();
        atomicExch(taken, 0);
    }
};

__global__ void add(lock l, volatile int *count, volatile float *sum, int times)
{
    for (int i = 0; i < times; i++) {
        if (threadIdx.x == 0) {
            l.take();
            *count = *count + 1;
            *sum = *sum + 0.5f;
            l.give();
        }
        __syncthreads();
    }
}

/* The same with variables that are not volatile, once a block: nobody has read
   them before. */
__global__ void add_once(lock l, int *count)
{
    if (threadIdx.x == 0) {
        l.take();
        *count += 1;
        l.give();
    }
}

int main()
{
    const int times = 300, blocks = 12;
    int *numbers, wrong = 0;
    float *sum;

    CHECK(cudaMallocManaged(&numbers, 3 * sizeof *numbers));
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    add<<<blocks, 64>>>(lock{numbers}, numbers + 1, sum, times);
    CHECK(cudaDeviceSynchronize());
    add_once<<<1000, 32>>>(lock{numbers}, numbers + 2);
    CHECK(cudaDeviceSynchronize());
    wrong += numbers[1] != blocks * times || numbers[2] != 1000;
    wrong += *sum != blocks * times / 2;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
