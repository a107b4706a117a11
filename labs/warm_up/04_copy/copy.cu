/* Doubles 8 numbers on the device: there, the kernel, and back. */
#include "../../exercise.h"

#define COUNT 8

__global__ void make_double(float *x)
{
    x[threadIdx.x] *= 2.0f;
}

int main()
{
    const size_t bytes = COUNT * sizeof(float);
    const float x[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
    float y[COUNT] = {0}; /* x and y are in host memory, d_x in the device's */
    float *d_x;

    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    make_double<<<1, COUNT>>>(d_x);
    CHECK(cudaGetLastError());
    /* TODO 4 (1 line): copy the numbers back, from d_x to y, with CHECK around
     * the call. */
    CHECK(cudaFree(d_x));
    for (int i = 0; i < COUNT; i++) {
        if (y[i] == 2.0f * x[i])
            continue;
        printf("y[%d] is %g and should be 2 * %g = %g.\n"
               "The destination comes first: y, in host memory. Then comes the "
               "source: d_x,\nin the device's. Then the size: %d floats are %d "
               "bytes. The last argument says\nthe way: from device to "
               "host.\n",
               i, y[i], x[i], 2.0f * x[i], COUNT, (int)bytes);
        return 1;
    }
    puts("Right: the numbers went there, were doubled, and came back.");
    return 0;
}
