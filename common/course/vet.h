/*
 * vet.h: does a source hold what orders the compiler or the linker about?
 *
 * A lab may hold anything that calculates. What is refused would take a kernel
 * out of what is counted: assembly, attributes, words that a macro puts
 * together. The same rules stand before "make lab-NN" and "make grade".
 */
#ifndef COURSE_VET_H
#define COURSE_VET_H

#include <stddef.h>

enum {
    COURSE_LARGEST_SOURCE = 256 * 1024
};

/*
 * Looks at a source. `name` is what messages call it: "tiling.cu". Returns 0,
 * or -1 with one or two sentences for the student in why, that begin with
 * "tiling.cu:12: " where one line is to blame.
 */
int course_vet_source(const char *name, const char *source, size_t size,
                      char *why, size_t why_size);

/* The line on which a word stands in a source, from 1; 0: on none. */
int course_vet_find(const char *source, size_t size, const char *word);

/* --- vet_words.c ---------------------------------------------------------- */

/* 1 if a word of the form that belongs to the compiler is CUDA's, the
   language's, or one that a compiler defines for those who ask. */
int course_vet_is_known(const char *word);

/* 1 if it is a header of C, C++ or CUDA. */
int course_vet_is_header(const char *path);

#endif /* COURSE_VET_H */
