#include "call_check.h"

#include "buffers.h"
#include "guard.h"
#include "base/language.h"
#include "simt/host_calls.h"
#include "simt/simt.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_CALLS = 1000
};

/* Is what LAB_CHECK was put around the call that failed? A variable that holds
   the call's result will do; another CUDA call noticed too late. A kernel
   launch has no result: the variable holds what cudaGetLastError said, if no
   other call was made in between. */
static int noticed_there(const struct lab_failure *failure, const char *failed)
{
    const int is_variable = strstr(failure->call, "cuda") == NULL;

    if (strcmp(failure->call, "exit") == 0)
        return 1; /* its own if stands around the call */
    if (strncmp(failed, "cuda", 4) != 0) {
        return strstr(failure->call, "cudaLaunchKernel") != NULL ||
               strstr(failure->call, "LastError") != NULL ||
               (is_variable && simt_calls_since_failure() == 0);
    }
    return strstr(failure->call, failed) != NULL || is_variable;
}

/* Bytes of device memory that nobody holds. */
static size_t free_memory(void)
{
    size_t left = 0, total;

    cudaMemGetInfo(&left, &total);
    return left;
}

/* Is what the call allocated freed by a later one? */
static int is_freed(const struct simt_host_call *call,
                    const struct simt_host_call *end)
{
    const void *memory = call->to;

    while (++call < end) {
        if (call->kind == SIMT_CALL_FREE && call->to == memory)
            return 1;
    }
    return 0;
}

/* The line of the call that failed; or, if none did, that of the first
   allocation that was not freed. 0: unknown, or none. */
static int line_of_call(void)
{
    size_t count;
    const struct simt_host_call *call = simt_host_calls_read(&count);
    const struct simt_host_call *const end = call + count;

    if (simt_failed_call() != NULL)
        return simt_failed_line();
    for (; call < end; call++) {
        if (call->kind == SIMT_CALL_MALLOC && !is_freed(call, end))
            return call->line;
    }
    return 0;
}

/* Lets call number nth fail. Returns 1 if that was noticed, 0 if not, with
   check->wrong filled, and -1 if fewer calls are made. Only then lab_host comes
   to its end, and must have given its memory back. */
static int fail_one(const struct course_entry *entry,
                    const struct lab_buffers *b, long nth,
                    struct lab_call_check *check)
{
    const struct lab_matmul p = lab_buffers_product(b, COURSE_HOST);
    struct lab_failure failure;
    const size_t before = free_memory();
    const char *failed;
    char place[40] = "";
    size_t kept;
    int caught, told, line;

    simt_fail_call(nth);
    simt_findings_print(0); /* what a kernel does then is no mistake of it */
    simt_host_calls_begin();
    caught = lab_guard_entry(entry, &p, &failure) != 0;
    failed = simt_failed_call();
    told = simt_failure_told();
    line = line_of_call();
    simt_fail_call(0);
    simt_findings_print(!simt_can_count());
    if (line > 0)
        snprintf(place, sizeof place, _(" in line %d"), line);
    kept = before - free_memory();
    cudaDeviceReset(); /* what the run left behind: memory, and the error */

    if (failed == NULL && !caught && kept > 0) {
        check->leaks = 1;
        snprintf(
            check->wrong, sizeof check->wrong,
            _("lab_host leaves device memory behind: each cudaMalloc wants "
              "its cudaFree%s%s."),
            line > 0 ? _(", and there is none for that") : "", place);
        return 0;
    }
    if (failed == NULL && !caught)
        return -1;
    if (failed == NULL) {
        snprintf(check->wrong, sizeof check->wrong,
                 _("Run again, lab_host fails: %s."), failure.text);
        return 0;
    }
    if (told || (caught && noticed_there(&failure, failed)))
        return 1;
    if (caught) {
        snprintf(
            check->wrong, sizeof check->wrong,
            _("No: the check made call %ld, %s%s, fail, which was noticed late, "
              "by %s in line %d: wrap the call itself in LAB_CHECK."),
            nth, failed, place, failure.call, failure.line);
    } else if (strncmp(failed, "cuda", 4) == 0) {
        snprintf(
            check->wrong, sizeof check->wrong,
            _("No: the check made call %ld, %s%s, fail, unnoticed: wrap it in "
              "LAB_CHECK."),
            nth, failed, place);
    } else {
        snprintf(check->wrong, sizeof check->wrong,
                 _("No: the check made call %ld, a %s%s, fail, unnoticed: put "
                   "LAB_CHECK(cudaGetLastError()) behind it."),
                 nth, failed, place);
    }
    return 0;
}

int lab_call_check_run(const struct course_entry *entry,
                       struct lab_call_check *check, char *why, size_t size)
{
    struct lab_buffers b;
    int noticed = 1;

    *check = (struct lab_call_check){0};
    if (lab_buffers_new(&b, (struct course_shape){17, 33, 5}, NULL, 1, 0,
                        LAB_FP32, why, size))
        return -1;
    for (long nth = 1; noticed == 1 && nth <= MOST_CALLS; nth++) {
        if (lab_buffers_reset(&b, COURSE_HOST, why, size) != 0) {
            noticed = -2;
            break;
        }
        noticed = fail_one(entry, &b, nth, check);
        check->calls += noticed == 1;
    }
    lab_buffers_free(&b);
    if (noticed == -2)
        return -1;
    if (noticed != 0 && check->calls == 0) {
        snprintf(check->wrong, sizeof check->wrong,
                 _("lab_host makes no CUDA call at all."));
        noticed = 0;
    }
    return noticed == 0;
}
