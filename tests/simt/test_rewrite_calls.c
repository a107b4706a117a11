/* What nvcc refuses, and beginners write: is it refused, at its line? And is
   what only looks like it left alone? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "rewriting.h"

#include <stdio.h>
#include <stdlib.h>

#define DECLARED                                           \
    "__device__ float square(float x) { return x * x; }\n" \
    "float host(float x) { return x; }\n"                  \
    "__global__ void add(const float *a, float *b, int n = 1)\n{\n}\n"

TEST(test_mistakes_are_refused_at_their_line)
{
    static const char *const cases[][2] = {
        {"int main() { add(0, 0, 5); }", "lab.cu:6: add is a kernel: launch"},
        {"int main() { square<<<1, 2>>>(3); }",
         "lab.cu:6: square is a __device__ function (line 1): only a kernel"},
        {"int main() { host<<<1, 2>>>(3); }", "host is a host function"},
        {"int main() { return square(3); }",
         "square is a __device__ function, which kernels alone can call, and "
         "main runs on the host"},
        {"__global__ void k(float *x) { x[0] = host(1); }",
         "host is a function of the host, and k runs on the device: write "
         "__device__ before it in line 2"},
        {"__global__ void k(float *x) { add(x, x); }", "add is a kernel, and"},
        {"__device__ int k() { return rand(); }", "rand() runs on the host"},
        {"#include \"lab.h\"\n__global__ void k() { LAB_CHECK(cudaGetLastError()); }",
         "lab.cu:7: LAB_CHECK() runs on the host alone, and k on the device"},
        {"__global__ void k(int *x) { *x = lab_ceil_div(*x, 3); }",
         "lab_ceil_div() runs on the host alone, and k on the device"},
        {"__global__ void k(void *x) { cudaMemset(x, 0, 4); }",
         "cudaMemset() runs on the host alone, and k on the device"},
        {"#include \"lab.h\"\n#include <math.h>\n__global__ void k() {\nprintf(\"!\"); }",
         "lab.cu:9: printf() is declared in <stdio.h>"},
        {"int main() { printf(\"!\"); }", "is declared in <stdio.h>"},
        {"__global__ void k() { std::cout << 1; }", "std::cout is the host's"},
        {"int main() { add<<<1, 2>>>(0); }",
         "the kernel add takes 3 arguments (line 3), and this launch gives 1"},
        {"int main() { add<<<1, 2>>>(0, 0, 1, f(2, 3)); }", "gives 4"},
        {"int main() { add<<1, 2>>(0, 0); }", "a launch has three of each"},
        {"__global__ int k() { return 1; }", "a kernel returns nothing"},
        {"__global__ k() { }", "a kernel returns nothing"},
        {"_global_ void k() { }", "_global_ is written __global__"},
        {"__global__ void k() { __syncthread(); }",
         "__syncthread() is written __syncthreads()"},
        {"__global__ void k() { __syncthreads; }", "with parentheses"},
        {"__global__ void k() { __shared__ float s[2] = {0}; }",
         "a __shared__ variable has no initial value"},
        {"__global__ void k() { __shared__ int s = 0; }",
         "a __shared__ variable has no initial value"},
        {"int main() { return threadIdx.x; }",
         "main runs on the host: write __global__ before a kernel"},
        {"int main() { __syncthreads(); }", "works in kernels alone"},
        {"__global__ void k() {\nif (1) {\n}\nint main() { }",
         "lab.cu:9: a } is missing before this line: k, which begins in line "
         "6, has more { than }"},
        {"void f() {\n__global__ void k() { }", "lab.cu:7: a } is missing"},
        {"#include \"lab.h\"\nint main() { }", "a lab has no main"},
        {"static int m[2], scale = 3;\n"
         "__global__ void k(int *x) { x[0] = scale; }",
         "lab.cu:7: scale is a variable of the host, and k runs on the device"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];

        snprintf(text, sizeof text, "%s%s\n", DECLARED, cases[i][0]);
        expect_refused(text, cases[i][1]);
    }
}

/* Each of these nvcc takes. */
TEST(test_what_looks_like_a_mistake_is_left_alone)
{
    static const char *const cases[] = {
        "template <class T>\n#ifdef __CUDACC__\n__host__ __device__\n#endif\n"
        "T f(T a) { return a; }\n__global__ void k(int *a) { *a = f(1); }",
        "void f(float (*square)(float)) { square(1); }",
        "struct s { void add(int); };\nvoid f(s x) { x.add(1); }",
        "void f() { other::square(1); }",
        "__host__ __device__ float f(float x) { return host(x); }",
        "#define HD __host__ __device__\nHD float f(float x) { return x; }\n"
        "__global__ void k(float *x) { x[0] = f(1); }",
        "constexpr int two() { return 2; }\n"
        "__global__ void k(int *x) { x[0] = two(); }",
        "template <class F> __global__ void k(F host) { host(1); }",
        "UNKNOWN float f(float x);\n__global__ void k(float *x) { *x = f(1); }",
        "void f() { g([=] __device__ (int i) { square(i); }); }",
        "float host2(float x);\n__device__ float host2(double x);\n"
        "__global__ void k(float *x) { *x = host2(1.0); }",
        "namespace a { struct b { __device__ b() : c(1), d{2} { } int c, d; };"
        " }\nint main() { }",
        "#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nint main() { }",
        "int main() { dim3 gridDim(4), blockDim(32); f(gridDim.x); }",
        "__global__ void k(int n) { __shared__ int s[4]; int x = 0; }",
        "int main() { _global_ = 1; }",
        "int x = add::value; typedef decltype(&square) function;",
        "#include <stdio.h>\nint main() { printf(\"!\"); }",
        "#include \"own.h\"\n__global__ void k() { printf(\"!\"); }",
        "__global__ void k() { p.printf(\"!\"); }",
        "__global__ void k(int *x) { *x = cudaGetLastError() == cudaSuccess; }",
        "int min(int a, int b);\n"
        "__global__ void k(int *x) { x[0] = min(x[0], 3); }",
        "__global__ void k() { extern __shared__ float s[]; float *t = s; }",
        "int y;\ndefined_by(a)\n\n"
        "__global__ void k(int *x) { x[0] = threadIdx.x; }",
        "int n;\n__global__ void k(int *x, int n) { x[0] = n; }",
        "int n;\n__global__ void k(s *x) { x->n = sizeof(n); int n = 2; "
        "x[n].n = n; }",
        "__device__ int n;\nconst int m = 2;\n"
        "__global__ void k(int *x) { x[0] = n + m; }",
        "int n, m;\nint main() { return n + m; }",
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];

        snprintf(text, sizeof text, "%s%s\n", DECLARED, cases[i]);
        free(expect_launches(text, 0));
    }
}

/* As formatters and old tutorials leave them. */
TEST(test_launches_with_blanks_within_their_angles)
{
    static const char *const cases[] = {
        "k << <1, 32>> >(x);",
        "k < < < 1, 32 > > > (x);",
        "k<int> << <1, n >> 1 >> >(x);",
        "switch (n) { case 1:k<<<1, 2>>>(x); }",
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        free(expect_launches(cases[i], 1));
    expect_same("std::ostream &operator<< <char>(std::ostream &, v<char>);");
}

/* nvcc defines both words; the second is defined for libraries too. */
TEST(test_nvcc_is_known_to_the_program)
{
    char *output = expect_launches(
        "#if defined(__NVCC__) || __NVCC__\n#endif\n"
        "int main() {\n"
        "#if __CUDA_ARCH__ && __NVCC__ // __NVCC__\n#endif\n}\n",
        0);

    assert_int_equal(
        rewriting_count(output, "#if defined(__CUDACC__) || __CUDACC__\n"), 1);
    assert_int_equal(rewriting_count(output, "#if SIMT_NO_ARCH && __CUDACC__"),
                     1);
    free(output);
}

/* Only code of the device has an architecture. */
TEST(test_arch_is_not_known_on_the_host)
{
    char *output =
        expect_launches("#if __CUDA_ARCH__ > 1\n#endif\nint main() {\n"
                        "#ifdef __CUDA_ARCH__\n#endif\n}\n"
                        "__device__ int f() {\n#if __CUDA_ARCH__\n#endif\n}\n",
                        0);

    assert_int_equal(rewriting_count(output, "__CUDA_ARCH__"), 2);
    assert_int_equal(rewriting_count(output, "#ifdef SIMT_NO_ARCH\n"), 1);
    free(output);
}
