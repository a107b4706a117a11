/*
 * shape.h: what would a kernel ask for that nobody has written?
 *
 * A tiled product of which only the measures are known: no source, no run. Its
 * counts are by formulas, which give those of labs 06 and 12 at their measures;
 * but the lines of A are those of lab 11 (tests/chip). With one sum in a thread
 * it copies words and waits at two barriers a tile, as lab 06; with more it
 * copies float4s into a second buffer behind one barrier, as lab 12. No request
 * has a bank conflict, and the loop is guessed (guess.h).
 */
#ifndef CHIP_SHAPE_H
#define CHIP_SHAPE_H

#include "model.h"

struct chip_shape {
    int rows, cols, depth;  /* of a block's tile of C; steps of k in a tile */
    int sum_rows, sum_cols; /* of C, that a thread computes */
    int registers;          /* of a thread; 0: as the rule has it */
};

/* Returns 0, or -1 with a line in why: no block of it can run on the chip. */
int chip_shape_fit(const struct chip_shape *shape, const struct chip *chip,
                   struct chip_kernel *kernel, char *why, size_t size);

#endif /* CHIP_SHAPE_H */
