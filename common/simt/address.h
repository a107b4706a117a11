/*
 * address.h: what is an address of a lab's, and where may it lie?
 */
#ifndef SIMT_ADDRESS_H
#define SIMT_ADDRESS_H

#include <stdint.h>

/* Kernels are WebAssembly, which has no addresses of code: site/wasm, and
   grade/module, where the device stands outside of what they reach. */
#if defined(__wasm__) || defined(SIMT_OUTSIDE)
#define SIMT_HAS_CODE 0
#else
#define SIMT_HAS_CODE 1
#endif

/* An address as a lab has it in a structure. */
#if defined(SIMT_OUTSIDE)
typedef uint32_t simt_address;
#else
typedef uintptr_t simt_address;
#endif

/* Of mmap() for memory that kernels are to reach. */
#ifndef SIMT_MAP_LOW
#define SIMT_MAP_LOW 0
#endif

/* The linker's: where the program's code begins in memory; and the C library's:
   where its variables begin, before which lie code and constants. */
#ifndef SIMT_OUTSIDE
extern const char __executable_start[], __data_start[];
#define SIMT_IS_INDEX(address) 0 /* threadIdx and its kin, told as memory */
#define SIMT_CODE_BEGIN        ((uintptr_t)__executable_start)
#define SIMT_CONSTANTS_BEGIN   ((uintptr_t)__executable_start)
#define SIMT_CONSTANTS_END     ((uintptr_t)__data_start)
#endif

#endif /* SIMT_ADDRESS_H */
