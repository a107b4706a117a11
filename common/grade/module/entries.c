/* The functions of a lab in its module, for the harness: see module.h. */
#define _GNU_SOURCE
#include "module.h"

#include "lab.h"

#include <stdlib.h>

/* A product as the module has it. */
struct product {
    uint32_t A, B, C;
    int m, n, k;
};

static void call_with(int (*entry)(uint32_t p), const struct lab_matmul *p)
{
    const uint32_t at = module_layout.product;

    module_enter();
    *(struct product *)(uintptr_t)at =
        (struct product){(uint32_t)(uintptr_t)p->A,
                         (uint32_t)(uintptr_t)p->B,
                         (uint32_t)(uintptr_t)p->C,
                         p->m,
                         p->n,
                         p->k};
    if (entry(at) != 0)
        abort(); /* INDEX says that the lab has it */
}

void lab_host(const struct lab_matmul *p)
{
    call_with(module_lab_host, p);
}

void lab_launch(const struct lab_matmul *p)
{
    call_with(module_lab_launch, p);
}

void lab_launch_b(const struct lab_matmul *p)
{
    call_with(module_lab_launch_b, p);
}

void lab_launch_arrays(const struct lab_arrays *p)
{
    const struct lab_matmul same = {(const float *)p->in,
                                    (const float *)p->in2,
                                    (float *)p->out,
                                    p->m,
                                    p->n,
                                    p->k};

    call_with(module_lab_launch_arrays, &same);
}

void lab_read(enum lab_type type, int stride, int repeat, float *out,
              long long *cycles)
{
    module_enter();
    module_lab_read(type, (uint32_t)stride, (uint32_t)repeat,
                    (uint32_t)(uintptr_t)out, (uint32_t)(uintptr_t)cycles);
}
