/*
 * Where shared memory begins.
 *
 * A lab's __shared__ variables are thread-local ones, and a linker lays the
 * thread-local variables of its input files out in the order of these files.
 * So the objects of a lab are linked between this one and shared_end.o, and
 * all that lies between the two variables is shared memory. This holds for
 * templates and inline functions too, and for a static program, where libc's
 * own thread-local variables follow behind the end.
 */
#define _GNU_SOURCE
#include "device.h"

_Thread_local char simt_shared_begin[16] __attribute__((aligned(16)));
