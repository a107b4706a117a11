/*
 * A bad address ends in a signal. The handler finds out whose address it was
 * and says so; a kernel's launch then ends with CUDA's error, and the program
 * goes on. Host code cannot go on: it ends after the message.
 *
 * The message of a host fault is put together in the handler. That is safe here
 * although snprintf is not on POSIX's list: the faulting code is a lab's host
 * code, which was not inside the C library, or the program ends anyway.
 */
#define _GNU_SOURCE
#include "device.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__aarch64__)
/* 1 for a store or an atomic operation. Arm, A64 Instruction Set Architecture,
   "Loads and stores": bit 22 is set in a load; but where one register is
   accessed bits 23 and 22 are an operation: 0 stores, and 2 stores if there
   are 16 bytes, else it loads. */
static int is_store(uint32_t code)
{
    const uint32_t operation = code >> 22 & 3;
    const int has_16_bytes = code >> 30 == 0 && (code >> 26 & 1);

    if ((code & 0x3b200c00) == 0x38200000)
        return 1; /* atomic */
    if ((code & 0x3a000000) == 0x38000000)
        return operation == 0 || (operation == 2 && has_16_bytes);
    return (code & 0x0a000000) == 0x08000000 && !(operation & 1);
}
#endif

/* 1 if the fault was a write, 0 if a read or unknown. */
static int was_write(const ucontext_t *context, const siginfo_t *info)
{
#if defined(__x86_64__)
    (void)info;
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
    const uintptr_t pc = context->uc_mcontext.pc;
    uint32_t code;

    if ((uintptr_t)info->si_addr == pc)
        return 0; /* a jump to where no code is */
    memcpy(&code, (const void *)pc, sizeof code);
    return is_store(code);
#else
    (void)context;
    (void)info;
    return 0;
#endif
}

uintptr_t simt_code_of(const void *signal_context)
{
    const ucontext_t *const context = signal_context;

#if defined(SIMT_OUTSIDE)
    (void)context;
    return (uintptr_t)__builtin_return_address(0);
#elif defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP] + 1;
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc + 1;
#else
    (void)context;
    return 0;
#endif
}

/* 1 if the processor refused an instruction without telling an address, as
   x86-64 does for 16 bytes that are not aligned and for addresses that have not
   the form of one (Intel SDM, volume 3, section 6.15, interrupt 13). */
static int has_no_address(int number, const siginfo_t *info)
{
#if defined(__x86_64__)
    return number == SIGSEGV && info->si_code == SI_KERNEL;
#else
    (void)number;
    (void)info;
    return 0;
#endif
}

/* 1 if the instruction wants its 16 bytes aligned: movaps, movdqa and the like
   (Intel SDM, volume 2). */
static int wants_alignment(uintptr_t code)
{
#if defined(__x86_64__) && !defined(SIMT_OUTSIDE)
    const unsigned char *byte = (const unsigned char *)code;

    while (*byte == 0x66 || *byte == 0xf2 || *byte == 0xf3 ||
           (*byte & 0xf0) == 0x40)
        byte++; /* prefixes */
    return byte[0] == 0x0f;
#else
    (void)code;
    return 1;
#endif
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    struct simt_worker *worker = simt_self;
    struct simt_fault fault = {.kind = number,
                               .address = info->si_addr,
                               .is_write = was_write(context, info),
                               .code = simt_code_of(context)};

    if (has_no_address(number, info)) {
        fault.kind = wants_alignment(fault.code - 1) ? SIMT_FAULT_MISALIGNED
                                                     : SIMT_FAULT_NO_ADDRESS;
    }
    if (number == SIGABRT && (simt_host_fault == NULL ||
                              (worker != NULL && worker->current != NULL)))
        return; /* and abort() goes on */
    if (worker == NULL || worker->current == NULL)
        simt_fault_of_host(&fault, number);
    worker->fault = fault;
    simt_abandon_block(worker);
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
    sigaction(SIGABRT, &action, NULL);
}
