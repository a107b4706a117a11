/* What programs of others include and call by the way: the driver API as far as
   it is the runtime's, macros that are called without a ;, random numbers of
   cuRAND, numbers of 8 bits, scans of groups, cuBLASLt. */
/* expect: 0 */
/* says: driver: 1 device, no error, 31 */
/* says: Philox: 6627e8d5 e169c58d bc57ac4c 9b00dbd8 */
/* says: XORWOW: 0.145468, skipped: 1, mean 0.0, variance 1.0 */
/* says: E4M3: 448 448 0.00195312 -16 20, wrong ways back: 0 */
/* says: groups: 655 194 */
/* says: product with bias: 14 30 0 0 */
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cublasLt.h>
#include <cuda.h>
#include <cuda_device_runtime_api.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>
#include <math_constants.h>
#include <stdio.h>

namespace cg = cooperative_groups;

#define declared(x) static int declared_##x;
static int first;
declared(a)

    __global__ void number(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

static void use_driver()
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr d;
    const char *text;
    int count, h[32];

    cuInit(0);
    cuDeviceGetCount(&count);
    cuDeviceGet(&device, 0);
    cuCtxCreate(&context, 0, device);
    cuMemAlloc(&d, sizeof h);
    number<<<1, 32>>>((int *)d);
    cuMemcpyDtoH(h, d, sizeof h);
    cuGetErrorString(cuMemFree(d), &text);
    printf("driver: %d device, %s, %d\n", count + first + declared_a, text,
           h[31]);
}

__global__ void draw(unsigned *x, double *y)
{
    curandStatePhilox4_32_10_t philox;
    curandState state, other;
    double sum = 0, squares = 0;

    /* The known answer of J. Salmon's Random123 for a key and counter of 0. */
    curand_init(0, 0, 0, &philox);
    for (int i = 0; i < 4; i++)
        x[i] = curand(&philox);
    curand_init(1234, 0, 0, &state);
    y[0] = curand_uniform(&state);
    for (int i = 1; i < 1000; i++)
        curand(&state);
    curand_init(1234, 0, 1000, &other);
    x[4] = curand(&state) == curand(&other);
    for (int i = 0; i < 10000; i++) {
        const double v = curand_normal(&state);

        sum += v;
        squares += v * v;
    }
    y[1] = sum / 10000;
    y[2] = squares / 10000;
}

static void use_random()
{
    unsigned *d, h[5];
    double *e, f[3];

    cudaMalloc(&d, sizeof h);
    cudaMalloc(&e, sizeof f);
    draw<<<1, 1>>>(d, e);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(f, e, sizeof f, cudaMemcpyDeviceToHost);
    printf("Philox: %08x %08x %08x %08x\n", h[0], h[1], h[2], h[3]);
    printf("XORWOW: %f, skipped: %u, mean %.1f, variance %.1f\n", f[0], h[4],
           fabs(f[1]), f[2]);
}

static void use_8_bits()
{
    const float in[] = {448, 1000, 0x1p-9f, -17, 19};
    int wrong = 0;

    printf("E4M3:");
    for (float x : in)
        printf(" %g", (double)(float)__nv_fp8_e4m3(x));
    for (unsigned bits = 0; bits < 256; bits++) {
        __nv_fp8_e4m3 a;
        __nv_fp8_e5m2 b;

        a.__x = b.__x = (unsigned char)bits;
        wrong += (bits & 0x7f) < 0x7f && __nv_fp8_e4m3((float)a).__x != bits;
        wrong += (bits & 0x7f) < 0x7c && __nv_fp8_e5m2((float)b).__x != bits;
    }
    printf(", wrong ways back: %d\n", wrong);
}

__global__ void scan(int *out)
{
    const auto grid = cg::this_grid();
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = (int)grid.thread_rank();

    out[i] = cg::inclusive_scan(tile, i) + cg::exclusive_scan(tile, 1) +
             (int)grid.size();
}

static void use_groups()
{
    int *d, h[128];

    cudaMalloc(&d, sizeof h);
    scan<<<2, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("groups: %d %d\n", h[31], h[33]);
}

static float *on_device(const float *from, int count)
{
    float *d;

    cudaMalloc(&d, count * sizeof *d);
    cudaMemcpy(d, from, count * sizeof *d, cudaMemcpyHostToDevice);
    return d;
}

/* C = relu(A^T B + bias), A and B of 3 rows. */
static void use_products()
{
    const float A[] = {1, 2, 3, 4, 5, 6}, B[] = {1, 0, 1, -1, -2, -3};
    const float bias[] = {10, 20}, one = 1, zero = 0;
    const cublasOperation_t turned = CUBLAS_OP_T;
    const cublasLtEpilogue_t then = CUBLASLT_EPILOGUE_RELU_BIAS;
    const float *dB = on_device(bias, 2);
    float C[4], *d = on_device(A, 4);
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t what;
    cublasLtMatrixLayout_t a, c;

    cublasLtCreate(&handle);
    cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_TRANSA, &turned,
                                   sizeof turned);
    cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_EPILOGUE, &then,
                                   sizeof then);
    cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dB,
                                   sizeof dB);
    cublasLtMatrixLayoutCreate(&a, CUDA_R_32F, 3, 2, 3);
    cublasLtMatrixLayoutCreate(&c, CUDA_R_32F, 2, 2, 2);
    cublasLtMatmul(handle, what, &one, on_device(A, 6), a, on_device(B, 6), a,
                   &zero, d, c, d, c, NULL, NULL, 0, 0);
    cudaMemcpy(C, d, sizeof C, cudaMemcpyDeviceToHost);
    printf("product with bias: %g %g %g %g\n", C[0], C[1], C[2], C[3]);
}

int main()
{
    use_driver();
    use_random();
    use_8_bits();
    use_groups();
    use_products();
}
