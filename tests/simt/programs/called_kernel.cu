/* A kernel that is called by a pointer, as a function: a GPU runs nothing. */
/* expect: 139 */
/* says: called_kernel.cu:{A}: host code called the kernel scale as a function */
/* says: without <<<grid, block>>>, perhaps by a pointer to it */
#include <cuda_runtime.h>

__global__ void once(float *x);

__global__ void __launch_bounds__(32) scale(float *x)
{
    if (threadIdx.x < 32) {
        x[threadIdx.x] *= 2.0f; /* A */
    }
}

template <class Kernel, class... Arguments>
static void repeat(Kernel kernel, Arguments... arguments)
{
    kernel(arguments...);
}

int main()
{
    float *d;

    cudaMalloc(&d, 32 * sizeof(float));
    cudaMemset(d, 0, 32 * sizeof(float));
    repeat(scale, d);
    return 0;
}
