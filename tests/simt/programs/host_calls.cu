/* Calls that programs make around their kernels: callbacks, limits, and
 * cuBLAS. */
/* expect: 0 */
/* says: callback of stream: no error, 7 */
/* says: stack 2048, peer 0, unknown limit: cudaErrorInvalidValue */
/* says: pool keeps 4096 bytes: no error; another: invalid argument */
/* says: own pool: no error, 7, no error */
/* says: managed memory begins as 0 */
/* says: asum 10, nrm2 5, dot 30, amax 4 */
/* says: on the device: amax 2, dot 30 */
/* says: cublasSasum: x is no array of the device, or one of less than 36 b */
/* says: product 7 10 15 22, of bytes -10 4, of half 0.5 */
#include <cublas_v2.h>
#include <stdio.h>

static void called(cudaStream_t stream, cudaError_t status, void *data)
{
    printf("callback of stream: %s, %d\n", cudaGetErrorString(status),
           stream != NULL ? *(int *)data : 0);
}

static void call_back()
{
    cudaStream_t stream;
    static int seven = 7; /* there until the callback comes */

    cudaStreamCreate(&stream);
    cudaStreamAddCallback(stream, called, &seven, 0);
    cudaStreamDestroy(stream);
}

static void take_from_pool()
{
    cudaMemPoolProps properties = {};
    cudaMemPool_t pool;
    const int seven = 7;
    int *x, back = 0;

    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    printf("own pool: %s, ",
           cudaGetErrorString(cudaMemPoolCreate(&pool, &properties)));
    cudaMallocFromPoolAsync(&x, sizeof *x, pool, 0);
    cudaMemcpy(x, &seven, sizeof seven, cudaMemcpyHostToDevice);
    cudaMemcpy(&back, x, sizeof back, cudaMemcpyDeviceToHost);
    cudaFreeAsync(x, 0);
    printf("%d, %s\n", back, cudaGetErrorString(cudaMemPoolDestroy(pool)));
}

static void ask()
{
    size_t stack = 0;
    int peer = 1, *managed;
    unsigned long keeps = 4096;
    cudaMemPool_t pool;

    cudaDeviceSetLimit(cudaLimitStackSize, 2048);
    cudaDeviceGetLimit(&stack, cudaLimitStackSize);
    cudaDeviceCanAccessPeer(&peer, 0, 0);
    printf("stack %zu, peer %d, unknown limit: %s\n", stack, peer,
           cudaGetErrorName(cudaDeviceGetLimit(&stack, (enum cudaLimit)99)));
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keeps);
    keeps = 0;
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keeps);
    printf("pool keeps %lu bytes: %s; another: %s\n", keeps,
           cudaGetErrorString(cudaMemPoolTrimTo(pool, 0)),
           cudaGetErrorString(cudaMemPoolTrimTo(NULL, 0)));
    take_from_pool();
    cudaMallocManaged(&managed, sizeof *managed);
    printf("managed memory begins as %d\n", *managed);
}

static void reduce(cublasHandle_t handle)
{
    const float x[] = {1, -2, 3, -4};
    const double y[] = {3, 4};
    float *d_x, *d_dot, asum, dot;
    double *d_y, nrm2;
    int *d_place, amax;

    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMalloc(&d_dot, sizeof *d_dot);
    cudaMalloc(&d_place, sizeof *d_place);
    cublasSetVectorAsync(4, sizeof *x, x, 1, d_x, 1, 0);
    cublasSetMatrixAsync(2, 1, sizeof *y, y, 2, d_y, 2, 0);
    cublasSasum(handle, 4, d_x, 1, &asum);
    cublasDnrm2(handle, 2, d_y, 1, &nrm2);
    cublasSdot(handle, 4, d_x, 1, d_x, 1, &dot);
    cublasIsamax(handle, 4, d_x, 1, &amax);
    printf("asum %g, nrm2 %g, dot %g, amax %d\n", asum, nrm2, dot, amax);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasIdamax(handle, 2, d_y, 1, d_place);
    cublasSdot(handle, 4, d_x, 1, d_x, 1, d_dot);
    cudaMemcpy(&amax, d_place, sizeof amax, cudaMemcpyDeviceToHost);
    cudaMemcpy(&dot, d_dot, sizeof dot, cudaMemcpyDeviceToHost);
    printf("on the device: amax %d, dot %g\n", amax, dot);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cublasSasum(handle, 9, d_x, 1, &asum);
}

/* By columns: (1 3; 2 4) squared. */
static void multiply(cublasHandle_t handle)
{
    const float A[] = {1, 2, 3, 4}, one = 1, zero = 0;
    float *d_A, *d_C, C[4];

    cudaMalloc(&d_A, sizeof A);
    cudaMalloc(&d_C, sizeof C);
    cudaMemcpy(d_A, A, sizeof A, cudaMemcpyHostToDevice);
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d_A,
                 CUDA_R_32F, 2, d_A, CUDA_R_32F, 2, &zero, d_C, CUDA_R_32F, 2,
                 CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
    cudaMemcpy(C, d_C, sizeof C, cudaMemcpyDeviceToHost);
    printf("product %g %g %g %g, ", C[0], C[1], C[2], C[3]);
}

/* (1 -2) by the bytes (2 6; 6 1), and half 0.25 by 2. */
static void multiply_narrow(cublasHandle_t handle)
{
    const signed char bytes[] = {1, -2, 2, 6, 6, 1};
    const unsigned short halves[] = {0x3400, 0x4000, 0}; /* 0.25, 2 */
    const int one = 1, zero = 0;
    const float one_f = 1, zero_f = 0;
    signed char *d;
    __half *h, product;
    int *d_sum, sum[2];

    cudaMalloc(&d, sizeof bytes);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMalloc(&h, sizeof halves);
    cudaMemcpy(d, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(h, halves, sizeof halves, cudaMemcpyHostToDevice);
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 2, 2, &one, d, CUDA_R_8I,
                 1, d + 2, CUDA_R_8I, 2, &zero, d_sum, CUDA_R_32I, 1,
                 CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
    cudaMemcpy(sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &one_f, h,
                 CUDA_R_16F, 1, h + 1, CUDA_R_16F, 1, &zero_f, h + 2,
                 CUDA_R_16F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    cudaMemcpy(&product, h + 2, sizeof product, cudaMemcpyDeviceToHost);
    printf("of bytes %d %d, of half %g\n", sum[0], sum[1],
           (double)__half2float(product));
}

int main()
{
    cublasHandle_t handle;

    call_back();
    ask();
    cublasCreate(&handle);
    reduce(handle);
    multiply(handle);
    multiply_narrow(handle);
    cublasDestroy(handle);
    return 0;
}
