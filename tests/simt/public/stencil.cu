/* A stencil of nine points along a line, and one of five in the plane: the
   coefficients in constant memory, the halo in shared memory. */
/* expect: 0 */
/* says: line: right */
/* says: plane: right */
#include <cuda_runtime.h>
#include "check.h"

#include <cmath>
#include <vector>

#define RADIUS 4
#define BLOCK  128
#define SIDE   16

__constant__ float coefficients[RADIUS + 1];
__constant__ struct {
    float centre, side;
} weights = {0.5f, 0.125f};

__global__ void stencil_line(const float *in, float *out, int n)
{
    __shared__ float part[BLOCK + 2 * RADIUS];
    const int global = blockIdx.x * BLOCK + threadIdx.x;
    const int local = threadIdx.x + RADIUS;

    part[local] = global < n ? in[global] : 0;
    if (threadIdx.x < RADIUS) {
        const int left = global - RADIUS, right = global + BLOCK;

        part[local - RADIUS] = left >= 0 ? in[left] : 0;
        part[local + BLOCK] = right < n ? in[right] : 0;
    }
    __syncthreads();
    if (global < n) {
        float sum = coefficients[0] * part[local];

#pragma unroll
        for (int i = 1; i <= RADIUS; i++)
            sum += coefficients[i] * (part[local - i] + part[local + i]);
        out[global] = sum;
    }
}

__global__ void stencil_plane(const float *in, float *out, int width,
                              int height)
{
    __shared__ float tile[SIDE + 2][SIDE + 2];
    const int x = blockIdx.x * SIDE + threadIdx.x;
    const int y = blockIdx.y * SIDE + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const bool inside = x < width && y < height;

    auto at = [&](int column, int row) {
        return column >= 0 && column < width && row >= 0 && row < height
                   ? in[row * width + column]
                   : 0.0f;
    };

    tile[ty][tx] = at(x, y);
    if (threadIdx.x == 0)
        tile[ty][0] = at(x - 1, y);
    if (threadIdx.x == SIDE - 1)
        tile[ty][SIDE + 1] = at(x + 1, y);
    if (threadIdx.y == 0)
        tile[0][tx] = at(x, y - 1);
    if (threadIdx.y == SIDE - 1)
        tile[SIDE + 1][tx] = at(x, y + 1);
    __syncthreads();
    if (inside) {
        out[y * width + x] =
            weights.centre * tile[ty][tx] +
            weights.side * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                            tile[ty - 1][tx] + tile[ty + 1][tx]);
    }
}

int main()
{
    const int n = 10000, width = 100, height = 100;
    const float host[RADIUS + 1] = {-2.5f, 1.5f, -0.25f, 0.125f, -0.0625f};
    std::vector<float> in(n), out(n);
    float *d_in, *d_out, side;
    double worst = 0;
    unsigned state = 5;
    int wrong;

    for (float &value : in)
        value = (float)(next_random(&state) % 1000) / 500 - 1;
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_out, n * sizeof(float)));
    CHECK(
        cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(coefficients, host, sizeof(host)));
    stencil_line<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        double sum = (double)host[0] * in[i];

        for (int j = 1; j <= RADIUS; j++) {
            sum += (double)host[j] *
                   ((i >= j ? in[i - j] : 0) + (i + j < n ? in[i + j] : 0));
        }
        worst = fmax(worst, fabs(sum - out[i]));
    }
    wrong = !(worst < 1e-5);
    printf("line: %s\n", wrong ? "wrong" : "right");

    /* The constant memory's other variable, from its first value to another. */
    side = 0.25f;
    CHECK(cudaMemcpyToSymbol(weights, &side, sizeof side, sizeof(float)));
    stencil_plane<<<dim3((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE),
                    dim3(SIDE, SIDE)>>>(d_in, d_out, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    worst = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const int i = y * width + x;
            const double around = (x > 0 ? in[i - 1] : 0.0) +
                                  (x < width - 1 ? in[i + 1] : 0.0) +
                                  (y > 0 ? in[i - width] : 0.0) +
                                  (y < height - 1 ? in[i + width] : 0.0);

            worst = fmax(worst, fabs(0.5 * in[i] + 0.25 * around - out[i]));
        }
    }
    printf("plane: %s\n", worst < 1e-5 ? "right" : "wrong");
    wrong += !(worst < 1e-5);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return wrong ? 1 : 0;
}
