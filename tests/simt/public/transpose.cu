/* Transposing a matrix of any size: through a padded tile in shared memory. */
/* expect: 0 */
/* says: int: 0 wrong */
/* says: double: 0 wrong */
/* says: float4: 0 wrong */
#include <cuda_runtime.h>
#include "check.h"

#include <vector>

template <class T, int TILE, int ROWS>
__global__ void __launch_bounds__(TILE *ROWS)
    transpose(T *__restrict__ out, const T *__restrict__ in, int width,
              int height)
{
    __shared__ T tile[TILE][TILE + 1]; /* one more: no bank conflicts */
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;

#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
    __syncthreads();

    const int to_x = blockIdx.y * TILE + threadIdx.x;
    const int to_y = blockIdx.x * TILE + threadIdx.y;

#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        if (to_x < height && to_y + j < width)
            out[(to_y + j) * height + to_x] =
                tile[threadIdx.x][threadIdx.y + j];
    }
}

static bool same(int a, int b)
{
    return a == b;
}

static bool same(double a, double b)
{
    return a == b;
}

static bool same(float4 a, float4 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

template <class T, class Make>
static int check(const char *name, int width, int height, Make make)
{
    const size_t count = (size_t)width * height;
    std::vector<T> in(count), out(count);
    T *d_in = NULL, *d_out = NULL;
    int wrong = 0;

    for (size_t i = 0; i < count; i++)
        in[i] = make((int)i);
    CHECK(cudaMalloc(&d_in, count * sizeof(T)));
    CHECK(cudaMalloc(&d_out, count * sizeof(T)));
    CHECK(
        cudaMemcpy(d_in, in.data(), count * sizeof(T), cudaMemcpyHostToDevice));

    const dim3 block(16, 4);
    const dim3 grid((width + 15) / 16, (height + 15) / 16);
    transpose<T, 16, 4><<<grid, block>>>(d_out, d_in, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out.data(), d_out, count * sizeof(T),
                     cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            wrong +=
                !same(out[(size_t)x * height + y], in[(size_t)y * width + x]);
    }
    printf("%s: %d wrong\n", name, wrong);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return wrong;
}

int main()
{
    int wrong = 0;

    wrong += check<int>("int", 100, 37, [](int i) { return i; });
    wrong += check<double>("double", 17, 64, [](int i) { return i * 0.5; });
    wrong += check<float4>("float4", 33, 49, [](int i) {
        return make_float4(i, i + 0.25f, -i, 1);
    });
    return wrong ? 1 : 0;
}
