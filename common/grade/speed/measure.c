#define _GNU_SOURCE
#include "measure.h"

#include "grade/box.h"
#include "grade/build.h"
#include "grade/vet.h"
#include "harness/verify.h"
#include "order.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const speed_verdict_word[SPEED_VERDICTS] = {
    [SPEED_RIGHT] = "RIGHT",
    [SPEED_WRONG] = "WRONG",
    [SPEED_FAILED] = "FAILED",
    [SPEED_MACHINE] = "MACHINE",
};

enum {
    MOST_LINES = 12 /* of nvcc's messages */
};

static void decide(struct speed_result *result, enum speed_verdict verdict,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void decide(struct speed_result *result, enum speed_verdict verdict,
                   const char *format, ...)
{
    va_list list;

    result->verdict = verdict;
    va_start(list, format);
    vsnprintf(result->text, sizeof result->text, format, list);
    va_end(list);
}

/* --- the program ------------------------------------------------------------------ */

static int keep(const char *path, const char *bytes, size_t size)
{
    FILE *const file = fopen(path, "we");
    int failed;

    if (file == NULL)
        return -1;
    failed = fwrite(bytes, 1, size, file) != size;
    failed |= fclose(file) != 0;
    return failed || chmod(path, 0755) != 0 ? -1 : 0;
}

void speed_build(const struct speed_setting *setting,
                 const struct course_lab *lab, const char *source, size_t size,
                 struct speed_result *result)
{
    char name[80], path[4200], why[800];
    static const char build[] = GRADE_BOX_FOLDER "/speed_build";
    const char *const argv[] = {build, name, setting->nvcc, setting->arch,
                                NULL};
    struct grade_box_outcome box;

    *result = (struct speed_result){.verdict = SPEED_RIGHT};
    snprintf(name, sizeof name, "%s.cu", lab->name + 3);
    snprintf(path, sizeof path, "%s/program", setting->work);
    unlink(path);
    if (grade_vet_source(name, source, size, why, sizeof why) != 0) {
        decide(result, SPEED_FAILED, "%s", why);
        return;
    }
    grade_box_run(
        &(struct grade_box_job){.isolation = GRADE_BOXED,
                                .kind = GRADE_BOX_COMPILE,
                                .slot = setting->slot,
                                .folder = setting->kit,
                                .argv = argv,
                                .input = source,
                                .input_size = size,
                                .limit = {[GRADE_RESULT] = (size_t)64 << 20,
                                          [GRADE_TEXT] = (size_t)64 << 10},
                                .wall_seconds = 120.0,
                                .cpu_seconds = 60,
                                .address_bytes = (size_t)16 << 30,
                                .processes = 64},
        &box);
    if (box.end == GRADE_NOT_STARTED) {
        decide(result, SPEED_MACHINE, "the compile box: %s", box.why);
    } else if (box.end == GRADE_OUT_OF_TIME) {
        decide(result, SPEED_FAILED, "nvcc needs more time than there is.");
    } else if (box.end == GRADE_ENDED && box.code == 1) {
        grade_plain_text(box.bytes[GRADE_TEXT], box.size[GRADE_TEXT],
                         MOST_LINES, why, sizeof why);
        decide(result, SPEED_FAILED, "nvcc: %s", why);
    } else if (box.end != GRADE_ENDED || box.code != 0 ||
               box.over[GRADE_RESULT] || box.size[GRADE_RESULT] == 0) {
        grade_plain_text(box.bytes[GRADE_TEXT], box.size[GRADE_TEXT],
                         MOST_LINES, why, sizeof why);
        decide(result, SPEED_MACHINE, "nvcc made no program: %s", why);
    } else if (keep(path, box.bytes[GRADE_RESULT], box.size[GRADE_RESULT]) !=
               0) {
        decide(result, SPEED_MACHINE, "%.500s: %s", path, strerror(errno));
    }
    grade_box_free(&box);
}

/* --- its answer ------------------------------------------------------------------- */

/*
 * GFLOP/s that the chip's lanes for single precision can do: a multiply-add a
 * lane and clock cycle. Lanes of a multiprocessor: CUDA C++ Programming Guide,
 * throughput of arithmetic instructions, 32-bit floating-point multiply-add.
 */
static double peak_of(const struct speed_answer *answer)
{
    const int lanes =
        answer->major == 7 || (answer->major == 8 && answer->minor == 0) ? 64
                                                                         : 128;

    return 2.0 * lanes * answer->multiprocessors * answer->clock * 1e3 / 1e9;
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static void look_at_times(const struct lab_reference *reference, float *ms,
                          int runs, double seconds, struct speed_result *result)
{
    const struct lab_problem *const p = lab_reference_problem(reference);
    double all = 0.0;

    for (int i = 0; i < runs; i++) {
        if (!(ms[i] > 0.0f) || !isfinite(ms[i])) {
            decide(result, SPEED_FAILED, "It told a time that cannot be.");
            return;
        }
        all += (double)ms[i];
    }
    qsort(ms, (size_t)runs, sizeof *ms, compare);
    result->median = ((double)ms[(runs - 1) / 2] + (double)ms[runs / 2]) / 2.0;
    result->shortest = (double)ms[0];
    result->longest = (double)ms[runs - 1];
    result->gflops = 2.0 * p->m * p->n * p->k / (result->median * 1e6);
    if (all > seconds * 1e3) {
        snprintf(result->flag, sizeof result->flag,
                 "its runs add up to more time than it ran");
    } else if (result->gflops > result->peak) {
        snprintf(result->flag, sizeof result->flag,
                 "faster than the chip's arithmetic: %.0f of %.0f GFLOP/s",
                 result->gflops, result->peak);
    }
}

void speed_judge(const struct lab_reference *reference, int runs, const void *C,
                 size_t C_size, const void *report, size_t report_size,
                 double seconds, struct speed_result *result)
{
    const struct lab_problem *const p = lab_reference_problem(reference);
    static float ms[SPEED_RUNS];
    struct speed_answer answer;
    struct lab_diff diff;

    if (C_size != (size_t)p->m * (size_t)p->n * sizeof(float) ||
        report_size != sizeof answer + (size_t)runs * sizeof *ms) {
        decide(result, SPEED_FAILED, "It ended before it had told all.");
        return;
    }
    memcpy(&answer, report, sizeof answer);
    memcpy(ms, (const char *)report + sizeof answer, (size_t)runs * sizeof *ms);
    answer.device[sizeof answer.device - 1] = '\0';
    if (answer.magic != SPEED_ANSWER || answer.runs != runs ||
        answer.multiprocessors < 1 || answer.multiprocessors > 1 << 12 ||
        answer.clock < 1 || answer.clock > 1 << 24) {
        decide(result, SPEED_FAILED, "What it told cannot be read.");
        return;
    }
    grade_plain_text(answer.device, strlen(answer.device), 1, result->device,
                     sizeof result->device);
    result->peak = peak_of(&answer);
    if (lab_verify(reference, C, &diff) != 0) {
        decide(result, SPEED_WRONG,
               "C is wrong at %d x %d x %d: element (%d, %d) is %.9g, not "
               "%.9g.",
               p->m, p->n, p->k, diff.shown > 0 ? diff.first[0].row : -1,
               diff.shown > 0 ? diff.first[0].col : -1,
               diff.shown > 0 ? (double)diff.first[0].got : (double)NAN,
               diff.shown > 0 ? diff.first[0].want : (double)NAN);
        return;
    }
    look_at_times(reference, ms, runs, seconds, result);
}

/* The order with A and B behind it; NULL without memory. */
static char *make_order(const struct lab_problem *p, int second, int runs,
                        size_t *size)
{
    const struct speed_order order = {.magic = SPEED_ORDER,
                                      .m = p->m,
                                      .n = p->n,
                                      .k = p->k,
                                      .second = second,
                                      .runs = runs};
    const size_t a = (size_t)p->m * (size_t)p->k * sizeof(float);
    const size_t b = (size_t)p->k * (size_t)p->n * sizeof(float);
    char *const bytes = malloc(sizeof order + a + b);

    if (bytes == NULL)
        return NULL;
    memcpy(bytes, &order, sizeof order);
    memcpy(bytes + sizeof order, p->A, a);
    memcpy(bytes + sizeof order + a, p->B, b);
    *size = sizeof order + a + b;
    return bytes;
}

void speed_run(const struct speed_setting *setting, int second,
               const struct lab_reference *reference,
               struct speed_result *result)
{
    static const char *const argv[] = {GRADE_BOX_FOLDER "/program", NULL};
    const struct lab_problem *const p = lab_reference_problem(reference);
    struct grade_box_outcome box;
    size_t size = 0;
    char *const order = make_order(p, second, setting->runs, &size);
    char said[400];

    *result = (struct speed_result){.verdict = SPEED_RIGHT};
    if (order == NULL) {
        decide(result, SPEED_MACHINE, "there is no memory left");
        return;
    }
    grade_box_run(
        &(struct grade_box_job){
            .isolation = GRADE_BOXED,
            .kind = GRADE_BOX_GPU,
            .slot = setting->slot,
            .folder = setting->work,
            .argv = argv,
            .input = order,
            .input_size = size,
            .limit = {[GRADE_RESULT] =
                          (size_t)p->m * (size_t)p->n * sizeof(float),
                      [GRADE_REPORT] = sizeof(struct speed_answer) +
                                       SPEED_RUNS * sizeof(float),
                      [GRADE_TEXT] = 4096},
            .wall_seconds = 60.0,
            .cpu_seconds = 60,
            .address_bytes = 0, /* the driver maps all memory there is */
            .processes = 64},
        &box);
    free(order);
    if (box.end == GRADE_NOT_STARTED) {
        decide(result, SPEED_MACHINE, "the box: %s", box.why);
    } else if (box.end == GRADE_OUT_OF_TIME) {
        decide(result, SPEED_FAILED, "It takes more time than there is.");
    } else if (box.end != GRADE_ENDED || box.code != 0) {
        grade_plain_text(box.bytes[GRADE_TEXT], box.size[GRADE_TEXT], 3, said,
                         sizeof said);
        decide(result, SPEED_FAILED, "It ended with %s %d: %s",
               box.end == GRADE_ENDED ? "exit code" : "signal", box.code, said);
    } else {
        speed_judge(reference, setting->runs, box.bytes[GRADE_RESULT],
                    box.size[GRADE_RESULT], box.bytes[GRADE_REPORT],
                    box.size[GRADE_REPORT], box.wall_seconds, result);
    }
    grade_box_free(&box);
}
