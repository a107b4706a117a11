/* Doubles 10 numbers, with 3 blocks of 4 threads. */
#include "../../exercise.h"

#define COUNT 10
#define BLOCK 4

__global__ void make_double(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    /* TODO 2 (1 line): 2 of the 12 threads have no element. Write a condition
     * in front of the next line, so that only the other 10 run it. */
    y[i] = 2.0f * x[i];
}

int main()
{
    float *x = numbers(COUNT), *y = room(COUNT);

    make_double<<<(COUNT + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, COUNT);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++) {
        if (y[i] == 2.0f * x[i])
            continue;
        printf("y[%d] is %g and should be 2 * %g = %g.\nThe condition must "
               "hold for each i from 0 to %d.\n",
               i, y[i], x[i], 2.0f * x[i], COUNT - 1);
        return 1;
    }
    puts("Right: 10 threads have stored, and 2 have done nothing.");
    return 0;
}
