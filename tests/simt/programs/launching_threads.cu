/* Four threads of the host launch kernels and copy at the same time. */
/* expect: 0 */
/* says: 4 threads, 200 launches, 0 wrong */
#include <cuda_runtime.h>
#include <stdio.h>
#include <thread>

enum {
    THREADS = 4,
    LAUNCHES = 50,
    LENGTH = 256
};

__global__ void add(int *a, int x)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] += x;
}

static void work(int *a, int *wrong)
{
    int h[LENGTH];

    for (int i = 0; i < LAUNCHES; i++)
        add<<<LENGTH / 32, 32>>>(a, 1);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < LENGTH; i++)
        *wrong += h[i] != LAUNCHES;
}

int main()
{
    std::thread thread[THREADS];
    int *a[THREADS], wrong[THREADS] = {0}, all = 0;

    for (int i = 0; i < THREADS; i++) {
        cudaMalloc(&a[i], LENGTH * sizeof(int));
        cudaMemset(a[i], 0, LENGTH * sizeof(int));
    }
    for (int i = 0; i < THREADS; i++)
        thread[i] = std::thread(work, a[i], &wrong[i]);
    for (int i = 0; i < THREADS; i++) {
        thread[i].join();
        all += wrong[i];
    }
    printf("%d threads, %d launches, %d wrong\n", THREADS, THREADS * LAUNCHES,
           all);
    return 0;
}
