/* Each atomic operation, by all threads of many blocks at once. */
/* expect: 0 */
/* says: 0 of 24 wrong */
#include <cuda_runtime.h>
#include "check.h"

#include <climits>

#define THREADS (64 * 128)

typedef unsigned long long u64;

struct results {
    int add_int, sub_int, min_int, max_int, and_int, or_int, xor_int;
    unsigned add_unsigned, inc, dec, min_unsigned, max_unsigned;
    u64 add_u64, max_u64, and_u64, or_u64, xor_u64;
    long long min_ll;
    float add_float;
    double add_double, by_cas;
    int exchanged;
    float last_float;
    int lock, guarded, warp_added;
};

/* A maximum of doubles, which CUDA does not have, made of atomicCAS. */
__device__ void max_double(double *address, double value)
{
    u64 *bits = (u64 *)address;
    u64 old = *bits, assumed;

    do {
        assumed = old;
        if (__longlong_as_double((long long)assumed) >= value)
            break;
        old = atomicCAS(bits, assumed, (u64)__double_as_longlong(value));
    } while (assumed != old);
}

__global__ void all(results *r)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    atomicAdd(&r->add_int, i % 3 - 1);
    atomicAdd(&r->add_unsigned, 2);
    atomicAdd(&r->add_u64, (u64)1 << 33);
    atomicAdd(&r->add_float, 0.5f);
    atomicAdd(&r->add_double, 0.25);
    atomicSub(&r->sub_int, 3);
    atomicMin(&r->min_int, 5 - i);
    atomicMax(&r->max_int, i - 5);
    atomicMin(&r->min_unsigned, i + 7u);
    atomicMax(&r->max_unsigned, i + 7u);
    atomicMax(&r->max_u64, (u64)i << 32);
    atomicMin(&r->min_ll, -(long long)i * 1000000007);
    atomicInc(&r->inc, 99);
    atomicDec(&r->dec, 99);
    atomicAnd(&r->and_int, ~(1 << i % 20));
    atomicOr(&r->or_int, 1 << i % 20);
    atomicXor(&r->xor_int, i);
    atomicAnd(&r->and_u64, ~((u64)1 << i % 60));
    atomicOr(&r->or_u64, (u64)1 << i % 60);
    atomicXor(&r->xor_u64, (u64)i << 30);
    max_double(&r->by_cas, i * 0.5);
    if (i == 17)
        r->exchanged = atomicExch(&r->lock, 0);
    atomicExch(&r->last_float, 1.5f);
}

__global__ void in_turn(results *r)
{
    /* One thread of each block, with a lock. */
    if (threadIdx.x == 0) {
        while (atomicCAS(&r->lock, 0, 1) != 0)
            ;
        __threadfence();
        *(volatile int *)&r->guarded += 1;
        __threadfence();
        atomicExch(&r->lock, 0);
    }
    /* One atomic operation for all lanes that come here. */
    if (threadIdx.x % 3 == 0) {
        const unsigned active = __activemask();
        const int leader = __ffs(active) - 1;

        if ((threadIdx.x & 31) == leader)
            atomicAdd(&r->warp_added, __popc(active));
    }
}

int main()
{
    const int n = THREADS;
    results start = {}, r, *d;
    int wrong = 0, xor_all = 0;
    double third = 0;

    start.sub_int = 10;
    start.min_int = INT_MAX;
    start.max_int = INT_MIN;
    start.min_unsigned = UINT_MAX;
    start.and_int = -1;
    start.and_u64 = ~(u64)0;
    start.dec = 50;
    start.lock = 42;
    CHECK(cudaMalloc(&d, sizeof *d));
    CHECK(cudaMemcpy(d, &start, sizeof start, cudaMemcpyHostToDevice));
    all<<<n / 128, 128>>>(d);
    in_turn<<<n / 128, 128>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; i++) {
        xor_all ^= i;
        third += i % 3 - 1;
    }
    wrong += r.add_int != (int)third;
    wrong += r.add_unsigned != 2u * n;
    wrong += r.add_u64 != ((u64)n << 33);
    wrong += r.add_float != 0.5f * n;
    wrong += r.add_double != 0.25 * n;
    wrong += r.sub_int != 10 - 3 * n;
    wrong += r.min_int != 5 - (n - 1);
    wrong += r.max_int != n - 1 - 5;
    wrong += r.min_unsigned != 7;
    wrong += r.max_unsigned != n - 1 + 7u;
    wrong += r.max_u64 != ((u64)(n - 1) << 32);
    wrong += r.min_ll != -(long long)(n - 1) * 1000000007;
    wrong += r.inc != (unsigned)n % 100;
    wrong += r.dec != (unsigned)(((50 - n) % 100 + 100) % 100);
    wrong += r.and_int != (int)(~0u << 20);
    wrong += r.or_int != (1 << 20) - 1;
    wrong += r.xor_int != xor_all;
    wrong += r.and_u64 != ~(u64)0 << 60;
    wrong += r.or_u64 != ((u64)1 << 60) - 1;
    wrong += r.xor_u64 != (u64)xor_all << 30;
    wrong += r.by_cas != (n - 1) * 0.5;
    wrong += r.exchanged != 42 || r.last_float != 1.5f;
    wrong += r.guarded != n / 128;
    wrong += r.warp_added != n / 128 * 43;
    printf("%d of 24 wrong\n", wrong);
    CHECK(cudaFree(d));
    return wrong ? 1 : 0;
}
