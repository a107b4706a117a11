/* What of POSIX and GNU the course uses and WASI has not: see posix.h. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int getrlimit(int resource, struct rlimit *limit)
{
    (void)resource;
    limit->rlim_cur = RLIM_INFINITY;
    return 0;
}

ssize_t site_readlink(const char *path, char *to, size_t size)
{
    const char *const program = getenv("PROGRAM");
    const size_t length = program != NULL ? strlen(program) : 0;

    if (length == 0 || length > size || strcmp(path, "/proc/self/exe") != 0) {
        errno = EINVAL;
        return -1;
    }
    memcpy(to, program, length);
    return (ssize_t)length;
}

mode_t umask(mode_t mask)
{
    (void)mask;
    return 022;
}

int flock(int file, int operation)
{
    (void)file;
    (void)operation;
    return 0;
}

int mkstemp(char *name)
{
    static int made;

    snprintf(name + strlen(name) - 6, 7, "%06d", made++ % 1000000);
    return open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

/* --- libraries, of which there are none ----------------------------------- */

void *dlopen(const char *name, int flags)
{
    (void)name;
    (void)flags;
    return NULL;
}

void *dlsym(void *library, const char *name)
{
    (void)library;
    (void)name;
    return NULL;
}

int dlclose(void *library)
{
    (void)library;
    return 0;
}

/* --- what a program does at its end --------------------------------------- */

static void (*at_end)(int status, void *argument);
static void *at_end_argument;

/* A program that was left by exit() is left with a status that nobody here
   knows: what asks for on_exit is told 0. */
static void end(void)
{
    at_end(0, at_end_argument);
}

int on_exit(void (*function)(int status, void *argument), void *argument)
{
    at_end = function;
    at_end_argument = argument;
    return atexit(end);
}

/* --- the machine ---------------------------------------------------------- */

long sysconf(int name)
{
    switch (name) {
    case _SC_PAGESIZE:
        return 65536;
    case _SC_PHYS_PAGES:
        return 32768; /* of the 4 GB that addresses reach */
    case _SC_NPROCESSORS_ONLN:
        return 1;
    default:
        errno = EINVAL;
        return -1;
    }
}

/* --- memory --------------------------------------------------------------- */

enum {
    PAGE = 65536,
    KEPT = 256
};

/* Pages that were given back: they are never the host's again. */
static struct {
    void *at;
    size_t bytes;
} kept[KEPT];

static size_t whole(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Fresh pages cost nothing before they are used. */
static void *take(size_t bytes)
{
    size_t before;

    for (int i = 0; i < KEPT; i++) {
        if (kept[i].at != NULL && kept[i].bytes == bytes) {
            void *const at = kept[i].at;

            kept[i].at = NULL;
            return memset(at, 0, bytes);
        }
    }
    before = __builtin_wasm_memory_grow(0, bytes / PAGE);
    return before == ~(size_t)0 ? MAP_FAILED : (void *)(before * PAGE);
}

/* The device's memory, which is asked for as addresses alone: of it a fast
   program looks at each access (lab.mjs). */
uintptr_t simt_arena;
size_t simt_arena_bytes;

void *mmap(void *at, size_t bytes, int protection, int flags, int file,
           off_t from)
{
    void *const found = bytes > 0 ? take(whole(bytes)) : MAP_FAILED;

    (void)at;
    if (found == MAP_FAILED) {
        errno = ENOMEM;
    } else if (!(flags & MAP_ANONYMOUS) &&
               pread(file, found, bytes, from) < (ssize_t)bytes) {
        munmap(found, bytes);
        return MAP_FAILED;
    } else if (protection == PROT_NONE && flags & MAP_NORESERVE) {
        simt_arena = (uintptr_t)found;
        simt_arena_bytes = bytes;
    }
    return found;
}

int munmap(void *at, size_t bytes)
{
    for (int i = 0; i < KEPT; i++) {
        if (kept[i].at == NULL) {
            kept[i].at = at;
            kept[i].bytes = whole(bytes);
            break;
        }
    }
    return 0;
}

int madvise(void *at, size_t bytes, int advice)
{
    (void)advice;
    memset(at, 0, bytes);
    return 0;
}
