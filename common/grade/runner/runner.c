/*
 * The main of a student's program in its box. The request comes on descriptor
 * 3; C goes to 4 and the report to 5 (report.h, box.h).
 */
#define _GNU_SOURCE
#include "grade/runner/runner.h"

#include "grade/box/box.h"
#include "grade/runner/report.h"

#include "base/file.h"

#include "harness/bank_reads.h"
#include "harness/call_check.h"
#include "harness/device_kind.h"
#include "harness/run.h"
#include "simt/blocks.h"
#include "simt/device.h"
#include "simt/recorder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t grade_column_copies;

static void run_launch_arrays(const struct lab_matmul *p)
{
    const struct lab_arrays arrays = {p->A, p->B, p->C, p->m, p->n, p->k};

    lab_launch_arrays(&arrays);
}

static const struct course_entry entries[GRADE_FUNCTIONS] = {
    [GRADE_LAB_HOST] = {.kind = COURSE_HOST, .run = lab_host},
    [GRADE_LAB_LAUNCH] = {.kind = COURSE_LAUNCH, .run = lab_launch},
    [GRADE_LAB_LAUNCH_B] = {.kind = COURSE_LAUNCH, .run = lab_launch_b},
    [GRADE_LAB_LAUNCH_ARRAYS] = {.kind = COURSE_LAUNCH,
                                 .run = run_launch_arrays},
};

static struct grade_report report;

/* Writes all of it, or gives up: the grader sees how much came. */
static int send(int descriptor, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size > 0) {
        const ssize_t sent = write(descriptor, at, size);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return -1;
        at += sent;
        size -= (size_t)sent;
    }
    return 0;
}

/* Sends the report and ends, without any function that the student may have
   asked to be called at the end. */
static void __attribute__((noreturn)) finish(void)
{
    size_t size;
    const char *const bytes = grade_report_write(&report, &size);

    _exit(bytes != NULL && send(GRADE_BOX_REPORT, bytes, size) == 0
              ? EXIT_SUCCESS
              : EXIT_FAILURE);
}

static void __attribute__((noreturn)) give_up(const char *why)
{
    report.crash = why;
    finish();
}

/* The first that is wrong counts, and the first that is doubtful. */
static void tell(const char **member, const char *text)
{
    if (*member == NULL && (*member = strdup(text)) == NULL)
        give_up("there is no memory for a message");
}

static void tell_wrong(const char *text)
{
    tell(&report.wrong, text);
}

static const void *read_request(void)
{
    size_t size;
    const void *const bytes = base_map_file(GRADE_BOX_INPUT, &size);

    if (bytes == NULL)
        give_up("the inputs cannot be read");
    return bytes;
}

/* What a report has no room for is in no number. */
static void keep_first(size_t *rows)
{
    if (*rows <= GRADE_REPORT_ROWS)
        return;
    *rows = GRADE_REPORT_ROWS;
    tell(&report.doubt,
         "Its kernels have more lines and arrays than are counted.");
}

/* Puts what the device counted and found into the report. */
static void tell_counts(void)
{
    if (lab_count_end(&report.count) != 0)
        give_up("no memory for the counters");
    lab_findings_read(&report.findings);
    keep_first(&report.count.kernels);
    keep_first(&report.count.rows);
    if (report.findings.count > GRADE_REPORT_ROWS)
        report.findings.count = GRADE_REPORT_ROWS;
}

void grade_runner_stop(const char *format, ...)
{
    char text[800];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    report.crash = text;
    finish();
}

void grade_runner_no_memory(void)
{
    report.memory = "It wants more memory than there is for a lab.";
    finish();
}

/* --- a product ------------------------------------------------------------ */

/* What host code of the lab has done since it was called: floating-point
   operations, and basic blocks that it entered. */
static struct host_work {
    uint64_t flops, blocks;
} host_work;

static void count_host_block(uintptr_t code)
{
    /* Loops enter the same blocks again and again. */
    static struct {
        uintptr_t code;
        uint64_t flops;
    } known[1024];
    const size_t place = (code ^ code >> 10) % 1024;

    if (known[place].code != code) {
        const struct simt_block_line *line;
        const size_t lines = simt_block_flops(code, &line);

        known[place].code = code;
        known[place].flops = 0;
        for (size_t i = 0; i < lines; i++)
            known[place].flops += (uint64_t)line[i].flops;
    }
    host_work.flops += known[place].flops;
    host_work.blocks++;
}

/* Calls a lab once. Inputs that are NULL are drawn. layout: as lab_buffers_new
   has it. */
static void call_lab(const struct course_entry *entry,
                     struct course_shape shape, const struct lab_layout *layout,
                     const float *A, const float *B, struct lab_buffers *b)
{
    struct lab_outcome outcome = {0};
    char why[800];
    int failed;

    if (lab_buffers_new(b, shape, layout, A == NULL, entry->kind != COURSE_HOST,
                        LAB_FP32, why, sizeof why) != 0)
        give_up(why);
    if (A != NULL) {
        memcpy(b->filled[LAB_A], A, b->count[LAB_A] * sizeof *A);
        memcpy(b->filled[LAB_B], B, b->count[LAB_B] * sizeof *B);
    }
    if (lab_buffers_reset(b, entry->kind, why, sizeof why) != 0)
        give_up(why);
    lab_count_begin();
    host_work = (struct host_work){0};
    simt_host_calls_begin();
    simt_on_host_block = count_host_block;
    failed = lab_run_call(entry, b, &outcome);
    simt_on_host_block = NULL;
    if (failed)
        report.crash = outcome.wrong;
    tell_counts();
    if (failed)
        finish();
}

/* 1 if host code gave kernels something that may be a part of C: by a copy to
   the device, or in memory that both reach. A table of a few words is none. */
static int has_given_to_kernels(const struct grade_request *r)
{
    const size_t few = 4096 + r->layout.count[LAB_C] / 16;
    const struct simt_host_call *calls;
    size_t count, bytes = 0;

    calls = simt_host_calls_read(&count);
    for (size_t i = 0; i < count; i++) {
        const struct simt_host_call *const c = &calls[i];
        const struct simt_allocation *const to = simt_memory_find(c->to);
        const int is_device =
            to != NULL || simt_variable_kind(c->to) != SIMT_NO_VARIABLE;

        if ((c->kind == SIMT_CALL_COPY && is_device &&
             !simt_memory_holds(c->from)) ||
            (c->kind == SIMT_CALL_MALLOC && to != NULL &&
             to->kind != SIMT_DEVICE_MEMORY))
            bytes += c->size;
    }
    return bytes > few || count >= SIMT_CALLS;
}

/* Where a lab has a kernel, host code only copies and launches. A check of what
   came of it, of which nothing goes to the kernels, is for a person to see, as
   is a small part of the product. */
static void look_at_host_work(const struct grade_request *r)
{
    /* Of another problem, of which no more is known, its inputs. */
    const int is_product = r->function != GRADE_LAB_LAUNCH_ARRAYS;
    const double fmas =
        is_product ? (double)r->m * r->n * r->k
                   : (double)(r->layout.count[LAB_A] + r->layout.count[LAB_B]);
    const double small = 8000.0; /* fewer tell nothing */
    const double part = r->function == GRADE_LAB_HOST ? 0.5 : 0.02;
    /* Host code may go over the matrices a few times. */
    const double large =
        is_product ? 16.0 * ((double)r->m * r->k + (double)r->k * r->n +
                             (double)r->m * r->n)
                   : 0.0;
    const struct host_work work = host_work;
    char text[300];

    if (!r->has_kernels || fmas < small ||
        ((double)work.flops < part * fmas &&
         (fmas < large || (double)work.blocks < 0.5 * fmas)))
        return;
    snprintf(text, sizeof text,
             GRADE_REPORT_BY_HOST
             "%.0f floating-point operations and enters %.0f "
             "basic blocks; a %s of this size %s %.0f %s. This "
             "lab is about the kernel: it computes %s, and host code copies "
             "and launches.",
             (double)work.flops, (double)work.blocks,
             is_product ? "product" : "lab", is_product ? "is" : "has", fmas,
             is_product ? "multiply-adds" : "inputs", r->layout.name[LAB_C]);
    tell(r->function == GRADE_LAB_HOST || !has_given_to_kernels(r) ||
                 ((double)work.flops < 0.5 * fmas &&
                  (double)work.blocks < 0.5 * fmas)
             ? &report.doubt
             : &report.wrong,
         text);
}

/* What comes to the kernels, or from them, by ways that nobody counts. */
static void look_at_ways(const struct grade_request *r)
{
    const uint64_t few = 64;
    const uint64_t columns = 16; /* a few do no harm */
    char text[200];

    if (grade_column_copies > columns) {
        tell(&report.doubt,
             "Host code copies columns word by word. Copies are in no count: "
             "what they transpose, no kernel does.");
    }
    if (simt_registered_accesses > few) {
        snprintf(text, sizeof text,
                 "Kernels access host memory that is registered, %.0f times: "
                 "that is in no count.",
                 (double)simt_registered_accesses);
        tell(&report.doubt, text);
    }
    if (r->function != GRADE_LAB_HOST && has_given_to_kernels(r)) {
        tell(&report.doubt,
             "Host code gives the kernels data of its own. The matrices are in "
             "device memory when it is called.");
    }
}

static void run_product(const struct grade_request *request, const float *A,
                        const float *B)
{
    const struct course_entry *entry = &entries[request->function];
    const struct course_shape shape = {request->m, request->n, request->k};
    struct lab_buffers b;
    char why[800];

    /* A lab is called more than once in its life, so it is here: what it
       computes in the first call alone, and keeps, is no answer to the
       second. What inputs a problem of its own may have is not known here:
       others come behind those that count. */
    if (request->function == GRADE_LAB_LAUNCH_ARRAYS) {
        const size_t inputs = (size_t)(B - A) + request->layout.count[LAB_B];

        call_lab(entry, shape, &request->layout, A + inputs, B + inputs, &b);
    } else {
        call_lab(entry, (struct course_shape){16, 16, 16}, NULL, NULL, NULL,
                 &b);
    }
    lab_buffers_free(&b);
    call_lab(entry, shape, &request->layout, A, B, &b);
    look_at_host_work(request);
    look_at_ways(request);
    if (entry->kind != COURSE_HOST &&
        lab_buffers_fetch(&b, why, sizeof why) != 0)
        give_up(why);
    if (!lab_buffers_intact(&b, entry->kind, why, sizeof why))
        tell_wrong(why);
    if (send(GRADE_BOX_RESULT, b.host[LAB_C], b.count[LAB_C] * sizeof(float)) !=
        0)
        _exit(EXIT_FAILURE);
}

/* --- lab 02's calls, lab 05's banks --------------------------------------- */

static void calls(void)
{
    struct lab_call_check check;
    char why[400];
    int result;

    result =
        lab_call_check_run(&entries[GRADE_LAB_HOST], &check, why, sizeof why);
    if (result < 0)
        give_up(why);
    if (result > 0)
        tell_wrong(check.wrong);
}

static void banks(void)
{
    struct lab_bank_reads reads;
    char why[400];
    int result;

    result = lab_bank_reads_run(&reads, 9, why, sizeof why);
    if (result != 0)
        give_up(why);
    if (reads.story.rank != LAB_NOTHING)
        tell_wrong(reads.story.text);
    tell_counts();
    report.has_table = 1;
    memcpy(report.table, lab_prediction, sizeof report.table);
}

/* The request is the grader's own. */
int main(void)
{
    const struct grade_request *const request = read_request();
    const float *const A = (const float *)(request + 1);

    simt_recording = 1;
    lab_device_settings(1, request->order, 9);
    switch ((enum grade_task)request->task) {
    case GRADE_TASK_PRODUCT:
        run_product(request, A, A + request->layout.count[LAB_A]);
        break;
    case GRADE_TASK_CALLS:
        calls();
        break;
    default:
        banks();
    }
    finish();
}
