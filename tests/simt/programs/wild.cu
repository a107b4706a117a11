/* Kernels that reach for what is not there. The error of each stays until the
   device is reset, as CUDA's does. */
/* expect: 0 */
/* says: argument 2 points to device memory that was freed */
/* says: freed: cudaErrorIllegalAddress, and again cudaErrorIllegalAddress */
/* says: wild.cu:{A}: access outside of an array */
/* says: reads element 1031 of in, which has 64 */
/* says: block (2,0) */
/* says: outside: cudaErrorIllegalAddress, and again cudaErrorIllegalAddress */
/* says: wild.cu:{B}: access to memory that a kernel cannot reach */
/* says: of block (2,0) writes an address which belongs to no array */
/* says: nobody's: cudaErrorIllegalAddress, and again cudaErrorIllegalAddress */
/* says: wild.cu:{C}: access to memory that a kernel cannot reach */
/* says: of block (2,0) reads an address which belongs to no array */
/* says: null: cudaErrorIllegalAddress, and again cudaErrorIllegalAddress */
/* says: wild.cu:{D}: access to memory that a kernel cannot reach */
/* says: wild.cu:{E}: access to memory that a kernel cannot reach */
/* says: compare: cudaErrorIllegalAddress, and again cudaErrorIllegalAddress */
/* says: wild.cu:{F}: assertion that fails */
/* says: trap: cudaErrorLaunchFailure, and again cudaErrorLaunchFailure */
/* says: take more than the 80 KB that a thread has here */
/* says: local: cudaErrorLaunchFailure, and again cudaErrorLaunchFailure */
#include <stdio.h>

enum way {
    FREED,
    OUTSIDE,
    NOBODYS,
    NO_ARRAY,
    ADD,
    COMPARE,
    TRAP
};

__global__ void kernel(const float *in, const float *freed, float *out, way w)
{
    const int i = threadIdx.x;
    const float *const volatile none = NULL;

    if (blockIdx.x != 2)
        return;
    out[i] = in[i];
    if (w == FREED)
        out[i] += freed[i];
    if (w == OUTSIDE)
        out[i] += in[i + 1024]; /* A */
    if (w == NOBODYS)
        *(float *)(size_t)0x1234567000 = 1.0f; /* B */
    if (w == NO_ARRAY)
        out[i] += none[i]; /* C */
    if (w == ADD)
        atomicAdd((int *)none, 1); /* D */
    if (w == COMPARE)
        atomicCAS((int *)none, 1, 2); /* E */
    if (w == TRAP)
        __trap(); /* F */
}

/* More local memory than a thread has here. */
__global__ void fill(float *out, int n)
{
    volatile float large[40000];

    for (int i = n - 1; i >= 0; i--)
        large[i] = (float)i;
    out[threadIdx.x] = large[threadIdx.x];
}

static float *allocate()
{
    float *array = NULL;

    cudaMalloc(&array, 64 * sizeof(float));
    return array;
}

/* 1 if the errors are told, and gone after a reset. */
static int tell(const char *what)
{
    const cudaError_t first = cudaDeviceSynchronize();
    float *more;
    const cudaError_t second = cudaMalloc(&more, 4);
    /* None was created, so none must be freed. */
    char no_stream[8] = "abcdefg";

    if (cudaStreamDestroy((cudaStream_t)no_stream) != first ||
        cudaEventDestroy((cudaEvent_t)no_stream) != first)
        return 0;
    printf("%s: %s, and again %s\n", what, cudaGetErrorName(first),
           cudaGetErrorName(second));
    cudaDeviceReset();
    return cudaMalloc(&more, 4) == cudaSuccess;
}

int main()
{
    static const char *const name[] = {"freed", "outside", "nobody's", "null",
                                       "add",   "compare", "trap"};
    int told = 0;

    for (int w = FREED; w <= TRAP; w++) {
        float *in = allocate(), *out = allocate(), *freed = allocate();

        cudaMemset(in, 0, 64 * sizeof(float));
        if (w == FREED)
            cudaFree(freed);
        kernel<<<4, 64>>>(in, freed, out, (way)w);
        told += tell(name[w]);
    }
    fill<<<1, 32>>>(allocate(), 40000);
    return told + tell("local") == 8 ? 0 : 1;
}
