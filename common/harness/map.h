/*
 * map.h: how is one recorded request, or one thread's footprint, written for a
 * plot and told in words?
 *
 * What is recorded: common/simt/log.h. What draws it: plots/access_map.gp and
 * plots/footprint.gp.
 */
#ifndef LAB_MAP_H
#define LAB_MAP_H

#include <stdio.h>

#include "course/index.h"
#include "simt/log.h"

/* What one request asks for: for each lane of `lanes`, which are the active
   ones within the array. */
struct lab_request {
    unsigned block[3], block_size[3]; /* blockIdx and blockDim */
    int warp;                         /* of the block, from 0 */
    uint32_t lanes;
    uint64_t offset[SIMT_LANES]; /* bytes from the array's first */
    /* Shared memory only: the bank of its first byte, if the array's first is
       in bank 0, and the wavefront that serves it, from 1. */
    int bank[SIMT_LANES], wavefront[SIMT_LANES];
    uint64_t array_bytes;
    int sectors, sectors_ideal; /* global memory only */
    int wavefronts, wavefronts_ideal;
};

/* Fills a request that a kernel made of an array: the log's accesses of its
   lanes. */
void lab_request_fill(struct lab_request *request,
                      const struct simt_access *access, int lanes, int banks);

/* One request of a lab's run. */
struct lab_map {
    const char *lab; /* "03_tiling" */
    struct course_shape shape;
    struct simt_row row; /* of the line and array; strings are the owner's */
    int nth;             /* which request of its warp, from 0 */
    int banks;           /* of shared memory: 16 or 32 */
    int element;         /* bytes of one of the array's elements, of which a
                            lane asks for row.size */
    int rows, cols;      /* of the array, in elements; 0: unknown */
    struct lab_request request;
};

/* The header of the CSV file, and a row for each lane of the request. What
   its memory has not is empty: sectors of shared memory, banks of global. */
void lab_map_csv_header(FILE *file);
void lab_map_csv(FILE *file, const struct lab_map *map);

/* Says in a few sentences what the picture shows. */
void lab_map_tell(char *to, size_t size, const struct lab_map *map);

enum {
    LAB_FOOTPRINT_ARRAYS = 3, /* A, B and C */
    LAB_BY = 3 /* a thread, its warp, its block: numbers from 0 */
};

/* What one thread, its warp and its block touch. */
struct lab_footprint {
    const char *lab;
    struct course_shape shape;
    const char *kernel;
    unsigned block[3], thread[3];
    int number, warp; /* of the thread in the block */
    struct {
        const char *name; /* "A" */
        int rows, cols;
        unsigned char *by; /* who touches each element: the smallest of them;
                            LAB_BY: nobody */
    } array[LAB_FOOTPRINT_ARRAYS];
};

/* A row for each element that the block touches; `by` names the smallest of
   thread, warp and block that does. */
void lab_footprint_csv(FILE *file, const struct lab_footprint *footprint);

/* Prints how many elements each of them touches, by array. */
void lab_footprint_tell(FILE *to, const struct lab_footprint *footprint);

#endif /* LAB_MAP_H */
