/*
 * flops.h: how many floating-point operations does each basic block of a
 * kernel perform?
 *
 * The compiler's assembly tells. In the analyse build each basic block calls
 * __sanitizer_cov_trace_pc, and the address that this call returns to names
 * the block. simt_flops (flops_main.c) puts a table into the program that
 * holds, for these addresses, the operations of the block; blocks.h reads it
 * when the program runs.
 *
 * Operations are those of Nsight Compute's fadd + fmul + 2 ffma: an addition, a
 * subtraction and a multiplication are one, a fused multiply-add is two,
 * minimum, maximum, sign and conversion none. A division or square root, which
 * a GPU makes of several multiply-adds, is one here.
 */
#ifndef SIMT_FLOPS_H
#define SIMT_FLOPS_H

#include <stdio.h>

/*
 * Copies the assembly that GCC made of one file and adds the table. Returns 0,
 * or -1 with a line in why.
 */
int simt_flops_add_table(FILE *from, FILE *to, char *why, size_t size);

/* The operations of one instruction of x86-64 (AT&T's order of operands) or
   AArch64, without label: 4 for "mulps %xmm1, %xmm0". Calls of fmaf, fma, sqrtf
   and sqrt are the operations that they stand for; other calls are none. */
int simt_flops_of(const char *instruction);

#endif /* SIMT_FLOPS_H */
