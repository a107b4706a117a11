#include "device_kind.h"
#include "guard.h"

#include "run.h"

#include "base/language.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outside;
static struct lab_failure *current; /* NULL: no guarded call is running */

void lab_check(cudaError_t error, const char *call, const char *file, int line)
{
    struct lab_failure *failure = current;

    if (error == cudaSuccess)
        return;
    if (failure == NULL) {
        fprintf(stderr, _("%s:%d: LAB_CHECK(%s) outside of a lab's run: %s\n"),
                file, line, call, cudaGetErrorName(error));
        abort();
    }
    failure->error = error;
    failure->call = call;
    failure->file = file;
    failure->line = line;
    snprintf(failure->text, sizeof failure->text, "%s:%d: %s failed: %s: %s",
             file, line, call, cudaGetErrorName(error),
             cudaGetErrorString(error));
    longjmp(outside, 1);
}

/* A throw is compiled to it (simt/rewrite/rewrite_throw.c). */
enum {
    UNCAUGHT = 134
};

void lab_exit(int code, const char *file, int line)
{
    struct lab_failure *failure = current;
    char how[60];

    if (failure == NULL)
        exit(code);
    failure->error = cudaPeekAtLastError();
    failure->call = "exit";
    failure->file = file;
    failure->line = line;
    snprintf(how, sizeof how,
             code == UNCAUGHT ? _("threw an exception")
                              : _("ended the program with exit(%d)"),
             code);
    snprintf(failure->text, sizeof failure->text, _("%s:%d: the lab %s%s%s"),
             file, line, how,
             failure->error == cudaSuccess ? "" : _(", after a call failed: "),
             failure->error == cudaSuccess ? ""
                                           : cudaGetErrorName(failure->error));
    longjmp(outside, 1);
}

int lab_guard(void (*body)(void *argument), void *argument,
              struct lab_failure *failure)
{
    current = failure;
    if (setjmp(outside) != 0) {
        current = NULL;
        return -1;
    }
    body(argument);
    current = NULL;
    return 0;
}

struct entry_call {
    const struct course_entry *entry;
    const struct lab_matmul *p;
};

static void call_entry(void *argument)
{
    const struct entry_call *call = argument;

    if (call->entry->precision == LAB_BF16) {
        const struct lab_matmul *p = call->p;
        const struct lab_matmul_bf16 packed = {(const void *)p->A,
                                               (const void *)p->B,
                                               (void *)p->C,
                                               p->m,
                                               p->n,
                                               p->k};

        call->entry->run_bf16(&packed);
        return;
    }
    call->entry->run(call->p);
}

int lab_guard_entry(const struct course_entry *entry,
                    const struct lab_matmul *p, struct lab_failure *failure)
{
    struct entry_call call = {entry, p};

    return lab_guard(call_entry, &call, failure);
}

/* Host code that calculates the largest size of labs/INDEX takes a fraction of
   a second; of larger ones nobody knows. */
enum {
    MOST_WATCHED = 256 * 384 * 512,
    HOST_SECONDS = 6
};

int lab_run_call(const struct course_entry *entry, const struct lab_buffers *b,
                 struct lab_outcome *outcome)
{
    const struct lab_matmul p = lab_buffers_product(b, entry->kind);
    struct lab_failure failure;
    cudaError_t error;
    int failed;

    if ((double)p.m * p.n * p.k <= MOST_WATCHED)
        lab_device_watch(HOST_SECONDS);
    failed = lab_guard_entry(entry, &p, &failure);
    lab_device_watch(0);
    if (failed) {
        snprintf(outcome->wrong, sizeof outcome->wrong, "%s", failure.text);
        return 1;
    }
    error = cudaGetLastError();
    if (error != cudaSuccess) {
        snprintf(outcome->wrong, sizeof outcome->wrong,
                 _("A CUDA call or a launch failed and nobody asked: %s: %s. "
                   "Which one? LAB_CHECK around each call tells."),
                 cudaGetErrorName(error), cudaGetErrorString(error));
        return 1;
    }
    error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        snprintf(
            outcome->wrong, sizeof outcome->wrong,
            _("The launch was accepted, but the kernel did not come to its "
              "end: %s: %s."),
            cudaGetErrorName(error), cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
