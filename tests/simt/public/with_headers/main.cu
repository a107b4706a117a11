/*
 * What ordinary programs have beside kernels: a header that launches, local
 * variables called gridDim and blockDim, C++ of the host with threads, virtual
 * functions and exceptions, half precision, and an argument that is copied once
 * for a launch.
 */
/* expect: 0 */
/* says: path 7, turned 6, half 6, sum of 4 threads 40, caught, copied once */
#include <atomic>
#include <cuda_fp16.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../check.h"
#include "kernels.cuh"

struct shape {
    virtual ~shape()
    {
    }
    virtual int sides() const
    {
        return 0;
    }
};

struct square : shape {
    int sides() const override
    {
        return 4;
    }
};

static int copies;

/* As programs wrap memory of the device. */
struct array {
    float *at;
    explicit array(size_t count)
    {
        CHECK(cudaMalloc(&at, count * sizeof(float)));
    }
    array(const array &other) : at(other.at)
    {
        copies++;
    }
    ~array()
    {
    }
};

__global__ void clear(array a)
{
    a.at[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

static int sum_of_threads()
{
    std::atomic<int> sum(0);
    std::vector<std::thread> threads;
    std::shared_ptr<shape> s = std::make_shared<square>();

    for (int i = 0; i < s->sides(); i++)
        threads.emplace_back([&] { sum += 10; });
    for (std::thread &t : threads)
        t.join();
    return sum;
}

static const std::string &message()
{
    static const std::string text("caught");

    return text;
}

int main()
{
    dim3 gridDim(2), blockDim(32);
    const int n = gridDim.x * blockDim.x;
    array x(n);
    float h[64];
    __half half_zero[64], *d_half;
    int found = 0, *d_found;
    std::string said;

    clear<<<gridDim, blockDim>>>(x);
    launch_turn(x.at, gridDim.x, blockDim.x);
    CHECK(cudaMemcpy(h, x.at, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        half_zero[i] = __float2half(2.0f * h[i]);
    CHECK(cudaMalloc(&d_half, sizeof half_zero));
    CHECK(cudaMemcpy(d_half, half_zero, sizeof half_zero,
                     cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&d_found, sizeof found));
    switch (n) {
    case 64:
        path<<<1, 1>>>(d_found);
    }
    CHECK(cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(half_zero, d_half, sizeof half_zero,
                     cudaMemcpyDeviceToHost));
    try {
        throw std::runtime_error(message());
    } catch (const std::exception &e) {
        said = e.what();
    }
    /* Thread 31 has 1 + 31 % 3 = 2 of it, thread 0 gets that. */
    printf("path %d, turned %g, half %g, sum of %d threads %d, %s, %s\n", found,
           3 * h[0], __half2float(half_zero[0]) + h[0], 4, sum_of_threads(),
           said.c_str(), copies == 1 ? "copied once" : "copied often");
    CHECK(cudaFree(x.at));
    CHECK(cudaFree(d_half));
    CHECK(cudaFree(d_found));
    return 0;
}
