/*
 * model.h: which of a chip's limits binds a kernel, and how long does it take?
 *
 * What one block asks for is counted on the CPU device (counts.h), what one
 * warp executes is nvcc's machine code (sass.h, pipeline.h) or, without it, a
 * rule; what the chip can do is measured (chip.h). model.c holds the formulas,
 * each with its source.
 */
#ifndef WHY_MODEL_H
#define WHY_MODEL_H

#include "chip.h"
#include "counts.h"
#include "pipeline.h"

/* What one warp does for each step of k. */
struct why_code {
    int is_sass;         /* 1: read from machine code; 0: by rule */
    int is_local;        /* 1: its loop has loads or stores of local memory */
    int registers;       /* of a thread */
    double shared;       /* bytes of a block, with the driver's 1 KB */
    double issue;        /* cycles of its scheduler */
    double instructions; /* of them, multiply-adds are: */
    double products;
    double loads[WHY_WIDTHS]; /* of shared memory, by width */
    struct why_chain chain;
};

struct why_kernel {
    char name[256];
    int threads;           /* of a block */
    double rows, cols;     /* of C, that a block computes */
    int splits;            /* 1: blocks share a tile of C, each a part of k */
    double dynamic_shared; /* bytes */
    double per_step[WHY_COUNTS], fixed[WHY_COUNTS]; /* of a block */
    struct why_code code;
};

/*
 * From the requests of the first block at two depths k, with m x n elements of
 * C. Returns 0, or -1 with a line in why. code is that of why_code_by_rule.
 */
int why_kernel_fit(const struct why_block block[2], const int k[2], int m,
                   int n, struct why_kernel *kernel, char *why, size_t size);

/* What nvcc would make of the kernel, roughly. */
void why_code_by_rule(struct why_kernel *kernel);

/* Reads the machine code of the kernel, by its own name or by another one.
   Returns 0, or -1 with a line in why. */
int why_code_read(const struct sass_file *file, const char *name,
                  struct why_kernel *kernel, char *why, size_t size);

enum why_limit {
    WHY_ISSUE,
    WHY_LOAD_STORE,
    WHY_L2,
    WHY_DRAM,
    WHY_LATENCY,
    WHY_LIMITS
};

/* What is not sure about an answer: bits. */
enum {
    WHY_CHIP_UNMEASURED = 1,
    WHY_FEW_WAVES = 2,
    WHY_SMALL_BLOCKS = 4,
    WHY_BY_RULE = 8,
    WHY_SPLIT_K = 16,
    WHY_LOCAL = 32
};

struct why_answer {
    double blocks;     /* of the launch */
    double resident;   /* blocks that a multiprocessor can hold at once */
    double waves;      /* of all multiprocessors, full of blocks */
    const char *holds; /* what keeps it from holding more: "registers" */
    double limit[WHY_LIMITS]; /* ms: a run in which nothing else takes time */
    double ms, low, high;     /* the run, and its range */
    enum why_limit binds, next;
    /* Shares of what the load/store unit does: loads and stores of shared
       memory, and of global memory. */
    double load_share, store_share, global_share;
    int unsure;
};

/* A product of m x k and k x n elements. */
void why_predict(const struct why_kernel *kernel, const struct why_chip *chip,
                 double m, double n, double k, struct why_answer *answer);

extern const char *const why_limit_name[WHY_LIMITS]; /* "load/store" */

#endif /* WHY_MODEL_H */
