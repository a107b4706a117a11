/*
 * sass.h: what did nvcc make of a kernel?
 *
 * Reads a cubin (nvcc -cubin): an ELF file with a section .text.NAME for each
 * kernel. NVIDIA documents the names of instructions (CUDA Binary Utilities,
 * "Instruction Set Reference") but not their bits. From Volta on an instruction
 * has 128 of them; which ones are the opcode, the operands, the stall count,
 * the scoreboards and the reuse flags is found in Jia et al., "Dissecting the
 * NVIDIA Volta GPU Architecture via Microbenchmarking" (arXiv 1804.06826,
 * chapter 2), and for later chips in the assembler CuAssembler. Tried on sm_90
 * alone.
 */
#ifndef CHIP_SASS_H
#define CHIP_SASS_H

#include <stddef.h>
#include <stdint.h>

/* What the model asks of an instruction. */
enum sass_class {
    SASS_OTHER,
    SASS_FMA, /* a product: FFMA or FMUL */
    SASS_ARITHMETIC,
    SASS_LOAD_GLOBAL,
    SASS_LOAD_SHARED,
    SASS_STORE_GLOBAL,
    SASS_STORE_SHARED,
    SASS_COPY_ASYNC, /* from global to shared memory */
    SASS_WAIT_ASYNC, /* for these copies */
    SASS_LOCAL,      /* a load or store of local memory */
    SASS_BARRIER,
    SASS_BRANCH
};

enum {
    SASS_SOURCES = 3,    /* registers that an instruction reads at most */
    SASS_SCOREBOARDS = 6 /* of a warp */
};

struct sass_instruction {
    unsigned address; /* bytes from the kernel's first */
    unsigned target;  /* of a branch, likewise */
    const char *name; /* "FFMA"; NULL: not known here */
    uint16_t opcode;  /* the low nine bits */
    uint8_t opclass;  /* enum sass_class */
    uint8_t width;    /* bytes of a load or store, each lane; 0: none */
    uint8_t rd;       /* register that is written; 255: none */
    uint8_t source[SASS_SOURCES]; /* registers that are read; 255: none */
    uint8_t reuse;     /* bit i: source[i] is kept for the next instruction */
    uint8_t stall;     /* cycles until the warp's next instruction */
    uint8_t wait;      /* bit i: scoreboard i must be free first */
    uint8_t set_write; /* scoreboard that is free when rd is written; 7: none */
    uint8_t set_read;  /* ... when the sources are read; 7: none */
};

struct sass_kernel {
    char *name; /* mangled, as _Z13matmul_tilingPKfS0_Pfiii */
    int registers, shared_bytes;
    struct sass_instruction *instruction;
    size_t count;
};

struct sass_file {
    struct sass_kernel *kernel;
    size_t kernels;
};

/* Reads a cubin. Returns 0, or -1 with a line in why; file then holds nothing
   to free. */
int sass_read(const char *path, struct sass_file *file, char *why, size_t size);

void sass_free(struct sass_file *file);

/* The kernel of that name, as the source or as the cubin has it; NULL: none. Of
   a template's it is the last in alphabetical order: true before false. */
const struct sass_kernel *sass_find(const struct sass_file *file,
                                    const char *name);

/* Prints the loop of each kernel: sass_print.c. */
void sass_print(const struct sass_file *file);

/* --- loops ---------------------------------------------------------------- */

/*
 * The loop that multiplies: of those not within another one the one with most
 * products. Its instructions in the order in which a warp meets them while it
 * goes round once: those of a loop within it as often as needed.
 */
struct sass_loop {
    const struct sass_instruction **instruction; /* into the kernel; owned */
    struct sass_instruction *own; /* of a loop that is no kernel's; owned */
    size_t count;
    unsigned first, last; /* addresses in the kernel */
    double steps;         /* of k, in one round */
    int has_copies;       /* 1: global loads in a loop within, of no products */
};

/*
 * products: multiply-adds of a thread for each step of k; barriers: what it
 * passes for each step. Returns 0, 1 if there is no such loop, or -1 without
 * memory.
 */
int sass_loop_find(const struct sass_kernel *kernel, double products,
                   double barriers, struct sass_loop *loop);

/*
 * Of has_copies: nvcc unrolls a loop of copies whose rounds it does not know
 * and keeps another for the rest, so that the machine code holds more copies
 * than a warp makes, or fewer. Leaves out instructions of this class, or takes
 * them again, with what follows each, until there are `wanted` in a round.
 * Returns 1, 0 if there are about as many, or -1 without memory.
 */
int sass_loop_fit(struct sass_loop *loop, int opclass, double wanted);

void sass_loop_free(struct sass_loop *loop);

#endif /* CHIP_SASS_H */
