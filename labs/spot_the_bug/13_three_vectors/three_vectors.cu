/* Makes room for three vectors on the device. */
#include "../../exercise.h"

int main()
{
    const size_t bytes = 1000 * sizeof(float);
    float *d_a, d_b, d_c;

    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaMemset(d_a, 0, bytes));
    return 0;
}
