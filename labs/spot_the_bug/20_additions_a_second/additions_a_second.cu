/* How fast does a kernel add 1 to 4 million numbers? */
#include "../../exercise.h"

#define BLOCK 256

__global__ void add_one(float *x, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i < n)
        x[i] += 1.0f;
}

int main()
{
    const int n = 1 << 22;
    const size_t bytes = n * sizeof(float);
    float *x = (float *)calloc(n, sizeof(float)), *d_x, ms, all_ms;
    cudaEvent_t mark[4];

    for (int i = 0; i < 4; i++)
        CHECK(cudaEventCreate(&mark[i]));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaEventRecord(mark[0]));
    CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(mark[1]));
    add_one<<<n / BLOCK, BLOCK>>>(d_x, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(mark[2]));
    CHECK(cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(mark[3]));
    CHECK(cudaEventSynchronize(mark[3]));
    CHECK(cudaEventElapsedTime(&ms, mark[0], mark[3]));
    CHECK(cudaEventElapsedTime(&all_ms, mark[0], mark[3]));
    printf("the kernel's time holds the copies: %s\n",
           ms < all_ms ? "no" : "yes");
    printf("%.1f million additions a second\n", n / ms / 1e3);
    CHECK(cudaFree(d_x));
    free(x);
    return 0;
}
