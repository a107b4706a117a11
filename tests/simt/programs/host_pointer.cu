/* A kernel is given an array of the host's. */
/* expect: 0 */
/* says: host_pointer.cu:22: launch of scale: argument 1 points to host memory */
/* says: cudaErrorIllegalAddress */
#include <stdio.h>

__global__ void scale(float *x, float factor)
{
    x[threadIdx.x] *= factor;
}

int main()
{
    float *host = (float *)malloc(32 * sizeof(float));

    for (int i = 0; i < 32; i++)
        host[i] = 1.0f;
    /* The launch stands in line 22, as the message says,
       although it goes on
       for several lines. */

    scale<<<1, 32>>>(host, 2.0f);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    free(host);
    return 0;
}
