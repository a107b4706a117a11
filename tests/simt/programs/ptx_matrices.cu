/* Inline PTX of half matrices: one tile's product by ldmatrix of four, two and
 * one, with and without .trans, and mma.sync; and a reduction of a warp. */
/* expect: 0 */
/* says: 0 wrong, rows 32, columns 32, sum 496, most 31 */
#include <cuda_fp16.h>
#include <stdio.h>

struct results {
    float C[16][8];
    unsigned row[32], column[32];
    int sum, most;
};

static __device__ unsigned address_of(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

__global__ void multiply(const __half *A, const __half *B, results *to)
{
    __shared__ __half As[16][16], Bs[16][8];
    const int lane = threadIdx.x;
    unsigned a[4], b[2], row, column;
    float c[4] = {0, 0, 0, 0};
    int sum, most;

    for (int i = lane; i < 256; i += 32)
        As[i / 16][i % 16] = A[i];
    for (int i = lane; i < 128; i += 32)
        Bs[i / 8][i % 8] = B[i];
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address_of(&As[lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
                 "{%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(address_of(&Bs[lane % 16][0])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(row)
                 : "r"(address_of(&As[lane % 8][0])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.trans.b16 {%0}, [%1];"
                 : "=r"(column)
                 : "r"(address_of(&As[lane % 8][0])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
    for (int i = 0; i < 4; i++)
        to->C[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2] = c[i];
    to->row[lane] = row;
    to->column[lane] = column;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;"
                 : "=r"(sum)
                 : "r"(lane));
    asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;"
                 : "=r"(most)
                 : "r"(lane));
    if (lane == 0) {
        to->sum = sum;
        to->most = most;
    }
}

/* The bits of element (row, col). */
static unsigned bits(const __half *A, int row, int col)
{
    return *(const unsigned short *)&A[row * 16 + col];
}

int main()
{
    __half *A, *B;
    results *to;
    int wrong = 0, rows = 0, columns = 0;

    cudaMallocManaged(&A, 256 * sizeof *A);
    cudaMallocManaged(&B, 128 * sizeof *B);
    cudaMallocManaged(&to, sizeof *to);
    for (int i = 0; i < 256; i++)
        A[i] = __float2half((i * 7 % 31 - 15) * (i % 3 ? 0.5f : 0x1p-20f));
    for (int i = 0; i < 128; i++)
        B[i] = __float2half(i * 5 % 29 - 14);
    multiply<<<1, 32>>>(A, B, to);
    cudaDeviceSynchronize();
    for (int row = 0; row < 16; row++) {
        for (int col = 0; col < 8; col++) {
            float sum = 0;

            for (int k = 0; k < 16; k++)
                sum += __half2float(A[row * 16 + k]) *
                       __half2float(B[k * 8 + col]);
            wrong += !(fabsf(sum - to->C[row][col]) < 1e-4f);
        }
    }
    for (int l = 0; l < 32; l++) {
        const int at = l / 4, from = l % 4 * 2;

        rows += to->row[l] == (bits(A, at, from) | bits(A, at, from + 1) << 16);
        columns +=
            to->column[l] == (bits(A, from, at) | bits(A, from + 1, at) << 16);
    }
    printf("%d wrong, rows %d, columns %d, sum %d, most %d\n", wrong, rows,
           columns, to->sum, to->most);
    return 0;
}
