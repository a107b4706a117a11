/*
 * lines.h: on which line of the source does an instruction stand, and how many
 * rows and columns has an array, and what is a kernel's parameter called?
 *
 * The answers come from the tables that simt_tables put into the program
 * (tables/tables.h), which are about its .cu files alone. Any thread may ask.
 */
#ifndef SIMT_LINES_H
#define SIMT_LINES_H

#include "tables/tables.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The line of the call that returns to `code`. The file is named as the
 * compiler was told ("solutions/03_tiling/tiling.cu") and stays valid. What
 * was inlined from a header of the device or of the system is on the line that
 * it was inlined into. Returns 0, or -1 with file "" and line 0 if no table
 * knows it.
 */
int simt_line_of(uintptr_t code, const char **file, int *line);

/* 1 if the store before which a call returns to `code` writes the same number
   each time. */
int simt_stores_constant(uintptr_t code);

/* 1 if an instruction that the tables know stands on one of these lines. */
int simt_lines_have_code(const char *file, int from, int to);

/*
 * The shape of the static, shared or device variable with this name and this
 * many bytes, in whichever function it stands: float As[16][17] is {16, 17, 1}
 * with elements of 4 bytes. Returns the number of dimensions, 0 for a variable
 * that is no array, or -1 if there is no such variable, or several whose shapes
 * differ, or one of more than SIMT_DIMENSIONS dimensions.
 */
int simt_variable_shape(const char *name, size_t bytes,
                        int dimension[SIMT_DIMENSIONS], int *element_bytes);

/*
 * The name of the nth parameter, from 0, of a function of the program: "in" of
 * copy(const float *in, float *out). A template's instance is written with or
 * without its arguments. NULL if there is none; the text stays valid.
 */
const char *simt_parameter_name(const char *function, size_t n);

/* The bytes of what that parameter points to: 16 of const float4 *in; 0:
   unknown, or it is no pointer. */
int simt_parameter_element(const char *function, size_t n);

#endif /* SIMT_LINES_H */
