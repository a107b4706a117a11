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
#include "divergence_kernels.h"

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
