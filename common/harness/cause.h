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

#include "story.h"

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
struct lab_account {
    const struct lab_identity *d;
    const float *C; /* all of it, m x n */
    int row, col;
    /* What the thread that stored it did, in its order; or host code. */
    const struct simt_access *step;
    size_t steps;
    /* What all threads of its block did, if it has several sums; or 0. */
    const struct simt_access *all;
    size_t alls;
    char block[120];      /* "block (1,0)", or "the block" */
    unsigned c_array;     /* number of C in the steps */
    const char *kernel;   /* NULL: host code */
    char who[180];        /* "its thread (1,0)" */
    int thread;           /* its number in the block */
    int own_row, own_col; /* its place in the grid; -1: it has none */
    int is_by_warp;       /* 1: lanes multiply what others took: mma.sync */

    /* What lab_cause_find says. */
    struct lab_story *story; /* rank LAB_NOTHING: nothing */
    int stored;              /* 1: the steps store to the element */
    int stored_any;          /* 1: they store to C at all */

    /* cause_parts.h: what was taken for it. */
    struct lab_load *word; /* of all of its block */
    size_t words;
    struct lab_load *load;
    size_t loads;
    struct lab_load_group *group;
    int groups;
    struct lab_term *term; /* as many as k */
    unsigned char *used;   /* 1: the group belongs to a term */
    /* The first of a value that is no element, in an array of which no content
       is known; or NULL. */
    const struct simt_access *odd;
    int odd_word;
    const struct simt_access
        *taken;  /* what the story says was taken; or NULL */
    int unset;   /* 1: what nobody stored came from such an array */
    int several; /* 1: the thread has several sums */
    /* One of the operands is never taken: it is not fetched, or not stored to
       shared memory, or not taken from there, or nothing is made of it. */
    enum {
        LAB_ALL_TAKEN,
        LAB_NOT_FETCHED,
        LAB_NOT_STAGED,
        LAB_NOT_TAKEN,
        LAB_NEITHER_TAKEN,
        LAB_NOT_USED
    } absent;
    int is_rule;  /* 1: what was taken is so in more than this element */
    int left_out; /* 1: the groups were found, and loads belong to none */
    int plain;    /* 1: each group is one of A and one of B */
    double got, want;
    int exact;
};

/* Says what is wrong with the element. */
void lab_cause_find(struct lab_account *account);

#endif /* LAB_CAUSE_H */
