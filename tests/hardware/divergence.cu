/*
 * One warp whose lanes take different ways: how many requests do its loads and
 * stores become? Element i of A holds the number i.
 */
#include "launches.h"

#include "divergence_kernels.h"

enum {
    ELEMENTS = 4096,
    WARP = 32
};

int main()
{
    static float host[ELEMENTS];
    float *A = (float *)zeros(sizeof host), *C = (float *)zeros(sizeof host);

    for (int i = 0; i < ELEMENTS; i++)
        host[i] = (float)i;
    need(cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice));
    if_else<<<1, WARP>>>(A, C);
    launched("if else");
    rare_branch<<<1, WARP>>>(A, C);
    launched("rare branch");
    while_loop<<<1, WARP>>>(A, C);
    launched("while");
    break_out<<<1, WARP>>>(A, C);
    launched("break");
    branch_in_loop<<<1, WARP>>>(A, C);
    launched("branch in a loop");
    switch_case<<<1, WARP>>>(A, C);
    launched("switch");
    short_circuit<<<1, WARP>>>(A, C, 30);
    launched("short circuit");
    binary_search<<<1, WARP>>>(A, C, 256);
    launched("binary search");
    nested_loops<<<1, WARP>>>(A, C);
    launched("nested loops");
    return 0;
}
