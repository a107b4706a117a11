/*
 * problem.h: what does a lab compute, of which inputs, and when is it right?
 *
 * Labs multiply matrices, unless labs/INDEX names another problem. That one
 * stands in a file problem.c in a lab's folder: a lab with `problem: scale` has
 * the one of labs/NN_scale/problem.c, which defines lab_problem_scale:
 *
 *     static void want(struct course_shape s, const float *const in[2],
 *                      double *want, double *tolerance)
 *     {
 *         for (int i = 0; i < s.n; i++) {
 *             want[i] = 3.0 * (double)in[0][i];
 *             tolerance[i] = lab_rounding(1) * fabs(want[i]);
 *         }
 *     }
 *
 *     const struct lab_problem lab_problem_scale = {
 *         .array = {[LAB_A] = {"x", .cols = LAB_N},
 *                   [LAB_C] = {"y", .cols = LAB_N}},
 *         .want = want,
 *     };
 *
 * The harness does the rest as for a product: it fills the inputs, puts NaNs
 * into the result and red zones behind all arrays, runs the lab, compares each
 * element, counts, times, and says why it is wrong.
 */
#ifndef LAB_PROBLEM_H
#define LAB_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "course/index.h"

enum lab_matrix {
    LAB_A,
    LAB_B,
    LAB_C,
    LAB_MATRICES
};

/* How many rows or columns an array has: so many, or a side of the size. */
enum {
    LAB_M = -1,
    LAB_N = -2,
    LAB_K = -3
};

/* One array, in device memory. */
struct lab_array {
    const char *name; /* as messages and tables call it; NULL: there is none */
    int is_int;       /* 1: its elements are ints, below 2^24; 0: floats */
    int rows, cols;   /* at least 1, or LAB_M, LAB_N, LAB_K; rows 0: it is a
                         vector, and messages give its elements one index */
};

/* What the arrays are. */
struct lab_layout {
    char name[LAB_MATRICES][16]; /* ""; there is none, and count is 0 */
    size_t count[LAB_MATRICES];  /* elements */
    int is_int[LAB_MATRICES];    /* 1: ints on the device, below 2^24 */
};

struct lab_problem {
    struct lab_array array[LAB_MATRICES]; /* two inputs, and the result */
    /* Fills input i, 0 or 1, with count elements; of ints whole numbers. Other
       seeds give other values. NULL: floats in (-1, 1), by lab_fill
       (inputs.h). */
    void (*fill)(int i, float *x, size_t count, uint64_t seed);
    /* Computes the result in double: what each element should be, and how far
       it may be off. Both are 0 before. NULL: the product of two matrices. */
    void (*want)(struct course_shape size, const float *const in[2],
                 double *want, double *tolerance);
};

/* The largest relative error of so many roundings to float, as of a sum of so
   many terms in any order: to be multiplied by the sum of their sizes. */
double lab_rounding(double roundings);

/* The matrices A, B and C. */
extern const struct lab_problem lab_product;

/* The problem of that name in labs/INDEX; of NULL the product. NULL: no lab's
   folder has it. */
const struct lab_problem *lab_problem_find(const char *name);

/* What the buffers of that size are; and fills their inputs, if the problem
   says how. */
struct lab_layout lab_problem_layout(const struct lab_problem *problem,
                                     struct course_shape size);
void lab_problem_fill(const struct lab_problem *problem, float *const in[2],
                      const struct lab_layout *layout, uint64_t seed);

/* The rows and columns of array i at that size; 0 and 0: there is none. */
void lab_problem_extent(const struct lab_problem *problem, int i,
                        struct course_shape size, int *rows, int *cols);
int lab_problem_cols(const struct lab_problem *problem, int i,
                     struct course_shape size);

/* "C[3][5]", or of a vector "y[5]". Returns text. */
enum {
    LAB_ELEMENT_TEXT = 80
};
const char *lab_problem_element(const struct lab_problem *problem, int i,
                                int row, int col, char text[LAB_ELEMENT_TEXT]);

#endif /* LAB_PROBLEM_H */
