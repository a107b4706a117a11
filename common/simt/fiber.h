/*
 * fiber.h: how does a thread of a block wait for the others?
 *
 * Each thread that waits keeps its own stack. Switching saves the registers
 * that a called function must preserve (System V AMD64 ABI, section 3.2.1;
 * AAPCS64, section 6.1.1) on the stack that is left and takes them from the
 * other. Elsewhere, and where SIMT_UCONTEXT is defined, ucontext does the same,
 * some 25 times slower.
 */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include <stddef.h>

/* Leaves the running stack, storing where in *from, and goes on where `to`
   was left. */
void simt_fiber_switch(void **from, void *to);

/*
 * Lays out a fresh stack of `size` bytes whose highest address is `top`
 * (aligned to 16), so that the first switch to the result calls entry(). entry
 * must not return. Allocates nothing.
 */
void *simt_fiber_make(void *top, size_t size, void (*entry)(void));

#endif /* SIMT_FIBER_H */
