/*
 * What could the rewriter get wrong of what stands before variables and
 * functions of the device, of null arguments, and of what it must refuse?
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "rewriting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(test_variables_of_the_device_get_a_section)
{
    static const char *const cases[][2] = {
        {"__device__ int x;", "simt_device"},
        {"static __device__ float x[3] = {1};", "simt_device"},
        {"extern __device__ int x;", "simt_device"},
        {"float __device__ *x;", "simt_device"},
        {"__device__ v<int, (1 > 0)> x{};", "simt_device"},
        {"__device__ const float *x;", "simt_device"},
        {"__device__ float (*x)(float) = f;", "simt_device"},
        {"__device__ __managed__ int x = 1, y;", "simt_device"},
        {"__managed__ int x;", "simt_device"},
        {"__device__ struct { const int a; } x;", "simt_device"},
        {"[[maybe_unused]] __device__ alignas(16) char x[4];", "simt_device"},
        {"void f() { static __device__ int x; }", "simt_device"},
        {"__device__ const int x = 1;", "simt_device_const"},
        {"constexpr __device__ float x[] = {1};", "simt_device_const"},
        {"__device__ int *const x = 0;", "simt_device_const"},
        {"__device__ void (*const x)(int) = f;", "simt_device_const"},
        {"inline __device__ int x;", "simt_device_inline"},
        {"inline const __device__ int x = 1;", "simt_device_const_inline"},
        {"__constant__ float x[16];", "simt_constant"},
        {"__device__ __constant__ float x;", "simt_constant"},
        {"__constant__ __device__ const float x = 1;", "simt_constant_const"},
        {"template <> __device__ int x<3>;", "simt_device"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *output = expect_launches(cases[i][0], 0);
        char section[64];

        snprintf(section, sizeof section, "SIMT_VARIABLE(\"%s\")", cases[i][1]);
        if (rewriting_count(output, section) != 1 ||
            rewriting_count(output, "SIMT_VARIABLE") != 1)
            fail_msg("no %s: %s", section, output);
        free(output);
    }
}

TEST(test_functions_of_the_device_are_no_variables)
{
    static const char *const same[] = {
        "__device__ int f();",
        "__device__ __forceinline__ const float *f(int a = 1) { }",
        "static __host__ __device__ float4 operator+(float4 a, float4 b);",
        "template <class T, int N = 3> __device__ v<T, N> f(T x) { }",
        "struct s { __device__ s(int a) : b(a) { } __device__ ~s(); };",
        "struct s { __device__ s &operator=(const s &) = default; };",
        "auto f = [=] __device__ (int i) { return i; };",
        "auto f = [] __host__ __device__ { return 1; };",
        "#define HD __host__ __device__\n",
        "__device__ __attribute__((noinline)) int f(int);",
        "__device__ decltype(1 + 2) f();",
    };

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_same(same[i]);
}

TEST(test_noinline_is_an_attribute_once)
{
    char *output = expect_launches(
        "__noinline__ int f();\nint g() __attribute__((__noinline__));\n", 0);

    assert_string_equal(output, "__attribute__((noinline)) int f();\n"
                                "int g() __attribute__((__noinline__));\n");
    free(output);
}

/* 0 and NULL stay as they are written, in the call: only so are they pointers
   and numbers alike. */
TEST(test_null_arguments_stand_in_the_call)
{
    static const char *const cases[][2] = {
        {"k<<<1, 2>>>(NULL);",
         "[=]() SIMT_KERNEL_CALL(k(NULL)), SIMT_KERNEL_ADDRESS(k));"},
        {"k<<<1, 2>>>(a, 0, f(b, 0));",
         "[=](auto simt_1, auto simt_2) SIMT_KERNEL_CALL("
         "k(simt_1,  0, simt_2)), SIMT_KERNEL_ADDRESS(k), a,  f(b, 0));"},
        {"k<<<1, 2>>>(0 /* none */, n);",
         "[=](auto simt_1) SIMT_KERNEL_CALL(k(0  , simt_1)), SIMT_KERNEL_ADDRESS(k),  n);"},
        {"k<<<1, 2>>>({a, 1}, n);",
         "[=](auto simt_1) SIMT_KERNEL_CALL(k({a, 1}, simt_1)), SIMT_KERNEL_ADDRESS(k),  n);"},
        /* A comma that may stand between a template's arguments. */
        {"k<<<1, 2>>>(f<1, 0, 2>(a));",
         "SIMT_KERNEL_CALL(k(simt_arguments...)), SIMT_KERNEL_ADDRESS(k), f<1, 0, 2>"},
        {"k<<<1, 2>>>(00, n);",
         "SIMT_KERNEL_CALL(k(simt_arguments...)), SIMT_KERNEL_ADDRESS(k), 00, n);"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *output = expect_launches(cases[i][0], 1);

        if (strstr(output, cases[i][1]) == NULL)
            fail_msg("no '%s' in: %s", cases[i][1], output);
        free(output);
    }
    free(expect_launches("k<<<1, 2>>>(a,\n  NULL,\n  b\n);\n", 1));
}

TEST(test_a_kernel_launches_but_does_not_wait)
{
    free(expect_launches("__global__ void k(int *a) {\n  k<<<1, 2>>>(a);\n}\n",
                         1));
    expect_refused("__global__ void k() {\n cudaDeviceSynchronize(); }\n",
                   "lab.cu:2: cudaDeviceSynchronize() in a kernel is not in "
                   "CUDA 13");
    free(expect_launches("__global__ void k();\nvoid f() { k<<<1, 2>>>();\n"
                         "  cudaDeviceSynchronize(); }\n",
                         1));
    free(expect_launches("__global__ void k();\nvoid f() { k<<<1, 2>>>(); }\n",
                         1));
    free(expect_launches("__global__ void k() { { } }\n"
                         "void f() { k<<<1, 2>>>(); }\n",
                         1));
    free(expect_launches("__host__ __device__ void f() { k<<<1, 2>>>(); }\n",
                         1));
    free(expect_launches("void f() { g([=] __device__ (int i) { });\n"
                         "  k<<<1, 2>>>(); }\n",
                         1));
}

TEST(test_a_kernel_may_be_declared_within_a_function)
{
    free(expect_launches(
        "int main() { extern __global__ void k(int *p); k<<<1, 2>>>(0); }", 1));
}

TEST(test_what_the_device_lacks_is_refused_by_name)
{
    expect_refused("\ntexture<float, 1> t;\n",
                   "lab.cu:2: texture is not in CUDA 13: write "
                   "cudaTextureObject_t");
    expect_refused("\nsurface<void, 2> s;\n",
                   "lab.cu:2: surface is not in CUDA 13: write "
                   "cudaSurfaceObject_t");
    expect_refused("int f() {\n\n cudaGraphCreate(&g, 0); }\n",
                   "lab.cu:3: graphs whose nodes are added one by one are not");
    expect_refused("\n#include <cub/thread/thread_load.cuh>\n",
                   "lab.cu:2: this part of CUB is not");
    expect_refused("# include \"cufft.h\"\n", "cuFFT is not");
    expect_refused("void f() { cuModuleLoad(&m, \"k.ptx\"); }\n",
                   "kernels of a module (cuModuleLoad) are not");
    expect_refused("void f() { curandCreateGenerator(&g, 100); }\n",
                   "cuRAND's generators of the host are not");
    expect_refused("template <class T> __device__ T x;\n",
                   "lab.cu:1: a __device__ or __constant__ variable in a "
                   "template");
    expect_same("#if 0\n#include <cub/cub.cuh>\n#endif\n");
    expect_same("#include <cuda_runtime.h>\n#include \"my_thrust/a.h\"\n");
}
