/*
 * tables.h: what must a program know of its own source?
 *
 * On which line an instruction stands, what shape an array has, what a kernel's
 * parameters are called, how many floating-point operations a basic block
 * performs, and which stores write a constant. The assembly that g++ makes of
 * a .cu file tells all of it, if g++ is asked to comment its debug information
 * (-g -gdwarf-5 -dA). simt_tables (tables_main.c) puts five tables into it,
 * which lines.h and blocks.h read when the program runs: so a program needs
 * neither its debug information nor a library that reads it.
 *
 * Operations are those of Nsight Compute's fadd + fmul + 2 ffma: an addition, a
 * subtraction and a multiplication are one, a fused multiply-add is two,
 * minimum, maximum, sign and conversion none. A division or square root, which
 * a GPU makes of several multiply-adds, is one here. The address that the call
 * of __sanitizer_cov_trace_pc returns to names the block.
 */
#ifndef SIMT_TABLES_H
#define SIMT_TABLES_H

#include <stdint.h>
#include <stdio.h>

enum {
    SIMT_DIMENSIONS = 3 /* of an array, at most */
};

/* An entry of the section simt_blocks: operations of neighbouring instructions.
   Addresses and names in these sections are relative to the member that holds
   them, so that the program may lie anywhere. */
struct simt_block_entry {
    int32_t block; /* the address that names the block */
    int32_t code;  /* and that of the first instruction */
    int32_t flops;
};

/* Of simt_lines: from this address on instructions are on this line, up to the
   next entry. Line 0: they are on no line that is known. */
struct simt_line_entry {
    int32_t code;
    int32_t file; /* its name; nothing if line is 0 */
    int32_t line;
};

/* Of simt_shapes: a variable at a fixed address. */
struct simt_shape_entry {
    int32_t name;
    int32_t dimensions;                 /* -1: more than SIMT_DIMENSIONS */
    int32_t dimension[SIMT_DIMENSIONS]; /* 1 behind the last */
    int32_t element_bytes;
    uint64_t bytes;
};

/* Of simt_parameters: one of a function's that has a name. */
struct simt_parameter_entry {
    int32_t function;
    int32_t name;
    int32_t number;        /* from 0 */
    int32_t element_bytes; /* of what it points to; 0: it is no pointer, or
                              that is no value */
};

/* Of simt_symbols, in a program for WebAssembly, which cannot read its own
   file: a variable, its address first. */
struct simt_symbol_entry {
    uint32_t begin;
    uint32_t bytes;
    int32_t name;
};

/* The linker's: the beginning and the end of a table, if there is one. */
#ifndef SIMT_TABLE
#define SIMT_TABLE(type, name)                                \
    extern const type __start_##name[] __attribute__((weak)), \
        __stop_##name[] __attribute__((weak))
#endif

/* What a member of an entry refers to. In WebAssembly, where a program always
   lies where its file says, it is the address itself. */
static inline const char *simt_table_refers(const int32_t *member)
{
#if defined(SIMT_OUTSIDE)
    return (const char *)SIMT_CODE_BEGIN + (uint32_t)*member;
#elif defined(__wasm__)
    return (const char *)(uintptr_t)*member;
#else
    return (const char *)member + *member;
#endif
}

/* An entry of simt_constants is the address that the call before a store
   returns to, if that store writes the same number each time: so all threads
   that come to it write the same. */

enum {
    SIMT_TABLES_DEBUG = 1, /* debug information stays, and what explains it */
    /* The file is all that the program has for the device: functions that only
       the host can come to are not recorded. The file is read twice. */
    SIMT_TABLES_WHOLE = 2,
    SIMT_TABLES_VOLATILE = 4, /* of accesses the volatile ones alone are told */
    SIMT_TABLES_WASM = 8      /* it is clang's, for WebAssembly */
};

/*
 * Copies the assembly that g++ made of one file and adds the tables. What of
 * the debug information makes no sense gives no entry. Returns 0, or -1 with a
 * line in why; errno is ENOMEM if there is too little memory for it.
 */
int simt_tables_add(FILE *from, FILE *to, int options, char *why, size_t size);

/* The same of the assembly that clang made for WebAssembly; `debug` is another
   one with all debug information. */
int simt_tables_add_wasm(FILE *from, FILE *debug, FILE *to, char *why,
                         size_t size);

/* The operations of one instruction of x86-64 (AT&T's order of operands) or
   AArch64, without label: 4 for "mulps %xmm1, %xmm0". Calls of fmaf, fma, sqrtf
   and sqrt are the operations that they stand for; other calls are none. */
int simt_flops_of(const char *instruction);

#endif /* SIMT_TABLES_H */
