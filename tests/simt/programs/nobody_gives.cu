/* What a shuffle reads from a lane that takes no part is a NaN. */
/* expect: 0 */
/* says: lane 0: 2, lane 15: nan */
#include <cuda_runtime.h>
#include "../public/check.h"

__global__ void pairs(float *out)
{
    const float before = __shfl_sync(0xffffffff, 1.0f, 0);

    if (threadIdx.x < 16)
        out[threadIdx.x] = before + __shfl_down_sync(0x0000ffff, 1.0f, 1);
}

int main()
{
    float *d_out, out[16];

    CHECK(cudaMalloc(&d_out, sizeof out));
    pairs<<<1, 32>>>(d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    printf("lane 0: %g, lane 15: %s\n", out[0],
           out[15] == out[15] ? "?" : "nan");
    return 0;
}
