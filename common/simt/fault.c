/*
 * What a thread did wrong, in words: a bad address, a failed assertion, a
 * kernel that does not end. fault_signal.c hears of bad addresses.
 */
#define _GNU_SOURCE
#include "device.h"
#include "base/file.h"
#include "base/language.h"
#include "base/lexer.h"
#include "base/wrap.h"
#include "lines.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void simt_report(struct simt_worker *worker, enum simt_check check,
                 cudaError_t error, const char *file, int line,
                 const char *format, ...)
{
    const struct simt_grid *grid = worker->grid;
    char index[2][SIMT_INDEX_TEXT];
    char does[700], what[900], lines[1100], text[1400];
    size_t length = 0;
    int none = 0;
    va_list list;

    if (error != cudaSuccess && !atomic_compare_exchange_strong(
                                    &worker->grid->failed, &none, (int)error))
        return; /* one message a launch: the first */
    va_start(list, format);
    vsnprintf(does, sizeof does, format, list);
    va_end(list);
    snprintf(what, sizeof what, "%s", does);
    if (worker->current != NULL) {
        snprintf(what, sizeof what, N_("thread %s of block %s %s"),
                 simt_index_text(index[0], grid->block, worker->current->index),
                 simt_index_text(index[1], grid->size, worker->block_index),
                 does);
    }
    simt_fill_lines(lines, sizeof lines, what);
    if (line != 0)
        length = (size_t)snprintf(text, 300, "%.200s:%d: ", file, line);
    length += (size_t)snprintf(text + length, sizeof text - length,
                               error == cudaSuccess ? N_("warning: %s") : "%s",
                               simt_check_name[check]);
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "\n%s\n    ", lines);
    length += (size_t)snprintf(text + length, sizeof text - length,
                               N_("In kernel %.80s."), grid->launch->kernel);
    snprintf(text + length, sizeof text - length, "\n");
    simt_tell(worker, check, file, line, text, error == cudaSuccess);
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
    simt_report(worker, SIMT_ASSERTION, cudaErrorAssert, file, line,
                "fails the assertion `%s'.", expression);
    simt_abandon_block(worker);
}

void simt_trap(const char *file, int line)
{
    struct simt_worker *worker = simt_self;

    if (worker == NULL || worker->current == NULL)
        abort(); /* host code */
    simt_report(worker, SIMT_ASSERTION, cudaErrorLaunchFailure, file, line,
                "runs into __trap().");
    simt_abandon_block(worker);
}

/* What an array is called: by its own name, or as the kernel calls it, if there
   is one; and the bytes of an element there, 0: unknown. */
static const char *array_name(const struct simt_allocation *array,
                              const struct simt_launch *launch,
                              size_t *element_bytes)
{
    const char *name = NULL;

    *element_bytes = 0;
    for (size_t i = 0; launch != NULL && i < launch->pointer_count; i++) {
        if (simt_memory_find(launch->pointers[i]) == array) {
            name = simt_parameter_name(launch->kernel, i);
            *element_bytes = (size_t)simt_parameter_element(launch->kernel, i);
            break;
        }
    }
    return array->name[0] != '\0' ? array->name
           : name != NULL         ? name
                                  : N_("an unnamed array");
}

/* Which array an address belongs to, or nearly does. `launch` is NULL outside
   of a kernel. */
static void describe(char *text, size_t size, const char *address,
                     const struct simt_launch *launch)
{
    const struct simt_allocation *a = simt_memory_find(address);

    if (a == NULL || a->freed > 1) {
        snprintf(text, size, N_("an address which belongs to no array"));
        return;
    }
    size_t bytes;
    const char *name = array_name(a, launch, &bytes);
    const int is_guess = bytes == 0;

    bytes += is_guess ? 4 : 0;
    if (a->freed) {
        snprintf(text, size, N_("device memory of %s, which was freed"), name);
    } else if (address < a->base) {
        snprintf(text, size, N_("device memory %zu bytes before %s"),
                 (size_t)(a->base - address), name);
    } else if (address < a->base + a->size) {
        snprintf(text, size, N_("element %zu of %s, in device memory"),
                 (size_t)(address - a->base) / bytes, name);
    } else {
        snprintf(text, size,
                 is_guess
                     ? N_("element %zu (of 4 bytes each) of %s, which has %zu")
                     : N_("element %zu of %s, which has %zu"),
                 (size_t)(address - a->base) / bytes, name, a->size / bytes);
    }
}

/* Can an index of a shared array lead there? What lies around shared memory is
   mapped on one machine and not on another. */
static int is_near_shared(const struct simt_worker *worker, const char *address)
{
    const uintptr_t at = (uintptr_t)address, far = 64 << 20;

    return at - (uintptr_t)worker->shared + far < 2 * far ||
           at - (uintptr_t)worker->dynamic_shared + far < 2 * far;
}

/* Tells of an access to an address that no array holds. */
static void report_address(struct simt_worker *worker,
                           const struct simt_fault *fault, const char *file,
                           int line)
{
    const char *const address = fault->address;
    const struct simt_allocation *a = simt_memory_find(address);
    const int is_held = simt_memory_holds(address);
    char what[200];

    if (simt_recording && (is_held || is_near_shared(worker, address)) &&
        (a == NULL || a->freed > 1) &&
        simt_outside(worker, fault->code, (uintptr_t)address, !is_held))
        return;
    describe(what, sizeof what, address, worker->grid->launch);
    simt_report(worker, a != NULL && !a->freed ? SIMT_BOUNDS : SIMT_ADDRESS,
                cudaErrorIllegalAddress, file, line,
                fault->is_write ? N_("writes %s.") : N_("reads %s."), what);
}

static int on_stack(const struct simt_worker *worker, const char *address)
{
    return (size_t)(address - worker->stacks) <
           (size_t)SIMT_STACK * SIMT_MAX_THREADS;
}

static int on_stack_guard(const struct simt_worker *worker, const char *address)
{
    return on_stack(worker, address) &&
           (size_t)(address - worker->stacks) % SIMT_STACK < SIMT_PAGE;
}

static void tell_endless(struct simt_worker *worker)
{
    const struct simt_watch *watch = &worker->watch;
    const int is_run = getenv("SIMT_ENDLESS") != NULL; /* by make run */
    char lines[60] = "";

    if (watch->seen > 0 && watch->first_line == watch->last_line) {
        snprintf(lines, sizeof lines, N_(" in line %d"), watch->first_line);
    } else if (watch->seen > 0) {
        snprintf(lines, sizeof lines, N_(" in lines %d to %d"),
                 watch->first_line, watch->last_line);
    }
    simt_report(
        worker, SIMT_ENDLESS, cudaErrorLaunchFailure, watch->file,
        watch->seen > 0 ? watch->first_line : 0,
        N_("goes round%s and has not ended after %d seconds. A loop ends "
           "when its condition becomes false: does each round change what "
           "it asks for?%s"),
        lines, watch->ticks / 10,
        is_run ? N_(" Host code cannot answer a kernel here: a launch "
                    "returns when its kernel has ended. If it is only "
                    "long: make run LIMIT=60.")
               : "");
    if (is_run) { /* what follows may ask for no error */
        fflush(NULL);
        _exit(SIMT_STOPPED);
    }
}

/* An access to what is mapped and no memory of the device. */
static void tell_host_memory(struct simt_worker *worker,
                             const struct simt_fault *fault, const char *file,
                             int line)
{
    const int is_near = is_near_shared(worker, fault->address);

    if (is_near &&
        simt_outside(worker, fault->code, (uintptr_t)fault->address, 1))
        return;
    simt_report(worker, SIMT_ADDRESS, cudaErrorIllegalAddress, file, line,
                "%s %s. A kernel reaches what cudaMalloc gave, "
                "__device__ and __constant__ variables, and its arguments; "
                "what a pointer within a struct points to must be device "
                "memory too.",
                fault->is_write ? "writes" : "reads",
                is_near ? "what is no array of the device: host memory, or far "
                          "outside of a shared array"
                        : "host memory");
}

/* The handler of a kernel's fault only keeps what is known of it: there is too
   little stack, and too much may be in use, for reading line numbers. */
void simt_fault_tell(struct simt_worker *worker)
{
    const struct simt_fault fault = worker->fault;
    const char *file;
    int line;

    worker->fault.kind = 0;
    if (fault.kind == 0)
        return;
    simt_line_of(fault.code, &file, &line);
    /* An atomic operation is a function of the device's own. */
    if (worker->atomic != 0 &&
        (line == 0 || strstr(file, "simt/include/simt_atomic.h") != NULL))
        simt_line_of(worker->atomic, &file, &line);
    if (fault.kind == SIMT_FAULT_ENDLESS) {
        tell_endless(worker);
    } else if (fault.kind == SIGFPE) {
        simt_report(worker, SIMT_ADDRESS, cudaErrorLaunchFailure, file, line,
                    N_("divides an integer by zero."));
    } else if (fault.kind == SIGILL) {
        simt_report(
            worker, SIMT_ADDRESS, cudaErrorLaunchFailure, file, line,
            "runs into an instruction that ends it (trap, or the end of a "
            "function without a return value).");
    } else if (fault.kind == SIMT_FAULT_NO_ADDRESS) {
        simt_report(worker, SIMT_ADDRESS, cudaErrorIllegalAddress, file, line,
                    N_("uses a pointer that holds no address: something was "
                       "stored over it, or it was never set."));
    } else if (fault.kind == SIMT_FAULT_MISALIGNED) {
        simt_report(worker, SIMT_ALIGNMENT, cudaErrorMisalignedAddress, file,
                    line,
                    "uses an address that no instruction takes: it is no "
                    "multiple of the value's size, as a float4 wants an index "
                    "that 4 divides, or it lies in no memory at all.");
    } else if (fault.kind == SIMT_FAULT_HOST_MEMORY &&
               on_stack(worker, fault.address)) {
        /* Or is it an index of a shared array that leads that far? */
        if (simt_uses_shared(worker, fault.code) &&
            simt_outside(worker, fault.code, (uintptr_t)fault.address, 1))
            return;
        simt_report(worker, SIMT_ADDRESS, cudaErrorIllegalAddress, file, line,
                    "%s a local variable of another thread. Each thread has "
                    "its own, and on a GPU the address means nothing to the "
                    "others: threads share what is __shared__.",
                    fault.is_write ? "writes" : "reads");
    } else if (fault.kind == SIMT_FAULT_HOST_MEMORY) {
        tell_host_memory(worker, &fault, file, line);
    } else if (on_stack_guard(worker, fault.address)) {
        simt_report(
            worker, SIMT_ADDRESS, cudaErrorLaunchFailure, file, line,
            "has local arrays or calls that take more than the %d KB that "
            "a thread has here.",
            SIMT_LOCAL / 1024);
    } else {
        report_address(worker, &fault, file, line);
    }
}

void (*simt_host_fault)(const char *message);

/* The signal's own way to end a program, seen by the shell. It may have come
   from within malloc, whose lock is held then and whose lists are spoiled: what
   tells may meet that, but it does not wait for ever, nor begin anew. */
void simt_end_program(int number)
{
    static volatile sig_atomic_t is_ending;

    signal(SIGALRM, SIG_DFL);
    alarm(2);
    if (simt_host_fault != NULL && !is_ending++)
        simt_host_fault(simt_last_message());
    signal(number, SIG_DFL);
    raise(number);
    abort(); /* it is blocked */
}

/* The name of the kernel in whose body that line of a file stands; 0: it stands
   in none, or nobody knows. */
static int find_kernel(const char *file, int line, char *name, size_t size)
{
    char why[200];
    char *text = base_read_file(file, why, sizeof why);
    struct base_tokens t = {0};
    size_t word = 0, parentheses = 0;
    int braces = 0, is_kernel = 0;

    if (text == NULL || base_lex(text, strlen(text), &t, why, sizeof why) != 0)
        t.count = 0;
    for (size_t i = 0; i < t.count && t.token[i].line <= line; i++) {
        const char c = base_mark(&t, i);

        if (t.token[i].kind == BASE_WORD)
            word = i;
        if (base_token_is(&t, i, "__global__")) {
            is_kernel = 1;
            braces = 0;
        }
        parentheses += (size_t)(c == '(');
        parentheses -= (size_t)(c == ')' && parentheses > 0);
        /* The last word before parentheses that no others enclose. */
        if (is_kernel && braces == 0 && c == '(' && parentheses == 1)
            base_token_copy(&t, word, name, size);
        braces += (c == '{') - (c == '}');
        if ((c == '}' || (c == ';' && parentheses == 0)) && braces <= 0)
            is_kernel = 0;
    }
    base_tokens_free(&t);
    free(text);
    return is_kernel && braces > 0;
}

void simt_fault_of_host(const struct simt_fault *fault, int number)
{
    char name[64] = "";
    const struct simt_allocation *a = simt_memory_find(fault->address);
    const char *file;
    char what[200];
    int line;

    describe(what, sizeof what, fault->address, NULL);
    simt_line_of(fault->code, &file, &line);
    if (simt_memory_holds(fault->address) && line > 0 &&
        find_kernel(file, line, name, sizeof name)) {
        simt_say(file, line,
                 "host code called the kernel %s as a function, without "
                 "<<<grid, block>>>, perhaps by a pointer to it: a plain "
                 "call does not run it on the device",
                 name);
    } else if (simt_memory_holds(fault->address) &&
               (a == NULL || a->kind == SIMT_DEVICE_MEMORY)) {
        simt_say(file, line,
                 fault->is_write
                     ? N_("host code wrote %s: only kernels reach device "
                          "memory; copy it with cudaMemcpy first")
                     : N_("host code read %s: only kernels reach device "
                          "memory; copy it with cudaMemcpy first"),
                 what);
    } else if (number == SIGABRT) {
        simt_say(
            "", 0,
            N_("host code was ended by abort(). Where the line above names "
               "malloc, free or corruption, it has stored past the end of what "
               "malloc gave, or freed it twice"));
    } else if (fault->kind < 0 && line == 0) {
        simt_say(
            file, line,
            N_("the C library met a wild address where it was called by host "
               "code: has that stored past the end of what malloc gave?"));
    } else if (fault->kind < 0) {
        simt_say(file, line,
                 N_("host code used a misaligned or a wild address"));
    } else if (number == SIGSEGV || number == SIGBUS) {
        simt_say(file, line,
                 fault->is_write ? N_("host code wrote %s")
                                 : N_("host code read %s"),
                 what);
    } else if (number == SIGFPE) {
        simt_say(file, line, N_("host code divides an integer by zero"));
    } else {
        simt_say(file, line, "host code ended by %s", strsignal(number));
    }
    simt_end_program(number);
}
