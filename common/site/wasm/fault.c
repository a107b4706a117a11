/* Nothing signals a bad address: the recorder looks at each before it is used,
   and tells (record.c). */
#include "simt/device.h"

#include <signal.h>
#include <stdlib.h>

const void *simt_site;

/* environment.c; it has no header. */
void __tsan_init(void);

void simt_fault_catch(void)
{
}

int simt_fault_stack(void)
{
    return 0;
}

/* The machine has ended host code: wasi.mjs calls this then. What a lab itself
   touches was looked at before, so a wild address is the C library's. */
__attribute__((export_name("simt_trapped"))) void simt_trapped(int by_zero)
{
    const struct simt_fault fault = {
        .kind = by_zero ? SIGFPE : SIMT_FAULT_NO_ADDRESS,
        .code = by_zero ? (uintptr_t)simt_site : 0};

    if (simt_self == NULL || simt_self->current == NULL)
        simt_fault_of_host(&fault, by_zero ? SIGFPE : SIGSEGV);
}

/* A lab's one program records if it is asked to. */
static __attribute__((constructor)) void begin(void)
{
    if (getenv("SIMT_RECORD") != NULL)
        __tsan_init();
}
