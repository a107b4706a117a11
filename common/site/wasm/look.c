/*
 * What a lab calls where elsewhere a signal comes. The build that counts calls
 * the recorder at each access (record.c); the fast one calls these instead,
 * which look whether there is memory at all, and never wait: so Asyncify leaves
 * a thread's code as it is but at its barriers. simt_tables puts the others
 * before a division of integers and where a program cannot go on.
 */
#include "simt/recorder.h"

#include <signal.h>
#include <sys/mman.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define CODE __builtin_return_address(0)

static void refuse(int kind, const void *address, int is_write,
                   const void *code)
{
    if (simt_self == NULL || simt_self->current == NULL)
        return; /* host code: the machine ends it */
    simt_self->fault = (struct simt_fault){.kind = kind,
                                           .address = address,
                                           .is_write = is_write,
                                           .code = (uintptr_t)code};
    simt_abandon_block(simt_self);
}

static inline void look(const void *at, int is_write, const void *code)
{
    const struct simt_worker *const worker = simt_self;
    unsigned char in_core;

    if (worker == NULL) {
        simt_look_at_host((uintptr_t)at, is_write ? SIMT_EVENT_STORE : 0,
                          (uintptr_t)code);
    } else if ((uintptr_t)at - worker->arena < worker->arena_bytes
                   ? !simt_memory_is_open(at)
                   : mincore(at, 1, &in_core) != 0) {
        refuse(SIGSEGV, at, is_write, code);
    }
}

#define LOOK(bytes)                            \
    void simt_look_read##bytes(const void *at) \
    {                                          \
        look(at, 0, CODE);                     \
    }                                          \
    void simt_look_write##bytes(void *at)      \
    {                                          \
        look(at, 1, CODE);                     \
    }
LOOK(1)
LOOK(2)
LOOK(4)
LOOK(8)
LOOK(16)

void simt_look_pc(void)
{
    simt_timer_poll((uintptr_t)CODE);
}

int simt_divisor32(int divisor)
{
    if (divisor == 0)
        refuse(SIGFPE, NULL, 0, CODE);
    return divisor;
}

long long simt_divisor64(long long divisor)
{
    if (divisor == 0)
        refuse(SIGFPE, NULL, 0, CODE);
    return divisor;
}

void simt_unreachable(void)
{
    refuse(SIGILL, NULL, 0, CODE);
}
