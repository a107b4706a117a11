/* Prefix sums: Hillis and Steele's and Blelloch's within a block, and one of an
   array of any length in three passes, with shuffles. */
/* expect: 0 */
/* says: Hillis-Steele: right */
/* says: Blelloch: right */
/* says: any length: right */
#include <cuda_runtime.h>
#include "check.h"

#include <vector>

/* Inclusive, of one block; two buffers take turns. */
__global__ void hillis_steele(const int *in, int *out, int n)
{
    extern __shared__ int temp[];
    const int tid = threadIdx.x;
    int from = 0, to = 1;

    temp[tid] = tid < n ? in[tid] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        temp[to * n + tid] = temp[from * n + tid];
        if (tid >= offset)
            temp[to * n + tid] += temp[from * n + tid - offset];
        from = to;
        to = 1 - to;
        __syncthreads();
    }
    out[tid] = temp[from * n + tid];
}

/* Exclusive, of 2 * blockDim.x values, a power of two. */
__global__ void blelloch(const int *in, int *out, int n)
{
    extern __shared__ int temp[];
    const int tid = threadIdx.x;
    int offset = 1;

    temp[2 * tid] = in[2 * tid];
    temp[2 * tid + 1] = in[2 * tid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) { /* up the tree */
        __syncthreads();
        if (tid < d)
            temp[offset * (2 * tid + 2) - 1] +=
                temp[offset * (2 * tid + 1) - 1];
        offset *= 2;
    }
    if (tid == 0)
        temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) { /* down the tree */
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            const int left = offset * (2 * tid + 1) - 1;
            const int right = offset * (2 * tid + 2) - 1;
            const int kept = temp[left];

            temp[left] = temp[right];
            temp[right] += kept;
        }
    }
    __syncthreads();
    out[2 * tid] = temp[2 * tid];
    out[2 * tid + 1] = temp[2 * tid + 1];
}

__device__ __forceinline__ int warp_scan(int value)
{
    const int lane = threadIdx.x & 31;

    for (int delta = 1; delta < 32; delta <<= 1) {
        const int other = __shfl_up_sync(0xffffffffu, value, delta);

        if (lane >= delta)
            value += other;
    }
    return value;
}

/* Each block scans its part and leaves its sum in sums. */
__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int warp_sums[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int value = warp_scan(i < n ? in[i] : 0);

    if (lane == 31)
        warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        const int sum = lane < blockDim.x / 32 ? warp_sums[lane] : 0;

        warp_sums[lane] = warp_scan(sum);
    }
    __syncthreads();
    if (warp > 0)
        value += warp_sums[warp - 1];
    if (i < n)
        out[i] = value;
    if (sums != NULL && threadIdx.x == blockDim.x - 1)
        sums[blockIdx.x] = value;
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x > 0 && i < n)
        out[i] += sums[blockIdx.x - 1];
}

/* Compares with a scan on the host. */
static int check(const char *what, const std::vector<int> &in, const int *d_out,
                 bool inclusive)
{
    std::vector<int> out(in.size());
    int sum = 0, wrong = 0;

    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, in.size() * sizeof(int),
                     cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < in.size(); i++) {
        sum += in[i];
        wrong += out[i] != (inclusive ? sum : sum - in[i]);
    }
    printf("%s: %s\n", what, wrong ? "wrong" : "right");
    return wrong;
}

int main()
{
    const int small = 512, n = 50000, threads = 256;
    const int blocks = (n + threads - 1) / threads;
    std::vector<int> in(n), first;
    int *d_in, *d_out, *d_sums, wrong = 0;
    unsigned state = 7;

    for (int &value : in)
        value = (int)(next_random(&state) % 100) - 30;
    first.assign(in.begin(), in.begin() + small);
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    hillis_steele<<<1, small, 2 * small * sizeof(int)>>>(d_in, d_out, small);
    wrong += check("Hillis-Steele", first, d_out, true);
    blelloch<<<1, small / 2, small * sizeof(int)>>>(d_in, d_out, small);
    wrong += check("Blelloch", first, d_out, false);

    scan_blocks<<<blocks, threads>>>(d_in, d_out, d_sums, n);
    scan_blocks<<<1, 1024>>>(d_sums, d_sums, NULL, blocks);
    add_sums<<<blocks, threads>>>(d_out, d_sums, n);
    wrong += check("any length", in, d_out, true);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_sums));
    return wrong ? 1 : 0;
}
