/* Host threads that use the device at once take turns, call by call. */
/* expect: 0 */
/* says: 8 threads: 160 of 160 right, no error */
#include <cuda_runtime.h>
#include <stdio.h>
#include <thread>
#include <vector>

enum {
    THREADS = 8,
    ROUNDS = 20
};

__global__ void twice(int *a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int tile[256];

    tile[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    if (i < n)
        a[i] = 2 * tile[threadIdx.x];
}

static int right[THREADS];

static void work(int me)
{
    const int n = 1000 + me;
    std::vector<int> h(n);
    cudaStream_t stream;

    cudaStreamCreate(&stream);
    for (int round = 0; round < ROUNDS; round++) {
        int *d, good = 1;

        for (int i = 0; i < n; i++)
            h[i] = i + me;
        cudaMalloc(&d, n * sizeof *d);
        cudaMemcpyAsync(d, h.data(), n * sizeof *d, cudaMemcpyHostToDevice,
                        stream);
        twice<<<(n + 255) / 256, 256, 0, stream>>>(d, n);
        cudaMemcpyAsync(h.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost,
                        stream);
        cudaStreamSynchronize(stream);
        cudaFree(d);
        for (int i = 0; i < n; i++)
            good &= h[i] == 2 * (i + me);
        right[me] += good;
    }
    cudaStreamDestroy(stream);
}

int main()
{
    std::vector<std::thread> threads;
    int sum = 0;

    for (int i = 0; i < THREADS; i++)
        threads.emplace_back(work, i);
    for (std::thread &thread : threads)
        thread.join();
    for (int count : right)
        sum += count;
    printf("%d threads: %d of %d right, %s\n", THREADS, sum, THREADS * ROUNDS,
           cudaGetErrorString(cudaGetLastError()));
}
