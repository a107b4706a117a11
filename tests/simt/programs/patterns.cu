/*
 * Access patterns whose counts an H200 gave through Nsight Compute: sectors of
 * global requests and wavefronts of shared ones.
 */
/* build: analyse */
/* expect: 0 */
/* says: copy A load: 32 requests, 1024 lanes, 128 sectors */
/* says: stride_2 A load: 32 requests, 1024 lanes, 256 sectors */
/* says: off_by_1 A load: 32 requests, 1024 lanes, 160 sectors */
/* says: copy_4 A load: 32 requests, 1024 lanes, 512 sectors */
/* says: transpose A load: 128 requests, 4096 lanes, 512 sectors */
/* says: transpose C store: 128 requests, 4096 lanes, 4096 sectors */
/* says: tile<32> t load: 128 requests, 4096 lanes, 4096 wavefronts */
/* says: tile<32> t store: 128 requests, 4096 lanes, 128 wavefronts */
/* says: tile<33> t load: 128 requests, 4096 lanes, 128 wavefronts */
/* says: tile<33> C store: 128 requests, 4096 lanes, 512 sectors */
/* says: shared_double d load: 2 requests, 64 lanes, 4 wavefronts */
/* says: shared_float4 d load: 2 requests, 64 lanes, 8 wavefronts */
/* says: one_for_all d load: 2 requests, 64 lanes, 4 wavefronts */
/* says: half_a_warp A load: 2 requests, 40 lanes, 5 sectors */
#include "counted.h"

__global__ void copy(const float *A, float *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = A[i];
}

__global__ void stride_2(const float *A, float *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = A[2 * i];
}

__global__ void off_by_1(const float *A, float *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = A[i + 1];
}

__global__ void copy_4(const float4 *A, float4 *C)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 value = A[i];

    value.x += 1.0f;
    C[i] = value;
}

/* A 64 x 64 matrix in blocks of 32 x 8 threads, 32 x 32 elements each. */
__global__ void transpose(const float *A, float *C)
{
    const int x = blockIdx.x * 32 + threadIdx.x;

    for (int j = 0; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + threadIdx.y + j;

        C[x * 64 + y] = A[y * 64 + x];
    }
}

template <int ROW> __global__ void tile(const float *A, float *C)
{
    __shared__ float t[32][ROW];
    const int x = threadIdx.x, y = threadIdx.y;

    for (int j = 0; j < 32; j += 8)
        t[y + j][x] = A[(blockIdx.y * 32 + y + j) * 64 + blockIdx.x * 32 + x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        C[(blockIdx.x * 32 + y + j) * 64 + blockIdx.y * 32 + x] = t[x][y + j];
}

__global__ void shared_double(double *C)
{
    __shared__ double d[64];

    d[threadIdx.x] = (double)threadIdx.x;
    __syncthreads();
    C[threadIdx.x] = d[threadIdx.x ^ 1];
}

__global__ void shared_float4(float4 *C)
{
    __shared__ float4 d[64];

    d[threadIdx.x] = C[threadIdx.x];
    __syncthreads();
    C[threadIdx.x] = d[threadIdx.x];
}

__global__ void one_for_all(float4 *C)
{
    __shared__ float4 d[64];

    d[threadIdx.x] = C[threadIdx.x];
    __syncthreads();
    C[threadIdx.x] = d[7];
}

__global__ void half_a_warp(const float *A, float *C, int n)
{
    const int i = threadIdx.x;

    if (i >= n)
        return;
    C[i] = A[i];
}

int main()
{
    const size_t bytes = 4096 * sizeof(float);
    float *A, *C;

    cudaMalloc(&A, bytes);
    cudaMalloc(&C, bytes);
    simt_name_array(A, "A");
    simt_name_array(C, "C");
    cudaMemset(A, 0, bytes);
    copy<<<4, 256>>>(A, C);
    stride_2<<<4, 256>>>(A, C);
    off_by_1<<<4, 256>>>(A, C);
    copy_4<<<4, 256>>>((const float4 *)A, (float4 *)C);
    transpose<<<dim3(2, 2), dim3(32, 8)>>>(A, C);
    tile<32><<<dim3(2, 2), dim3(32, 8)>>>(A, C);
    tile<33><<<dim3(2, 2), dim3(32, 8)>>>(A, C);
    shared_double<<<1, 64>>>((double *)C);
    shared_float4<<<1, 64>>>((float4 *)C);
    one_for_all<<<1, 64>>>((float4 *)C);
    half_a_warp<<<1, 64>>>(A, C, 40);
    print_counts();
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
