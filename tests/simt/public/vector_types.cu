/* CUDA's vector types: sizes, alignment, and what kernels do with them. */
/* expect: 0 */
/* says: 0 wrong */
#include <cuda_runtime.h>
#include "check.h"

#include <cstddef>

#define LAYOUT(type, size, alignment)                                 \
    static_assert(sizeof(type) == size && alignof(type) == alignment, \
                  "layout of " #type)

LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(char4, 4, 4);
LAYOUT(uchar4, 4, 4);
LAYOUT(short2, 4, 4);
LAYOUT(short3, 6, 2);
LAYOUT(ushort4, 8, 8);
LAYOUT(int1, 4, 4);
LAYOUT(int2, 8, 8);
LAYOUT(uint3, 12, 4);
LAYOUT(int4, 16, 16);
LAYOUT(long2, 16, 16);
LAYOUT(ulong3, 24, 8);
LAYOUT(longlong1, 8, 8);
LAYOUT(ulonglong2, 16, 16);
LAYOUT(float1, 4, 4);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double1, 8, 8);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(dim3, 12, 4);
static_assert((char)-1 < 0 || char1{-1}.x < 0, "char1 is signed");

__host__ __device__ inline float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

struct body {
    float4 place; /* and mass */
    float3 speed;
    uchar4 colour;
};

__global__ void move(body *bodies, float3 *copy, double2 *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    body b = bodies[i];
    const float3 place = make_float3(b.place.x, b.place.y, b.place.z);
    const float3 moved = place + b.speed;

    b.place = make_float4(moved.x, moved.y, moved.z, b.place.w);
    b.colour.w = 255;
    bodies[i] = b;
    copy[i] = moved;
    sums[i] = make_double2(moved.x + moved.y, moved.z);
    reinterpret_cast<int2 *>(&sums[i])[0].x ^= 0;
}

int main()
{
    const int n = 50;
    body bodies[n];
    float3 copy[n];
    double2 sums[n];
    body *d_bodies;
    float3 *d_copy;
    double2 *d_sums;
    uint3 three = make_uint3(1, 2, 3);
    dim3 size = three;
    int wrong = size.x * size.y * size.z != 6;

    size = dim3(7);
    wrong += size.x != 7 || size.y != 1 || size.z != 1;
    for (int i = 0; i < n; i++) {
        bodies[i].place = make_float4(i, 2 * i, 3 * i, 1);
        bodies[i].speed = make_float3(0.5f, 0.25f, -1);
        bodies[i].colour = make_uchar4(1, 2, 3, 4);
    }
    CHECK(cudaMalloc(&d_bodies, sizeof bodies));
    CHECK(cudaMalloc(&d_copy, sizeof copy));
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMemcpy(d_bodies, bodies, sizeof bodies, cudaMemcpyHostToDevice));
    move<<<2, 32>>>(d_bodies, d_copy, d_sums, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(bodies, d_bodies, sizeof bodies, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(copy, d_copy, sizeof copy, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        wrong += copy[i].x != i + 0.5f || copy[i].y != 2 * i + 0.25f ||
                 copy[i].z != 3 * i - 1;
        wrong += bodies[i].place.y != 2 * i + 0.25f || bodies[i].place.w != 1;
        wrong += bodies[i].colour.x != 1 || bodies[i].colour.w != 255;
        wrong += sums[i].x != 3.0 * i + 0.75 || sums[i].y != 3.0 * i - 1;
    }
    printf("%d wrong\n", wrong);
    CHECK(cudaFree(d_bodies));
    CHECK(cudaFree(d_copy));
    CHECK(cudaFree(d_sums));
    return wrong ? 1 : 0;
}
