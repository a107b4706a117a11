/* Fills a matrix of 3 rows and 5 columns, with a thread for each element. */
#include "../../exercise.h"

#define ROWS 3
#define COLS 5

__global__ void fill(float *C)
{
    const int row = threadIdx.y;
    const int col = threadIdx.x;

    /* TODO 3 (1 line): store 10.0f * row + col in row `row` and column `col` of
     * C. The rows lie in memory one behind the other. */
}

int main()
{
    const dim3 block = {COLS, ROWS, 1};
    float *C = room(ROWS * COLS);

    fill<<<1, block>>>(C);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < ROWS * COLS; i++) {
        const int row = i / COLS, col = i % COLS;

        if (C[i] == 10.0f * row + col)
            continue;
        printf(
            "C[%d] is %g and should be %d: it is row %d, column %d. Before it "
            "come\n%d * %d elements of the rows above and %d of its own "
            "row: %d * %d + %d = %d.\n",
            i, C[i], 10 * row + col, row, col, row, COLS, col, row, COLS, col,
            i);
        return 1;
    }
    puts("Right: each element is in its row and column.");
    return 0;
}
