/* The star belongs to Md alone: Nd and Pd are no pointers, and cudaMalloc has
   nowhere to write their addresses. test_make.c sees the compiler say so. */
#include <cuda_runtime.h>

int main()
{
    float *Md, Nd, Pd;

    cudaMalloc((void **)&Md, 1024);
    cudaMalloc(&Nd, 1024);
    cudaMalloc(&Pd, 1024);
    return 0;
}
