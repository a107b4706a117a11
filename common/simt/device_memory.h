/*
 * device_memory.h: what cudaMalloc gave, and __device__ and __constant__
 * variables (memory.c, variables.c). device.h has it for all.
 */
#ifndef SIMT_DEVICE_MEMORY_H
#define SIMT_DEVICE_MEMORY_H

#include "include/cuda_runtime_api.h"
#include "simt.h"

#include <stddef.h>
#include <stdint.h>

/* --- memory.c: global memory ---------------------------------------------- */

/* Who may reach it besides kernels. */
enum simt_memory_kind {
    SIMT_DEVICE_MEMORY,
    SIMT_PINNED_MEMORY, /* host code too: cudaMallocHost */
    SIMT_MANAGED_MEMORY /* likewise: cudaMallocManaged */
};

struct simt_allocation {
    char *base; /* aligned to 256 bytes, as cudaMalloc promises */
    size_t size;
    char *pages; /* first page of its own, at or below base */
    size_t page_bytes;
    int freed; /* 1: since the last reset of the counters; 2: before */
    enum simt_memory_kind kind;
    char name[32]; /* "A", or "" */
};

/* Before a launch: a kernel may then take one allocation, the heap, while
   others look at theirs. 0 or -1. */
int simt_memory_prepare(void);

/* Takes size bytes. Returns NULL if there are not as many. */
void *simt_memory_take(size_t size, enum simt_memory_kind kind);

/* Returns 0, or -1 if pointer is not from simt_memory_take, or is freed. */
int simt_memory_free(void *pointer);
void simt_memory_free_all(void);

/* What was freed so far is told of no more. */
void simt_memory_reset(void);

/* Why free() must not get it, or NULL: allocate.c. */
const char *simt_not_for_free(const void *memory);

/* Where the arena lies; 0 bytes before it is needed. Returns its bytes. */
size_t simt_memory_arena(uintptr_t *begin);

/* 1 if address lies in the arena, allocated or not. */
int simt_memory_holds(const void *address);
/* 1 if a kernel may touch the page of that address, which lies there. */
int simt_memory_is_open(const void *address);

/* The allocation that owns the page of address, freed or not, or the one
   whose guard page it is; NULL outside. */
const struct simt_allocation *simt_memory_find(const void *address);

/* The number of that allocation, from 1; 0: none. Numbers are not reused. */
unsigned simt_memory_number(const void *address);
const struct simt_allocation *simt_memory_numbered(unsigned number);
/* 1 if an array other than number `array` has been given that name
   (simt_name_array). */
int simt_memory_is_named(const char *name, unsigned array);

/* 1 if the size bytes at address lie in one live allocation. */
int simt_memory_valid(const void *address, size_t size);

/* Host threads take turns: whoever holds the device has it alone until it lets
   go. Calls nest. Result and argument are of no use but to SIMT_ENTER. */
int simt_hold(void);
void simt_let_go(const int *unused);

/* Host code may not touch device memory; kernels and copies open it. Calls
   nest, and hold the device. */
void simt_memory_open(void);
void simt_memory_close(void);

/* The first allocation whose slack bytes, behind its end or before its
   beginning within its own pages, were written; NULL: none. Arena open. */
const struct simt_allocation *simt_memory_overrun(void);

void simt_memory_info(size_t *free_bytes, size_t *total_bytes);

/* 1 if the address lies in host memory that cudaHostRegister was given:
   allocate.c. */
int simt_memory_registered(const void *address);

/* --- variables.c: __device__ and __constant__ variables ------------------- */

enum simt_variable {
    SIMT_NO_VARIABLE,
    SIMT_DEVICE_VARIABLE,
    SIMT_CONSTANT_VARIABLE
};

/* Whether such a variable is at address. */
enum simt_variable simt_variable_kind(const void *address);

/* 1 if such a variable is at address and is not const. */
int simt_variable_writable(const void *address);

/* 1 if the size bytes at address are those of such variables. */
int simt_variable_holds(const void *address, size_t size);

#endif /* SIMT_DEVICE_MEMORY_H */
