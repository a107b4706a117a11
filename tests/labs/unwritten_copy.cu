/* Copies what nobody has written, and what a kernel, a copy or a fill has. */
#include <stdio.h>

__global__ void ones(int *a)
{
    a[threadIdx.x] = -1;
}

int main()
{
    int *a, *b, *c, host[32];

    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, sizeof host);
    cudaMemset(c, 0xff, sizeof host);
    ones<<<1, 16>>>(a);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2; i++)
        cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    return 0;
}
