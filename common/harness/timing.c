#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include "base/clock.h"
#include "device_kind.h"
#include "guard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WARM_UP = 50, /* ms: a GPU raises its clock in the meantime */
    REPEAT_GPU = 20,
    REPEAT_CPU = 5
};

static double wall_clock(void) /* ms */
{
    return 1e3 * base_seconds();
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median of count values, at least 1, which it sorts. */
static double median_of(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare_doubles);
    return (value[(count - 1) / 2] + value[count / 2]) / 2.0;
}

/*
 * Copies of A, B and C that the runs take in turn. What a run before has left
 * in the L2 is then of no use: a product of 1024 x 1024 elements fits into it
 * as a whole, and a program seldom has its data there.
 */
enum {
    MOST_SETS = 192,
    TIMES_L2 = 4 /* the bytes of all copies, at least */
};

struct rotation {
    int sets;     /* copies, with the buffers' own, which is the last */
    char *memory; /* of the others, on the device; NULL: none */
    size_t bytes[LAB_MATRICES], set_bytes;
};

/* What all the timed runs of one entry share. */
struct stopwatch {
    const struct course_entry *entry;
    struct lab_buffers *b;
    struct rotation rotation;
    cudaEvent_t *event; /* before and after each run of a launch entry */
    int repeat;
    int long_once; /* a run as long as the warm-up is timed once: on a host's
                      cores a repetition costs seconds and tells little more */
    struct lab_outcome *outcome;
    char *why;
    size_t size;
};

static int cuda_failed(const struct stopwatch *w, const char *what,
                       cudaError_t error)
{
    snprintf(w->why, w->size, "%s: %s: %s", what, cudaGetErrorName(error),
             cudaGetErrorString(error));
    return -1;
}

static int run_failed(const struct stopwatch *w, cudaError_t error)
{
    snprintf(w->outcome->wrong, sizeof w->outcome->wrong,
             "A timed run failed: %s: %s.", cudaGetErrorName(error),
             cudaGetErrorString(error));
    return 1;
}

/* Queues one run between two events. cublas NULL: of the entry. 0, 1 or -1. */
static int queue_launch(const struct stopwatch *w, struct lab_cublas *cublas,
                        const struct lab_matmul *p, const cudaEvent_t *between)
{
    cudaError_t error = cudaEventRecord(between[0], NULL);
    int failed = 0;

    if (error != cudaSuccess)
        return cuda_failed(w, "cudaEventRecord", error);
    if (cublas != NULL) {
        failed = lab_cublas_launch(cublas, w->entry->precision, p);
    } else {
        struct lab_failure failure;

        if (lab_guard_entry(w->entry, p, &failure) != 0) {
            snprintf(w->outcome->wrong, sizeof w->outcome->wrong, "%s",
                     failure.text);
            return 1;
        }
    }
    if (failed != 0) {
        snprintf(w->why, w->size, "cublasGemmEx failed with %d", failed);
        return -1;
    }
    error = cudaEventRecord(between[1], NULL);
    return error == cudaSuccess ? 0 : run_failed(w, error);
}

/* Waits for what was queued before, and takes the time between two events. */
static int read_launch(const struct stopwatch *w, const cudaEvent_t *between,
                       double *ms)
{
    float elapsed = 0.0f;
    cudaError_t error = cudaEventSynchronize(between[1]);

    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&elapsed, between[0], between[1]);
    *ms = (double)elapsed;
    return error == cudaSuccess ? 0 : run_failed(w, error);
}

static int is_long(const struct stopwatch *w, double ms)
{
    return w->long_once && ms >= WARM_UP;
}

static int time_call(const struct stopwatch *w, double *ms)
{
    const double start = wall_clock();
    const int failed = lab_run_call(w->entry, w->b, w->outcome);

    *ms = wall_clock() - start;
    return failed;
}

static int time_copies(const struct stopwatch *w, double *ms)
{
    double each[3];

    for (int i = 0; i < 3; i++) {
        const double start = wall_clock();

        if (lab_buffers_copy(w->b, w->why, w->size) != 0)
            return -1;
        each[i] = wall_clock() - start;
    }
    *ms = median_of(each, 3);
    return 0;
}

/* --- buffers in turn ------------------------------------------------------ */

/* Makes copies of A and B, as many as it takes. Without memory for them the
   buffers' own serve each run, and times->sets says so. */
static int begin_rotation(struct stopwatch *w)
{
    struct rotation *r = &w->rotation;
    const size_t each = lab_precision_bytes(w->b->precision);
    const size_t wanted = TIMES_L2 * lab_device_l2_bytes();
    void *memory = NULL;

    r->sets = 1;
    for (int i = 0; i < LAB_MATRICES; i++) {
        r->bytes[i] = (w->b->count[i] * each + 255) / 256 * 256;
        r->set_bytes += r->bytes[i];
    }
    while (r->sets < MOST_SETS && (size_t)r->sets * r->set_bytes < wanted)
        r->sets++;
    if (r->sets > 1 && cudaMalloc(&memory, (size_t)(r->sets - 1) *
                                               r->set_bytes) != cudaSuccess) {
        cudaGetLastError(); /* forgotten */
        r->sets = 1;
    }
    r->memory = memory;
    for (int set = 0; set < r->sets - 1; set++) {
        char *to = r->memory + (size_t)set * r->set_bytes;

        for (int i = 0; i < LAB_C; i++, to += r->bytes[i - 1]) {
            const cudaError_t error =
                cudaMemcpy(to, w->b->device[i], w->b->count[i] * each,
                           cudaMemcpyDeviceToDevice);

            if (error != cudaSuccess)
                return cuda_failed(w, "cudaMemcpy", error);
        }
    }
    return 0;
}

/* The product of a turn; that of turn -1, and of each `sets` turns before it,
   is the buffers' own. */
static struct lab_matmul product_of_turn(const struct stopwatch *w, int turn)
{
    const struct rotation *r = &w->rotation;
    const int set = ((turn + 1) % r->sets + r->sets) % r->sets;
    struct lab_matmul p = lab_buffers_product(w->b, w->entry->kind);

    if (set > 0) {
        char *at = r->memory + (size_t)(set - 1) * r->set_bytes;

        p.A = (const void *)at;
        p.B = (const void *)(at + r->bytes[LAB_A]);
        p.C = (void *)(at + r->bytes[LAB_A] + r->bytes[LAB_B]);
    }
    return p;
}

/* --- launches ------------------------------------------------------------- */

/* The entry's turn and the library's, each between its two events. The library
   takes other copies than the entry has just had. */
static int queue_pair(const struct stopwatch *w, int turn,
                      struct lab_cublas *cublas, void *cublas_C,
                      const cudaEvent_t *event)
{
    struct lab_matmul p = product_of_turn(w, turn);
    int failed = queue_launch(w, NULL, &p, event);

    p = product_of_turn(w, turn + w->rotation.sets / 2);
    p.C = cublas_C;
    if (failed == 0 && cublas != NULL)
        failed = queue_launch(w, cublas, &p, event + 2);
    return failed;
}

/*
 * The runs that count are queued one behind the other, behind one more that
 * does not: while the device works it is not waited for, so no time between two
 * events is the host's, which takes some 10 us to launch a kernel. own and
 * theirs have room for repeat times each.
 */
static int time_launches(struct stopwatch *w, struct lab_cublas *cublas,
                         void *cublas_C, double *own, double *theirs)
{
    const double begin = wall_clock();
    double last;
    int failed, turn = 0;

    do {
        failed = queue_pair(w, -1 - turn++ % w->rotation.sets, cublas, cublas_C,
                            w->event);
        if (failed == 0)
            failed = read_launch(w, w->event, &last);
    } while (failed == 0 && wall_clock() - begin < WARM_UP);

    if (failed == 0 && is_long(w, last)) {
        own[0] = last;
        w->repeat = 1;
        return 0;
    }
    if (failed == 0)
        failed = queue_pair(w, -1 - w->repeat, cublas, cublas_C, w->event);
    /* The last run is one on the buffers' own, which are judged. */
    for (int i = 0; failed == 0 && i < w->repeat; i++) {
        failed =
            queue_pair(w, i - w->repeat, cublas, cublas_C, w->event + 4 * i);
    }
    for (int i = 0; failed == 0 && i < w->repeat; i++) {
        failed = read_launch(w, w->event + 4 * i, &own[i]);
        if (failed == 0 && cublas != NULL)
            failed = read_launch(w, w->event + 4 * i + 2, &theirs[i]);
    }
    return failed;
}

/* A host entry's times are the wall clock's. */
static int time_calls(struct stopwatch *w, double *own)
{
    const double begin = wall_clock();
    double last;
    int failed;

    do {
        failed = time_call(w, &last);
    } while (failed == 0 && wall_clock() - begin < WARM_UP);
    if (failed == 0 && is_long(w, last)) {
        own[0] = last;
        w->repeat = 1;
        return 0;
    }
    for (int i = 0; failed == 0 && i < w->repeat; i++)
        failed = time_call(w, &own[i]);
    return failed;
}

static void destroy_events(cudaEvent_t *event, int count)
{
    for (int i = 0; event != NULL && i < count; i++)
        cudaEventDestroy(event[i]);
    free(event);
}

static cudaEvent_t *create_events(int count)
{
    cudaEvent_t *event = calloc((size_t)count, sizeof(cudaEvent_t));

    for (int i = 0; event != NULL && i < count; i++) {
        if (cudaEventCreate(&event[i]) != cudaSuccess) {
            destroy_events(event, i);
            return NULL;
        }
    }
    return event;
}

/* A speed counts only if the result is right, the library's too. */
static int judge_cublas(const struct stopwatch *w,
                        const struct lab_reference *reference,
                        const void *cublas_C, double *max_error)
{
    struct lab_diff diff;

    if (lab_buffers_fetch_other(w->b, cublas_C, w->why, w->size) != 0)
        return -1;
    if (lab_verify(reference, w->b->host[LAB_C], &diff) == 0) {
        *max_error = diff.max_error;
        return 0;
    }
    snprintf(w->why, w->size, "cuBLAS computed a wrong C");
    return -1;
}

int lab_time(const struct course_entry *entry, struct lab_buffers *b,
             int repeat, const struct lab_reference *reference,
             struct lab_cublas *cublas, struct lab_times *times,
             struct lab_outcome *outcome, char *why, size_t size)
{
    const int on_host = entry->kind == COURSE_HOST || !lab_device_is_gpu();
    const int by_default = lab_device_is_gpu() ? REPEAT_GPU : REPEAT_CPU;
    struct stopwatch w = {.entry = entry,
                          .b = b,
                          .outcome = outcome,
                          .why = why,
                          .size = size,
                          .repeat = repeat > 0 ? repeat : by_default,
                          .long_once = repeat == 0 && on_host};
    double *own = calloc(2 * (size_t)w.repeat, sizeof *own);
    double *const theirs = own != NULL ? own + w.repeat : NULL;
    const int events = 4 * w.repeat;
    void *cublas_C = NULL; /* so that cuBLAS cannot mend a wrong C */
    int failed = -1;

    *times =
        (struct lab_times){.copies = NAN, .cublas = NAN, .cublas_error = NAN};
    if (own == NULL) {
        snprintf(why, size, "out of memory");
        return -1;
    }
    if (lab_buffers_reset(b, entry->kind, why, size) != 0)
        goto done;
    if (entry->kind != COURSE_HOST) {
        cudaError_t error = cudaSuccess;

        w.event = create_events(events);
        if (w.event == NULL) {
            snprintf(why, size, "no memory for %d events", events);
            goto done;
        }
        if (cublas != NULL) {
            error = cudaMalloc(
                &cublas_C, b->count[LAB_C] * lab_precision_bytes(b->precision));
        }
        if (error != cudaSuccess) {
            failed = cuda_failed(&w, "preparing to time", error);
            goto done;
        }
        if (time_copies(&w, &times->copies) != 0)
            goto done;
        /* The copies took C away and brought nothing back: poison it anew. */
        if (lab_buffers_reset(b, entry->kind, why, size) != 0)
            goto done;
        failed = begin_rotation(&w);
        if (failed == 0)
            failed = time_launches(&w, cublas, cublas_C, own, theirs);
        times->sets = w.rotation.sets;
    } else {
        cublas = NULL;
        failed = time_calls(&w, own);
    }
    if (failed == 0) {
        times->median = median_of(own, w.repeat);
        times->runs = w.repeat;
        times->min = own[0];
        times->max = own[w.repeat - 1];
        if (cublas != NULL) {
            times->cublas = median_of(theirs, w.repeat);
            failed =
                judge_cublas(&w, reference, cublas_C, &times->cublas_error);
        }
    }
done:
    if (w.rotation.memory != NULL)
        cudaFree(w.rotation.memory);
    if (cublas_C != NULL)
        cudaFree(cublas_C);
    destroy_events(w.event, events);
    free(own);
    return failed;
}
