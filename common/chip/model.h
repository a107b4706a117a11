/*
 * model.h: which of a chip's limits binds a kernel, and how long does it take?
 *
 * What one block asks for is counted on the CPU device (counts.h), what one
 * warp executes is nvcc's machine code (sass.h, pipeline.h) or, without it, a
 * rule; what the chip can do is measured (chip.h). model.c holds the formulas,
 * each with its source.
 */
#ifndef CHIP_MODEL_H
#define CHIP_MODEL_H

#include "chip.h"
#include "counts.h"
#include "pipeline.h"

/* What one warp does for each step of k. */
struct chip_code {
    int is_shape;        /* no kernel: shape.h */
    int is_sass;         /* 1: read from machine code; 0: by rule */
    int is_local;        /* 1: its loop has loads or stores of local memory */
    int is_fitted;       /* 1: it has copies in a loop of unknown rounds */
    int is_direct;       /* 1: by rule, and products wait for global loads */
    double registers;    /* of a thread */
    double shared;       /* bytes of a block, with the driver's 1 KB */
    double instructions; /* of them, multiply-adds are: */
    double products;
    double loads[CHIP_WIDTHS]; /* of shared memory, by width */
    double stores, globals;    /* of shared memory; loads of global memory */
    double steps;              /* of k, in a round of its loop */
    double issue;              /* cycles of its scheduler */
    /* Cycles of a block alone, and of as many as there can be at once, if
       loads wait for the L2, and for the DRAM. */
    double alone[2], all[2];
};

struct chip_kernel {
    char name[256];
    int threads;           /* of a block */
    double rows, cols;     /* of C, that a block computes */
    int splits;            /* 1: blocks share a tile of C, each a part of k */
    double dynamic_shared; /* bytes */
    double per_step[BLOCK_COUNTS], fixed[BLOCK_COUNTS]; /* of a block */
    struct chip_code code;
    struct sass_loop loop; /* what the code was read from, or guessed */
};

/*
 * From the requests of the first block at two depths k, with m x n elements of
 * C. Returns 0, or -1 with a line in why. code is what nvcc would make of the
 * kernel, roughly.
 */
int chip_kernel_fit(const struct chip_block block[2], const int k[2], int m,
                    int n, struct chip_kernel *kernel, char *why, size_t size);

/* Fills its code and its loop by rule, from its counts. Returns 0, or -1
   without memory. */
int chip_kernel_guess(struct chip_kernel *kernel);

/* Reads the machine code of the kernel, by its own name or by another one.
   Returns 0, or -1 with a line in why. */
int chip_code_read(const struct sass_file *file, const char *name,
                   struct chip_kernel *kernel, char *why, size_t size);

/* How long its warps take for a step of k: fills the code's last fields, where
   they are not recorded. */
void chip_kernel_time(struct chip_kernel *kernel, const struct chip *chip);

void chip_kernel_free(struct chip_kernel *kernel);

enum chip_limit {
    CHIP_LIMIT_ISSUE,
    CHIP_LIMIT_LOAD_STORE,
    CHIP_LIMIT_L2,
    CHIP_LIMIT_DRAM,
    CHIP_LIMIT_LATENCY,
    CHIP_LIMITS
};

/* What is not sure about an answer: bits. */
enum {
    CHIP_UNMEASURED = 1,
    CHIP_FEW_WAVES = 2,
    CHIP_SMALL_BLOCKS = 4,
    CHIP_BY_RULE = 8,
    CHIP_SPLIT_K = 16,
    CHIP_LOCAL = 32,
    CHIP_COPIES = 64,
    CHIP_DIRECT = 128,
    CHIP_SHAPE = 256
};

struct chip_answer {
    double blocks;     /* of the launch */
    double resident;   /* blocks that a multiprocessor can hold at once */
    double waves;      /* of all multiprocessors, full of blocks */
    const char *holds; /* what keeps it from holding more: "registers" */
    double limit[CHIP_LIMITS]; /* ms: a run in which nothing else takes time */
    double ms, low, high;      /* the run, and its range */
    enum chip_limit binds, next;
    /* Shares of what the load/store unit does: loads and stores of shared
       memory, and of global memory. */
    double load_share, store_share, global_share;
    int unsure;
};

/* A product of m x k and k x n elements. */
void chip_predict(const struct chip_kernel *kernel, const struct chip *chip,
                  double m, double n, double k, struct chip_answer *answer);

extern const char *const chip_limit_name[CHIP_LIMITS]; /* "load/store" */

#endif /* CHIP_MODEL_H */
