/* called.h: stands for a header of the device: see is_header of lines.c. */
#ifndef CALLED_H
#define CALLED_H

#include "places.h"

static inline __attribute__((always_inline)) uintptr_t called()
{
    return here() + 0 * sizeof(int);
}

static inline __attribute__((always_inline)) uintptr_t called_by_a_header()
{
    return called();
}

/* Inlined nowhere, so that no other line can be named. */
static __attribute__((noinline)) uintptr_t called_apart(int *line)
{
    *line = __LINE__ + 1;
    const volatile uintptr_t code = here();

    return code;
}

#endif
