/*
 * module.h: how do the device's files around a module belong together?
 *
 *   layout.h        what a module tells of itself
 *   outside.h       read before each file of the device
 *   access.h        each load and each store of a module
 *   module_begin.c  the first object of a module, module_print.c one that a lab
 *                   may need, module_end.h what a module offers
 *   module.c        its memory, its traps, its tables
 *   calls.c         what it calls of the runtime, by calls.def
 *   calls_kernel.c  what its kernels call, and what calls them
 *   fiber.c         threads of a block, each with two stacks
 *
 * An address of the module's, 32 bits, is the same one here.
 */
#ifndef MODULE_MODULE_H
#define MODULE_MODULE_H

#include "outside.h"

#include <stddef.h>
#include <wasm-rt.h>

/* --- module.c ------------------------------------------------------------- */

/* What access.h asks of an address. */
struct module_own {
    uint64_t begin, size, floor, told, told_size, site;
};
extern struct module_own module_own;

/* Where no thread of a kernel runs all addresses are host code's; else those of
   the thread's stack, which begins at `begin`, from its pointer to `top`. */
void module_own_all(void);
void module_own_stack(uintptr_t begin, uintptr_t top);

/* Host code of the lab is about to be called: its stack is empty. */
void module_enter(void);

/* 1 if the bytes lie where its stack does. */
int module_is_on_stack(uint64_t address, uint64_t size);

/* --- module_end.h, in the module ------------------------------------------ */

uint32_t *module_begin(wasm_rt_memory_t **memory);
uint32_t module_tell_layout(void);
void module_construct(void);
void module_call(uint32_t function, uint32_t closure);
uint32_t module_shared_of(uint32_t function, uint32_t threads, uint32_t data);
int module_lab_host(uint32_t p); /* -1: the lab has none, as of the next */
int module_lab_launch(uint32_t p);
int module_lab_launch_b(uint32_t p);
int module_lab_launch_arrays(uint32_t p);
void module_lab_read(uint32_t type, uint32_t stride, uint32_t repeat,
                     uint32_t out, uint32_t cycles);

#endif /* MODULE_MODULE_H */
