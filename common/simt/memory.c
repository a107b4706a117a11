/*
 * Global memory. One range of addresses is reserved for the device alone, so
 * that an address tells whose it is. In it each allocation has pages of its
 * own with an inaccessible page on either side, and its end lies as close to
 * the next page as the alignment lets it: reading past the end is a fault that
 * fault.c explains, and not a wrong number. Addresses are not used again
 * before the range is full, so that a freed pointer stays a bad one.
 */
#define _GNU_SOURCE
#include "device.h"
#include "simt.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define ARENA_BASE    ((char *)(uintptr_t)0x200000000000)
#define ARENA_LARGEST ((size_t)SIMT_ARENA_MB << 20)
#define ALIGNMENT \
    ((size_t)256) /* CUDA C++ Programming Guide, "Device Memory
                                       Accesses": cudaMalloc aligns to 256 */
#define PAGE   ((size_t)SIMT_PAGE)
#define POISON 0xFF /* every byte of fresh memory: as float, a NaN */

static char *arena;
static size_t arena_bytes;
static size_t arena_used;    /* everything behind it was never given out */
static size_t capacity;      /* bytes that may be allocated at once */
static size_t allocated;     /* bytes that are, whole pages */
static uint32_t *page_owner; /* number of the allocation, for each page */
static struct simt_allocation *allocations; /* number 1 is the first */
static unsigned count, room;
static int open_calls;

static size_t round_up(size_t size, size_t multiple)
{
    return (size + multiple - 1) / multiple * multiple;
}

/* Reserves the arena: addresses only, no memory. Where the address space is
   limited, as in a grader's box, it takes a quarter of it. */
static int reserve(void)
{
    struct rlimit limit;
    const size_t ram =
        (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    void *found;

    arena_bytes = ARENA_LARGEST;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur / 4 < arena_bytes)
        arena_bytes = limit.rlim_cur / 4 / PAGE * PAGE;

    found =
        mmap(ARENA_BASE, arena_bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | SIMT_MAP_LOW, -1, 0);
    if (found == MAP_FAILED)
        return -1;
    page_owner = mmap(NULL, arena_bytes / PAGE * sizeof *page_owner,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (page_owner == MAP_FAILED) {
        munmap(found, arena_bytes);
        return -1;
    }
    arena = found;
    arena_used = PAGE; /* the first page stays a guard */
    capacity = ram / 4 * 3 < arena_bytes ? ram / 4 * 3 : arena_bytes;
    return 0;
}

/* Finds `bytes` of addresses, and a guard page behind them, in what was freed.
   Only when the arena is full. NULL if there is no such place. */
static char *find_freed(size_t bytes)
{
    const size_t pages = bytes / PAGE + 1;
    size_t run = 0;

    for (size_t i = 1; i < arena_used / PAGE; i++) {
        const uint32_t owner = page_owner[i];

        run = owner == 0 || allocations[owner - 1].freed ? run + 1 : 0;
        /* The page before the run is a guard or the run's own first page. */
        if (run > pages)
            return arena + (i - pages + 1) * PAGE;
    }
    return NULL;
}

/* What host code may write is not known to be unwritten: it is 0, as pages that
   the system has just given. */
static void fill_allocation(const struct simt_allocation *a)
{
    const size_t before = (size_t)(a->base - a->pages);

    memset(a->pages, POISON, before);
    memset(a->base, a->kind == SIMT_DEVICE_MEMORY ? POISON : 0, a->size);
    memset(a->base + a->size, POISON, a->page_bytes - before - a->size);
}

/* Makes room for more allocations, 0 or -1. Not on the heap, where host code of
   the program may write beyond the end of its own: that is not to look like
   device memory that was freed. */
static int make_room(void)
{
    const unsigned larger = room ? 2 * room : 64;
    struct simt_allocation *a =
        mmap(NULL, larger * sizeof *a, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (a == MAP_FAILED)
        return -1;
    if (room > 0) {
        memcpy(a, allocations, room * sizeof *a);
        munmap(allocations, room * sizeof *a);
    }
    allocations = a;
    room = larger;
    return 0;
}

int simt_memory_prepare(void)
{
    if (arena == NULL && reserve() != 0)
        return -1;
    return count == room ? make_room() : 0;
}

void *simt_memory_take(size_t size, enum simt_memory_kind kind)
{
    const size_t data = round_up(size > 0 ? size : 1, ALIGNMENT);
    const size_t bytes = round_up(data, PAGE);
    struct simt_allocation *a;
    char *pages;

    if (simt_memory_prepare() != 0 || size > capacity ||
        bytes > capacity - allocated)
        return NULL;

    if (bytes + PAGE <= arena_bytes - arena_used) {
        pages = arena + arena_used;
        arena_used += bytes + PAGE;
    } else {
        pages = find_freed(bytes);
        if (pages == NULL)
            return NULL;
    }
    if (mprotect(pages, bytes, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    a = &allocations[count++];
    *a = (struct simt_allocation){.base = pages + bytes - data,
                                  .size = size,
                                  .pages = pages,
                                  .page_bytes = bytes,
                                  .kind = kind};
    fill_allocation(a);
    /* The guard page behind an allocation is its own too: an access there is
       one past its end. */
    for (size_t i = 0; i <= bytes / PAGE; i++)
        page_owner[(size_t)(pages - arena) / PAGE + i] = count;
    allocated += bytes;
    if (open_calls == 0 && kind == SIMT_DEVICE_MEMORY)
        mprotect(pages, bytes, PROT_NONE);
    return a->base;
}

unsigned simt_memory_number(const void *address)
{
    if (!simt_memory_holds(address))
        return 0;
    return page_owner[(size_t)((const char *)address - arena) / PAGE];
}

const struct simt_allocation *simt_memory_numbered(unsigned number)
{
    return number >= 1 && number <= count ? &allocations[number - 1] : NULL;
}

int simt_memory_is_named(const char *name, unsigned array)
{
    for (size_t i = 0; i < count; i++) {
        if (i + 1 != array && !allocations[i].freed &&
            strcmp(allocations[i].name, name) == 0)
            return 1;
    }
    return 0;
}

const struct simt_allocation *simt_memory_find(const void *address)
{
    return simt_memory_numbered(simt_memory_number(address));
}

size_t simt_memory_arena(uintptr_t *begin)
{
    *begin = (uintptr_t)arena;
    return arena != NULL ? arena_bytes : 0;
}

int simt_memory_holds(const void *address)
{
    return arena != NULL && (uintptr_t)address - (uintptr_t)arena < arena_bytes;
}

int simt_memory_is_open(const void *address)
{
    const struct simt_allocation *a = simt_memory_find(address);

    return a != NULL && !a->freed &&
           (size_t)((const char *)address - a->pages) < a->page_bytes;
}

int simt_memory_valid(const void *address, size_t size)
{
    const struct simt_allocation *a = simt_memory_find(address);
    const char *from = address;

    return a != NULL && !a->freed && from >= a->base &&
           size <= a->size - (size_t)(from - a->base) &&
           (size_t)(from - a->base) <= a->size;
}

static void give_back(struct simt_allocation *a)
{
    a->freed = 1;
    allocated -= a->page_bytes;
    mprotect(a->pages, a->page_bytes, PROT_NONE);
    madvise(a->pages, a->page_bytes, MADV_DONTNEED);
}

int simt_memory_free(void *pointer)
{
    const unsigned number = simt_memory_number(pointer);
    struct simt_allocation *a;

    if (number == 0)
        return -1;
    a = &allocations[number - 1];
    if (a->freed || pointer != a->base)
        return -1;
    give_back(a);
    return 0;
}

void simt_memory_free_all(void)
{
    for (unsigned i = 0; i < count; i++) {
        if (!allocations[i].freed)
            give_back(&allocations[i]);
    }
}

void simt_memory_reset(void)
{
    for (unsigned i = 0; i < count; i++)
        allocations[i].freed = allocations[i].freed ? 2 : 0;
}

static void protect_all(int protection)
{
    for (unsigned i = 0; i < count; i++) {
        const struct simt_allocation *a = &allocations[i];

        if (!a->freed && a->kind == SIMT_DEVICE_MEMORY)
            mprotect(a->pages, a->page_bytes, protection);
    }
}

static pthread_mutex_t device = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int simt_hold(void)
{
    return pthread_mutex_lock(&device);
}

void simt_let_go(const int *unused)
{
    (void)unused;
    pthread_mutex_unlock(&device);
}

void simt_memory_open(void)
{
    simt_hold();
    if (open_calls++ == 0)
        protect_all(PROT_READ | PROT_WRITE);
}

void simt_memory_close(void)
{
    if (--open_calls == 0)
        protect_all(PROT_NONE);
    simt_let_go(NULL);
}

static int is_poison(const char *from, const char *to)
{
    for (; from < to; from++) {
        if ((unsigned char)*from != POISON)
            return 0;
    }
    return 1;
}

const struct simt_allocation *simt_memory_overrun(void)
{
    for (unsigned i = 0; i < count; i++) {
        const struct simt_allocation *a = &allocations[i];

        /* Next to the others host code may have written. */
        if (!a->freed && a->kind == SIMT_DEVICE_MEMORY &&
            (!is_poison(a->pages, a->base) ||
             !is_poison(a->base + a->size, a->pages + a->page_bytes)))
            return a;
    }
    return NULL;
}

void simt_memory_info(size_t *free_bytes, size_t *total_bytes)
{
    if (arena == NULL && reserve() != 0) {
        *free_bytes = *total_bytes = 0;
        return;
    }
    *free_bytes = capacity - allocated;
    *total_bytes = capacity;
}

void simt_name_array(const void *pointer, const char *name)
{
    const unsigned number = simt_memory_number(pointer);

    if (number == 0)
        return;
    char *to = allocations[number - 1].name;
    const size_t length = strnlen(name, sizeof allocations->name - 1);

    memcpy(to, name, length);
    to[length] = '\0';
}
