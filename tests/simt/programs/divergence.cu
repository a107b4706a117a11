/*
 * Threads of a warp that take different ways. The counts of all kernels but
 * the last are those of an H200, from Nsight Compute; nested_loops is what
 * meeting again as soon as possible gives, 32 requests, where the compiled code
 * on the GPU meets later and makes 56. A compiler that fails this test cannot
 * be used for the analyse build.
 */
/* build: analyse */
/* expect: 0 */
/* says: if_else A load: 2 requests, 32 lanes */
/* says: if_else C store: 1 requests, 32 lanes */
/* says: rare_branch A load: 3 requests, 65 lanes */
/* says: rare_branch C store: 3 requests, 65 lanes */
/* says: while_loop A load: 7 requests, 112 lanes */
/* says: break_out A load: 32 requests, 799 lanes */
/* says: branch_in_loop A load: 24 requests, 512 lanes */
/* says: switch_case A load: 4 requests, 32 lanes */
/* says: short_circuit A load: 3 requests, 88 lanes */
/* says: short_circuit C store: 2 requests, 47 lanes */
/* says: binary_search A load: 8 requests, 256 lanes */
/* says: nested_loops A load: 32 requests, 640 lanes */
#include "counted.h"

__global__ void if_else(const float *A, float *C)
{
    const int t = threadIdx.x;
    float value;

    if (t & 1)
        value = A[t] * 2.0f;
    else
        value = A[t + 64] + 1.0f;
    C[t] = value;
}

__global__ void rare_branch(const float *A, float *C)
{
    const int t = threadIdx.x;

    if (t == 5)
        C[0] = A[7];
    C[t + 32] = A[t];
    C[t + 64] = A[t + 1];
}

__global__ void while_loop(const float *A, float *C)
{
    const int t = threadIdx.x;
    int left = t & 7;
    float sum = 0.0f;

    while (left--)
        sum += A[left * 32 + t];
    C[t] = sum;
}

__global__ void break_out(const float *A, float *C)
{
    const int t = threadIdx.x;
    float sum = 0.0f;

    for (int i = 0; i < 16; i++) {
        if (A[i] > (float)t)
            break;
        sum += A[i * 32 + t];
    }
    C[t] = sum;
}

__global__ void branch_in_loop(const float *A, float *C)
{
    const int t = threadIdx.x;
    float sum = 0.0f;

    for (int i = 0; i < 8; i++) {
        if ((t + i) & 1)
            sum += A[i * 32 + t];
        else
            sum -= A[i * 32 + t + 512];
        sum += A[i * 64];
    }
    C[t] = sum;
}

__global__ void switch_case(const float *A, float *C)
{
    const int t = threadIdx.x;
    float value = 0.0f;

    switch (t & 3) {
    case 0:
        value = A[t];
        break;
    case 1:
        value = A[t + 32];
        break;
    case 2:
        value = A[t + 64] * 2.0f;
        break;
    default:
        value = A[t + 96] + 1.0f;
    }
    C[t] = value;
}

__global__ void short_circuit(const float *A, float *C, int n)
{
    const int t = threadIdx.x;

    if (t < n && A[t] > 3.0f && A[t + 1] < 20.0f)
        C[t] = 1.0f;
    C[t + 32] = A[t + 32];
}

__global__ void binary_search(const float *A, float *C, int n)
{
    const float wanted = (float)(threadIdx.x * 7 + 3);
    int low = 0, high = n;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (A[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    C[threadIdx.x] = (float)low;
}

__global__ void nested_loops(const float *A, float *C)
{
    const int t = threadIdx.x;
    float sum = 0.0f;

    for (int i = 0; i < 8; i++) {
        const int count = 1 + ((t + i) & 3);

        for (int j = 0; j < count; j++)
            sum += A[(i * 4 + j) * 32 + t];
    }
    C[t] = sum;
}

int main()
{
    static float host[4096];
    float *A, *C;

    for (int i = 0; i < 4096; i++)
        host[i] = (float)i;
    cudaMalloc(&A, sizeof host);
    cudaMalloc(&C, sizeof host);
    simt_name_array(A, "A");
    simt_name_array(C, "C");
    cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice);
    if_else<<<1, 32>>>(A, C);
    rare_branch<<<1, 32>>>(A, C);
    while_loop<<<1, 32>>>(A, C);
    break_out<<<1, 32>>>(A, C);
    branch_in_loop<<<1, 32>>>(A, C);
    switch_case<<<1, 32>>>(A, C);
    short_circuit<<<1, 32>>>(A, C, 30);
    binary_search<<<1, 32>>>(A, C, 256);
    nested_loops<<<1, 32>>>(A, C);
    print_counts();
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
