/*
 * why.h: why is a lab wrong, at one size?
 *
 *   mode_why_cpu.c   tries sizes, and tells from the one that says most
 *   why_run.c        one run at one size, and those that follow its threads
 *   why_trial.c      what a run is given, and what came of it
 *   why_host.c       what the host's calls have to do with it
 *   why_index.c      what is wrong with an index that left its array
 *   why_stores.c     why an element was never stored
 *   why_places.c     which row and column threads took for their own
 *   why_source.c     lines that are shown beside the one that is told of
 *   why_tell.c       the words and places that these keep
 *   cause.c          what is wrong with a sum
 */
#ifndef LAB_WHY_H
#define LAB_WHY_H

#include "buffers.h"
#include "cause.h"
#include "program.h"
#include "simt/host_calls.h"

enum {
    LAB_WHY_TEXT = 1500
};

/* What one size has told. */
struct lab_why {
    int wrong;
    /* How much is known: 5: what ended the run, or makes its values chance;
       4: a cause that is proven; 3: what a check found; 2: what was seen to be
       wrong; 1: that it is wrong. */
    int rank;
    int is_endless;   /* 1: the kernel does not end */
    int is_index;     /* 1: an index lies outside of its array */
    int is_unwritten; /* 1: nothing was stored to C, nor is all of it written */
    int is_bound;     /* 1: the loops around the place may have wrong bounds */
    int is_message;   /* 1: text is a message of several lines, as it stands */
    char text[LAB_WHY_TEXT];
    char file[200], other_file[200], fetch_file[200]; /* the places; "" */
    int line, other_line, fetch_line;
    char note[300];   /* a sentence behind all others; "" */
    char extent[160]; /* "240 of 256 elements of C are wrong" */
    const struct course_entry *entry;
    struct course_shape shape;
    size_t more; /* findings that are not told */
};

/* Runs the entry with values that tell which element they are. Returns 0, or
   -1 with program->why. */
int lab_why_at(struct lab_program *program, const struct course_entry *entry,
               struct course_shape shape, struct lab_why *why);

/* Keeps a text and its rank; and the place it is about, line 0: none. */
void __attribute__((format(printf, 3, 4)))
lab_why_tell(struct lab_why *why, int rank, const char *format, ...);
void lab_why_place(struct lab_why *why, const char *file, int line);
void lab_why_other_place(struct lab_why *why, const char *file, int line);
/* The same for a launch: the line that makes its grid comes first, if it is
   found. */
void lab_why_launch(struct lab_why *why, const char *file, int line);

/* "thread (1,0)", and its block if there are several. */
void lab_why_thread(char *text, size_t size, const struct simt_access *s);

/* Why no kernel stored C[row][col], of which array `array` of the stores is
   what was copied or is C; function: that of the lab; is_loaded: threads have
   loaded from global memory. */
void lab_why_not_stored(const char *function, struct course_shape shape,
                        const struct simt_access *stored, size_t count,
                        unsigned array, int row, int col, int is_loaded,
                        struct lab_why *why);

/* The same, if all stores go to a row and a column that threads have made of
   other numbers than they should: 1 with text and place in why, or 0. */
int lab_why_places(struct course_shape shape, const struct simt_access *stored,
                   size_t count, unsigned array, int row, int col,
                   struct lab_why *why);

/* An element that several threads store: is one of them to the right of C? 1
   with text and place in why, or 0. */
int lab_why_outside(struct course_shape shape, const struct simt_access *stored,
                    size_t count, unsigned array, int row, int col,
                    struct lab_why *why);

/* Which rows or columns host code never stored, from C[row][col] on; any: it
   stored others. */
void lab_why_unset(const float *C, struct course_shape shape, int row, int col,
                   int any, struct lab_why *why);

/* 1 with text and place if an #if with __CUDA_ARCH__ leaves out lines of the
   file that use the array of that name; NULL: that have a statement. */
int lab_why_vanished(const char *path, const char *name, struct lab_why *why);

/* Does a kernel get the wrong matrices, or arrays that are too small? 1 with
   text and place in why, or 0. */
int lab_why_arguments(const struct lab_buffers *b, const struct lab_matmul *p,
                      int is_host, struct lab_why *why);

/* Does a kernel that used an address without memory get a null pointer? 1 with
   text and place in why, or 0. */
int lab_why_null(struct lab_why *why);

/* The places of a call that the device has refused: said: "file:line: ...". */
void lab_why_refused(const char *said, int is_host, struct lab_why *why);

/*
 * What the calls of the host code say about a C that is wrong: 1 with text and
 * place in why, 0 if nothing. kernels: of the stores.
 */
int lab_why_host(const struct lab_buffers *b, const struct lab_matmul *p,
                 const struct simt_access *stored, size_t stores,
                 struct lab_why *why);

/*
 * Which row and column of A, B or C were meant where a finding says that an
 * access left the array, or that two threads stored to one element: 1 with text
 * in why, 0 if that is not known. base: where the array begins. The steps are
 * those of the finding's thread.
 */
int lab_why_index(const struct course_shape *shape,
                  const struct simt_finding *finding,
                  const struct simt_host_call *launch, const void *base,
                  const struct simt_access *step, size_t steps,
                  struct lab_why *why);

/* The same, where the row and column are right and their index did not fit in
   its type. base: where A, B and C begin. */
int lab_why_narrow(const struct course_shape *shape,
                   const struct simt_finding *finding,
                   const struct simt_host_call *launch, void *const base[3],
                   const struct simt_access *step, size_t steps,
                   struct lab_why *why);

/* The line that declares the grid of a launch; that of a host code's own
   lab_matmul which it gives to a function, or else of the call. 0: unknown. */
int lab_why_grid_line(const char *path, int launch);
int lab_why_handed_line(const char *path, const char *function);
/* The last return before that line of the same function, or its condition. */
int lab_why_return_line(const char *path, int line);
/* The last loop before that line of the same function which ends with its own
   semicolon; 0: none. */
int lab_why_empty_loop_line(const char *path, int line);
/* The first line of that kernel with name[...] = in it; 0: none. */
int lab_why_store_line(const char *path, const char *kernel, const char *name);

/* The array that C was copied from, by the last call that did; NULL: none. */
const void *lab_why_source(const struct lab_matmul *p, size_t bytes);

#endif /* LAB_WHY_H */
