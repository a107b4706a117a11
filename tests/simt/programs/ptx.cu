/* Inline PTX that courses write: registers of a warp, a barrier, a field of
 * bits, a load of four floats. */
/* expect: 0 */
/* says: lane 0: 101000, lane 1 of warp 1: 101002, lane 31: 100998 */
#include <cuda_runtime.h>
#include <stdio.h>

static __device__ unsigned lanes_before()
{
    unsigned mask;

    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

__global__ void use(unsigned *out, const float *in)
{
    unsigned lane, warp, then, field;
    float4 v;

    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm volatile("mov.u32 %0, %%clock;" : "=r"(then)::"memory");
    asm volatile("bar.sync 0;");
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(0xabcdu), "r"(4), "r"(8));
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(in));
    out[threadIdx.x] = lanes_before() * (warp + 1) +
                       (lane == threadIdx.x % 32 && field == 0xbc) * 1000 +
                       (unsigned)v.w + then * 0;
}

int main()
{
    unsigned *out;
    float *in;

    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaMallocManaged(&in, sizeof(float4));
    in[3] = 100000;
    use<<<1, 64>>>(out, in);
    cudaDeviceSynchronize();
    printf("lane 0: %u, lane 1 of warp 1: %u, lane 31: %u\n", out[0], out[33],
           out[63]);
    return 0;
}
