/*
 * c = a + b, element by element: the smallest whole CUDA program.
 * labs/CUDA.md explains it line by line. Run it with
 *
 *     make run FILE=labs/vector_add.cu
 */
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

/* Ends the program if a CUDA call has failed, and says which one. */
#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cudaGetErrorString(error));
        exit(1);
    }
}

/* One thread adds one pair of elements. */
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

int main(void)
{
    enum {
        N = 1000
    };
    const size_t bytes = N * sizeof(float);
    static float a[N], b[N], c[N]; /* in host memory */
    float *d_a, *d_b, *d_c;        /* in device memory */

    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }

    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));

    CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));

    vector_add<<<4, 256>>>(d_a, d_b, d_c, N);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));

    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));

    printf("c[1] = %g, c[999] = %g\n", c[1], c[999]);
    return 0;
}
