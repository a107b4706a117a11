/* Thrust works on what cudaMalloc gave, and brings std::cout along. */
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>

__global__ void count(float *x)
{
    x[threadIdx.x] = (float)threadIdx.x;
}

int main()
{
    float *x;

    cudaMalloc(&x, 32 * sizeof *x);
    count<<<1, 32>>>(x);
    thrust::device_ptr<float> p(x);
    std::cout << thrust::inner_product(p, p + 32, p, 0.0f) << " " << p[3] << " "
              << thrust::reduce(thrust::device, x, x + 32) << std::endl;
    cudaFree(x);
    return 0;
}
