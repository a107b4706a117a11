/* printf and assert in a kernel. */
/* expect: 0 */
/* says: Hello from block 1, thread 2: 1.50 abc */
/* says: done: no error */
#include <cuda_runtime.h>
#include <assert.h>
#include <stdio.h>

__global__ void hello(float x)
{
    assert(blockDim.x == 3);
    if (threadIdx.x == 2)
        printf("Hello from block %d, thread %d: %.2f %s\n", blockIdx.x,
               threadIdx.x, x * blockIdx.x, "abc");
}

int main()
{
    hello<<<2, 3>>>(1.5f);
    cudaError_t error = cudaDeviceSynchronize();
    printf("done: %s\n", cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}
