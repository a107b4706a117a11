/*
 * functions.h: which functions does a file have, and where does each run?
 *
 * nvcc refuses a call from the host to a __device__ function, a kernel that is
 * called without <<<>>> and more; for g++ all functions are alike. So the
 * rewriter reads the declarations of a file, and of the headers that it
 * includes, before it goes through the file. What it does not understand it
 * takes for right.
 */
#ifndef SIMT_FUNCTIONS_H
#define SIMT_FUNCTIONS_H

#include <stddef.h>

struct rewriter;

/* Bits: where a function can be called. */
enum {
    SIMT_ON_HOST = 1,
    SIMT_ON_DEVICE = 2,
    SIMT_IS_KERNEL = 4,
    SIMT_SOMEWHERE = 8 /* nobody knows: a member, or behind a macro */
};

/* A function, or all that share its name. */
struct simt_function {
    char *name;
    const char *path; /* of its first declaration */
    int line;
    int runs;        /* the bits above, of all of them */
    int least, most; /* arguments; most is -1: nobody knows */
};

/* A function's body, in tokens of one file. */
struct simt_body {
    size_t declaration, begin, end; /* begin is {, end is behind } */
    size_t name;                    /* its token; SIMT_NO_TOKEN: unknown */
    int runs;
};

/* A name that stands for __device__ and the like. */
struct simt_macro {
    char *name;
    int runs;
};

struct simt_functions {
    struct simt_function *function;
    size_t count;
    struct simt_macro *macro;
    size_t macros;
    char **path; /* of the files read, for the functions */
    size_t paths;
    char **variable; /* the host's, outside of functions, and not const */
    size_t variables;
    /* Of the file read last, in order. */
    struct simt_body *body;
    size_t bodies;
};

/* Reads the declarations of a file that is about to be rewritten. Returns 0, or
   -1 with a message in the rewriter's why. */
int simt_functions_read(struct simt_functions *functions,
                        const struct rewriter *r);
void simt_functions_free(struct simt_functions *functions);

/* The function that token i of the file names; NULL if there is none. */
const struct simt_function *
simt_functions_find(const struct simt_functions *functions,
                    const struct rewriter *r, size_t i);
/* 1 if token i names a variable of the host's. */
int simt_is_host_variable(const struct simt_functions *functions,
                          const struct rewriter *r, size_t i);
/* Keeps the variables that a declaration in the tokens declares, if it is one
   of the host's. 0, or -1 without memory: host_variables.c. */
int simt_read_host_variables(struct simt_functions *functions,
                             const struct rewriter *r, size_t begin,
                             size_t end);
/* The body that token i lies in; NULL outside of all. */
const struct simt_body *simt_body_of(const struct simt_functions *functions,
                                     size_t i);

#endif /* SIMT_FUNCTIONS_H */
