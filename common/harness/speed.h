/*
 * speed.h: how fast would a lab that passes be on a GPU?
 *
 * Lines for make lab-NN: what an H200 measured of the course's kernel, what the
 * model (common/chip) promises of the student's, and what the GPU at hand took.
 */
#ifndef LAB_SPEED_H
#define LAB_SPEED_H

#include "base/child.h"

struct lab_speed {
    const char *lab;                /* "labs/03_tiling" */
    const char *program, *counting; /* its programs */
    const char *results;            /* what they wrote: a CSV file */
    char asked[64];    /* begins the names of files that are there meanwhile */
    int side, repeat;  /* of what is told, and of its runs */
    char chip[256];    /* its file */
    char device[128];  /* the GPU at hand; "": there is none */
    int is_chip_known; /* 1: the chip's file is that GPU's */
    struct base_child model; /* which runs; process -1: it does not */
};

/* Begins to ask the model, beside what else runs. `asked` is set, and the
   program has run. */
void lab_speed_begin(struct lab_speed *speed);

/* Waits for the model, and tells all of it if is_told. */
void lab_speed_end(struct lab_speed *speed, int is_told);

#endif /* LAB_SPEED_H */
