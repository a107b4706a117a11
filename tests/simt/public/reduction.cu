/* The sum and the maximum of an array, in the three ways that a course goes
   through: shared memory, shuffles, and one atomic operation a block. */
/* expect: 0 */
/* says: shared memory, int: right */
/* says: shuffles, int: right */
/* says: shuffles, float: right */
/* says: one launch, float: right */
/* says: maximum: right */
#include <cuda_runtime.h>
#include "check.h"

#include <cfloat>
#include <cmath>
#include <vector>

#define FULL_MASK 0xffffffff

/* In shared memory of a size that the launch chooses. */
template <typename T>
__global__ void reduce_shared(const T *in, T *out, unsigned n)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *sdata = reinterpret_cast<T *>(memory);
    const unsigned tid = threadIdx.x;
    const unsigned i = blockIdx.x * blockDim.x * 2 + tid;

    T sum = i < n ? in[i] : T(0);
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <typename T> __inline__ __device__ T warp_sum(T value)
{
#pragma unroll
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(FULL_MASK, value, offset);
    return value;
}

template <typename T> __device__ T block_sum(T value)
{
    static __shared__ T partial[32]; /* one for each warp */
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;

    value = warp_sum(value);
    if (lane == 0)
        partial[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? partial[lane] : T(0);
    if (warp == 0)
        value = warp_sum(value);
    return value;
}

template <typename T> __global__ void reduce_shuffle(const T *in, T *out, int n)
{
    T sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* The block that comes last adds up what the others left behind. */
__device__ unsigned int blocks_done = 0;

__global__ void reduce_once(const float *in, volatile float *partial,
                            float *out, int n)
{
    __shared__ bool is_last;
    float sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        sum = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            sum += partial[i];
        sum = block_sum(sum);
        if (threadIdx.x == 0) {
            *out = sum;
            blocks_done = 0;
        }
    }
}

__global__ void maximum(const float *in, int *out, int n)
{
    float best = -FLT_MAX;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        best = fmaxf(best, in[i]);
    for (int mask = 16; mask > 0; mask >>= 1)
        best = fmaxf(best, __shfl_xor_sync(FULL_MASK, best, mask));
    if (threadIdx.x % 32 == 0)
        atomicMax(out, __float_as_int(best)); /* the values are positive */
}

static int report(const char *what, bool right)
{
    printf("%s: %s\n", what, right ? "right" : "wrong");
    return right ? 0 : 1;
}

int main()
{
    const int n = 70001, threads = 256, blocks = 40;
    std::vector<int> numbers(n);
    std::vector<float> values(n);
    unsigned state = 1;
    long sum = 0;
    double exact = 0;
    float largest = 0;
    int wrong = 0, *d_in, *d_out, result = 0, zero = 0;
    float *d_values, *d_partial, *d_sum, f;

    for (int i = 0; i < n; i++) {
        numbers[i] = (int)(next_random(&state) % 2001) - 1000;
        values[i] = (float)(next_random(&state) % 10000) / 16;
        sum += numbers[i];
        exact += values[i];
        largest = fmaxf(largest, values[i]);
    }
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 1024 * sizeof(int)));
    CHECK(cudaMemcpy(d_in, numbers.data(), n * sizeof(int),
                     cudaMemcpyHostToDevice));

    /* Until one value is left. */
    int left = n, *from = d_in, *to = d_out, *spare;
    CHECK(cudaMalloc(&spare, 1024 * sizeof(int)));
    while (left > 1) {
        const int grid = (left + 2 * threads - 1) / (2 * threads);

        reduce_shared<int>
            <<<grid, threads, threads * sizeof(int)>>>(from, to, left);
        CHECK(cudaGetLastError());
        left = grid;
        from = to;
        to = to == d_out ? spare : d_out;
    }
    CHECK(cudaMemcpy(&result, from, sizeof(int), cudaMemcpyDeviceToHost));
    wrong += report("shared memory, int", result == sum);

    reduce_shuffle<<<blocks, threads>>>(d_in, d_out, n);
    reduce_shuffle<<<1, 1024>>>(d_out, spare, blocks);
    CHECK(cudaMemcpy(&result, spare, sizeof(int), cudaMemcpyDeviceToHost));
    wrong += report("shuffles, int", result == sum);

    CHECK(cudaMalloc(&d_values, n * sizeof(float)));
    CHECK(cudaMalloc(&d_partial, blocks * sizeof(float)));
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(float),
                     cudaMemcpyHostToDevice));
    reduce_shuffle<float><<<blocks, threads>>>(d_values, d_partial, n);
    reduce_shuffle<float><<<1, 64>>>(d_partial, d_sum, blocks);
    CHECK(cudaMemcpy(&f, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    wrong += report("shuffles, float", fabs(f - exact) < 1e-5 * exact);

    for (int round = 0; round < 2; round++) {
        CHECK(cudaMemset(d_sum, 0xff, sizeof(float)));
        reduce_once<<<blocks, threads>>>(d_values, d_partial, d_sum, n);
    }
    CHECK(cudaMemcpy(&f, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    wrong += report("one launch, float", fabs(f - exact) < 1e-5 * exact);

    CHECK(cudaMemcpy(d_out, &zero, sizeof(int), cudaMemcpyHostToDevice));
    maximum<<<blocks, threads>>>(d_values, d_out, n);
    CHECK(cudaMemcpy(&f, d_out, sizeof(float), cudaMemcpyDeviceToHost));
    wrong += report("maximum", f == largest);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(spare));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_partial));
    CHECK(cudaFree(d_sum));
    return wrong ? 1 : 0;
}
