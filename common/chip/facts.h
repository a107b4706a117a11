/*
 * facts.h: what nvcc made of the solutions, for machines without it.
 *
 * common/chip/facts.csv has a row for each kernel of a solution; `make
 * why-facts` writes it anew where there is nvcc, and tests/chip compares.
 */
#ifndef CHIP_FACTS_H
#define CHIP_FACTS_H

#include "model.h"

#include <stdio.h>

/* Reads the facts of the kernel, by its name, from the file. Returns 0, 1 if it
   has none, or -1 with a line in why. */
int chip_facts_read(const char *path, const char *lab,
                    struct chip_kernel *kernel, char *why, size_t size);

/* A row, and the header. */
void chip_facts_header(FILE *file);
void chip_facts_write(FILE *file, const char *lab,
                      const struct chip_kernel *kernel);

#endif /* CHIP_FACTS_H */
