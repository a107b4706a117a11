/* An atomic operation is one request of the lanes that make it together; a
   shuffle is none, and the lanes go on together behind it. */
/* build: analyse */
/* expect: 0 */
/* says: add C atomic: 2 requests, 64 lanes, 8 sectors */
/* says: add_odd C atomic: 2 requests, 32 lanes, 8 sectors */
/* says: add_shared s atomic: 2 requests, 64 lanes */
/* says: behind_shuffle A load: 2 requests, 64 lanes, 8 sectors */
/* says: behind_shuffle C store: 2 requests, 64 lanes, 8 sectors */
/* says: behind_shuffle: 64 barriers */
/* says: behind_vote A load: 2 requests, 64 lanes, 8 sectors */
#include "counted.h"

__global__ void add(const float *, float *C)
{
    atomicAdd(&C[threadIdx.x], 1.0f);
}

__global__ void add_odd(const float *, float *C)
{
    if (threadIdx.x % 2)
        atomicAdd(&C[threadIdx.x], 1.0f);
}

__global__ void add_shared(const float *, float *C)
{
    __shared__ int s[32];

    if (threadIdx.x < 32)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x % 32], 1);
    __syncthreads();
    C[threadIdx.x] = s[threadIdx.x % 32];
}

/* Lanes come to the shuffle after loops of different lengths. */
__global__ void behind_shuffle(const float *A, float *C)
{
    float sum = 0;

    for (int i = 0; i < threadIdx.x % 5; i++)
        sum += i;
    sum = __shfl_xor_sync(0xffffffff, sum, 1);
    if (threadIdx.x >= 32) /* the other warp waits at the barrier by then */
        sum += __shfl_xor_sync(0xffffffff, sum, 1);
    __syncthreads();
    C[threadIdx.x] = sum + A[threadIdx.x];
}

/* Each half votes on its own, then all load together. */
__global__ void behind_vote(const float *A, float *C)
{
    int votes = 0;

    if (threadIdx.x % 32 < 16)
        votes = __popc(__ballot_sync(0x0000ffff, 1));
    else
        votes = __popc(__ballot_sync(0xffff0000, 1)) + 1;
    __syncwarp();
    C[threadIdx.x] = votes + A[threadIdx.x];
}

int main()
{
    struct simt_count count;
    float *A, *C;

    cudaMalloc(&A, 64 * sizeof(float));
    cudaMalloc(&C, 64 * sizeof(float));
    cudaMemset(A, 0, 64 * sizeof(float));
    cudaMemset(C, 0, 64 * sizeof(float));
    simt_name_array(A, "A");
    simt_name_array(C, "C");
    add<<<1, 64>>>(A, C);
    add_odd<<<1, 64>>>(A, C);
    add_shared<<<1, 64>>>(A, C);
    behind_shuffle<<<1, 64>>>(A, C);
    behind_vote<<<1, 64>>>(A, C);
    if (simt_count_read(&count) != 0)
        return 2;
    for (size_t i = 0; i < count.kernels; i++) {
        printf("%s: %d barriers\n", count.kernel[i].kernel,
               (int)count.kernel[i].barriers);
    }
    print_counts();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
