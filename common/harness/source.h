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

/* 1 if the statement that ends in the line, or goes on behind it, adds to its
   left side. */
int lab_source_adds(const char *path, int line);

/* 1 if a word that ends like this stands in the line; line 0: in any. */
int lab_source_has(const char *path, int line, const char *word);

/* "now" of As[now][i][r] in that line, an array of several tiles. 0 if the line
   has none. */
int lab_source_tile(const char *path, int line, const char *array, char *index,
                    size_t size);

/* The first #if with __CUDA_ARCH__ that leaves out lines of the file which use
   name[...], NULL: which have a statement. Gives its line, the words of its
   condition, and the last line that it leaves out. */
int lab_source_left_out(const char *path, const char *name, char *condition,
                        size_t size, int *last);

#endif /* LAB_SOURCE_H */
