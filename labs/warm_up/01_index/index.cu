/* Each of 3 x 4 threads marks the element that is its own. */
#include "../../exercise.h"

#define BLOCKS 3
#define BLOCK  4

__global__ void mark_own(float *mark)
{
    /* TODO 1 (1 line): store 1.0f in this thread's element of mark. Block 0 has
     * elements 0 to 3, block 1 has 4 to 7, block 2 has 8 to 11. */
}

int main()
{
    float *mark = room(BLOCKS * BLOCK);

    mark_own<<<BLOCKS, BLOCK>>>(mark);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < BLOCKS * BLOCK; i++) {
        const int block = i / BLOCK, thread = i % BLOCK;

        if (mark[i] == 1.0f)
            continue;
        printf(
            "mark[%d] has no 1. It is the element of thread %d of block %d:\n"
            "%d * %d + %d = %d.\n",
            i, thread, block, block, BLOCK, thread, i);
        return 1;
    }
    puts("Right: each thread has marked its own element.");
    return 0;
}
