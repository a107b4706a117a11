/*
 * vet.h: does a submitted source hold what no lab needs and a grader must not
 * run?
 *
 * First the source is looked at, as words; then the object that the compiler
 * made of it, as symbols and sections. The second look does not trust the
 * first: what a macro put together is found there.
 */
#ifndef GRADE_VET_H
#define GRADE_VET_H

#include <stddef.h>

#include "course/index.h"

enum {
    GRADE_LARGEST_SOURCE = 256 * 1024
};

/*
 * Looks at a source. `name` is what messages call it: "tiling.cu". Returns 0,
 * or -1 with one or two sentences for the student in why, that begin with
 * "tiling.cu:12: " where one line is to blame.
 */
int grade_vet_source(const char *name, const char *source, size_t size,
                     char *why, size_t why_size);

/*
 * Looks at the object that was made of it. It must define the functions that
 * the lab is called by. Returns as above; or 1 with why if it is no object that
 * can be read, which is the machine's fault.
 */
int grade_vet_object(const struct course_lab *lab, const char *name,
                     const char *source, size_t source_size, const char *object,
                     size_t size, char *why, size_t why_size);

/* The line on which a word stands in a source, from 1; 0: on none. */
int grade_vet_find(const char *source, size_t size, const char *word);

/* vet_words.c: is the word one of the list, " like this "? */
int grade_vet_has_word(const char *list, const char *word);

/* vet_words.c: 1 if a word that begins with two underscores is CUDA's or the
   language's. */
int grade_vet_is_cuda(const char *word);

#endif /* GRADE_VET_H */
