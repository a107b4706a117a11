/* Divides two vectors, and checks every quotient. */
#include "../../exercise.h"

#include <cmath>

#define COUNT 64

__global__ void divide(const float *a, const float *b, float *c)
{
    c[threadIdx.x] = a[threadIdx.x] / b[threadIdx.x];
}

int main()
{
    float *a = numbers(COUNT), *b = numbers(COUNT), *c = room(COUNT);
    int wrong = 0;

    divide<<<1, COUNT>>>(a, b, c);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++) {
        if (fabsf(c[i] - 1.0f) > 1e-6f)
            wrong++;
    }
    printf("%d of %d are not 1; c[7] is %f\n", wrong, COUNT, fabsf(c[7]));
    return wrong > 0 ? 1 : 0;
}
