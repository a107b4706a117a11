/*
 * screen.h: how is the model's answer told to a student?
 */
#ifndef CHIP_SCREEN_H
#define CHIP_SCREEN_H

#include "model.h"

#include <stdio.h>

/* What is asked, and where the kernel's machine code comes from. */
struct chip_question {
    const char *lab;  /* "12_warp_tiling", or a file's name */
    const char *code; /* "nvcc", "facts", "rule" or "shape" */
    int m, n, k;
};

/* Bars of the limits and what they mean: 24 lines of 80 columns. */
void chip_print(FILE *file, const struct chip_question *question,
                const struct chip *chip, const struct chip_kernel *kernel,
                const struct chip_answer *answer);

/* The same in one line, for make lab-NN; nothing where the model promises
   nothing, and its reason where the grid has too many threads. */
void chip_print_line(FILE *file, const struct chip_question *question,
                     const struct chip_kernel *kernel,
                     const struct chip_answer *answer);

/* A row for each limit; and their header. */
void chip_csv_header(FILE *file);
void chip_csv(FILE *file, const struct chip_question *question,
              const struct chip *chip, const struct chip_kernel *kernel,
              const struct chip_answer *answer);

#endif /* CHIP_SCREEN_H */
