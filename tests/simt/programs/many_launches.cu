/* One launch, or, with SIMT_SECONDS, launches without end: see
 * test_environment.c. */
/* expect: 0 */
/* says: launched once */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void fill(float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main()
{
    float *out;

    cudaMalloc(&out, 64 * sizeof(float));
    do {
        fill<<<2, 32>>>(out);
    } while (getenv("SIMT_SECONDS") != NULL);
    printf("launched once\n");
    return 0;
}
