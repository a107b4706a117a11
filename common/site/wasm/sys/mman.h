/* mman.h: pages, of which WebAssembly has none to be protected: posix.c. */
#ifndef SITE_SYS_MMAN_H
#define SITE_SYS_MMAN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MAP_FAILED ((void *)-1)

enum {
    PROT_NONE = 0,
    PROT_READ = 1,
    PROT_WRITE = 2,
    MAP_PRIVATE = 2,
    MAP_ANONYMOUS = 32,
    MAP_NORESERVE = 0x4000,
    MADV_DONTNEED = 4
};

/* Bytes that are 0; of a file, a copy. */
void *mmap(void *at, size_t bytes, int protection, int flags, int file,
           off_t from);
int munmap(void *at, size_t bytes);
/* Sets the bytes to 0. */
int madvise(void *at, size_t bytes, int advice);

/* 0 if there is memory. Nothing lies in the first page. */
#define mincore(at, bytes, in_core)                                        \
    ((void)(in_core), (void)(bytes),                                       \
     (uintptr_t)(at)-65536 < __builtin_wasm_memory_size(0) * 65536 - 65536 \
         ? 0                                                               \
         : -1)

#define mprotect(at, bytes, protection) ((void)(at), (void)(bytes), 0)

#endif /* SITE_SYS_MMAN_H */
