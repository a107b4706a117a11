/* Sums 0 to 63 as was usual before compute capability 7.0: the lanes of a warp
   take each step together, which volatile alone does not promise. */
#include <cstdio>

__global__ void sum(int *total)
{
    __shared__ int s[64];
    const int t = threadIdx.x;

    s[t] = t;
    __syncthreads();
    if (t < 32) {
        volatile int *v = s;

        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    __syncthreads();
    if (t == 63)
        *total = s[0];
}

int main()
{
    int *total;

    cudaMallocManaged(&total, sizeof *total);
    sum<<<1, 64>>>(total);
    cudaDeviceSynchronize();
    printf("sum: %d\n", *total);
    return 0;
}
