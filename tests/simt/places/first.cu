/* Lines and shapes that test_lines.c asks for. */
#include "places.h"
#include "simt/include/called.h"

#include <cuda_runtime.h>
#include <functional>

__device__ int table[3][4][5];
__device__ float4 quads[7];
__device__ float factor;
__device__ char of_four_dimensions[2][3][4][5];
static __device__ int differs[2][6];
static __device__ int agrees[2][6];

typedef float row_of_20[20];

__global__ void in_a_kernel(float *out)
{
    __shared__ float As[16][17];
    __shared__ volatile short words[33];
    __shared__ row_of_20 rows[10];
    volatile double automatic[5][3];

    automatic[2][1] = out[1];
    differs[1][1]++;
    As[threadIdx.y][threadIdx.x] = out[0];
    rows[3][threadIdx.x] = (float)words[threadIdx.y];
    __syncthreads();
    *out = As[threadIdx.x][3] + rows[2][threadIdx.y] +
           (float)(automatic[2][1] + table[1][2][3] + differs[1][1] +
                   agrees[1][1] + of_four_dimensions[1][1][1][1]) +
           quads[1].x * factor;
}

template <int SIZE> __global__ void in_a_template(double *out)
{
    __shared__ double Tile[SIZE][SIZE + 1];

    Tile[threadIdx.x][0] = *out;
    __syncthreads();
    *out = Tile[1][threadIdx.x];
}

namespace
{
__global__ void scaled(float *of_this, int by_that)
{
    of_this[threadIdx.x] *= (float)by_that;
}

__global__ void unnamed(float *, int *second)
{
    second[threadIdx.x]++;
}
} // namespace

void first_kernels()
{
    in_a_kernel<<<1, 1>>>(nullptr);
    in_a_template<8><<<1, 1>>>(nullptr);
    scaled<<<1, 1>>>(nullptr, 3);
    unnamed<<<1, 1>>>(nullptr, nullptr);
}

static inline __attribute__((always_inline)) uintptr_t inlined(int *line)
{
    *line = __LINE__ + 1;
    return here() + 0 * sizeof(int);
}

static inline __attribute__((always_inline)) uintptr_t
inlined_around_a_header(int *line)
{
    *line = __LINE__ + 1;
    return called() + 0 * sizeof(int);
}

template <int SIZE> static __attribute__((noinline)) void in_an_instance()
{
    expect("an instance", here(), __FILE__, __LINE__ + 0 * SIZE);
}

void first_places()
{
    int line;
    uintptr_t code;

    expect("plain", here(), __FILE__, __LINE__);
    code = inlined(&line);
    expect("inlined from the same file", code, __FILE__, line);
    in_an_instance<1>();
    in_an_instance<2>();
    code = inlined_around_a_header(&line);
    expect("inlined by what is inlined", code, __FILE__, line);
    expect("inlined from a header", called(), __FILE__, __LINE__);
    expect("inlined twice", called_by_a_header(), __FILE__, __LINE__);
    expect("inlined from the system", std::invoke(here), __FILE__, __LINE__);
    code = called_apart(&line);
    expect("a function of a header", code,
           "tests/simt/places/simt/include/called.h", line);
#line 777 "a/file/that/is/named.cu"
    expect("renamed", here(), __FILE__, __LINE__);
    expect("inlined after that", called(), __FILE__, __LINE__);
#line 888 "no_folder.cu"
    expect("without a folder", here(), __FILE__, __LINE__);
}
