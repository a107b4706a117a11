#include "fiber.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && !defined(SIMT_UCONTEXT)

/* Six registers, then the address that the switch returns to. At entry() the
   stack pointer must be 8 past a multiple of 16, as after a call. */
void *simt_fiber_make(void *top, size_t size, void (*entry)(void))
{
    uintptr_t *word = (uintptr_t *)top - 2;

    (void)size;
    *word = (uintptr_t)entry;
    memset(word - 6, 0, 6 * sizeof *word);
    return word - 6;
}

#elif defined(__aarch64__) && !defined(SIMT_UCONTEXT)

/* 160 bytes of registers; x30, the return address, is the twelfth word. */
void *simt_fiber_make(void *top, size_t size, void (*entry)(void))
{
    uintptr_t *word = (uintptr_t *)top - 20;

    (void)size;
    memset(word, 0, 20 * sizeof *word);
    word[11] = (uintptr_t)entry;
    return word;
}

#else

#include <ucontext.h>

/* The context lies at the top of its own stack; the stack pointer of the other
   two is then the address of the context. */
void *simt_fiber_make(void *top, size_t size, void (*entry)(void))
{
    ucontext_t *context = (ucontext_t *)((uintptr_t)top - 2048);

    getcontext(context);
    context->uc_stack.ss_sp = (char *)top - size;
    context->uc_stack.ss_size = size - 2048;
    context->uc_link = NULL;
    makecontext(context, entry, 0);
    return context;
}

void simt_fiber_switch(void **from, void *to)
{
    ucontext_t here;

    /* It is left only while this function waits in swapcontext. */
    // cppcheck-suppress autoVariables
    *from = &here;
    swapcontext(&here, to);
}

#endif
