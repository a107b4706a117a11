/* A matrix product with its own main: tiles in shared memory, sides that are no
   multiple of a tile's, checked against the host. */
/* expect: 0 */
/* says: 37 x 53 x 29: right */
/* says: 128 x 64 x 96: right */
#include <cuda_runtime.h>
#include "check.h"

#include <cmath>
#include <vector>

struct Matrix {
    int width, height, stride;
    float *elements;
};

template <int TILE>
__global__ void product(const Matrix A, const Matrix B, Matrix C)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (int t = 0; t < (A.width + TILE - 1) / TILE; t++) {
        const int a_col = t * TILE + threadIdx.x;
        const int b_row = t * TILE + threadIdx.y;

        As[threadIdx.y][threadIdx.x] =
            row < A.height && a_col < A.width
                ? __ldg(&A.elements[row * A.stride + a_col])
                : 0.f;
        Bs[threadIdx.y][threadIdx.x] =
            b_row < B.height && col < B.width
                ? __ldg(&B.elements[b_row * B.stride + col])
                : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum = fmaf(As[threadIdx.y][k], Bs[k][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < C.height && col < C.width)
        C.elements[row * C.stride + col] = sum;
}

static Matrix on_device(int height, int width, const float *from)
{
    Matrix m = {width, height, width, NULL};
    const size_t bytes = (size_t)width * height * sizeof(float);

    CHECK(cudaMalloc((void **)&m.elements, bytes));
    if (from != NULL)
        CHECK(cudaMemcpy(m.elements, from, bytes, cudaMemcpyHostToDevice));
    return m;
}

template <int TILE> static int check(int m, int n, int k)
{
    std::vector<float> A(m * k), B(k * n), C(m * n);
    unsigned state = 11;
    int wrong = 0;

    for (float &value : A)
        value = (float)(next_random(&state) % 2000) / 1000 - 1;
    for (float &value : B)
        value = (float)(next_random(&state) % 2000) / 1000 - 1;

    Matrix d_A = on_device(m, k, A.data());
    Matrix d_B = on_device(k, n, B.data());
    Matrix d_C = on_device(m, n, NULL);
    const dim3 block(TILE, TILE);
    const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);

    product<TILE><<<grid, block>>>(d_A, d_B, d_C);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(C.data(), d_C.elements, C.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    for (int row = 0; row < m; row++) {
        for (int col = 0; col < n; col++) {
            double sum = 0;

            for (int i = 0; i < k; i++)
                sum += (double)A[row * k + i] * B[i * n + col];
            wrong += !(fabs(sum - C[row * n + col]) < 1e-4);
        }
    }
    printf("%d x %d x %d: %s\n", m, n, k, wrong ? "wrong" : "right");
    CHECK(cudaFree(d_A.elements));
    CHECK(cudaFree(d_B.elements));
    CHECK(cudaFree(d_C.elements));
    return wrong;
}

int main(void)
{
    return check<16>(37, 53, 29) + check<32>(128, 64, 96) ? 1 : 0;
}
