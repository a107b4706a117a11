/*
 * rewrite.h: how does g++ come to read CUDA C?
 *
 * Some things of CUDA are no C++ and no macro can make them so:
 *
 *   kernel<<<grid, block>>>(args)   becomes a call of simt_device::launch
 *   #pragma unroll N                becomes GCC's form of it
 *   extern __shared__ T s[];        becomes a pointer to dynamic shared memory
 *   __device__ int x;               is told apart from a function, and x put
 *                                   where the device finds it
 *   textures, inline PTX and more   are refused, by name
 *
 * All else is left as it is, each line on its line, so that the compiler's
 * messages name the student's own.
 */
#ifndef SIMT_REWRITE_H
#define SIMT_REWRITE_H

#include <stddef.h>

/*
 * Rewrites `length` bytes of text; path is what messages and #line name.
 * *output, a string, is allocated for the caller to free. Returns 0, or -1
 * with one line in why ("lab.cu:12: cannot read this launch: ...") and nothing
 * allocated.
 */
int simt_rewrite(const char *text, size_t length, const char *path,
                 char **output, size_t *output_length, char *why,
                 size_t why_size);

/* What a program's file is rewritten with. */
struct simt_rewrite_files {
    const char *input;  /* the path, or a link that holds it */
    const char *output; /* the C++ source; its headers are written beside it */
    const char *const *folder; /* where more headers are looked for, */
    size_t folders;
    const char *dependencies; /* a makefile with what was read; NULL: none */
};

/*
 * Rewrites a file and the headers that it includes: those of "..." beside the
 * file that includes them, and those in the folders. Returns 0, or -1 with one
 * line in why and no output.
 */
int simt_rewrite_files(const struct simt_rewrite_files *files, char *why,
                       size_t why_size);

#endif /* SIMT_REWRITE_H */
