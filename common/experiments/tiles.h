/*
 * tiles.h: how wide should a tile be?
 *
 * Experiment 3: the same tiled kernel with tiles of 2, 4, 8, 16 and 32
 * elements a side, and a kernel without tiles. Its program is a lab's, with the
 * same options, checks and results; the variant of a row is the width.
 */
#ifndef EXPERIMENTS_TILES_H
#define EXPERIMENTS_TILES_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each launches one product in device memory. */
void tiles_untiled(const struct lab_matmul *p);
void tiles_2(const struct lab_matmul *p);
void tiles_4(const struct lab_matmul *p);
void tiles_8(const struct lab_matmul *p);
void tiles_16(const struct lab_matmul *p);
void tiles_32(const struct lab_matmul *p);

#ifdef __cplusplus
}
#endif

#endif /* EXPERIMENTS_TILES_H */
