/*
 * guard.h: how does a failed CUDA call in a lab end the lab's run, and not the
 * program?
 *
 * Everything that a student wrote is called through lab_guard. LAB_CHECK
 * (lab.h) leaves it with longjmp, so nothing that the lab allocated is freed;
 * cudaDeviceReset frees it.
 */
#ifndef LAB_GUARD_H
#define LAB_GUARD_H

#include "course/index.h"
#include "lab.h"

/* The call that LAB_CHECK found failed, or "exit". */
struct lab_failure {
    cudaError_t error;
    const char *call, *file; /* as LAB_CHECK gave them: string constants */
    int line;
    char text[400]; /* "file:line: call failed: name: what it means" */
};

/* Calls body(argument). Returns 0 if it returned, or -1 with *failure filled
   if LAB_CHECK or exit() ended it. Does not nest. */
int lab_guard(void (*body)(void *argument), void *argument,
              struct lab_failure *failure);

/* The same for an entry of a lab. Of LAB_BF16 the pointers in p are to packed
   matrices (buffers.h). */
int lab_guard_entry(const struct course_entry *entry,
                    const struct lab_matmul *p, struct lab_failure *failure);

#endif /* LAB_GUARD_H */
