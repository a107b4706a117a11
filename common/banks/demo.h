/*
 * demo.h: which reads of shared memory conflict, and why?
 *
 * All figures come from the model, banks.h; nothing runs. The access is a read
 * of s[stride * tid], where thread tid is lane tid of one warp, s has elements
 * of one type and starts in bank 0; or a store to a transposed tile.
 */
#ifndef BANKS_DEMO_H
#define BANKS_DEMO_H

#include <stdio.h>

#include "banks.h"

enum {
    BANKS_STRIDES = 33,   /* the table and the CSV file show 1 to this */
    BANKS_MAX_STRIDE = 64 /* that can be explained */
};

/* The table of all types and strides, a sentence for each surprising cell, and
   what padding does to a transposed tile. is_coloured: conflicts in colour. */
void banks_demo_print(FILE *stream, int is_coloured);

/* One access of a warp. */
struct banks_access {
    enum banks_rule rule;
    int type, stride;
    /* 0: a read of s[stride * tid]. Else lanes of a block this wide store
       tile[tx][ty], a float, and a row of the tile has `stride` of them. */
    int tile;
};

/* The access lane by lane: address, word, bank, wavefront, and who waits. */
void banks_demo_explain(FILE *stream, const struct banks_access *access,
                        int is_coloured);

/* The same as a row for each lane, below a header. */
void banks_demo_lanes_csv(FILE *stream, const struct banks_access *access);

/* A row for each type, stride and rule, below a header. */
void banks_demo_csv(FILE *stream);

#endif /* BANKS_DEMO_H */
