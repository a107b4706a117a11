/*
 * Floating-point operations: chains of STEPS of them in each thread, which no
 * compiler may shorten or reorder. A fused multiply-add is two operations in
 * one instruction; a division is one operation in several instructions.
 */
#include "launches.h"

enum {
    STEPS = 48,
    THREADS = 128,
    BLOCKS = 3
};

/* The element of C that this thread works on. */
template <class T> static __device__ T &own(T *C)
{
    return C[blockIdx.x * blockDim.x + threadIdx.x];
}

template <class T> __global__ void add(T a, T *C)
{
    T x = own(C);

    for (int i = 0; i < STEPS; i++)
        x = x + a;
    own(C) = x;
}

template <class T> __global__ void subtract(T a, T *C)
{
    T x = own(C);

    for (int i = 0; i < STEPS; i++)
        x = a - x;
    own(C) = x;
}

template <class T> __global__ void multiply(T a, T *C)
{
    T x = own(C);

    for (int i = 0; i < STEPS; i++)
        x = x * a;
    own(C) = x;
}

template <class T> __global__ void multiply_add(T a, T b, T *C)
{
    T x = own(C);

    for (int i = 0; i < STEPS; i++)
        x = x * a + b;
    own(C) = x;
}

/* Half of the lanes do twice as much. */
template <class T> __global__ void diverged(T a, T *C)
{
    const int steps = threadIdx.x % 2 ? 2 * STEPS : STEPS;
    T x = own(C);

    for (int i = 0; i < steps; i++)
        x = x * a;
    own(C) = x;
}

template <class T> __global__ void divide(T a, T *C)
{
    own(C) = a / own(C);
}

template <class T> static void launch(const char *type)
{
    T host[BLOCKS * THREADS], *C = (T *)zeros(sizeof host);

    for (int i = 0; i < BLOCKS * THREADS; i++)
        host[i] = (T)(1 + i);
    need(cudaMemcpy(C, host, sizeof host, cudaMemcpyHostToDevice));
    divide<<<BLOCKS, THREADS>>>((T)3, C);
    launched("%s", type);
    add<<<BLOCKS, THREADS>>>((T)0.5, C);
    launched("%s", type);
    subtract<<<BLOCKS, THREADS>>>((T)0.5, C);
    launched("%s", type);
    multiply<<<BLOCKS, THREADS>>>((T)1.5, C);
    launched("%s", type);
    multiply_add<<<BLOCKS, THREADS>>>((T)1.5, (T)0.5, C);
    launched("%s", type);
    diverged<<<BLOCKS, THREADS>>>((T)1.5, C);
    launched("%s", type);
    need(cudaFree(C));
}

int main()
{
    launch<float>("float");
    launch<double>("double");
    return 0;
}
