/*
 * A bad address ends in a signal. The handler finds out whose address it was
 * and says so; a kernel's launch then ends with CUDA's error, and the program
 * goes on. Host code cannot go on: it ends after the message.
 *
 * The message is put together in the handler. That is safe here although
 * snprintf is not on POSIX's list: the faulting code is a kernel or a lab's
 * host code, which was not inside the C library, or the program ends anyway.
 */
#define _GNU_SOURCE
#include "device.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

void simt_report(struct simt_worker *worker, cudaError_t error,
                 const char *format, ...)
{
    const struct simt_grid *grid = worker->grid;
    int none = 0;
    char text[600];
    va_list list;

    if (!atomic_compare_exchange_strong(&worker->grid->failed, &none,
                                        (int)error))
        return; /* one message a launch: the first */
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "kernel %s, block (%u,%u,%u)", grid->launch->kernel,
            worker->block_index.x, worker->block_index.y,
            worker->block_index.z);
    if (worker->current != NULL) {
        fprintf(stderr, ", thread (%u,%u,%u)", worker->current->index.x,
                worker->current->index.y, worker->current->index.z);
    }
    fprintf(stderr, ": %s\n", text);
}

void simt_abandon_block(struct simt_worker *worker)
{
    siglongjmp(worker->escape, 1);
}

void simt_assert_failed(const char *expression, const char *file, int line,
                        const char *function)
{
    struct simt_worker *worker = simt_self;

    if (worker == NULL || worker->current == NULL) { /* host code */
        fprintf(stderr, "%s:%d: %s: assertion `%s' failed\n", file, line,
                function, expression);
        abort();
    }
    simt_report(worker, cudaErrorAssert, "assertion `%s' failed at %s:%d",
                expression, file, line);
    simt_abandon_block(worker);
}

void simt_trap(const char *file, int line)
{
    struct simt_worker *worker = simt_self;

    if (worker == NULL || worker->current == NULL)
        abort(); /* host code */
    simt_report(worker, cudaErrorLaunchFailure,
                "ran into the __trap() of %s:%d", file, line);
    simt_abandon_block(worker);
}

/* Which array an address belongs to, or nearly does. */
static void describe(char *text, size_t size, const char *address)
{
    const struct simt_allocation *a = simt_memory_find(address);

    if (a == NULL) {
        snprintf(text, size, "address %p, which belongs to no array",
                 (const void *)address);
        return;
    }
    const char *name = a->name[0] ? a->name : "an unnamed array";
    const size_t element = (size_t)(address - a->base) / 4;

    if (a->freed) {
        snprintf(text, size, "device memory of %s, which was freed", name);
    } else if (address < a->base) {
        snprintf(text, size, "device memory %zu bytes before %s",
                 (size_t)(a->base - address), name);
    } else if (address < a->base + a->size) {
        snprintf(text, size, "element %zu of %s, in device memory", element,
                 name);
    } else {
        snprintf(text, size,
                 "element %zu of %s, which has %zu (of 4 bytes each)", element,
                 name, a->size / 4);
    }
}

void simt_report_address(struct simt_worker *worker, const char *address,
                         int is_write)
{
    char what[200];

    describe(what, sizeof what, address);
    simt_report(worker, cudaErrorIllegalAddress, "%s %s",
                is_write ? "wrote" : "read", what);
}

/* 1 if the fault was a write, 0 if a read or unknown. */
static int was_write(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return 0;
#endif
}

static int on_stack_guard(const struct simt_worker *worker, const char *address)
{
    const size_t offset = (size_t)(address - worker->stacks);

    return offset < (size_t)SIMT_STACK * SIMT_MAX_THREADS &&
           offset % SIMT_STACK < 4096;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    struct simt_worker *worker = simt_self;
    const char *address = info->si_addr;
    const char *verb = was_write(context) ? "wrote" : "read";
    char what[200];

    describe(what, sizeof what, address);
    if (worker != NULL && worker->current != NULL) {
        if (number == SIGFPE) {
            simt_report(worker, cudaErrorLaunchFailure,
                        "divided an integer by zero");
        } else if (number == SIGILL) {
            simt_report(worker, cudaErrorLaunchFailure,
                        "ran into an instruction that ends it (trap, or the "
                        "end of a function without a return value)");
        } else if (on_stack_guard(worker, address)) {
            simt_report(worker, cudaErrorLaunchFailure,
                        "its local arrays or calls take more than the %d KB "
                        "that a thread has here",
                        SIMT_STACK / 1024 - 16);
        } else {
            simt_report_address(worker, address, was_write(context));
        }
        simt_abandon_block(worker);
    }
    const struct simt_allocation *a = simt_memory_find(address);

    if (simt_memory_holds(address) &&
        (a == NULL || a->kind == SIMT_DEVICE_MEMORY)) {
        fprintf(stderr,
                "host code %s %s: only kernels reach device memory; copy it "
                "with cudaMemcpy first\n",
                verb, what);
    } else if (number == SIGSEGV || number == SIGBUS) {
        fprintf(stderr, "host code %s %s\n", verb, what);
    } else {
        fprintf(stderr, "host code ended by %s\n", strsignal(number));
    }
    /* The signal's own way to end a program, seen by the shell. */
    signal(number, SIG_DFL);
    raise(number);
}

int simt_fault_stack(void)
{
    static _Thread_local char stack[16 * 1024];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};

    return sigaltstack(&alternate, NULL);
}

void simt_fault_catch(void)
{
    static int done;
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags =
                                   SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

    if (done)
        return;
    done = 1;
    sigemptyset(&action.sa_mask);
    simt_fault_stack();
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGILL, &action, NULL);
}
