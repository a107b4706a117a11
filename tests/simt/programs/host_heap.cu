/* Host code that writes beyond the end of its own memory is not told that
   device memory was freed. */
/* expect: 0 */
/* says: 1000 of 1000 right: no error */
#include <cuda_runtime.h>
#include <stdio.h>
#include <unistd.h>

__global__ void number(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

int main()
{
    enum {
        BYTES = 4000
    };
    static int h[1000];
    int *volatile mine = (int *)malloc(16);
    int *d, right = 0;
    char text[80];

    cudaMalloc(&d, sizeof h);
    number<<<1, 1000>>>(d);
    for (int i = 4; i < BYTES / 4; i++)
        mine[i] = 1;
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1000; i++)
        right += h[i] == i;
    snprintf(text, sizeof text, "%d of 1000 right: %s\n", right,
             cudaGetErrorString(cudaGetLastError()));
    /* The heap is broken: nothing of the C library's may end it. */
    _exit(write(1, text, strlen(text)) < 0);
}
