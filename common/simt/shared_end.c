/* Where shared memory ends: see shared_begin.c. */
#define _GNU_SOURCE
#include "device.h"

/* What a kernel of the fast build writes far behind its arrays, as by a row too
   many of each thread, would else change what runs it. One variable: of two the
   compiler may put either first. */
_Thread_local char simt_shared_end[256 * 1024] __attribute__((aligned(16)));

/* Each address goes through memory: for the difference of two thread-local
   addresses gcc 12 makes code that the linker cannot relax. */
size_t simt_shared_bytes(void)
{
    char *volatile begin = simt_shared_begin;
    char *volatile end = simt_shared_end;

    return (size_t)(end - begin);
}
