/*
 * why_number.h: which row and column did threads take, and which were meant?
 *
 *   why_places_cpu.c  of all stores to C
 *   why_index_cpu.c   of an index that left its matrix, or its type
 *
 * Numbers that threads make of their own places are held against all that was
 * seen: the one row and the one column that give every element, to the last,
 * tell.
 */
#ifndef LAB_WHY_NUMBER_H
#define LAB_WHY_NUMBER_H

#include "why.h"

/* An access of a thread, by its indices along x and y. */
struct lab_seen {
    int block[2], thread[2], size[2]; /* size: blockDim */
    int turn;                         /* its how manieth in that line, from 0 */
    long long element;
};

struct lab_sample {
    struct lab_seen *at;
    int count;
};

/* A number that a thread makes: block * length + thread. */
struct lab_number {
    char block, thread; /* along 'x' or 'y'; 0: without; block 'k': the turn */
    char length;        /* blockDim along 'x' or 'y'; 0: is 1 */
    enum {
        LAB_USUAL,
        LAB_SWAPPED, /* thread * length + block */
        LAB_BRACKETS /* block * (length + thread) */
    } order;
};

/* The number that this thread makes. */
long long lab_value_of(const struct lab_number *x, const struct lab_seen *s);

/* Of an access of an element: where its thread stands. */
struct lab_seen lab_seen_of(const struct simt_access *x, int turn,
                            long long element);

/* 1 for a flat grid of flat blocks. */
int lab_is_flat(const struct simt_access *x);

#endif /* LAB_WHY_NUMBER_H */
