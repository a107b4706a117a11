/* Products of small matrices by tensor cores, of each type and shape, against
   the host's. All numbers are small integers, so all sums are exact. */
/* expect: 0 */
/* says: half 16x16x16: 0 wrong, of half 0 wrong */
/* says: bfloat16 32x8x16: 0 wrong, 8x32x16: 0 wrong */
/* says: signed char 16x16x16: 0 wrong */
/* says: tf32 16x16x8: 0 wrong, double 8x8x4: 0 wrong */
/* says: tf32 of 1.0007: 1.00098 */
/* says: one tile for both: 0 wrong */
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

/* d = 2 (a b + c): a by rows, b by columns, c and d by rows. */
template <int m, int n, int k, class Kind, class T, class Sum>
__global__ void product(const T *a, const T *b, const Sum *c, Sum *d)
{
    wmma::fragment<wmma::matrix_a, m, n, k, Kind, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, m, n, k, Kind, wmma::col_major> of_b;
    wmma::fragment<wmma::accumulator, m, n, k, Sum> of_c, sum;

    wmma::fill_fragment(sum, Sum(0));
    wmma::load_matrix_sync(of_a, a, k);
    wmma::load_matrix_sync(of_b, b, k);
    wmma::load_matrix_sync(of_c, c, n, wmma::mem_row_major);
    wmma::mma_sync(sum, of_a, of_b, of_c);
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] = sum.x[i] + sum.x[i];
    wmma::store_matrix_sync(d, sum, n, wmma::mem_row_major);
}

/* How many elements are not the host's. */
template <int m, int n, int k, class Kind, class T, class Sum> int wrong()
{
    unsigned state = 7;
    T a[m * k], b[k * n], *d_a, *d_b;
    Sum c[m * n], d[m * n], *d_c, *d_d;
    int count = 0;

    for (T &x : a)
        x = T((float)(next_random(&state) % 7) - 3);
    for (T &x : b)
        x = T((float)(next_random(&state) % 5) - 2);
    for (Sum &x : c)
        x = Sum((float)(next_random(&state) % 9));
    CHECK(cudaMalloc(&d_a, sizeof a));
    CHECK(cudaMalloc(&d_b, sizeof b));
    CHECK(cudaMalloc(&d_c, sizeof c));
    CHECK(cudaMalloc(&d_d, sizeof d));
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_c, c, sizeof c, cudaMemcpyHostToDevice));
    product<m, n, k, Kind><<<1, 32>>>(d_a, d_b, d_c, d_d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost));
    for (int i = 0; i < m * n; i++) {
        float sum = (float)c[i];

        for (int j = 0; j < k; j++)
            sum += (float)a[i / n * k + j] * (float)b[i % n * k + j];
        count += (float)d[i] != 2 * sum;
    }
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    CHECK(cudaFree(d_d));
    return count;
}

/* d = a, by columns: one tile holds a and then the matrix that changes nothing,
   with no barrier but those of the operations. */
__global__ void through_one_tile(const half *a, float *d)
{
    __shared__ half tile[256];
    __shared__ float sums[256];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> of_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;

    wmma::fill_fragment(sum, 0.0f);
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i] = a[i];
    wmma::load_matrix_sync(of_a, tile, 16);
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i] = i / 16 == i % 16 ? 1 : 0;
    wmma::load_matrix_sync(of_b, tile, 16);
    wmma::mma_sync(sum, of_a, of_b, sum);
    wmma::store_matrix_sync(sums, sum, 16, wmma::mem_row_major);
    for (int i = threadIdx.x; i < 256; i += 32)
        d[i] = sums[i % 16 * 16 + i / 16];
}

static int wrong_through_one_tile()
{
    half a[256], *d_a;
    float d[256], *d_d;
    int count = 0;

    for (int i = 0; i < 256; i++)
        a[i] = (float)i;
    CHECK(cudaMalloc(&d_a, sizeof a));
    CHECK(cudaMalloc(&d_d, sizeof d));
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    through_one_tile<<<1, 32>>>(d_a, d_d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        count += d[i] != (float)(i % 16 * 16 + i / 16);
    return count;
}

__global__ void round_to_tf32(float *x)
{
    *x = wmma::__float_to_tf32(*x);
}

int main()
{
    float *x;

    printf("half 16x16x16: %d wrong, of half %d wrong\n",
           wrong<16, 16, 16, half, half, float>(),
           wrong<16, 16, 16, half, half, half>());
    printf("bfloat16 32x8x16: %d wrong, 8x32x16: %d wrong\n",
           wrong<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float>(),
           wrong<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>());
    printf("one tile for both: %d wrong\n", wrong_through_one_tile());
    printf("signed char 16x16x16: %d wrong\n",
           wrong<16, 16, 16, signed char, signed char, int>());
    printf("tf32 16x16x8: %d wrong, double 8x8x4: %d wrong\n",
           wrong<16, 16, 8, wmma::precision::tf32, float, float>(),
           wrong<8, 8, 4, double, double, double>());
    CHECK(cudaMallocManaged(&x, sizeof *x));
    *x = 1.0007f;
    round_to_tf32<<<1, 1>>>(x);
    CHECK(cudaDeviceSynchronize());
    printf("tf32 of 1.0007: %.5f\n", *x);
    CHECK(cudaFree(x));
    return 0;
}
