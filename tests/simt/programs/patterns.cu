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
/* Requests of one instruction, one after the other, of which each is counted as
 * it is: 4 + 5 + 4 + 8 + 8 + 4 + 5 + 1 sectors, 1 + 1 + 1 + 2 + 2 + 1 + 1 + 1
 * wavefronts, and, of 2 bytes, 2 + 3 + 3 + 4 + 4 + 2 + 3 + 1 sectors. */
/* says: changing A load: 8 requests, 256 lanes, 39 sectors */
/* says: changing s load: 8 requests, 256 lanes, 10 wavefronts */
/* says: changing_narrow A load: 8 requests, 256 lanes, 22 sectors */
/* says: conflicts s load: 4 requests, 128 lanes, 66 wavefronts */
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

/* Lane l of request r reads element l * stride[r] + shift[r]. */
struct places {
    int stride[8], shift[8];
};

__global__ void changing(const float *A, float *C, places p)
{
    __shared__ float s[128];
    float sum = 0.0f;

    for (int i = threadIdx.x; i < 128; i += 32)
        s[i] = 1.0f;
    __syncthreads();
    for (int r = 0; r < 8; r++) {
        const int i = threadIdx.x * p.stride[r] + p.shift[r];

        sum += A[i] + s[i];
    }
    C[threadIdx.x] = sum;
}

__global__ void changing_narrow(const short *A, float *C, places p)
{
    float sum = 0.0f;

    for (int r = 0; r < 8; r++)
        sum += A[threadIdx.x * p.stride[r] + p.shift[r]];
    C[threadIdx.x] = sum;
}

/* Columns of 32 and, between them, rows. */
__global__ void conflicts(float *C)
{
    __shared__ float s[32 * 32];
    float sum = 0.0f;

    for (int i = threadIdx.x; i < 32 * 32; i += 32)
        s[i] = 1.0f;
    __syncthreads();
    for (int r = 0; r < 4; r++)
        sum += s[threadIdx.x * (r % 2 ? 1 : 32) + r];
    C[threadIdx.x] = sum;
}

int main()
{
    const places p = {{1, 1, 1, 2, 2, 1, 1, 0}, {0, 1, 8, 0, 1, 0, 17, 3}};
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
    changing<<<1, 32>>>(A, C, p);
    changing_narrow<<<1, 32>>>((const short *)A, C, p);
    conflicts<<<1, 32>>>(C);
    print_counts();
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
