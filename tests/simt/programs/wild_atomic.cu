/* An atomic operation at an address of nobody's stands on the kernel's line. */
/* expect: 0 */
/* says: wild_atomic.cu:{A}: access to memory that a kernel cannot reach */
/* says: wild_atomic.cu:{B}: access to memory that a kernel cannot reach */
/* says: cudaErrorIllegalAddress, cudaErrorIllegalAddress */
#include <cuda_runtime.h>

__global__ void add(int *to)
{
    int *const volatile none = NULL;

    atomicAdd(to, 1);
    atomicAdd(none, 1); /* A */
}

__global__ void compare(int *to)
{
    int *const volatile none = NULL;

    atomicAdd(to, 1);
    atomicCAS(none, 1, 2); /* B */
}

int main()
{
    int *to;

    cudaMallocManaged(&to, sizeof *to);
    add<<<1, 1>>>(to);
    const cudaError_t first = cudaDeviceSynchronize();
    cudaDeviceReset();
    cudaMallocManaged(&to, sizeof *to);
    compare<<<1, 1>>>(to);
    printf("%s, %s\n", cudaGetErrorName(first),
           cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    return 0;
}
