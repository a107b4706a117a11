/* A kernel that ends itself. */
/* expect: 0 */
/* says: thread (0,0,0): ran into the __trap() of tests/simt/programs/trap.cu:10 */
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
