/* The kernels' algorithms as loops: what a thread does is the body of the loop
   over the threads, and a barrier is the end of that loop. A compiler may go
   through such a loop with several columns at a time, which it cannot do with
   threads. */
#include "products.h"

enum {
    T = PRODUCT_TILE
};

void plain_naive(const float *A, const float *B, float *C, int n)
{
    for (int row = 0; row < n; row++) {
        for (int col = 0; col < n; col++) {
            float sum = 0.0f;

            for (int k = 0; k < n; k++)
                sum += A[row * n + k] * B[k * n + col];
            C[row * n + col] = sum;
        }
    }
}

/* One block of threads: a tile of C, the first element of which is C[0]. */
static void tile_of(const float *A, const float *B, float *C, int n)
{
    float As[T][T], Bs[T][T], sum[T][T] = {{0.0f}};

    for (int t = 0; t < n; t += T) {
        for (int ty = 0; ty < T; ty++) {
            for (int tx = 0; tx < T; tx++) {
                As[ty][tx] = A[ty * n + t + tx];
                Bs[ty][tx] = B[(t + ty) * n + tx];
            }
        }
        for (int ty = 0; ty < T; ty++) {
            for (int tx = 0; tx < T; tx++) {
                for (int k = 0; k < T; k++)
                    sum[ty][tx] += As[ty][k] * Bs[k][tx];
            }
        }
    }
    for (int ty = 0; ty < T; ty++) {
        for (int tx = 0; tx < T; tx++)
            C[ty * n + tx] = sum[ty][tx];
    }
}

void plain_tiled(const float *A, const float *B, float *C, int n)
{
    for (int row = 0; row < n; row += T) {
        for (int col = 0; col < n; col += T)
            tile_of(A + row * n, B + col, C + row * n + col, n);
    }
}
