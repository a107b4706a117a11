/* Races in shared memory, each beside the same kernel without one. */
/* build: analyse */
/* expect: 0 */
/* says: missing: {A}: race in shared memory on s */
/* says: line {A}: thread ( */
/* says: line {B}: thread ( */
/* says: No barrier stands on the way from line {A} to line {B}. Either */
/* says: missing: 1 found, cudaSuccess */
/* says: there: 0 found, cudaSuccess */
/* says: second: {C}: race in shared memory on s */
/* says: line {D}: thread (32,0) reads s[31] */
/* says: line {C}: thread (31,0) writes it in its next pass through the loop */
/* says: No barrier stands on the way from line {D} back to line {C}. */
/* says: second: 1 found, cudaSuccess */
/* says: both: 0 found, cudaSuccess */
/* says: neither: {c}: race in shared memory on s */
/* says: No barrier stands on the way from line {c} to line {d}, nor from line {d} */
/* says: neither: 1 found, cudaSuccess */
/* says: writers: {E}: race in shared memory on last */
/* says: line {E}: thread ( */
/* says: writers: 1 found, cudaSuccess */
/* says: one writer: 0 found, cudaSuccess */
/* says: one constant: 0 found, cudaSuccess */
/* says: added: {e}: race in shared memory on count */
/* says: added: 1 found, cudaSuccess */
/* says: two constants: {f}: race in shared memory on flag */
/* says: two constants: 1 found, cudaSuccess */
/* says: warp: {F}: race in shared memory on s */
/* says: Threads of one warp, as these, need the barrier too. */
/* says: warp: 1 found, cudaSuccess */
/* says: syncwarp: 0 found, cudaSuccess */
/* says: two warps: {G}: race in shared memory on s */
/* says: two warps: 1 found, cudaSuccess */
/* says: bytes: 0 found, cudaSuccess */
/* says: byte: {H}: race in shared memory on c */
/* says: byte: 1 found, cudaSuccess */
/* says: word: {I}: race in shared memory on s */
/* says: line {J}: thread ( */
/* says: word: 1 found, cudaSuccess */
/* says: float4: {K}: race in shared memory on s */
/* says: line {L}: thread ( */
/* says: float4: 1 found, cudaSuccess */
/* says: dynamic: {M}: race in shared memory on dynamic shared */
/* says: writes element */
/* says: dynamic: 1 found, cudaSuccess */
/* says: atomics: 0 found, cudaSuccess */
/* says: atomic and plain: {N}: race in shared memory on sum */
/* says: line {O}: thread ( */
/* says: atomic and plain: 1 found, cudaSuccess */
/* says: volatile: {P}: race in shared memory on s */
/* says: volatile: 1 found, cudaSuccess */
/* says: late: {Q}: race in shared memory on s */
/* says: Seen 64 times in kernel late, as in block (0,0) */
/* says: late: 1 found, cudaSuccess */
/* says: 100 barriers: 0 found, cudaSuccess */
/* says: cube: {R}: race in shared memory on s */
/* says: (2,1,3) writes s[3][1][2] */
/* says: line {S}: thread (2,1,0) reads it */
/* says: cube: 1 found, cudaSuccess */
/* says: part of a warp: {T}: race in shared memory on s */
/* says: part of a warp: 1 found, cudaSuccess */
/* says: word of bytes: {U}: race in shared memory on s */
/* says: line {V}: thread (1,0) reads */
/* says: word of bytes: 1 found, cudaSuccess */
/* says: byte of a word: {W}: race in shared memory on s */
/* says: line {X}: thread (1,0) reads */
/* says: byte of a word: 1 found, cudaSuccess */
/* says: writer reads: {Y}: race in shared memory on s */
/* says: line {Z}: thread (5,0) reads it */
/* says: writer reads: 1 found, cudaSuccess */
/* says: all read: {a}: race in shared memory on s */
/* says: line {b}: thread ( */
/* says: all read: 1 found, cudaSuccess */
#include "found.h"

static __device__ float4 *as_float4(float *s)
{
    return (float4 *)s;
}

__global__ void missing(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    s[t] = x[t];      /* A */
    y[t] = s[63 - t]; /* B */
}

__global__ void there(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    s[t] = x[t];
    __syncthreads();
    y[t] = s[63 - t];
}

__global__ void second(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;

    for (int i = t; i < 256; i += 64) {
        s[t] = x[i]; /* C */
        __syncthreads();
        sum += s[63 - t]; /* D */
    }
    y[t] = sum;
}

__global__ void neither(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;

    for (int i = t; i < 256; i += 64) {
        s[t] = x[i];      /* c */
        sum += s[63 - t]; /* d */
    }
    y[t] = sum;
}

__global__ void both(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;

    for (int i = t; i < 256; i += 64) {
        s[t] = x[i];
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    y[t] = sum;
}

/* All lanes of one instruction write one element. */
__global__ void writers(int *y)
{
    __shared__ int last;
    const int t = threadIdx.x;

    last = t; /* E */
    __syncthreads();
    y[t] = last;
}

/* Whoever is last, it is 0. */
__global__ void one_constant(int *y)
{
    __shared__ int count;
    __shared__ bool done;
    const int t = threadIdx.x;

    count = 0;
    done = true;
    __syncthreads();
    y[t] = count + done;
}

__global__ void added(int *y)
{
    __shared__ int count;
    const int t = threadIdx.x;

    if (t == 0)
        count = 0;
    __syncthreads();
    if (t < 2)
        count += 1; /* e */
    __syncthreads();
    y[t] = count;
}

__global__ void two_constants(int *y)
{
    __shared__ int flag;
    const int t = threadIdx.x;

    if (t == 40)
        flag = 1; /* f */
    if (t == 2)
        flag = 2;
    __syncthreads();
    y[t] = flag;
}

__global__ void one_writer(int *y)
{
    __shared__ int last;
    const int t = threadIdx.x;

    if (t == 7)
        last = t;
    __syncthreads();
    y[t] = last;
}

/* Within one warp __syncwarp() is enough, and something is needed. */
__global__ void warp(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    s[t] = x[t]; /* F */
    y[t] = s[t ^ 1];
}

__global__ void syncwarp(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    for (int i = 0; i < 3; i++) {
        s[t] = x[t];
        __syncwarp();
        y[t] = s[t ^ 1];
        __syncwarp();
    }
}

/* It is not enough for two. */
__global__ void two_warps(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    s[t] = x[t]; /* G */
    __syncwarp();
    y[t] = s[t ^ 32];
}

/* Neighbouring bytes of a word are no race. */
__global__ void bytes(char *y)
{
    __shared__ char c[64];
    const int t = threadIdx.x;

    c[t] = (char)t;
    __syncthreads();
    y[t] = c[63 - t];
}

__global__ void byte(char *y)
{
    __shared__ char c[64];
    const int t = threadIdx.x;

    c[t / 2] = 1; /* H */
    __syncthreads();
    y[t] = c[t / 2];
}

/* Bytes against the word that they belong to. */
__global__ void word(int *y)
{
    __shared__ union {
        char c[64];
        int word[16];
    } s;
    const int t = threadIdx.x;

    if (t < 16)
        s.word[t] = 0;
    __syncthreads();
    s.c[t] = 1;                      /* I */
    y[t] = s.word[(t + 4) % 64 / 4]; /* J */
}

__global__ void vectors(const float *x, float *y)
{
    __shared__ __align__(16) float s[64];
    const int t = threadIdx.x;

    s[t] = 0.0f;
    __syncthreads();
    s[t] = x[t];                             /* K */
    y[t] = as_float4(s)[(t + 4) % 64 / 4].w; /* L */
}

extern __shared__ float d[];

__global__ void dynamic(const float *x, float *y)
{
    const int t = threadIdx.x;

    d[t] = x[t]; /* M */
    y[t] = d[63 - t];
}

__global__ void atomics(int *y)
{
    __shared__ int sum;
    const int t = threadIdx.x;

    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1);
    __syncthreads();
    y[t] = sum;
}

__global__ void atomic_and_plain(int *y)
{
    __shared__ int sum;
    const int t = threadIdx.x;

    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1); /* N */
    y[t] = sum;         /* O */
}

/* volatile keeps no thread waiting. */
__global__ void volatiles(const float *x, float *y)
{
    __shared__ float s[64];
    volatile float *v = s;
    const int t = threadIdx.x;

    v[t] = x[t]; /* P */
    y[t] = v[63 - t];
}

/* Between the 100th barrier and the 101st. */
__global__ void late(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    for (int i = 0; i < 100; i++) {
        s[t] = 0.0f;
        __syncthreads();
    }
    s[t] = x[t]; /* Q */
    y[t] = s[63 - t];
}

__global__ void many_barriers(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    for (int i = 0; i < 100; i++) {
        s[t] = x[t];
        __syncthreads();
        y[t] = s[63 - t];
        __syncthreads();
    }
}

__global__ void cube(const float *x, float *y)
{
    __shared__ float s[4][2][4];
    const uint3 c = threadIdx;

    s[c.z][c.y][c.x] = 0.0f;
    __syncthreads();
    if (c.x != 2 || c.y != 1)
        return;
    s[c.z][c.y][c.x] = x[0]; /* R */
    if (c.z == 0)
        y[0] = s[3 - c.z][c.y][c.x]; /* S */
}

__global__ void part_of_a_warp(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;

    s[t] = x[t]; /* T */
    y[t] = s[40 - t];
}

union word_or_bytes {
    char c[4];
    int word;
};

/* The byte is written before another thread reads the word, */
__global__ void word_of_bytes(int *y)
{
    __shared__ union word_or_bytes s;
    const int t = threadIdx.x;

    if (t == 0)
        s.word = 0;
    __syncthreads();
    if (t == 0)
        s.c[2] = 1; /* U */
    if (t == 1)
        y[t] = s.word; /* V */
}

/* and the word before another thread reads a byte. */
__global__ void byte_of_a_word(int *y)
{
    __shared__ union word_or_bytes s;
    const int t = threadIdx.x;

    if (t == 0)
        s.word = 0; /* W */
    if (t == 1)
        y[t] = s.c[2]; /* X */
}

/* The last reader is the writer itself. */
__global__ void writer_reads(int *y)
{
    __shared__ int s;
    const int t = threadIdx.x;

    if (t == 40)
        s = 0;
    __syncthreads();
    if (t == 5)
        y[t] = s; /* Z */
    if (t == 40)
        s += 1; /* Y */
}

/* All lanes read one word, and the first of them writes it then. */
__global__ void all_read(int *y)
{
    __shared__ int s;
    const int t = threadIdx.x;

    if (t == 0)
        s = 0;
    __syncthreads();
    y[t] = s; /* b */
    if (t == 0)
        s = 1; /* a */
}

int main()
{
    simt_findings_print(0);
    simt_set_seed(0); /* the first warp goes first */
    writer_reads<<<1, 64>>>(ints("y"));
    tell("writer reads");
    all_read<<<1, 32>>>(ints("y"));
    tell("all read");
    simt_set_seed(1);
    missing<<<1, 64>>>(floats("x"), floats("y"));
    tell("missing");
    there<<<1, 64>>>(floats("x"), floats("y"));
    tell("there");
    second<<<1, 64>>>(floats("x"), floats("y"));
    tell("second");
    neither<<<1, 64>>>(floats("x"), floats("y"));
    tell("neither");
    both<<<1, 64>>>(floats("x"), floats("y"));
    tell("both");
    writers<<<1, 64>>>(ints("y"));
    tell("writers");
    one_writer<<<1, 64>>>(ints("y"));
    tell("one writer");
    one_constant<<<1, 64>>>(ints("y"));
    tell("one constant");
    added<<<1, 64>>>(ints("y"));
    tell("added");
    two_constants<<<1, 64>>>(ints("y"));
    tell("two constants");
    warp<<<1, 64>>>(floats("x"), floats("y"));
    tell("warp");
    syncwarp<<<1, 64>>>(floats("x"), floats("y"));
    tell("syncwarp");
    two_warps<<<1, 64>>>(floats("x"), floats("y"));
    tell("two warps");
    vectors<<<1, 64>>>(floats("x"), floats("y"));
    tell("float4");
    dynamic<<<1, 64, 256>>>(floats("x"), floats("y"));
    tell("dynamic");
    atomics<<<1, 64>>>(ints("y"));
    tell("atomics");
    atomic_and_plain<<<1, 64>>>(ints("y"));
    tell("atomic and plain");
    volatiles<<<1, 64>>>(floats("x"), floats("y"));
    tell("volatile");
    late<<<1, 64>>>(floats("x"), floats("y"));
    tell("late");
    many_barriers<<<1, 64>>>(floats("x"), floats("y"));
    tell("100 barriers");
    cube<<<1, dim3(4, 2, 4)>>>(floats("x"), floats("y"));
    tell("cube");
    part_of_a_warp<<<1, 41>>>(floats("x"), floats("y"));
    tell("part of a warp");
    /* Bytes that are touched alone have a memory of their own from here on. */
    bytes<<<1, 64>>>(chars("y"));
    tell("bytes");
    byte<<<1, 64>>>(chars("y"));
    tell("byte");
    word<<<1, 64>>>(ints("y"));
    tell("word");
    word_of_bytes<<<1, 32>>>(ints("y"));
    tell("word of bytes");
    byte_of_a_word<<<1, 32>>>(ints("y"));
    tell("byte of a word");
    return 0;
}
