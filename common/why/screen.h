/*
 * screen.h: how is the model's answer told to a student?
 */
#ifndef WHY_SCREEN_H
#define WHY_SCREEN_H

#include "model.h"

#include <stdio.h>

/* What is asked, and where the kernel's machine code comes from. */
struct why_question {
    const char *lab;  /* "12_warp_tiling", or a file's name */
    const char *code; /* "nvcc", "facts" or "rule" */
    int m, n, k;
};

/* Bars of the limits and what they mean: 24 lines of 80 columns. */
void why_print(FILE *file, const struct why_question *question,
               const struct why_chip *chip, const struct why_kernel *kernel,
               const struct why_answer *answer);

/* The same in one line, for make lab-NN; nothing where the model promises
   nothing, and its reason where the grid has too many threads. */
void why_print_line(FILE *file, const struct why_question *question,
                    const struct why_kernel *kernel,
                    const struct why_answer *answer);

/* A row for each limit; and their header. */
void why_csv_header(FILE *file);
void why_csv(FILE *file, const struct why_question *question,
             const struct why_chip *chip, const struct why_kernel *kernel,
             const struct why_answer *answer);

#endif /* WHY_SCREEN_H */
