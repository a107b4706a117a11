/*
 * simt_kernel.h: what compiled kernels call in the CPU device, and CUDA's
 * built-in types. C and C++; labs get it through <cuda_runtime.h>.
 */
#ifndef SIMT_KERNEL_H
#define SIMT_KERNEL_H

#include <stddef.h>

/* For the few functions of lab code that are not a kernel's own: the recorder
   must not see them. */
#define SIMT_NOT_RECORDED \
    __attribute__((no_sanitize("thread"), no_sanitize_coverage))

struct uint3 {
    unsigned x, y, z;
};

#ifdef __cplusplus

struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned x_size = 1, unsigned y_size = 1,
                   unsigned z_size = 1)
        : x(x_size), y(y_size), z(z_size)
    {
    }
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z)
    {
    }
};

/* A float4 is moved by one 16-byte access, a float2 by one of 8 bytes. */
struct alignas(8) float2 {
    float x, y;
};

struct alignas(16) float4 {
    float x, y, z, w;
};

static inline float2 make_float2(float x, float y)
{
    return float2{x, y};
}

static inline float4 make_float4(float x, float y, float z, float w)
{
    return float4{x, y, z, w};
}

extern "C" {
#else
struct dim3 {
    unsigned x, y, z;
};
#endif

/* A launch as the compiled lab hands it over. Pointers stay the caller's. */
struct simt_launch {
    const char *kernel; /* as written: "matmul_tiling" */
    const char *file;   /* where the launch stands */
    int line;
    struct dim3 grid, block;
    size_t dynamic_shared;       /* bytes */
    const void *const *pointers; /* an entry for each argument: its value if
                                    it is a data pointer, else NULL */
    size_t pointer_count;
    void (*run_thread)(void *closure);
    void *closure; /* the kernel and its arguments */
    size_t closure_size;
};

void simt_launch_kernel(const struct simt_launch *launch);

/*
 * Within a thread these never change, which `const` tells the compiler: it
 * may call them once. Outside a kernel they end the program with a message.
 */
struct uint3 simt_thread_index(void) __attribute__((const));
struct uint3 simt_block_index(void) __attribute__((const));
struct dim3 simt_block_size(void) __attribute__((const));
struct dim3 simt_grid_size(void) __attribute__((const));

/* __syncthreads(). site is unlike that of any other barrier of the file. */
void simt_barrier(int site, const char *file, int line);

/* The block's dynamic shared memory. */
void *simt_dynamic_shared(void) __attribute__((const));

/* For the functions of the device that touch memory for a kernel: tells the
   recorder of an atomic operation by the instruction before `code`, a return
   address, called with that frame. Does nothing in the fast build. */
void simt_atomic(const void *pointer, int size, const void *code,
                 const void *frame);

long long simt_nanoseconds(void);

#ifdef __cplusplus
}
#endif

#endif /* SIMT_KERNEL_H */
