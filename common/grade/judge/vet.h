/*
 * vet.h: the second look at what was handed in: the object that the compiler
 * made of a source, as symbols and sections. It does not trust the first look
 * (course/vet.h): what a macro put together is found here.
 */
#ifndef GRADE_VET_H
#define GRADE_VET_H

#include <stddef.h>

#include "course/index.h"

/* 1 if a lab may call it: it is on the list of symbols.c, or the runner's. */
int grade_symbol_is_free(const char *name);

/*
 * Looks at an object. It must define the functions that the lab is called by.
 * Returns 0; -1 with one or two sentences for the student in why, that begin
 * with "tiling.cu:12: " where one line is to blame; or 1 with why if it is no
 * object that can be read, which is the machine's fault.
 */
int grade_vet_object(const struct course_lab *lab, const char *name,
                     const char *source, size_t source_size, const char *object,
                     size_t size, char *why, size_t why_size);

#endif /* GRADE_VET_H */
