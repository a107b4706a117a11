/* malloc() and new in a kernel take from the device's heap; those of the host
   stay the C library's. What is freed is no other thread's in this launch. */
/* expect: 0 */
/* says: sums: 496 496 */
/* says: too much: 1, freed twice: an illegal memory access was encountered */
/* says: frees a block of the device's heap twice */
/* says: heap (malloc, new) 32 blocks were never freed */
#include <cuda_runtime.h>
#include <stdio.h>

struct node {
    int value;
    node *next;
};

__global__ void build(int *out, int is_freed)
{
    node *n = new node;
    int *volatile four = (int *)malloc(4 * sizeof(int));

    n->value = threadIdx.x;
    n->next = NULL;
    for (int i = 0; i < 4; i++)
        four[i] = n->value;
    out[blockIdx.x * blockDim.x + threadIdx.x] = four[3];
    delete n;
    if (is_freed)
        free(four);
}

__global__ void take_all(int *out)
{
    *out = malloc(64 << 20) == NULL;
}

__global__ void free_twice()
{
    int *volatile one = (int *)malloc(4);

    free(one);
    free(one);
}

int main()
{
    int h[64], *d, *own = new int[4], sum[2] = {0, 0};

    cudaMalloc(&d, sizeof h);
    build<<<2, 32>>>(d, 1);
    build<<<1, 32>>>(d, 0);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        sum[i / 32] += h[i];
    printf("sums: %d %d\n", sum[0], sum[1]);
    delete[] own;
    take_all<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof *h, cudaMemcpyDeviceToHost);
    free_twice<<<1, 1>>>();
    printf("too much: %d, freed twice: %s\n", h[0],
           cudaGetErrorString(cudaGetLastError()));
    return 0;
}
