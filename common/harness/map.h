/*
 * map.h: how is one recorded request, or one thread's footprint, written for a
 * plot and told in words?
 *
 * What was recorded: common/simt/trace.h. What draws it: plots/access_map.gp
 * and plots/footprint.gp.
 */
#ifndef LAB_MAP_H
#define LAB_MAP_H

#include <stdio.h>

#include "course/index.h"
#include "simt/trace.h"

/* One request of a lab's run. */
struct lab_map {
    const char *lab; /* "03_tiling" */
    struct course_shape shape;
    struct simt_row row; /* of the line and array; strings are the owner's */
    int nth;             /* which request of its warp, from 0 */
    int banks;           /* of shared memory: 16 or 32 */
    int rows, cols;      /* of the array, in elements; 0: unknown */
    struct simt_request request;
};

/* The header of the CSV file, and a row for each lane of the request. What
   its memory has not is empty: sectors of shared memory, banks of global. */
void lab_map_csv_header(FILE *file);
void lab_map_csv(FILE *file, const struct lab_map *map);

/* Says in a few sentences what the picture shows. */
void lab_map_tell(char *to, size_t size, const struct lab_map *map);

enum {
    LAB_FOOTPRINT_ARRAYS = 3, /* A, B and C */
    LAB_BY = 3                /* a thread, its warp, its block */
};

/* What one thread, its warp and its block touch. */
struct lab_footprint {
    const char *lab;
    struct course_shape shape;
    const char *kernel;
    unsigned block[3], thread[3];
    int warp;
    struct {
        const char *name; /* "A" */
        int rows, cols;
        const unsigned char *touched; /* for each byte; NULL: not at all */
    } array[LAB_FOOTPRINT_ARRAYS];
};

/* A row for each element that the block touches; `by` names the smallest of
   thread, warp and block that does. */
void lab_footprint_csv(FILE *file, const struct lab_footprint *footprint);

/* How many elements each of them touches, by array. */
void lab_footprint_count(const struct lab_footprint *footprint,
                         long count[LAB_BY][LAB_FOOTPRINT_ARRAYS]);
void lab_footprint_tell(FILE *to, const struct lab_footprint *footprint);

#endif /* LAB_MAP_H */
