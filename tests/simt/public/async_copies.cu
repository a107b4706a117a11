/* Copies to shared memory that go on while the block computes: a ring of three
   buffers, for elements of 4, 8 and 16 bytes. What lies past the end of the
   array becomes zeros. */
/* expect: 0 */
/* says: 4 bytes: 0 wrong */
/* says: 8 bytes: 0 wrong */
/* says: 16 bytes: 0 wrong */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include "check.h"

#include <vector>

#define THREADS 64
#define STAGES  3

/* Each thread copies an element and reads that of the thread opposite. */
template <class T> __global__ void turn(T *out, const T *in, int n)
{
    __shared__ T ring[STAGES][THREADS];
    const int tid = threadIdx.x;
    const int tiles = (n + THREADS - 1) / THREADS;

    for (int tile = 0; tile < tiles + STAGES - 1; tile++) {
        const int element = tile * THREADS + tid;

        if (tile < tiles)
            __pipeline_memcpy_async(&ring[tile % STAGES][tid],
                                    element < n ? &in[element] : in, sizeof(T),
                                    element < n ? 0 : sizeof(T));
        __pipeline_commit();
        if (tile < STAGES - 1)
            continue;
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads(); /* the oldest tile is complete */
        const int oldest = tile - (STAGES - 1);

        out[oldest * THREADS + tid] = ring[oldest % STAGES][THREADS - 1 - tid];
        __syncthreads(); /* and free */
    }
}

/* Of 16 bytes the first 4 alone are there. */
__global__ void part(float4 *out, const float *in)
{
    __shared__ float4 place;

    __pipeline_memcpy_async(&place, in, sizeof place, 12);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    *out = place;
}

template <class T> static bool check(int n)
{
    const int padded = (n + THREADS - 1) / THREADS * THREADS;
    const int words = sizeof(T) / sizeof(float);
    std::vector<float> in(n * words), out(padded * words);
    T *d_in, *d_out;
    int wrong = 0;

    for (size_t i = 0; i < in.size(); i++)
        in[i] = (float)i + 1;
    CHECK(cudaMalloc(&d_in, n * sizeof(T)));
    CHECK(cudaMalloc(&d_out, padded * sizeof(T)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    turn<<<1, THREADS>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, padded * sizeof(T),
                     cudaMemcpyDeviceToHost));
    for (int i = 0; i < padded; i++) {
        const int from = i / THREADS * THREADS + THREADS - 1 - i % THREADS;

        for (int w = 0; w < words; w++)
            wrong +=
                out[i * words + w] != (from < n ? in[from * words + w] : 0.0f);
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    printf("%d bytes: %d wrong\n", (int)sizeof(T), wrong);
    return wrong == 0;
}

int main()
{
    const float one = 1.0f;
    float4 *d_out, out;
    float *d_in;
    bool right = check<float>(1000);

    right = check<float2>(64) && right;
    right = check<float4>(777) && right;
    CHECK(cudaMalloc(&d_in, 4));
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    CHECK(cudaMemcpy(d_in, &one, 4, cudaMemcpyHostToDevice));
    part<<<1, 1>>>(d_out, d_in);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    right = right && out.x == 1.0f && out.y == 0.0f && out.z == 0.0f &&
            out.w == 0.0f;
    return right ? 0 : 1;
}
