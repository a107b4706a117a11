/*
 * lab.h: all that a lab includes.
 *
 * C = A * B in single precision. A is m x k, B is k x n, C is m x n, each
 * dense and row-major: element (row, col) of a matrix with w columns is
 * X[row * w + col].
 *
 * The same lab is built twice: by nvcc for a GPU, and by g++ for the CPU
 * device, where <cuda_runtime.h> is this project's own (common/simt).
 */
#ifndef LAB_H
#define LAB_H

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One product. The harness owns the three matrices and frees them. */
struct lab_matmul {
    const float *A; /* m x k */
    const float *B; /* k x n */
    float *C;       /* m x n, to be written */
    int m, n, k;    /* each at least 1 */
};

/*
 * What a lab offers; labs/INDEX says which of them it has.
 *
 *   lab_host      A, B and C are in host memory. Returns when C is complete.
 *   lab_launch    A, B and C are in device memory. Launches the kernel and
 *                 need not wait for it.
 *   lab_launch_b  the same for the lab's second kernel, where there is one.
 */
void lab_host(const struct lab_matmul *p);
void lab_launch(const struct lab_matmul *p);
void lab_launch_b(const struct lab_matmul *p);

/*
 * The same product of matrices in bf16: 16 bits, which are the upper half of a
 * float. Labs 16 and 17 have them, and lab_launch_bf16 in place of lab_launch.
 */
struct lab_matmul_bf16 {
    const unsigned short *A; /* m x k */
    const unsigned short *B; /* k x n */
    unsigned short *C;       /* m x n, to be written */
    int m, n, k;             /* each at least 1 */
};

void lab_launch_bf16(const struct lab_matmul_bf16 *p);

/*
 * What a lab of another problem than the product gets: arrays in device memory,
 * of floats or of ints, as the problem says (its file problem.c), and its size.
 * It has lab_launch_arrays in place of lab_launch.
 */
struct lab_arrays {
    const void *in;  /* the input */
    const void *in2; /* a second one, or NULL */
    void *out;       /* the result, to be written; it holds NaNs before */
    int m, n, k; /* the size; of fewer than three numbers the others are 1 */
};

void lab_launch_arrays(const struct lab_arrays *p);

/* a / b, rounded up: how many tiles of b elements cover a. a >= 0, b >= 1. */
static inline unsigned lab_ceil_div(int a, int b)
{
    return ((unsigned)a + (unsigned)b - 1) / (unsigned)b;
}

/*
 * Ends the lab's run with a message that names file, line and call, if error
 * is not cudaSuccess. Does not return in that case.
 */
void lab_check(cudaError_t error, const char *call, const char *file, int line);

/* Around every CUDA call: LAB_CHECK(cudaMalloc(&d_A, bytes)); */
#define LAB_CHECK(call) lab_check((call), #call, __FILE__, __LINE__)

/* exit() in a lab ends the lab's run too, and not the whole program. */
void lab_exit(int code, const char *file, int line)
    __attribute__((__noreturn__));
/* In a .cu file, whose headers have been read. */
#if defined __cplusplus && defined __CUDACC__
#include <stdlib.h>
namespace std
{
using ::lab_exit; /* std::exit(1) becomes std::lab_exit(1, ...) */
}
#define exit(code) lab_exit((code), __FILE__, __LINE__)
#endif

/*
 * Lab 05: bank conflicts.
 */
enum lab_type {
    LAB_CHAR,
    LAB_SHORT,
    LAB_FLOAT,
    LAB_TYPES
};
enum lab_banks {
    LAB_BANKS_CC1,
    LAB_BANKS_TODAY,
    LAB_BANK_RULES
};

enum {
    LAB_STRIDES = 9,
    LAB_BANK_ELEMENTS = 1024 /* of s; stride 33 * lane 31 is the last read */
};

/* The strides, in elements: 1, 2, 3, 4, 5, 8, 16, 32, 33. */
extern const int lab_strides[LAB_STRIDES];

/*
 * The student's table: wavefronts of the banks for a request of s[stride * tid]
 * by a warp of 32, by type, stride and rule. 0 means not filled in yet.
 */
extern const int lab_prediction[LAB_TYPES][LAB_STRIDES][LAB_BANK_RULES];

/* What element i of s holds, whatever its type: fits a char. */
static inline __host__ __device__ int lab_bank_pattern(int i)
{
    return (i * 7 + 3) % 101;
}

/*
 * Runs the microkernel of one type and stride with one warp. In device memory:
 * out, 32 values, what each lane read; cycles, one value, the clock cycles of
 * `repeat` such loads. `repeat` is at least 1.
 */
void lab_read(enum lab_type type, int stride, int repeat, float *out,
              long long *cycles);

#ifdef __cplusplus
}
#endif

#endif /* LAB_H */
