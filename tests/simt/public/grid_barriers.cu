/* Barriers of a whole grid, in launches that are cooperative. */
/* expect: 0 */
/* says: 0 wrong */
#include <cooperative_groups.h>
#include <cstdio>
#include "check.h"

namespace cg = cooperative_groups;

/* Each step needs what the neighbours, in other blocks too, have stored. */
__global__ void smooth(int *a, int *b, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    const int i = (int)grid.thread_rank();

    for (int step = 0; step < steps; step++) {
        if (i < n)
            b[i] = a[(i + n - 1) % n] + a[(i + 1) % n];
        grid.sync();
        int *const kept = a;

        a = b;
        b = kept;
    }
}

/* Sums of blocks, then theirs by the first one. */
template <class T> __global__ void sum(const T *in, T *part, T *out, int n)
{
    __shared__ T s[128];
    const cg::grid_group grid = cg::this_grid();
    T own = 0;

    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        own += in[i];
    s[threadIdx.x] = own;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        part[blockIdx.x] = s[0];
    cg::sync(grid);
    if (grid.thread_rank() == 0) {
        *out = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            *out += part[i];
    }
}

int main()
{
    const int n = 500, steps = 5;
    int *a, *b, *out, host[500], expected[2][500], wrong = 0;
    int cooperative = 0, count = n, times = steps;
    void *smoothing[] = {&a, &b, &count, &times};
    void *summing[] = {&a, &b, &out, &count};

    CHECK(
        cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    wrong += !cooperative;
    CHECK(cudaMalloc(&a, sizeof host));
    CHECK(cudaMalloc(&b, sizeof host));
    CHECK(cudaMalloc(&out, sizeof *out));
    for (int i = 0; i < n; i++)
        host[i] = expected[0][i] = i * 7 % 31;
    CHECK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++) {
            expected[(step + 1) % 2][i] = expected[step % 2][(i + n - 1) % n] +
                                          expected[step % 2][(i + 1) % n];
        }
    }
    CHECK(cudaLaunchCooperativeKernel((void *)smooth, dim3(8), dim3(64),
                                      smoothing));
    CHECK(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        wrong += host[i] != expected[steps % 2][i];

    int total = 0, all = 0;

    CHECK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaLaunchCooperativeKernel(sum<int>, 5, 128, summing, 0, 0));
    CHECK(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        all += host[i];
    wrong += total != all;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(out));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
