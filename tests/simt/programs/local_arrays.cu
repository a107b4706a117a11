/* Indices outside of arrays whose size the compiler knows: it checks them in
   the fast build, before anything is overwritten. */
/* build: fast */
/* expect: 0 */
/* says: local_arrays.cu:{A}: access outside of an array */
/* says: uses index 8 in v[i], where 0 to 7 are allowed: it is 'float [8]'. */
/* says: local: cudaErrorIllegalAddress */
/* says: within: cudaSuccess */
/* says: local_arrays.cu:{B}: access outside of an array */
/* says: uses index -1 in s[(int)threadIdx.x - 1], where 0 to 31 are allowed */
/* says: shared: cudaErrorIllegalAddress */
/* says: local_arrays.cu:{C}: access outside of an array */
/* says: uses index 17 in tile[threadIdx.y][threadIdx.x + 1], where 0 to 16 */
/* says: it is 'float [17]' */
/* says: column: cudaErrorIllegalAddress */
/* says: local_arrays.cu:{D}: access outside of an array */
/* says: uses index 16 in tile[threadIdx.y + 1], where 0 to 15 are allowed */
/* says: row: cudaErrorIllegalAddress */
/* says: local_arrays.cu:{E}: access outside of an array */
/* says: uses index 32 in s[32], where 0 to 31 are allowed */
/* says: constant: cudaErrorIllegalAddress */
/* x86-64 says: local_arrays.cu:{F}: misaligned access */
/* x86-64 says: as a float4 wants an index that 4 */
/* x86-64 says: float4: cudaErrorMisalignedAddress */
#include <stdio.h>

__global__ void local(float *y, int n)
{
    float v[8];
    float sum = 0.0f;

    for (int i = 0; i < n; i++)
        v[i] = (float)(i + threadIdx.x); /* A */
    for (int i = 0; i < n; i++)
        sum += v[i];
    y[threadIdx.x] = sum;
}

__global__ void shared(float *y)
{
    __shared__ float s[32];

    s[threadIdx.x] = 1.0f;
    __syncthreads();
    y[threadIdx.x] = s[(int)threadIdx.x - 1]; /* B */
}

__global__ void column(float *y)
{
    __shared__ float tile[16][17];

    tile[threadIdx.y][threadIdx.x + 1] = 1.0f; /* C */
    __syncthreads();
    y[threadIdx.x] = tile[0][threadIdx.x];
}

__global__ void row(float *y)
{
    __shared__ float tile[16][17];

    tile[threadIdx.y + 1][threadIdx.x] = 1.0f; /* D */
    __syncthreads();
    y[threadIdx.x] = tile[1][threadIdx.x];
}

/* The compiler warns as well. */
#pragma GCC diagnostic ignored "-Warray-bounds"

__global__ void constant(float *y)
{
    __shared__ float s[32];

    s[32] = 1.0f; /* E */
    __syncthreads();
    y[threadIdx.x] = s[31];
}

__global__ void by_float4(const float *x, float4 *y, int from)
{
    y[threadIdx.x] = *(const float4 *)&x[from]; /* F */
}

static float *y;

static void tell(const char *what)
{
    printf("%s: %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMalloc(&y, 1024 * sizeof(float));
}

int main()
{
    cudaMalloc(&y, 1024 * sizeof(float));
    local<<<1, 32>>>(y, 9);
    tell("local");
    local<<<1, 32>>>(y, 8);
    tell("within");
    shared<<<1, 32>>>(y);
    tell("shared");
    column<<<1, dim3(17, 16)>>>(y);
    tell("column");
    row<<<1, dim3(16, 16)>>>(y);
    tell("row");
    constant<<<1, 32>>>(y);
    tell("constant");
    by_float4<<<1, 32>>>(y, (float4 *)y, 1);
    tell("float4");
    return 0;
}
