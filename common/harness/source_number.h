/*
 * source_number.h: which value has an expression of a source file, in one
 * thread?
 *
 * Whole numbers, and pointers into arrays of floats. What is not sure has no
 * value: a name that is set more than once, a call of more than one return.
 */
#ifndef LAB_SOURCE_NUMBER_H
#define LAB_SOURCE_NUMBER_H

#include "source_value.h"

#include "base/lexer.h"

struct lab_value {
    enum {
        LAB_NO_VALUE,
        LAB_NUMBER,
        LAB_POINTER,
        LAB_AN_ELEMENT
    } is;
    long long n; /* or how many floats from the array's first */
    int is_unsigned;
    size_t array; /* where it is declared, or the kernel's parameter */
    int indices;  /* that a pointer takes to be an element: 2 of As[now] */
    int width;    /* floats of an element: 4 of a float4 */
};

/* A function that the thread is in: its body, and the bracket of its call; of
   the kernel no call. */
struct lab_call {
    const struct lab_call *from;
    size_t open, body;
};

enum {
    LAB_LOOPS = 6,
    LAB_NAMED = 40
};

/* What is known while expressions are read. */
struct lab_walk {
    const struct base_tokens *t;
    const struct lab_seen *seen;
    /* Loops in hand, by their variables; and one that would be needed, too. */
    struct {
        size_t at;
        int is_known;
        long long n;
    } loop[LAB_LOOPS];
    int loops;
    size_t wanted;
    const struct lab_call *wanted_in;
    /* Names that were met, and their values. */
    struct lab_named {
        size_t at; /* where it is set */
        int line;
        char name[40];
        long long n;
        int level;
    } named[LAB_NAMED];
    int count, depth;
    int level;  /* of names that are made of names, from 0 */
    int inside; /* a constant that is made of others */
};

/* The expression between two tokens; one operand, as *(float4 *)&As[0]. */
struct lab_value lab_number_read(struct lab_walk *w, const struct lab_call *in,
                                 size_t from, size_t end);
struct lab_value lab_number_operand(struct lab_walk *w,
                                    const struct lab_call *in, size_t i);

/* Of the last loop in hand, whose variable is set: gives it its first value, or
   the next one; has it one more pass? 0, and -1 of what is not known. */
int lab_number_first(struct lab_walk *w, const struct lab_call *in);
int lab_number_goes_on(struct lab_walk *w, const struct lab_call *in);
int lab_number_next(struct lab_walk *w, const struct lab_call *in);

#endif /* LAB_SOURCE_NUMBER_H */
