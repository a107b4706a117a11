/*
 * posix.h: what of POSIX and GNU does the course use that WASI has not?
 *
 * Read before each file of the course that is compiled for WebAssembly, so that
 * these need no lines for it. posix.c has what is more than a name.
 */
#ifndef SITE_POSIX_H
#define SITE_POSIX_H

#include <setjmp.h>
#include "code.h"
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* There is one OS thread and there are no signals. */
#define sigjmp_buf                jmp_buf
#define sigsetjmp(buffer, mask)   setjmp(buffer)
#define siglongjmp(buffer, value) (simt_fiber_abandon(), longjmp(buffer, value))
void simt_fiber_abandon(void); /* the fiber that runs is never entered again */

/* The linker's own names for where the part of memory begins and ends that the
   shared variables of a lab are in. */
#define simt_shared_begin __start_simt_shared
#define simt_shared_end   __stop_simt_shared

/* Threads may read these, which lie with the constants: begin.c. */
#define SIMT_INDEX __attribute__((section("simt_indices")))

typedef struct {
    int count;
} cpu_set_t;
#define CPU_COUNT(set)                  ((set)->count)
#define sched_getaffinity(p, size, set) ((set)->count = 1, 0)

enum {
    RLIMIT_AS
};
#define RLIM_INFINITY (~(size_t)0)
struct rlimit {
    size_t rlim_cur;
};
int getrlimit(int resource, struct rlimit *limit);

/* Nobody else ever has the lock. */
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER

/* Each program has files of its own. */
#define getpid() 1

/* Nothing waits for ever. */
#define alarm(seconds) ((void)(seconds))

/* The C library's refuses. */
#define fchmod(file, mode) ((void)(file), (void)(mode), 0)

/* There are no links but /proc/self/exe. */
#define readlink site_readlink
ssize_t site_readlink(const char *path, char *to, size_t size);

mode_t umask(mode_t mask);
int flock(int file, int operation);
int mkstemp(char *name);
int on_exit(void (*function)(int status, void *argument), void *argument);

#ifndef LOCK_EX
#define LOCK_EX 2
#endif

#endif /* SITE_POSIX_H */
