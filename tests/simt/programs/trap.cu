/* A kernel that ends itself. */
/* expect: 0 */
/* says: trap.cu:10: assertion that fails */
/* says: unspecified launch failure */
#include <cuda_runtime.h>

__global__ void give_up(int n)
{
    if (n < 0)
        __trap();
}

int main()
{
    give_up<<<1, 1>>>(-1);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
