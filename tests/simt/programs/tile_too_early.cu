/* A warp that has not waited for a copy of a tile reads what it brings. */
/* expect: 1 */
/* build: analyse */
/* says: {A}: use of what is not there yet */
/* says: thread (32,0) of block (0,0) loads byte 0 of shared memory */
/* says: which the tile_load() of line {B} may still fill */
#include <cuda_runtime.h>

#include "hopper.h"

__global__ void early(const __grid_constant__ CUtensorMap map, int *out)
{
    extern __shared__ __align__(1024) int shared[];

    const unsigned tile = shared_address(shared), full = tile + 1024;

    if (threadIdx.x == 0) {
        barrier_init(full, 1);
        barrier_init_done();
        barrier_expect(full, 1024);
        tile_load(tile, &map, 0, 0, full); /* B */
        barrier_wait(full, 0);
    }
    __syncwarp();
    if (threadIdx.x < 32)
        out[threadIdx.x] = shared[threadIdx.x]; /* its warp has waited */
    else if (threadIdx.x == 32)
        out[32] = shared[0]; /* A */
}

int main()
{
    const cuuint64_t size[2] = {64, 8}, apart[1] = {128};
    const cuuint32_t box[2] = {64, 8}, every[2] = {1, 1};
    CUtensorMap map;
    int *data;

    cudaMallocManaged(&data, 2048);
    if (cuTensorMapEncodeTiled(
            &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, size, apart, box,
            every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
            CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return 2;
    early<<<1, 64, 2048>>>(map, data + 256);
    return cudaDeviceSynchronize() != cudaSuccess;
}
