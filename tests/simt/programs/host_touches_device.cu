/* Host code writes to device memory. A GPU's program would crash too, but not
 * say why. */
/* expect: 139 */
/* says: host code wrote element 3 of an unnamed array, in device memory */
/* says: copy it with cudaMemcpy first */
#include <cuda_runtime.h>

int main()
{
    float *d;

    cudaMalloc(&d, 32 * sizeof(float));
    d[3] = 1.0f;
    return 0;
}
