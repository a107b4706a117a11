#include "problem/problem.h"

#include <math.h>
#include <stdio.h>

const struct lab_problem lab_product = {
    .array = {[LAB_A] = {"A", .rows = LAB_M, .cols = LAB_K},
              [LAB_B] = {"B", .rows = LAB_K, .cols = LAB_N},
              [LAB_C] = {"C", .rows = LAB_M, .cols = LAB_N}}};

/* Higham's gamma: harness/verify.h. */
double lab_rounding(double roundings)
{
    const double sum = roundings * 0x1p-24;

    return sum < 1.0 ? sum / (1.0 - sum) : (double)NAN;
}

static int length_of(int side, struct course_shape s)
{
    switch (side) {
    case LAB_M:
        return s.m;
    case LAB_N:
        return s.n;
    case LAB_K:
        return s.k;
    default:
        return side > 0 ? side : 1;
    }
}

void lab_problem_extent(const struct lab_problem *problem, int i,
                        struct course_shape size, int *rows, int *cols)
{
    const struct lab_array *a = &problem->array[i];

    *rows = a->name != NULL ? length_of(a->rows, size) : 0;
    *cols = a->name != NULL ? length_of(a->cols, size) : 0;
}

int lab_problem_cols(const struct lab_problem *problem, int i,
                     struct course_shape size)
{
    int rows, cols;

    lab_problem_extent(problem, i, size, &rows, &cols);
    return cols;
}

struct lab_layout lab_problem_layout(const struct lab_problem *problem,
                                     struct course_shape size)
{
    struct lab_layout layout = {0};

    for (int i = 0; i < LAB_MATRICES; i++) {
        const struct lab_array *a = &problem->array[i];
        int rows, cols;

        lab_problem_extent(problem, i, size, &rows, &cols);
        layout.count[i] = (size_t)rows * (size_t)cols;
        layout.is_int[i] = a->is_int;
        snprintf(layout.name[i], sizeof layout.name[i], "%s",
                 a->name != NULL ? a->name : "");
    }
    return layout;
}

void lab_problem_fill(const struct lab_problem *problem, float *const in[2],
                      const struct lab_layout *layout, uint64_t seed)
{
    for (int i = 0; problem->fill != NULL && i < LAB_C; i++) {
        if (layout->count[i] > 0)
            problem->fill(i, in[i], layout->count[i], seed + (uint64_t)i);
    }
}

const char *lab_problem_element(const struct lab_problem *problem, int i,
                                int row, int col, char text[LAB_ELEMENT_TEXT])
{
    const struct lab_array *a = &problem->array[i];
    int used = snprintf(text, LAB_ELEMENT_TEXT, "%.30s", a->name);

    if (a->rows != 0) {
        used +=
            snprintf(text + used, LAB_ELEMENT_TEXT - (size_t)used, "[%d]", row);
    }
    snprintf(text + used, LAB_ELEMENT_TEXT - (size_t)used, "[%d]", col);
    return text;
}
