/*
 * The device's heap: what malloc() and new in a kernel take, and free() and
 * delete give back. One array of the device holds it all, so an index that
 * leads from one block of it into the next is not told. A block has 16 bytes
 * times a power of two.
 *
 * make run has the linker send here what a program calls (ld --wrap); host code
 * goes on to the C library.
 */
#define _GNU_SOURCE
#include "simt/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Called by the names that the linker makes. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
void *__real_malloc(size_t size);
void __real_simt_host_free(void *memory);
/* The C++ library's, where there is one. */
__attribute__((weak, noreturn)) void
bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv");

enum {
    GRAIN = 16,
    CLASSES = 40 /* a block of class c has GRAIN << c bytes */
};

static char *heap;
static size_t grains, used;     /* used: of these, the ones given out so far */
static unsigned char *taken;    /* class + 1 of the block that begins there */
static uint32_t *next;          /* grain + 1 of the next free block; 0: none */
static uint32_t first[CLASSES]; /* likewise of the first, by class; */
static uint32_t later[CLASSES]; /* and of those that this launch gave back */
static uint64_t launch;         /* that one */
static size_t blocks;           /* that are taken */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void tell_what_is_left(void)
{
    if (blocks == 0)
        return;
    fflush(stdout);
    fprintf(stderr,
            "warning: of what kernels took from the device's heap (malloc, "
            "new) %zu block%s never freed\n",
            blocks, blocks == 1 ? " was" : "s were");
}

/* 0, or -1 without memory. */
static int make_heap(void)
{
    size_t bytes;

    if (heap != NULL)
        return 0;
    if (cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) != cudaSuccess)
        return -1;
    grains = bytes / GRAIN;
    taken = calloc(grains + 1, sizeof *taken);
    next = calloc(grains + 1, sizeof *next);
    if (taken != NULL && next != NULL)
        heap = simt_memory_take(grains * GRAIN, SIMT_DEVICE_MEMORY);
    if (heap == NULL)
        return -1;
    simt_name_array(heap, "heap");
    atexit(tell_what_is_left);
    return 0;
}

/* What a launch gives back it gets again only where nothing else is left: two
   threads that had one block would look like a race. */
static void reuse(int order)
{
    uint32_t *end = &first[order];

    while (*end != 0)
        end = &next[*end - 1];
    *end = later[order];
    later[order] = 0;
}

static void *take(size_t size)
{
    size_t grain, count = 1;
    int order = 0;

    for (; count * GRAIN < size && order < CLASSES - 1; order++)
        count *= 2;
    if (make_heap() != 0)
        return NULL;
    if (first[order] == 0 && count > grains - used)
        reuse(order);
    if (first[order] != 0) {
        grain = first[order] - 1;
        first[order] = next[grain];
    } else if (count <= grains - used) {
        grain = used;
        used += count;
    } else {
        return NULL;
    }
    taken[grain] = (unsigned char)(order + 1);
    blocks++;
    return heap + grain * GRAIN;
}

/* Returns 0, or -1 if no block begins there. */
static int give_back(size_t offset)
{
    const size_t grain = offset / GRAIN;

    if (offset % GRAIN != 0 || taken[grain] == 0)
        return -1;
    for (int i = 0; launch != simt_self->grid->number && i < CLASSES; i++)
        reuse(i);
    launch = simt_self->grid->number;
    next[grain] = later[taken[grain] - 1];
    later[taken[grain] - 1] = (uint32_t)(grain + 1);
    taken[grain] = 0;
    blocks--;
    return 0;
}

static int is_in_kernel(void)
{
    return simt_self != NULL && simt_self->current != NULL;
}

void *__wrap_malloc(size_t size)
{
    void *memory;

    if (!is_in_kernel())
        return __real_malloc(size);
    pthread_mutex_lock(&lock);
    memory = take(size);
    pthread_mutex_unlock(&lock);
    return memory;
}

void *__wrap__Znwm(size_t size)
{
    void *memory = __wrap_malloc(size > 0 ? size : 1);

    if (memory == NULL && !is_in_kernel()) {
        if (bad_alloc != NULL)
            bad_alloc();
        abort();
    }
    return memory;
}

void *__wrap__Znam(size_t size)
{
    return __wrap__Znwm(size);
}

void __wrap_simt_host_free(void *memory)
{
    const uintptr_t offset = (uintptr_t)memory - (uintptr_t)heap;
    int is_wrong;

    if (heap == NULL || offset >= grains * GRAIN) {
        if (memory != NULL && is_in_kernel()) {
            simt_report(simt_self, SIMT_ADDRESS, cudaErrorIllegalAddress, "", 0,
                        "frees what is not of the device's heap: free() in a "
                        "kernel is for malloc() in a kernel, and delete for "
                        "new.");
            simt_abandon_block(simt_self);
        }
        __real_simt_host_free(memory);
        return;
    }
    pthread_mutex_lock(&lock);
    is_wrong = !is_in_kernel() || give_back(offset) != 0;
    pthread_mutex_unlock(&lock);
    if (is_wrong && is_in_kernel()) {
        simt_report(simt_self, SIMT_ADDRESS, cudaErrorIllegalAddress, "", 0,
                    "frees a block of the device's heap twice, or at an "
                    "address where none begins.");
        simt_abandon_block(simt_self);
    } else if (is_wrong) {
        simt_say("", 0,
                 "free(): this is of the device's heap, which kernels "
                 "alone can free");
        abort();
    }
}

void __wrap__ZdlPv(void *memory)
{
    __wrap_simt_host_free(memory);
}

void __wrap__ZdaPv(void *memory)
{
    __wrap_simt_host_free(memory);
}

void __wrap__ZdlPvm(void *memory, size_t size)
{
    (void)size;
    __wrap_simt_host_free(memory);
}

void __wrap__ZdaPvm(void *memory, size_t size)
{
    (void)size;
    __wrap_simt_host_free(memory);
}
