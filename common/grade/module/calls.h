/*
 * calls.h: how arguments of a module's calls are read.
 */
#ifndef GRADE_MODULE_CALLS_H
#define GRADE_MODULE_CALLS_H

#include "module.h"

#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

#define E    void *module
#define P(a) ((void *)(uintptr_t)(a))
#define T(a) module_kept_text(a)

/* The text at an address, as it is now. It stays until the program ends; "" of
   too many or of none. */
const char *module_kept_text(u32 address);

#endif /* GRADE_MODULE_CALLS_H */
