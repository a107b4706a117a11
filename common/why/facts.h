/*
 * facts.h: what nvcc made of the solutions, for machines without it.
 *
 * common/why/facts.csv has a row for each kernel of a solution; `make
 * why-facts` writes it anew where there is nvcc, and tests/why compares.
 */
#ifndef WHY_FACTS_H
#define WHY_FACTS_H

#include "model.h"

#include <stdio.h>

/* Reads the facts of the kernel, by its name, from the file. Returns 0, 1 if it
   has none, or -1 with a line in why. */
int why_facts_read(const char *path, const char *lab, struct why_kernel *kernel,
                   char *why, size_t size);

/* A row, and the header. */
void why_facts_header(FILE *file);
void why_facts_write(FILE *file, const char *lab,
                     const struct why_kernel *kernel);

#endif /* WHY_FACTS_H */
