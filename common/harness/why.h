/*
 * why.h: why is a lab wrong, at one size?
 *
 *   mode_why_cpu.c    tries sizes, and tells from the one that says most
 *   why_run_cpu.c     one run at one size, and those that follow its threads
 *   why_finding_cpu.c what the checks found in it
 *   why_trial_cpu.c   what a run is given, and what came of it
 *   why_host_cpu.c    what the host's calls have to do with it
 *   why_places_cpu.c  which row and column threads store to (why_number.h)
 *   why_index_cpu.c   which index was meant
 *   why_stores_cpu.c  why an element was never stored
 *   why_edges_cpu.c   what C has at its edges, and threads outside of them
 *   why_tile_cpu.c    why one of shared memory was not
 *   why_moved_cpu.c   where the values of a C in bf16 belong
 *   why_problem_cpu.c what is wrong with a result that is no product
 *   why_race_cpu.c    which elements of it two threads race for
 *   cause.c           what is wrong with a sum
 *   story.c           the words and places that all of these keep
 *   source*.c         lines that are shown beside the one that is told of, and
 *                     the values that a thread had there
 */
#ifndef LAB_WHY_H
#define LAB_WHY_H

#include "buffers.h"
#include "cause.h"
#include "program.h"
#include "run.h"
#include "simt/host_calls.h"

/* What one size has told. */
struct lab_why {
    struct lab_story story;
    int wrong;
    int is_endless;   /* 1: the kernel does not end */
    int is_index;     /* 1: an index lies outside of its array */
    int is_outside;   /* 1: an access lies outside of its array */
    int is_unwritten; /* 1: nothing was stored to C, nor is all of it written */
    char extent[320]; /* "240 of 256 elements of C are wrong" */
    const struct course_entry *entry;
    struct course_shape shape;
    size_t more; /* findings that are not told */
};

/* Runs the entry with values that tell which element they are. Returns 0, or
   -1 with program->why. */
int lab_why_at(struct lab_program *program, const struct course_entry *entry,
               struct course_shape shape, struct lab_why *why);

/* --- why_trial_cpu.c ------------------------------------------------------ */

/*
 * One run of an entry with values that tell which element they are, and what
 * came of it: begun, given a log if its accesses are wanted (simt/log.h), run,
 * read and ended, even if it could not be begun. What went wrong stands in
 * program->why.
 */
struct lab_trial {
    struct lab_program *program;
    const struct course_entry *entry;
    struct course_shape shape;
    struct lab_buffers b;
    struct lab_identity *identity; /* NULL: no product, or one in bf16, which
                                      could not hold its values */
    struct lab_reference *reference;
    struct lab_outcome outcome;
    struct lab_matmul p;
    struct simt_log *log; /* of its run; or NULL */
    int wrong;            /* as lab_run has it */
    /* Of a problem that is no product: that input has this value there. */
    int is_changed, input;
    size_t at;
    float value;
    int is_loaded; /* 1: kernels have loaded from global memory */
    /* lab_trial_keep: all that kernels have stored, and the host called. */
    const struct simt_access *stored;
    struct simt_host_call *call;
    size_t stores, calls;
};

int lab_trial_is_host(const struct lab_trial *t);

/* C[row][col], as the run has left it. */
float lab_trial_c(const struct lab_trial *t, int row, int col);

/* Takes and fills the matrices: program, entry and shape are set, the rest is
   0. Returns 0, or -1. */
int lab_trial_begin(struct lab_trial *t);

/* Runs the entry; keeps what the host has called, which a further run would
   replace. Return 0, or -1. */
int lab_trial_run(struct lab_trial *t);
int lab_trial_keep(struct lab_trial *t);
void lab_trial_end(struct lab_trial *t);

/* The last launch that was kept, or NULL. */
const struct simt_host_call *lab_trial_launch(const struct lab_trial *t);

/* Nothing came to C. Is more to be written of what makes it? All of a kernel
   is, if what is open stands below its launch. */
int lab_trial_is_unwritten(const struct lab_trial *t);

/* --- why_finding_cpu.c ---------------------------------------------------- */

/* The one that is told: the first of the highest rank. */
const struct simt_finding *lab_why_told(const struct simt_findings *findings);

/* Tells that one, with the lines that show what it comes of. */
void lab_why_finding(const struct lab_trial *t, struct lab_why *why,
                     const struct simt_findings *findings);

/* An array that each thread has for itself, and that it fills as if all threads
   had it together: what else is known follows from it. */
void lab_why_own_array(const struct lab_trial *t, int is_found,
                       struct lab_story *story);

/* --- each says one thing, with its places, if it is so: 1, or 0 ----------- */

/* An element of C, of array `array` of the stores, which is what was copied or
   is C. */
struct lab_element {
    const struct lab_trial *t;
    unsigned array;
    int row, col;
};

/* The last store to the element, and how many threads stored it; NULL: none. */
const struct simt_access *lab_why_last_store(const struct lab_element *e,
                                             int *threads);

/* The array of the stores that C is, or was copied from; 0: none. */
unsigned lab_why_array_of_c(const struct lab_trial *t);

/* Why no kernel stored it: says at least that it did not. */
void lab_why_not_stored(const struct lab_element *e, struct lab_story *story);

/* All stores go to a row and a column that threads have made of other numbers
   than they should. -1: several such numbers would give them. */
int lab_why_places(const struct lab_element *e, struct lab_story *story);

/* The thread's x in the grid. */
int lab_why_col(const struct simt_access *s);

/* why_edges_cpu.c: do the threads whose x in the grid is a column of C store
   all that any thread stores? If not, their x may not be their column. */
int lab_why_is_whole(const struct lab_element *e);

/* Several threads have stored it, and one of them is to the right of C. */
int lab_why_outside(const struct lab_element *e, struct lab_story *story);

/* Which rows or columns host code never stored, from there on; any: it stored
   others. */
void lab_why_unset(const struct lab_trial *t, int row, int col, int any,
                   struct lab_story *story);

/* An #if with __CUDA_ARCH__ leaves out lines of the file that use the array of
   that name; NULL: that have a statement. */
int lab_why_left_out(const char *path, const char *name,
                     struct lab_story *story);

/* A kernel gets the wrong matrices, or arrays that are too small; or, after it
   used an address without memory, a null pointer. */
int lab_why_arguments(const struct lab_trial *t, struct lab_story *story);
int lab_why_null(const struct lab_trial *t, struct lab_story *story);

/* What the calls of the host code say about a C that is wrong; and whether C
   did not come back as a kernel has made it. */
int lab_why_inputs(const struct lab_trial *t, struct lab_story *story);
int lab_why_copy_back(const struct lab_trial *t, struct lab_story *story);

/* A block has more threads than the kernel's __launch_bounds__ allow, which is
   told in place of all else; or fewer, which is noted. */
void lab_why_launch_bounds(const struct lab_trial *t, struct lab_story *story);

/* The places of a call that the device has refused: "file:line: ...". */
void lab_why_refused(const struct lab_trial *t, struct lab_story *story);

/* Where the values of a C in bf16 that is wrong belong. */
void lab_why_moved(const struct lab_trial *t, struct lab_why *why);

/* why_problem_cpu.c: of a problem that is no product, what is wrong with an
   element of its result; how many are, for why->extent. */
void lab_why_result(const struct lab_trial *t, struct lab_why *why);

/* why_tile_cpu.c: an element of shared memory was not stored, or not anew,
   since a condition has kept its thread from it. Of a finding, or of the last
   launch's thread; story: what is known of it so far. */
int lab_why_kept_away(const struct lab_trial *old, uint64_t block, int thread,
                      struct lab_story *story);

/* why_race_cpu.c: a race in shared memory, of which the story has the message.
   Says where no barrier would help, and shows who calls the lines. */
void lab_why_race(const struct lab_trial *old, const struct simt_finding *f,
                  struct lab_story *story);

/* The array that C was copied from, by the last call that did; NULL: none. */
const void *lab_why_source(const struct lab_trial *t);

/* A finding says that an access left A, B or C, or that two threads stored to
   one element: which row and column were meant? The steps are those of its
   thread, in the last launch. */
int lab_why_index(const struct lab_trial *t, const struct simt_finding *finding,
                  const struct simt_access *step, size_t steps,
                  struct lab_story *story);

/* The same, where the row and column are right and their index did not fit in
   its type. */
int lab_why_narrow(const struct lab_trial *t,
                   const struct simt_finding *finding,
                   const struct simt_access *step, size_t steps,
                   struct lab_story *story);

#endif /* LAB_WHY_H */
