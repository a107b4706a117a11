/* The loads of asynchronous copies are told apart from others, also in the same
   array; what is filled with zeros alone is not loaded. */
/* build: analyse */
/* expect: 0 */
/* says: both A: 96 of 128 bytes by asynchronous copies */
/* says: both B: 0 of 128 bytes by asynchronous copies */
/* says: parts A: 12 of 12 bytes by asynchronous copies */
/* says: parts B: 4 of 8 bytes by asynchronous copies */
/* says: copies to a place that is not in shared memory */
/* says: elsewhere: cudaErrorLaunchFailure */
#include <cuda_pipeline.h>

#include "simt/simt.h"

/* 24 lanes copy, the others load; then all load of B. */
__global__ void both(const float *A, const float *B, float *C)
{
    __shared__ float s[32];
    const int t = threadIdx.x;

    if (t < 24)
        __pipeline_memcpy_async(&s[t], &A[t], 4);
    else
        s[t] = A[t];
    __pipeline_commit();
    __pipeline_wait_prior(0);
    C[t] = s[t] + B[t];
}

/* 12 of 16 bytes, then none of 16, then 4 by either way. */
__global__ void parts(const float *A, const float *B, float *C)
{
    __shared__ __align__(16) float s[12];

    __pipeline_memcpy_async(&s[0], A, 16, 4);
    __pipeline_memcpy_async(&s[4], A, 16, 16);
    __pipeline_memcpy_async(&s[8], B, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    C[0] = s[0] + s[7] + s[8] + B[1];
}

__global__ void elsewhere(const float *A, float *C)
{
    __pipeline_memcpy_async(C, A, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

static void print_share(const struct simt_count *count, const char *kernel,
                        const char *array)
{
    int all = 0, copied = 0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (strcmp(row->kernel, kernel) != 0 || strcmp(row->array, array) != 0)
            continue;
        all += (int)row->lanes * row->size;
        copied += (int)row->lanes_async * row->size;
    }
    printf("%s %s: %d of %d bytes by asynchronous copies\n", kernel, array,
           copied, all);
}

int main()
{
    struct simt_count count;
    float *A, *B, *C;

    if (cudaMalloc(&A, 128) != cudaSuccess ||
        cudaMalloc(&B, 128) != cudaSuccess ||
        cudaMalloc(&C, 128) != cudaSuccess)
        return 2;
    cudaMemset(A, 0, 128);
    cudaMemset(B, 0, 128);
    cudaMemset(C, 0, 128);
    simt_name_array(A, "A");
    simt_name_array(B, "B");
    both<<<1, 32>>>(A, B, C);
    parts<<<1, 1>>>(A, B, C);
    if (simt_count_read(&count) != 0)
        return 2;
    print_share(&count, "both", "A");
    print_share(&count, "both", "B");
    print_share(&count, "parts", "A");
    print_share(&count, "parts", "B");
    elsewhere<<<1, 1>>>(A, C);
    printf("elsewhere: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
