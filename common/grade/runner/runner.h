/*
 * runner.h: what does the program in a box do beside the student's code?
 *
 *   runner.c        reads the request, calls the lab, sends C and the report
 *   runner_guard.c  which memory the student's code may write, and where its
 *                   pointers to functions may lead
 *   runner_calls.c  the library functions that the student's code calls
 */
#ifndef GRADE_RUNNER_H
#define GRADE_RUNNER_H

#include <stddef.h>
#include <stdint.h>

/* Ends the program after a report that says why, in words for the student: as
   a crash of its own making. */
void grade_runner_stop(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

/* The same because it asked for more memory than there is; size 0: nobody knows
   how much. */
void grade_runner_no_memory(const char *who, size_t size)
    __attribute__((noreturn));

/* --- runner.c ------------------------------------------------------------- */

/* Copies of the student's host code that were of single words, one for each
   row: those of a column. */
extern uint64_t grade_column_copies;

/* --- runner_guard.c ------------------------------------------------------- */

/* From here on `size` bytes at `memory` are the student's as well. */
void grade_guard_allow(void *memory, size_t size);
/* Not any more. Returns 0, or -1 if nothing begins there. */
int grade_guard_forget(const void *memory);

/* The student's code runs between these; what lies above the address top on
   the stack is not the student's. */
void grade_guard_begin(uintptr_t top);
void grade_guard_end(void);

/* What the student's host code has done so far: floating-point operations, and
   basic blocks that it entered. */
struct grade_host_work {
    uint64_t flops, blocks;
};
struct grade_host_work grade_host_work(void);

/* Stops the program unless the student's code may write there. `who` is the
   function that would: "memcpy". */
void grade_guard_write(const char *who, const void *to, size_t size);

/* --- grade_watch_main.c --------------------------------------------------- */

/* What an access is that nobody has told of. It is written into a lab's
   assembly, and runner_guard.c reads it. */
enum {
    GRADE_WATCH_SIZE = 31, /* bytes */
    GRADE_WATCH_WRITE = 32,
    GRADE_WATCH_REPEATED = 64, /* as often as rcx says */
    GRADE_WATCH_THREADS = 128  /* the address is from the thread's own on */
};

#endif /* GRADE_RUNNER_H */
