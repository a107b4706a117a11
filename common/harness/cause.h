/*
 * cause.h: why is this element of C wrong?
 *
 * A and B hold values that are all different, so that a value says which
 * element it is. What the thread that stored C[row][col] has loaded is compared
 * with what the element is made of, A[row][i] and B[i][col]. Values are exact:
 * integers times a power of two, of which sums in any order are exact in float.
 * So a cause is proven by calculation, to the bit, or not named: then the text
 * tells what was seen.
 */
#ifndef LAB_CAUSE_H
#define LAB_CAUSE_H

#include <stddef.h>

#include "simt/log.h"

/* Values that tell which element they are, and those of A and B as well. */
struct lab_identity;

/*
 * Fills A, m x k, and B, k x n, with values that are all different. Returns
 * what knows them again, or NULL without memory; A and B must outlive it.
 */
struct lab_identity *lab_identity_new(float *A, float *B, int m, int n, int k);
void lab_identity_free(struct lab_identity *identity);

/* What C[row][col] must hold; *exact is 1 if sums in every order give it. */
double lab_identity_want(const struct lab_identity *d, int row, int col,
                         int *exact);

/* 1 if the value cannot be that of C[row][col]. */
int lab_identity_is_wrong(const struct lab_identity *d, int row, int col,
                          float got);

/* What is known of one wrong element. */
struct lab_suspect {
    const struct lab_identity *identity;
    const float *C; /* all of it, m x n */
    int row, col;
    /* What the thread that stored it did, in its order; or host code. */
    const struct simt_access *step;
    size_t steps;
    unsigned c_array;     /* number of C in the steps */
    const char *kernel;   /* NULL: host code */
    char who[80];         /* "Its thread (1,0)" */
    int thread;           /* its number in the block */
    int own_row, own_col; /* its place in the grid; -1: it has none */
};

enum {
    LAB_CAUSE_TEXT = 900
};

struct lab_cause {
    int rank; /* 3: proven and named; 2: what was seen is wrong, and told;
                 1: of the value nothing is known; 0: nothing to say */
    char says[LAB_CAUSE_TEXT];
    const char *file, *other_file;    /* where it was seen, and where what was
                                      taken had been stored; "" */
    const char *fetch_file;           /* and fetched, by the same thread */
    int line, other_line, fetch_line; /* 0: unknown */
    const struct simt_access *taken;  /* what was taken; or NULL */
    int is_bound;   /* 1: what a loop goes through is wrong, not what it does */
    int stored;     /* 1: the steps store to the element */
    int stored_any; /* 1: they store to C at all */
};

/* Which of m, n and k has this length: its letter, or 0 if none, or several. */
char lab_side(int m, int n, int k, int length);

/* Says what is wrong with the element. */
void lab_cause_find(const struct lab_suspect *suspect, struct lab_cause *cause);

#endif /* LAB_CAUSE_H */
