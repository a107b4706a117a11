/* What comes of one entry at one size? Its program runs in a box; its C is
   compared here. */
#define _GNU_SOURCE
#include "grade/judge/judging.h"

#include "harness/diagnose.h"
#include "harness/inputs.h"
#include "harness/verify.h"
#include "simt/report_sums.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_REPORT = 4 << 20 /* bytes */
};

/*
 * Errors grow as the square root of k, and their bound as its square: of 131072
 * sums in order the worst is at 4 / k of its bound, whatever k is. From
 * elements that were packed into 16 bits come 50 to 300 / k, and from halves
 * 700 / k and more.
 */
static const double usual_error = 16.0; /* of the bound, times k */
static const int least_k = 64;          /* fewer products tell less */

__attribute__((format(printf, 3, 4))) static void
decide(struct grade_ran *ran, enum grade_verdict verdict, const char *format,
       ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(ran->text, sizeof ran->text, format, list);
    va_end(list);
    ran->verdict = verdict;
}

/* --- the request ---------------------------------------------------------- */

static enum grade_function function_of(const struct course_entry *entry)
{
    if (strcmp(entry->function, "lab_host") == 0)
        return GRADE_LAB_HOST;
    if (strcmp(entry->function, "lab_launch_arrays") == 0)
        return GRADE_LAB_LAUNCH_ARRAYS;
    return strcmp(entry->function, "lab_launch_b") == 0 ? GRADE_LAB_LAUNCH_B
                                                        : GRADE_LAB_LAUNCH;
}

/* Fills A and B, as a lab's program does by --seed. */
static void fill(const struct grade_plan *plan, const struct lab_layout *layout,
                 float *A, float *B, uint64_t seed)
{
    lab_fill(A, layout->count[LAB_A], seed);
    lab_fill(B, layout->count[LAB_B], ~seed);
    lab_problem_fill(plan->problem, (float *const[]){A, B}, layout, seed);
}

/* The request with A and B behind it, and of a problem of its own with others
   behind these, for a call that does not count; *A and *B point into it. NULL
   without memory. */
static char *make_request(const struct grade_plan *plan, size_t *size,
                          const float **A, const float **B)
{
    const struct course_shape s = plan->shape;
    const struct lab_layout layout = lab_problem_layout(plan->problem, s);
    const size_t a = layout.count[LAB_A], b = layout.count[LAB_B];
    struct grade_request request = {
        .layout = layout,
        .task = plan->task,
        .function = function_of(plan->entry),
        .m = s.m,
        .n = s.n,
        .k = s.k,
        .order = plan->seed,
        .has_kernels = (uint32_t)plan->launches,
    };
    const int has_inputs = plan->task == GRADE_TASK_PRODUCT;
    const int has_more = request.function == GRADE_LAB_LAUNCH_ARRAYS;
    const size_t floats = has_inputs ? (a + b) * (1 + (size_t)has_more) : 0;
    char *bytes;
    float *x;

    *size = sizeof request + floats * sizeof(float);
    bytes = malloc(*size);
    if (bytes == NULL)
        return NULL;
    memcpy(bytes, &request, sizeof request);
    x = (float *)(void *)(bytes + sizeof request);
    if (has_inputs)
        fill(plan, &layout, x, x + a, plan->seed);
    if (has_inputs && has_more)
        fill(plan, &layout, x + a + b, x + a + b + a, plan->seed + 1);
    *A = x;
    *B = x + a;
    return bytes;
}

/* --- C -------------------------------------------------------------------- */

/* A sum that C's old NaN went into may be that NaN again, so the kernel's own
   stores are asked as well. */
static int is_untouched(const struct grade_report *report, const float *C,
                        size_t count)
{
    for (size_t i = 0; i < report->count.rows; i++) {
        if (report->count.row[i].space == SIMT_GLOBAL &&
            report->count.row[i].kind != SIMT_LOAD)
            return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!lab_is_poison(C[i]))
            return 0;
    }
    return 1;
}

/* Of the result. */
static size_t elements(const struct grade_plan *plan)
{
    return lab_problem_layout(plan->problem, plan->shape).count[LAB_C];
}

static void tell_wrong(const struct grade_plan *plan,
                       const struct lab_reference *reference, const float *C,
                       const struct lab_diff *diff, struct grade_ran *ran)
{
    const size_t count = elements(plan);
    const struct lab_wrong *first = &diff->first[0];
    const char *const name = plan->problem->array[LAB_C].name;
    char diagnosis[500], at[LAB_ELEMENT_TEXT];

    if (is_untouched(&ran->report, C, count)) {
        decide(ran, GRADE_FAIL, "No element of %s is written.", name);
        return;
    }
    lab_problem_element(plan->problem, LAB_C, first->row, first->col, at);
    if (ran->report.findings.count > 0) { /* says more than the elements do */
        snprintf(diagnosis, sizeof diagnosis, "The checks found: %s.",
                 simt_check_name[ran->report.findings.finding[0].check]);
    } else if (lab_diagnose(reference, C, diagnosis, sizeof diagnosis) != 0) {
        diagnosis[0] = '\0';
    }
    if (lab_is_poison(first->got) && ran->report.findings.count == 0) {
        decide(ran, GRADE_FAIL,
               "%lld of %zu elements of %s are wrong, %lld of them NaN. The "
               "first is %s: expected %.6g, and nobody wrote it.%s%s",
               diff->bad, count, name, diff->nan, at, first->want,
               diagnosis[0] ? " " : "", diagnosis);
        return;
    }
    decide(ran, GRADE_FAIL,
           "%lld of %zu elements of %s are wrong%s. The first is %s: "
           "expected %.6g, got %.6g (allowed error %.1e).%s%s",
           diff->bad, count, name, diff->nan > 0 ? ", some of them NaN" : "",
           at, first->want, (double)first->got, first->tolerance,
           diagnosis[0] ? " " : "", diagnosis);
}

/* That a person should look, and why: the first that is doubtful counts. */
static void doubt(struct grade_ran *ran, const char *text)
{
    if (ran->report.doubt == NULL)
        ran->report.doubt = base_text("%s", text);
}

static void judge_product(const struct grade_plan *plan, const float *A,
                          const float *B, const struct grade_box_outcome *box,
                          struct grade_ran *ran)
{
    const struct course_shape s = plan->shape;
    const size_t bytes = elements(plan) * sizeof(float);
    struct lab_reference *reference;
    struct lab_diff diff;
    char why[300];

    if (box->size[GRADE_RESULT] != bytes || box->over[GRADE_RESULT]) {
        decide(ran, GRADE_CRASH,
               "The program gave %s%zu bytes for %s, which has %zu.",
               box->over[GRADE_RESULT] ? "more than " : "",
               box->size[GRADE_RESULT], plan->problem->array[LAB_C].name,
               bytes);
        return;
    }
    reference = lab_reference_of(plan->problem, s, (const float *const[]){A, B},
                                 plan->seed, why, sizeof why);
    if (reference == NULL) {
        decide(ran, GRADE_GRADER_ERROR, "%s", why);
        return;
    }
    /* malloc's memory is aligned for a float. */
    if (lab_verify(reference, (const float *)(void *)box->bytes[GRADE_RESULT],
                   &diff) != 0) {
        tell_wrong(plan, reference,
                   (const float *)(void *)box->bytes[GRADE_RESULT], &diff, ran);
    }
    if (ran->verdict == GRADE_PASS && plan->problem->want == NULL &&
        s.k >= least_k && diff.max_ratio * s.k > usual_error) {
        doubt(ran, "C is right, but its errors are larger than those of sums "
                   "of float: are elements of A or B kept in fewer bits?");
    }
    lab_reference_free(reference);
}

/* --- the end -------------------------------------------------------------- */

static const char *signal_words(int number)
{
    switch (number) {
    case SIGSEGV:
    case SIGBUS:
        return "a bad address in host code: an index, or a pointer to device "
               "memory";
    case SIGFPE:
        return "a division of an integer by zero in host code";
    case SIGABRT:
        return "abort, as of an assertion that fails";
    case SIGKILL:
        return "a limit of the grader, usually of memory";
    case SIGSYS:
        return "a call of the system that no lab makes";
    default:
        return "no usual mistake of a lab";
    }
}

/* What can be told without a report. Returns 1 if there is no more to tell. */
static int judge_end(const struct grade_box_outcome *box, struct grade_ran *ran)
{
    if (box->end == GRADE_NOT_STARTED) {
        decide(ran, GRADE_GRADER_ERROR, "The box: %s", box->why);
    } else if (grade_is_machines_fault(box)) {
        decide(ran, GRADE_GRADER_ERROR, "%s", grade_machines_fault);
    } else if (box->end == GRADE_OUT_OF_TIME ||
               /* The system's own limit, a moment before the box's. */
               (box->end == GRADE_SIGNALED &&
                box->cpu_seconds > 0.9 * GRADE_CPU_SECONDS)) {
        decide(ran, GRADE_TIME,
               "It does not end within %d s; the solution takes about one. A "
               "loop that does not end, or work that is done many times over?",
               GRADE_CPU_SECONDS);
    } else if (box->end == GRADE_SIGNALED) {
        decide(ran, GRADE_CRASH, "The program was ended by signal %d: %s.",
               box->code, signal_words(box->code));
    } else {
        return 0;
    }
    return 1;
}

/* Reads the report and judges what it says. Returns 1 if C is not to be looked
   at. */
static int judge_report(const struct grade_box_outcome *box,
                        struct grade_ran *ran)
{
    struct grade_report *report = &ran->report;
    char why[300];

    if (box->over[GRADE_REPORT] ||
        grade_report_read(box->bytes[GRADE_REPORT], box->size[GRADE_REPORT],
                          report, why, sizeof why) != 0 ||
        box->code != 0) {
        decide(ran, GRADE_CRASH,
               "The program ended before the lab returned (exit code %d).",
               box->code);
        return 1;
    }
    if (report->memory != NULL) {
        decide(ran, GRADE_MEMORY, "%s", report->memory);
    } else if (report->crash != NULL) {
        decide(ran,
               strstr(report->crash, "cudaErrorMemoryAllocation") != NULL
                   ? GRADE_MEMORY
                   : GRADE_CRASH,
               "%s%s%s%s", report->crash,
               report->findings.count > 0 ? " (" : "",
               report->findings.count > 0
                   ? simt_check_name[report->findings.finding[0].check]
                   : "",
               report->findings.count > 0 ? ")" : "");
    } else if (report->wrong != NULL) {
        decide(ran, GRADE_FAIL, "%s", report->wrong);
    } else {
        return 0;
    }
    return 1;
}

/* Of a problem that is no product it is known that each input counts. */
static void judge_loads(const struct grade_plan *plan, struct grade_ran *ran)
{
    const struct lab_layout layout =
        lab_problem_layout(plan->problem, plan->shape);
    const size_t inputs = layout.count[LAB_A] + layout.count[LAB_B];
    const struct simt_sum loads = simt_sum_rows(
        &ran->report.count,
        (struct simt_rows){.space = SIMT_GLOBAL, .kind = SIMT_LOAD});

    if (plan->launches && loads.asked / 4 < inputs) {
        decide(ran, GRADE_FAIL,
               "%s is right, but its kernels load %.0f words, and there are "
               "%zu inputs: it is not the kernel that computes %s. This lab "
               "is about the kernel.",
               layout.name[LAB_C], (double)loads.asked / 4.0, inputs,
               layout.name[LAB_C]);
    }
}

/* A kernel must make the product, and not host code. Somebody's clever way may
   need fewer multiplications: below three quarters it is no product. */
static void judge_operations(struct grade_ran *ran,
                             const struct course_shape *s)
{
    const double flops =
        (double)simt_sum_kernels(&ran->report.count, NULL).flops;
    /* The first product of a sum need not be added to anything. */
    const double least = course_multiply_adds(s) * (2.0 - 1.0 / s->k);

    if (flops < 0.75 * least) {
        decide(ran, GRADE_FAIL,
               "C is right, but its kernels make %.0f floating-point "
               "operations, and a product of this size takes %.0f: it is "
               "not the kernel that computes C. This lab is about the kernel.",
               flops, least);
    } else if (flops < 0.95 * least) {
        doubt(ran, "C is right, but its kernels make fewer floating-point "
                   "operations than a product of this size takes.");
    }
}

static void judge_ran(const struct grade_plan *plan, const float *A,
                      const float *B, const struct grade_box_outcome *box,
                      struct grade_ran *ran)
{
    if (judge_end(box, ran) || judge_report(box, ran))
        return;
    if (plan->task == GRADE_TASK_PRODUCT)
        judge_product(plan, A, B, box, ran);
    if (ran->verdict != GRADE_PASS)
        return;
    if (plan->task != GRADE_TASK_PRODUCT) {
        /* There are no counts of a product. */
    } else if (plan->problem->want != NULL) {
        judge_loads(plan, ran);
    } else if (plan->launches) {
        judge_operations(ran, &plan->shape);
    } else if (ran->report.count.kernels > 0) {
        decide(ran, GRADE_FAIL,
               "C is right, but kernels were launched. This lab is about a "
               "product on the host: kernels begin with the next one.");
    }
    if (ran->verdict == GRADE_PASS && ran->report.findings.count > 0) {
        decide(ran, GRADE_UNCLEAN,
               "%s is right this time, but the checks found: %s",
               plan->problem->array[LAB_C].name,
               simt_check_name[ran->report.findings.finding[0].check]);
    }
}

void grade_case_run(const struct grade_setting *setting,
                    const struct grade_plan *plan, struct grade_ran *ran)
{
    const char *const argv[] = {GRADE_BOX_FOLDER "/program", NULL};
    struct grade_box_outcome box;
    const float *A = NULL, *B = NULL;
    size_t size;
    char *request = make_request(plan, &size, &A, &B);

    *ran = (struct grade_ran){.verdict = GRADE_PASS};
    if (request == NULL) {
        decide(ran, GRADE_GRADER_ERROR, "out of memory");
        return;
    }
    grade_box_run(
        &(struct grade_box_job){
            .isolation = setting->isolation,
            .kind = GRADE_BOX_RUN,
            .slot = setting->slot,
            .folder = setting->work,
            .argv = argv,
            .input = request,
            .input_size = size,
            .limit = {[GRADE_RESULT] = plan->task == GRADE_TASK_PRODUCT
                                           ? elements(plan) * sizeof(float)
                                           : 0,
                      [GRADE_REPORT] = MOST_REPORT,
                      [GRADE_TEXT] = 4096},
            .wall_seconds = GRADE_WALL_SECONDS,
            .cpu_seconds = GRADE_CPU_SECONDS,
            .address_bytes = (size_t)1 << 30,
            .processes = 1,
        },
        &box);
    judge_ran(plan, A, B, &box, ran);
    grade_box_free(&box);
    free(request);
}
