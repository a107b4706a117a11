/* Races in global memory, each beside the same kernel without one. */
/* build: analyse */
/* expect: 0 */
/* says: two blocks write: {A}: race in global memory on y */
/* says: line {A}: thread (0,0) of block ( */
/* says: two blocks write: 1 found, cudaSuccess */
/* says: two blocks agree: 0 found, cudaSuccess */
/* says: each its own: 0 found, cudaSuccess */
/* says: neighbour: {B}: race in global memory on y */
/* says: line {C}: thread ( */
/* says: neighbour: 1 found, cudaSuccess */
/* says: two launches: 0 found, cudaSuccess */
/* says: in a block: {D}: race in global memory on y */
/* says: line {E}: thread ( */
/* says: in a block: 1 found, cudaSuccess */
/* says: barrier: 0 found, cudaSuccess */
/* says: barrier across blocks: {F}: race in global memory on x */
/* says: line {G}: thread ( */
/* says: of block (0,0) writes element 0 of x */
/* says: barrier across blocks: 1 found, cudaSuccess */
/* says: atomics: 0 found, cudaSuccess */
/* says: atomic and plain: {H}: race in global memory on y */
/* says: line {I}: thread ( */
/* says: atomic and plain: 1 found, cudaSuccess */
/* says: maximum: 0 found, cudaSuccess */
/* says: plain maximum: {U}: race in global memory on y */
/* says: last block: 0 found, cudaSuccess */
/* says: late last block: 0 found, cudaSuccess */
/* says: no last block: {J}: race in global memory on y */
/* says: line {K}: thread ( */
/* says: no last block: 1 found, cudaSuccess */
/* says: flag: 0 found, cudaSuccess */
/* says: plain flag: {L}: race in global memory on flag */
/* says: line {M}: thread ( */
/* says: bytes: 0 found, cudaSuccess */
/* says: byte: {N}: race in global memory on y */
/* says: byte: 1 found, cudaSuccess */
/* says: variable: {O}: race in global memory on total */
/* says: variable: 1 found, cudaSuccess */
/* says: atomic variable: 0 found, cudaSuccess */
/* says: 5000 blocks: {P}: race in global memory on y */
/* says: 5000 blocks: 1 found, cudaSuccess */
/* says: cube of blocks: {Q}: race in global memory on y */
/* says: cube of blocks: 1 found, cudaSuccess */
/* says: cube, each its own: 0 found, cudaSuccess */
/* says: late: {R}: race in global memory on y */
/* says: line {S}: thread ( */
/* says: late: 1 found, cudaSuccess */
/* says: reads alone: 0 found, cudaSuccess */
/* says: third reader: {T}: race in global memory on y */
/* says: third reader: 1 found, cudaSuccess */
/* says: writer reads: {V}: race in global memory on y */
/* says: line {W}: thread (5,0) of block (0,0) reads it */
/* says: writer reads: 1 found, cudaSuccess */
#include "found.h"

/* Every block writes y[0] to y[63]. */
__global__ void two_blocks_write(float *y)
{
    if (threadIdx.x == 0)
        y[threadIdx.x] = 1.0f; /* A */
}

/* In an array that has one element. */
__global__ void two_blocks_agree(float *y)
{
    *y = 1.0f;
}

__global__ void each_its_own(float *y)
{
    y[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

/* Reads what another block may or may not have written. */
__global__ void neighbour(float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = 1.0f; /* B */
    if (i + 64 < 128)
        y[i + 512] = y[i + 64]; /* C */
}

__global__ void reads_64_on(const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = x[i + 64];
}

__global__ void in_a_block(float *y)
{
    const int t = threadIdx.x;

    y[t] = 1.0f;           /* D */
    y[t + 64] = y[63 - t]; /* E */
}

__global__ void barrier(float *y)
{
    const int t = threadIdx.x;

    y[t] = 1.0f;
    __syncthreads();
    y[t + 64] = y[63 - t];
}

/* Block 0 prepares x for all, and __syncthreads() is thought to wait for it. */
__global__ void barrier_across_blocks(float *x, float *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        x[0] = 2.0f; /* F */
    __syncthreads();
    if (blockIdx.x != 0)
        y[blockIdx.x * blockDim.x + threadIdx.x] = x[0]; /* G */
}

__global__ void atomics(int *y)
{
    atomicAdd(&y[threadIdx.x % 2], 1);
}

__global__ void atomic_and_plain(int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    atomicAdd(&y[0], 1); /* H */
    y[i + 1] = y[0];     /* I */
}

/* A maximum from atomicCAS, as the Programming Guide makes other operations. */
__global__ void maximum(int *y)
{
    const int value = blockIdx.x * blockDim.x + threadIdx.x;
    int old = y[0], assumed;

    do {
        assumed = old;
        if (assumed >= value)
            break;
        old = atomicCAS(&y[0], assumed, value);
    } while (old != assumed);
}

__global__ void plain_maximum(int *y)
{
    if (y[0] < threadIdx.x)
        atomicCAS(&y[0], y[0], threadIdx.x);
    if (threadIdx.x == 40)
        y[0] = 63; /* U */
}

/* NVIDIA's sample threadFenceReduction: the block that comes last adds up what
   the others wrote. */
__global__ void last_block(float *y, unsigned *count, int barriers)
{
    __shared__ bool is_last;

    for (int i = 0; i < barriers; i++)
        __syncthreads();

    if (threadIdx.x == 0) {
        y[blockIdx.x] = 1.0f;
        __threadfence();
        is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last)
        y[100 + threadIdx.x] = y[threadIdx.x];
}

__global__ void no_last_block(float *y)
{
    if (threadIdx.x == 0)
        y[blockIdx.x] = 1.0f; /* J */
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1)
        y[100 + threadIdx.x] = y[threadIdx.x % 8]; /* K */
}

/* Block 1 waits until block 0, which comes before it, has set a flag. */
__global__ void flag(float *y, volatile int *ready)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        y[0] = 1.0f;
        __threadfence();
        *ready = 1;
    } else {
        while (*ready == 0)
            ;
        y[1] = y[0];
    }
}

__global__ void plain_flag(int *ready, float *y)
{
    if (blockIdx.x == 0) {
        *ready = 1; /* L */
    } else {
        y[0] = (float)*ready; /* M */
    }
}

__global__ void bytes(char *y)
{
    y[threadIdx.x * gridDim.x + blockIdx.x] = 1;
}

__global__ void byte(char *y)
{
    if (threadIdx.x == 5)
        y[threadIdx.x] = 1; /* N */
}

__device__ int total;

__global__ void variable()
{
    if (threadIdx.x == 0)
        total = total + 1; /* O */
}

__global__ void atomic_variable()
{
    atomicAdd(&total, 1);
}

/* The last block of many writes what the first wrote. */
__global__ void many_blocks(float *y)
{
    if (blockIdx.x % 4999 == 0)
        y[threadIdx.x] = 1.0f; /* P */
}

__global__ void cube_of_blocks(float *y)
{
    const dim3 g = gridDim;
    const uint3 b = blockIdx;

    if (threadIdx.z == 1)
        y[(b.z * g.y + b.y) * g.x] = 1.0f; /* Q */
}

__global__ void cube_each_its_own(float *y)
{
    const dim3 g = gridDim;
    const uint3 b = blockIdx;

    if (threadIdx.z == 1 && threadIdx.y == 0)
        y[(b.z * g.y + b.y) * g.x + b.x] = 1.0f;
}

/* Each block before its 100th barrier, and another one's after it. */
__global__ void late(float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    y[i] = 1.0f; /* R */
    for (int round = 0; round < 100; round++)
        __syncthreads();
    if (i >= 64)
        y[i + 512] = y[i - 64]; /* S */
}

__global__ void reads_alone(const float *x, float *y)
{
    y[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
}

/* Many read what the thread that writes has read as well. */
__global__ void third_reader(float *y)
{
    const int t = threadIdx.x;
    const float first = y[0];

    if (blockIdx.x == 1 && t == 5)
        y[0] = first + 1.0f; /* T */
    y[64 + blockIdx.x * 64 + t] = first;
}

/* The last reader is the writer itself. */
__global__ void writer_reads(int *y)
{
    const int t = threadIdx.x;

    if (t == 5 && blockIdx.x == 0)
        y[64 + t] = y[0]; /* W */
    if (t == 5 && blockIdx.x == 1)
        y[0] += 1; /* V */
}

int main()
{
    simt_findings_print(0);
    simt_set_threads(1); /* the first block goes first */
    writer_reads<<<2, 32>>>(ints("y"));
    tell("writer reads");
    simt_set_threads(0);
    two_blocks_write<<<2, 64>>>(floats("y"));
    tell("two blocks write");
    two_blocks_agree<<<2, 64>>>(fresh<float>("y", 1));
    tell("two blocks agree");
    each_its_own<<<2, 64>>>(floats("y"));
    tell("each its own");
    neighbour<<<2, 64>>>(floats("y"));
    tell("neighbour");

    float *x = floats("x");

    each_its_own<<<2, 64>>>(x);
    reads_64_on<<<2, 64>>>(x, floats("y"));
    each_its_own<<<2, 64>>>(x);
    tell("two launches");

    in_a_block<<<1, 64>>>(floats("y"));
    tell("in a block");
    barrier<<<1, 64>>>(floats("y"));
    tell("barrier");
    barrier_across_blocks<<<4, 64>>>(floats("x"), floats("y"));
    tell("barrier across blocks");
    atomics<<<4, 64>>>(ints("y"));
    tell("atomics");
    atomic_and_plain<<<4, 64>>>(ints("y"));
    tell("atomic and plain");
    maximum<<<4, 64>>>(ints("y"));
    tell("maximum");
    plain_maximum<<<1, 64>>>(ints("y"));
    tell("plain maximum");
    last_block<<<8, 8>>>(floats("y"), zeros<unsigned>("count"), 0);
    tell("last block");
    last_block<<<8, 8>>>(floats("y"), zeros<unsigned>("count"), 100);
    tell("late last block");
    no_last_block<<<8, 8>>>(floats("y"));
    tell("no last block");
    flag<<<2, 32>>>(floats("y"), ints("ready"));
    tell("flag");
    plain_flag<<<2, 1>>>(ints("flag"), floats("y"));
    tell("plain flag");
    bytes<<<4, 64>>>(chars("y"));
    tell("bytes");
    byte<<<4, 64>>>(chars("y"));
    tell("byte");
    variable<<<4, 64>>>();
    tell("variable");
    atomic_variable<<<4, 64>>>();
    tell("atomic variable");
    many_blocks<<<5000, 2>>>(floats("y"));
    tell("5000 blocks");
    cube_of_blocks<<<dim3(2, 3, 4), dim3(1, 1, 2)>>>(floats("y"));
    tell("cube of blocks");
    cube_each_its_own<<<dim3(2, 3, 4), dim3(1, 2, 2)>>>(floats("y"));
    tell("cube, each its own");
    late<<<4, 64>>>(floats("y"));
    tell("late");
    reads_alone<<<4, 64>>>(floats("x"), floats("y"));
    tell("reads alone");
    third_reader<<<4, 64>>>(floats("y"));
    tell("third reader");
    return 0;
}
