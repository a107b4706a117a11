/* Words of one type that are read as those of another, as nvcc lets a program
 * do: a float4 as four ints, a uint4 as eight halves. */
/* expect: 0 */
/* says: 0 wrong */
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include "check.h"

__global__ void take_apart(const float4 *in, const uint4 *halves, int *out,
                           float *sums)
{
    const int i = (int)threadIdx.x;
    float4 kept = in[i];
    uint4 eight = halves[i];
    int *const words = (int *)&kept;
    const __half *const half = (const __half *)&eight;
    float sum = 0;

    kept.x += 1;
    words[3] = i;
    out[4 * i] = words[0];
    out[4 * i + 1] = words[1];
    out[4 * i + 2] = words[2];
    out[4 * i + 3] = (int)(kept.w == __int_as_float(i));
    for (int j = 0; j < 8; j++)
        sum += __half2float(half[j]);
    sums[i] = sum;
}

int main()
{
    enum {
        N = 64
    };
    static float in[4 * N], sums[N];
    static __half halves[8 * N];
    static int out[4 * N];
    float *d_in, *d_sums;
    __half *d_halves;
    int *d_out, wrong = 0;

    for (int i = 0; i < 4 * N; i++)
        in[i] = (float)i + 0.5f;
    for (int i = 0; i < 8 * N; i++)
        halves[i] = __float2half((float)(i % 32));
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_halves, sizeof halves));
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_halves, halves, sizeof halves, cudaMemcpyHostToDevice));
    take_apart<<<1, N>>>((const float4 *)d_in, (const uint4 *)d_halves, d_out,
                         d_sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        float want = 0;

        for (int j = 0; j < 8; j++)
            want += (float)((8 * i + j) % 32);
        wrong += sums[i] != want;
        for (int j = 0; j < 3; j++) {
            union {
                int i;
                float f;
            } word;

            word.i = out[4 * i + j];
            wrong += word.f != in[4 * i + j] + (j == 0);
        }
        wrong += out[4 * i + 3] != 1;
    }
    printf("%d wrong\n", wrong);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_halves));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_sums));
    return wrong ? 1 : 0;
}
