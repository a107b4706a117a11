/*
 * Kernels that kernels launch. No kernel can wait for one that it launched:
 * device code has no cudaDeviceSynchronize() since CUDA 12 (CUDA C++
 * Programming Guide, "CUDA Dynamic Parallelism"). So a child runs when all
 * blocks of its parent have ended; those of one block run in the order in which
 * it launched them, each after the one before and all that this launched.
 */
#define _GNU_SOURCE
#include "device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that keep() takes for so many. */
static size_t rounded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static void *keep(char **slot, const void *from, size_t size)
{
    void *to = *slot;

    if (size > 0)
        memcpy(to, from, size);
    *slot += rounded(size);
    return to;
}

/* Of an argument, as far as somebody looks at it. */
static size_t bytes_of(const struct simt_object *object)
{
    return object->is_int ? sizeof(int) : object->size;
}

int (*simt_capture)(cudaStream_t stream, const struct simt_step *step);

struct simt_child *simt_child_copy(const struct simt_launch *launch)
{
    const size_t count = launch->pointer_count + 1; /* the last is empty */
    const size_t pointers = count * sizeof *launch->pointers;
    const size_t objects = count * sizeof *launch->objects;
    size_t bytes = rounded(sizeof(struct simt_child)) + rounded(pointers) +
                   rounded(objects) + rounded(launch->closure_size);
    struct simt_object *object;
    struct simt_child *child;
    char *slot;

    for (size_t i = 0; i < count; i++)
        bytes += rounded(bytes_of(&launch->objects[i]));
    child = calloc(1, bytes);
    if (child == NULL)
        return NULL;
    slot = (char *)child + rounded(sizeof *child);
    child->launch = *launch;
    child->launch.closure = keep(&slot, launch->closure, launch->closure_size);
    child->launch.pointers = keep(&slot, launch->pointers, pointers);
    object = keep(&slot, launch->objects, objects);
    child->launch.objects = object;
    for (size_t i = 0; i < count; i++)
        object[i].at = keep(&slot, object[i].at, bytes_of(&object[i]));
    return child;
}

int simt_child_keep(const struct simt_worker *worker,
                    const struct simt_launch *launch)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct simt_grid *grid = worker->grid;
    const struct uint3 at = worker->block_index, size = grid->size;
    struct simt_child *child = simt_child_copy(launch);

    if (child == NULL)
        return -1;
    child->block = ((uint64_t)at.z * size.y + at.y) * size.x + at.x;
    pthread_mutex_lock(&lock);
    child->number = grid->children++;
    child->next = grid->child;
    grid->child = child;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int by_block(const void *a, const void *b)
{
    const struct simt_child *x = *(struct simt_child *const *)a;
    const struct simt_child *y = *(struct simt_child *const *)b;

    if (x->block != y->block)
        return (x->block > y->block) - (x->block < y->block);
    return (x->number > y->number) - (x->number < y->number);
}

struct simt_child *simt_children_before(struct simt_grid *grid,
                                        struct simt_child *later)
{
    struct simt_child **order, *child = grid->child;
    size_t count = 0;

    if (child == NULL)
        return later;
    order = malloc(grid->children * sizeof(struct simt_child *));
    for (; order != NULL && child != NULL; child = child->next)
        order[count++] = child;
    if (order == NULL) {
        simt_children_drop(grid->child);
        grid->failed = cudaErrorMemoryAllocation;
        return later;
    }
    qsort(order, count, sizeof(struct simt_child *), by_block);
    while (count > 0) {
        order[--count]->next = later;
        later = order[count];
    }
    free(order);
    return later;
}

void simt_children_drop(struct simt_child *child)
{
    while (child != NULL) {
        struct simt_child *next = child->next;

        free(child);
        child = next;
    }
}
