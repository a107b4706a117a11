/*
 * divergence_kernels.h: nine kernels whose threads take different ways. The
 * compiler's test runs them (divergence.cu), and so does the comparison with a
 * GPU (tests/hardware/divergence.cu).
 */
#ifndef DIVERGENCE_KERNELS_H
#define DIVERGENCE_KERNELS_H

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

#endif
