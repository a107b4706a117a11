/*
 * fragments.h: which elements of the small matrices does a lane hold?
 *
 * mma.sync.m16n8k8 for TF32 adds the product of A, 16 x 8, and B, 8 x 8, to C,
 * 16 x 8. A lane has four elements of A, two of B and four of C in registers
 * a0, a1 and so on. (PTX ISA, "Matrix Fragments for mma.m16n8k8".)
 */
#ifndef SIMT_FRAGMENTS_H
#define SIMT_FRAGMENTS_H

enum simt_matrix {
    SIMT_MATRIX_A,
    SIMT_MATRIX_B,
    SIMT_MATRIX_C
};

struct simt_place {
    int row, col;
};

/* Where register i of a lane stands in its matrix. */
static inline struct simt_place simt_fragment(enum simt_matrix of, int lane,
                                              int i)
{
    const int g = lane / 4, t = lane % 4;

    switch (of) {
    case SIMT_MATRIX_A:
        return (struct simt_place){g + i % 2 * 8, t + i / 2 * 4};
    case SIMT_MATRIX_B:
        return (struct simt_place){t + i * 4, g};
    case SIMT_MATRIX_C:
        break;
    }
    return (struct simt_place){g + i / 2 * 8, 2 * t + i % 2};
}

#endif /* SIMT_FRAGMENTS_H */
