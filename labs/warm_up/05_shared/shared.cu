/* In each group of 4 numbers, adds to each the one behind it; to the last, the
   first. A block does one group. */
#include "../../exercise.h"

#define GROUPS 2
#define GROUP  4

__global__ void add_next(const float *x, float *y)
{
    __shared__ float s[GROUP]; /* each block has one of its own */
    const int i = blockIdx.x * GROUP + threadIdx.x;

    /* TODO 5 (1 line): store this thread's number of x in its place in s. All
     * threads of the block then read s. */

    __syncthreads(); /* s is complete */
    y[i] = s[threadIdx.x] + s[(threadIdx.x + 1) % GROUP];
}

int main()
{
    float *x = numbers(GROUPS * GROUP), *y = room(GROUPS * GROUP);

    add_next<<<GROUPS, GROUP>>>(x, y);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < GROUPS * GROUP; i++) {
        const int first = i - i % GROUP, next = first + (i + 1) % GROUP;

        if (y[i] == x[i] + x[next])
            continue;
        printf("y[%d] is %g and should be x[%d] + x[%d] = %g.\nIn block %d "
               "the elements s[0] to s[%d] are x[%d] to x[%d].\n",
               i, y[i], i, next, x[i] + x[next], i / GROUP, GROUP - 1, first,
               first + GROUP - 1);
        return 1;
    }
    puts("Right: each block has its group in an array of its own.");
    return 0;
}
