/*
 * source.h: what stands in the lab's own file beside the line that a story is
 * about?
 *
 * All is found by the words of the language (base/lexer.h), to be shown and not
 * to be judged. A line of 0 says that there is none, or that the file cannot be
 * read. The file that was asked for last is kept.
 */
#ifndef LAB_SOURCE_H
#define LAB_SOURCE_H

#include "story.h"

#include <stddef.h>

/* The line that declares the grid of the launch in that line. */
int lab_source_grid(const char *path, int launch);

/* The line that declares the lab_matmul which is given to that function by its
   last call, or else the call's. */
int lab_source_handed(const char *path, const char *function);

/* The last return of the same function before that line, or the condition that
   it hangs on. */
int lab_source_return(const char *path, int line);

/* The last loop of the same function before that line whose body is a semicolon
   alone. */
int lab_source_empty_loop(const char *path, int line);

/* The innermost loop around the line, which begins before it; itself: or in it.
 */
int lab_source_loop(const char *path, int line, int itself);

/* The first line of that kernel which stores to name[...]. */
int lab_source_store(const char *path, const char *kernel, const char *name);

/* The condition that the statement which begins in the line hangs on, alone or
   with loops between; or that begins in it, if all of the line hangs on it. */
int lab_source_condition(const char *path, int line);

/* 1 if the statement that ends in the line, or goes on behind it, adds to its
   left side. */
int lab_source_adds(const char *path, int line);

/* The line of the same function that sets what that line adds to, to more than
   a number;
   0: there is none. */
int lab_source_set(const char *path, int line);

/* The first use of array[...] in the same function as that line and behind line
   `from`: its line, or 0, and the lines of its statement. */
int lab_source_use(const char *path, int line, const char *array, int from,
                   int *first, int *last);

/* The one line of a function that multiplies two floats and stores the product
   to a third, or adds it; 0: there is none, or there are several. Adds what
   gives the index of the third its value, if lines is not NULL. */
int lab_source_product(const char *path, struct lab_lines *lines);

/* 1 if a word that ends like this stands in the line; line 0: in any. */
int lab_source_has(const char *path, int line, const char *word);

/* The first #if with __CUDA_ARCH__ that leaves out lines of the file which use
   name[...], NULL: which have a statement. Gives its line, the words of its
   condition, and the last line that it leaves out. has_code: have
   these lines become instructions? */
int lab_source_left_out(const char *path, const char *name, char *condition,
                        size_t size, int *last,
                        int (*has_code)(const char *path, int from, int to));

/* N of the #pragma unroll N that stands before the innermost loop around the
   line; 0: it says none; -1: there is no such pragma. *begin: the line of the
   pragma, or else of the loop; 0: there is no loop. */
int lab_source_unroll(const char *path, int line, int *begin);

/* Of a line that begins within an index, array[...]: the line in which that
   begins; of any other the line itself. */
int lab_source_indexed(const char *path, int line);

/* A later line of the function that sets a variable to the same as this one;
   0: there is none, or there are several. */
int lab_source_same(const char *path, int line);

/* --- lines to be shown beside one, each of which is added once ------------ */

/* Conditions and loops around the line, or that leave them before it, which
   have a name in common with it, and what gives their other names values. */
void lab_source_conditions(const char *path, int line, struct lab_lines *lines);

/* A comparison that should keep the line from an element array[row * w + col]
   outside of an array with m, n or k rows, or columns, and does not: what is
   wrong with it, as "line 50 compares row with n, not with m"; "": unknown.
   Returns the line. */
int lab_source_guard(const char *path, int line, const char *array, int is_row,
                     char extent, char *text, size_t size);

/* How many arguments the call of that name on the line has, a last one that is
   0 not counted; 0: there is no such call. */
int lab_source_arguments(const char *path, int line, const char *name);

/* Of a while on the line that changes nothing that its condition asks for: the
   line, from 1, of what it does change, with its name, "grid.z". 0: it does, or
   that is not known. */
int lab_source_unasked(const char *path, int line, char *name, size_t size);

/* The condition that the line hangs on, with what gives its names values; and
   a switch around it, or around a call of its function, with each break. */
void lab_source_hangs_on(const char *path, int line, struct lab_lines *lines);

/* The calls of that function in the same function as the line; 0: in any. */
void lab_source_calls(const char *path, int line, const char *name,
                      struct lab_lines *lines);

/* A macro that is a sum without brackets and stands beside a * or the like:
   says so. Returns its line, or 0. */
int lab_source_macro(const char *path, char *text, size_t size);

/* What the index of array[...] in that line is made of in each thread: lines
   with threadIdx, and what is made of these. */
void lab_source_of_thread(const char *path, int line, const char *array,
                          struct lab_lines *lines);

/* What lets only some threads of a block come to the line: a condition or a
   loop around it, or a condition that leaves before it, made of threadIdx. Adds
   their lines; says what it is if there is one alone. */
void lab_source_kept_away(const char *path, int line, struct lab_lines *lines,
                          char *text, size_t size);

/* What makes the index of array[...] in the line: what gives its names their
   values, and the names there, up to three levels, the nearest first; calls by
   the kernel, if one is given, for parameters. Of a line in a function that
   gets the array as a pointer, the call with its condition and its arguments
   too. */
void lab_source_made(const char *path, int line, const char *array,
                     const char *kernel, struct lab_lines *lines);

/* The same, one level up. */
void lab_source_named(const char *path, int line, const char *array,
                      const char *kernel, struct lab_lines *lines);

/* The last call of the function that the line stands in; of a kernel 0. */
int lab_source_call(const char *path, int line);

/* The calls that lead from the kernel to the line, rather those that name the
   array, and the conditions above them. before: the line that the last of them
   stands before; or 0. */
void lab_source_called(const char *path, int line, const char *array,
                       int before, struct lab_lines *lines);

/* What gives values to the names in the conditions above the line and above the
   calls that lead there. */
void lab_source_let(const char *path, int line, struct lab_lines *lines);

/* The call with <true> that chooses which of its templates the kernel's launch
   is of, and the condition above it. */
void lab_source_chosen(const char *path, const char *kernel,
                       struct lab_lines *lines);

/* Where the array is declared for that line, and how long its rows are. */
void lab_source_row(const char *path, int line, const char *array,
                    struct lab_lines *lines);

/* "now" of As[now][i][r] in that line, an array of several tiles; adds what
   gives it its value. 0 if the line has none. */
int lab_source_tile(const char *path, int line, const char *array, char *index,
                    size_t size, struct lab_lines *lines);

/* An index outside: index is "As[ty][i]", of which the last is too large; type
   is that of what it chooses from, "float [16]". Adds the loops and lines that
   set it, and those that say how long it is. *is_thread: it is made of
   threadIdx alone. */
void lab_source_index(const char *path, int line, const char *index,
                      const char *type, struct lab_lines *lines,
                      int *is_thread);

/* Where the array is stored to in the line's function, and under which
   conditions. */
void lab_source_stores(const char *path, int line, const char *array,
                       struct lab_lines *lines);

/* What sets the variable or the element that the line stores, under which
   conditions; of a parameter in all functions. */
void lab_source_value(const char *path, int line, struct lab_lines *lines);

/* The lines that add to the floats that the line stores, and that set them, and
   what these are made of. */
void lab_source_summed(const char *path, int line, struct lab_lines *lines);

/* Declarations of an int that begins as an element of A or B, by its letter: in
   the function of that line, or else in any. Returns the line of the only one,
   or 0. */
int lab_source_int(const char *path, int line, char matrix,
                   struct lab_lines *lines);

/* --- arrays and blocks ---------------------------------------------------- */

/* The line that declares the array for that line; and whether it is shared. */
int lab_source_declared(const char *path, int line, const char *array,
                        int *is_shared);

/* Is the index of array[...] in that line made of threadIdx? -1: unknown. */
int lab_source_is_of_thread(const char *path, int line, const char *array);

/* The line that declares an array of each thread's own, to which the kernel
   stores by an index made of threadIdx; its name. 0: there is none. */
int lab_source_own_array(const char *path, const char *kernel, char *name,
                         size_t size);

/* The line that declares the block of the kernel's first launch, or else the
   launch's. 0: there is none. */
int lab_source_block(const char *path, const char *kernel);

/* Adds the size in bytes of the dynamic shared memory in the kernel's first
   launch, and where it is defined. */
void lab_source_dynamic(const char *path, const char *kernel,
                        struct lab_lines *lines);

/* 1 if that function uses the part of the name: threadIdx, 'y'. */
int lab_source_uses(const char *path, const char *function, const char *name,
                    char part);

/* 1 if a name in the line is multiplied there and made of that part of the
   other name: blockIdx, 'y'; -1 if one is made of it and not multiplied; or
   0. */
int lab_source_times(const char *path, int line, const char *name, char part);

#endif /* LAB_SOURCE_H */
