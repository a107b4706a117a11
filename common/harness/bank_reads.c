#include "bank_reads.h"

#include "base/language.h"
#include "banks/banks.h"
#include "device_kind.h"
#include "guard.h"
#include "inputs.h"
#include "simt/report_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Only lab 05 has this function; the other labs are linked without it. */
#pragma weak lab_read

enum {
    WARP = 32,
    TIMED_LOADS = 4096,
    LOADS = 2 /* on the CPU device: the last one must count, not their sum */
};

/* What one call of lab_read is given. */
struct read_call {
    enum lab_type type;
    int stride, repeat;
    float *out;
    long long *cycles;
};

static void call_read(void *argument)
{
    const struct read_call *c = argument;

    lab_read(c->type, c->stride, c->repeat, c->out, c->cycles);
}

static int cuda_failed(cudaError_t error, char *why, size_t size)
{
    snprintf(why, size, _("device memory: %s: %s"), cudaGetErrorName(error),
             cudaGetErrorString(error));
    return -1;
}

/* Calls lab_read and waits. 0, or 1 with a story. */
static int call_and_wait(struct lab_bank_reads *reads, struct read_call *call)
{
    struct lab_failure failure;
    cudaError_t error;

    if (lab_guard(call_read, call, &failure) != 0) {
        lab_tell(&reads->story, LAB_PROVEN, "%s", failure.text);
        return 1;
    }
    error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        return 0;
    lab_tell(&reads->story, LAB_PROVEN,
             "The kernel for %s did not come to its end with stride %d: %s: "
             "%s.",
             banks_type_name((int)call->type), call->stride,
             cudaGetErrorName(error), cudaGetErrorString(error));
    return 1;
}

static void call_again(void *argument)
{
    struct lab_bank_reads unused = {0};

    if (call_and_wait(&unused, argument) != 0)
        cudaGetLastError();
}

/* The element that each lane has loaded first, and the line of that load.
   Returns 1, or 0 if a lane has loaded none. */
static int find_read(struct read_call *call, int read[WARP],
                     struct lab_place *line)
{
    const int size = banks_type_size((int)call->type);
    long offset[WARP];

    if (!lab_device_first_loads(call_again, call, WARP, offset, line))
        return 0;
    for (int lane = 0; lane < WARP; lane++)
        read[lane] = (int)offset[lane] / size;
    return 1;
}

/* What a lane may have taken in the place of stride * tid. */
static const struct {
    const char *name;
    int strides, lanes, products,
        first; /* factors of stride, tid, both; and 1 */
} other_index[] = {
    {"stride + tid", 1, 1, 0, 0},     {"tid", 0, 1, 0, 0},
    {"stride", 1, 0, 0, 0},           {"stride * (tid + 1)", 1, 0, 1, 0},
    {"stride * 2 * tid", 0, 0, 2, 0}, {"stride * 4 * tid", 0, 0, 4, 0},
    {"stride * tid + 1", 0, 0, 1, 1}};

/* The one of these that gives what was read with both strides; NULL: none, or
   several. */
static const char *find_index(const int stride[2], int read[2][WARP])
{
    const char *found = NULL;

    for (size_t i = 0; i < sizeof other_index / sizeof *other_index; i++) {
        int fits = 1;

        for (int all = 0; all < 2 * WARP && fits; all++) {
            const int s = stride[all / WARP], lane = all % WARP;

            fits = read[all / WARP][lane] ==
                   other_index[i].strides * s + other_index[i].lanes * lane +
                       other_index[i].products * s * lane +
                       other_index[i].first;
        }
        if (fits && found != NULL)
            return NULL;
        found = fits ? other_index[i].name : found;
    }
    return found;
}

/* Goes on: which element was it? is_sum: the value is that of all reads. */
static void say_read(struct lab_bank_reads *reads, const struct read_call *call,
                     int lane, int is_sum)
{
    struct lab_story *story = &reads->story;
    struct read_call again = *call;
    struct lab_place line = {NULL, 0};
    int stride[2] = {call->stride, 5}, read[2][WARP];
    const char *index;
    int wrong = 0, is_one = 1;

    stride[1] += stride[0] == stride[1];
    if (!find_read(&again, read[0], &line))
        return;
    for (int i = 0; i < WARP; i++) {
        wrong += read[0][i] != call->stride * i;
        is_one &= read[0][i] == read[0][0];
    }
    story->here = line;
    if (wrong == 0) {
        lab_say(story, " Each lane read its element (line %d)", line.line);
        if (is_sum) {
            lab_say(story, ", and stored its %d reads added up.", call->repeat);
        } else {
            lab_say(story, ": what was read does not get into out.");
        }
        return;
    }
    if (is_one) {
        lab_say(story, " All lanes read s[%d]", read[0][0]);
    } else {
        lab_say(story, " It read s[%d]", read[0][lane]);
    }
    again.stride = stride[1];
    index = find_read(&again, read[1], &line) ? find_index(stride, read) : NULL;
    if (index != NULL)
        lab_say(story, ", as s[%s] does", index);
    lab_say(story, " (line %d).", line.line);
}

/* Did each lane read its element? Values are exact in every type. */
static int compare_elements(struct lab_bank_reads *reads,
                            const struct read_call *call, const float *out)
{
    for (int lane = 0; lane < WARP; lane++) {
        const float want = (float)lab_bank_pattern(call->stride * lane);

        if (out[lane] == want)
            continue;
        lab_tell(&reads->story, LAB_PROVEN,
                 "With %s and stride %d, lane %d should read s[%d], which is "
                 "%g; it stored %g.",
                 banks_type_name((int)call->type), call->stride, lane,
                 call->stride * lane, (double)want, (double)out[lane]);
        say_read(reads, call, lane, out[lane] == want * (float)call->repeat);
        return 1;
    }
    return 0;
}

/* Keeps what the checks have seen in this run. 0, or 1 with a story. */
static int check_one(struct lab_bank_reads *reads,
                     const struct simt_count *count)
{
    struct simt_findings findings;

    lab_findings_read(&findings);
    simt_checks_add(&reads->checks, count, &findings);
    if (findings.count == 0)
        return 0;
    lab_tell(&reads->story, LAB_PROVEN, "%s", findings.finding[0].text);
    reads->story.is_message = 1;
    return 1;
}

/* Keeps where s is loaded. 0, or 1 with a story: as another type. */
static int check_type(struct lab_bank_reads *reads, enum lab_type type,
                      const struct simt_count *count)
{
    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (row->space != SIMT_SHARED || row->kind != SIMT_LOAD)
            continue;
        reads->story.here = LAB_PLACE(row);
        if (row->size == banks_type_size((int)type))
            continue;
        lab_tell(&reads->story, LAB_PROVEN,
                 "For %s line %d loads elements of %d byte%s from %s, and a "
                 "%s has %d. Take the array that the TODO names.",
                 banks_type_name((int)type), row->line, row->size,
                 row->size == 1 ? "" : "s", row->array,
                 banks_type_name((int)type), banks_type_size((int)type));
        return 1;
    }
    return 0;
}

/* Wavefronts of a request of loads of s. 0, 1 with a story, or -1. */
static int count_one(struct lab_bank_reads *reads, enum lab_type type, int i)
{
    struct simt_count count;
    struct simt_row loads;

    if (lab_count_end(&count) != 0)
        return -1;
    loads = simt_sum_rows(&count, (struct simt_rows){.space = SIMT_SHARED,
                                                     .kind = SIMT_LOAD,
                                                     .array = "s"})
                .row;
    if (loads.requests > 0) {
        reads->wavefronts[type][i] =
            (double)loads.wavefronts / (double)loads.requests;
    }
    return check_one(reads, &count) || check_type(reads, type, &count);
}

/* One type and stride: 0 right, 1 wrong, -1 error. */
static int run_one(struct lab_bank_reads *reads, struct read_call *call, int i,
                   char *why, size_t size)
{
    float out[WARP];
    long long cycles = 0;
    cudaError_t error;
    int wrong;

    lab_poison(out, WARP);
    call->stride = lab_strides[i];
    call->repeat = lab_device_is_gpu() ? TIMED_LOADS : LOADS;
    error = cudaMemcpy(call->out, out, sizeof out, cudaMemcpyHostToDevice);
    if (error != cudaSuccess)
        return cuda_failed(error, why, size);
    lab_count_begin();
    if (call_and_wait(reads, call) != 0)
        return 1;
    wrong = lab_can_count() ? count_one(reads, call->type, i) : 0;
    if (wrong < 0)
        snprintf(why, size, _("the counters cannot be read: out of memory"));
    if (wrong != 0)
        return wrong;
    error = cudaMemcpy(out, call->out, sizeof out, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) {
        error = cudaMemcpy(&cycles, call->cycles, sizeof cycles,
                           cudaMemcpyDeviceToHost);
    }
    if (error != cudaSuccess)
        return cuda_failed(error, why, size);
    if (lab_device_is_gpu())
        reads->cycles[call->type][i] = (double)cycles / call->repeat;
    return compare_elements(reads, call, out);
}

/* Are the counted wavefronts those of the model? */
static void compare_wavefronts(struct lab_bank_reads *reads, int banks)
{
    const enum lab_banks rule = banks == 1 ? LAB_BANKS_CC1 : LAB_BANKS_TODAY;
    struct lab_bank_table table;

    lab_bank_table_fill(&table);
    /* The first is told. */
    for (int all = LAB_TYPES * LAB_STRIDES; all-- > 0;) {
        const enum lab_type t = (enum lab_type)(all / LAB_STRIDES);
        const int i = all % LAB_STRIDES;
        const double seen = reads->wavefronts[t][i];

        if (isnan(seen)) {
            lab_tell(&reads->story, LAB_PROVEN,
                     "The kernel for %s makes no load of s with stride %d.",
                     banks_type_name((int)t), lab_strides[i]);
        } else if (seen != (double)table.wavefronts[t][i][rule]) {
            lab_tell(&reads->story, LAB_PROVEN,
                     "With %s and stride %d a load of s took %.2f wavefronts, "
                     "not as many as s[stride * tid] takes.",
                     banks_type_name((int)t), lab_strides[i], seen);
        }
    }
}

int lab_bank_reads_run(struct lab_bank_reads *reads, int banks, char *why,
                       size_t size)
{
    struct read_call call = {0};
    void *out = NULL, *cycles = NULL;
    cudaError_t error = cudaMalloc(&out, WARP * sizeof(float));
    int result = 0;

    *reads = (struct lab_bank_reads){0};
    for (int t = 0; t < LAB_TYPES; t++) {
        for (int i = 0; i < LAB_STRIDES; i++)
            reads->wavefronts[t][i] = reads->cycles[t][i] = NAN;
    }
    if (error == cudaSuccess)
        error = cudaMalloc(&cycles, sizeof(long long));
    if (error == cudaSuccess)
        error = cudaMemset(cycles, 0, sizeof(long long));
    if (error != cudaSuccess)
        result = cuda_failed(error, why, size);
    call.out = out;
    call.cycles = cycles;
    for (int t = 0; result == 0 && t < LAB_TYPES; t++) {
        call.type = (enum lab_type)t;
        for (int i = 0; result == 0 && i < LAB_STRIDES; i++)
            result = run_one(reads, &call, i, why, size);
    }
    if (result == 0 && lab_can_count())
        compare_wavefronts(reads, banks);
    if (out != NULL)
        cudaFree(out);
    if (cycles != NULL)
        cudaFree(cycles);
    return result < 0 ? -1 : 0;
}

void lab_bank_reads_print(FILE *stream, const struct lab_bank_reads *reads)
{
    const int is_gpu = lab_device_is_gpu();
    const double(*shown)[LAB_STRIDES] =
        is_gpu ? reads->cycles : reads->wavefronts;

    if (!is_gpu && !lab_can_count())
        return;
    fprintf(stream, _("\n  %s of a load of s, by stride:\n  %-6s"),
            is_gpu ? _("Clock cycles") : "Wavefronts", "");
    for (int i = 0; i < LAB_STRIDES; i++)
        fprintf(stream, " %6d", lab_strides[i]);
    for (int t = 0; t < LAB_TYPES; t++) {
        fprintf(stream, "\n  %-6s", banks_type_name(t));
        for (int i = 0; i < LAB_STRIDES; i++) {
            if (isnan(shown[t][i])) {
                fprintf(stream, " %6s", "-");
            } else {
                fprintf(stream, " %6.1f", shown[t][i]);
            }
        }
    }
    fputc('\n', stream);
}
