/* Variables of the device: written and read by name, by address and by
   kernels. */
/* expect: 0 */
/* says: 0 wrong */
#include <cuda_runtime.h>
#include "check.h"

__device__ int counter;
__device__ float table[8] = {0, 1, 2, 3};
static __device__ const float fixed[3] = {0.5f, 0.25f, 0.125f};
__constant__ float scale = 2.0f;
__constant__ int offsets[4];
constexpr __device__ int limit = 5;
__device__ __managed__ int both = 3;
float __device__ *address;
__device__ unsigned char bytes[3][5];

typedef float (*function)(float);
__device__ float twice(float x)
{
    return 2 * x;
}
__device__ float half(float x)
{
    return x / 2;
}
__device__ function functions[2] = {twice, half};
__device__ float (*chosen)(float) = half;
__device__ float by_chosen;

struct pair {
    int first;
    double second;
};
namespace names
{
__device__ pair inner = {1, 2.5};
}

inline __device__ int shared_by_files = 4;

__device__ int next_number()
{
    static __device__ int number = 8;

    return ++number;
}

template <class T> __device__ T of_table(int i)
{
    return (T)(table[i] * scale) + offsets[i % 4];
}

__global__ void use(float *out, int n)
{
    const int i = threadIdx.x;

    if (i < n)
        out[i] = of_table<float>(i) + fixed[i % 3] + functions[i % 2](1.0f);
    if (i == 0) {
        counter += limit + shared_by_files + next_number();
        names::inner.second += names::inner.first;
        address = out;
        bytes[2][4] = 77;
        both += 1;
        by_chosen = chosen(3.0f);
    }
}

int main()
{
    const int host_offsets[4] = {10, 20, 30, 40};
    float out[8], expected, new_table[8], *d_out, *found = NULL;
    int number = 100, wrong = 0, *counter_address;
    unsigned char host_bytes[3][5];
    pair host_pair;
    size_t size = 0;

    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemcpyToSymbol(counter, &number, sizeof(int)));
    CHECK(cudaMemcpyToSymbol(offsets, host_offsets, sizeof host_offsets, 0,
                             cudaMemcpyHostToDevice));
    /* The second half of the table. */
    for (int i = 0; i < 8; i++)
        new_table[i] = i + 0.5f;
    CHECK(cudaMemcpyToSymbol(table, new_table + 4, 4 * sizeof(float),
                             4 * sizeof(float)));
    use<<<1, 32>>>(d_out, 8);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));

    const float in_table[8] = {0, 1, 2, 3, 4.5f, 5.5f, 6.5f, 7.5f};
    const float in_fixed[3] = {0.5f, 0.25f, 0.125f};
    for (int i = 0; i < 8; i++) {
        expected = in_table[i] * 2 + host_offsets[i % 4] + in_fixed[i % 3] +
                   (i % 2 ? 0.5f : 2.0f);
        wrong += out[i] != expected;
    }
    CHECK(cudaMemcpyFromSymbol(&number, counter, sizeof number));
    wrong += number != 100 + 5 + 4 + 9;
    CHECK(cudaMemcpyFromSymbol(&host_pair, names::inner, sizeof host_pair));
    wrong += host_pair.second != 3.5;
    CHECK(cudaMemcpyFromSymbol(&found, address, sizeof found));
    wrong += found != d_out;
    CHECK(cudaMemcpyFromSymbol(host_bytes, bytes, sizeof host_bytes));
    wrong += host_bytes[2][4] != 77 || host_bytes[0][0] != 0;
    wrong += both != 4;
    CHECK(cudaMemcpyFromSymbol(&expected, by_chosen, sizeof(float)));
    wrong += expected != 1.5f;

    /* By address a variable is an array like others. */
    CHECK(cudaGetSymbolAddress((void **)&counter_address, counter));
    CHECK(cudaGetSymbolSize(&size, table));
    wrong += size != sizeof table;
    CHECK(cudaMemset(counter_address, 0, sizeof(int)));
    CHECK(cudaMemcpy(&number, counter_address, sizeof(int),
                     cudaMemcpyDeviceToHost));
    wrong += number != 0;
    CHECK(cudaGetSymbolAddress((void **)&found, table));
    use<<<1, 32>>>(found, 2);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(new_table, table, sizeof new_table));
    wrong += new_table[0] != 0 * 2 + 10 + 0.5f + 2.0f;

    printf("%d wrong\n", wrong);
    CHECK(cudaFree(d_out));
    return wrong ? 1 : 0;
}
