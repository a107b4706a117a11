/*
 * runner.c: runs a student's kernel on a GPU and times it, in a box.
 *
 * It is linked with the student's code, which could therefore forge the times;
 * the grader holds them against its own clock (measure.h). C goes out whole and
 * is judged there.
 */
#include "order.h"

#include "grade/box.h"
#include "lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WARM_UP = 3,
    POISON = 0xff /* a float of these bytes is a NaN */
};

/* A lab that has no second kernel does not define it. */
#pragma weak lab_launch_b

static void __attribute__((noreturn)) die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        die(what, cudaGetErrorString(error));
}

void lab_check(cudaError_t error, const char *call, const char *file, int line)
{
    (void)file;
    (void)line;
    check(error, call);
}

static void read_all(void *bytes, size_t size)
{
    char *next = bytes;

    while (size > 0) {
        const ssize_t got = read(GRADE_BOX_INPUT, next, size);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            die("input", "it is too short");
        next += got;
        size -= (size_t)got;
    }
}

static void write_all(int descriptor, const void *bytes, size_t size)
{
    const char *next = bytes;

    while (size > 0) {
        const ssize_t done = write(descriptor, next, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            die("output", strerror(errno));
        next += done;
        size -= (size_t)done;
    }
}

/* A matrix from the input, in device memory. */
static float *take(size_t count)
{
    float *const host = malloc(count * sizeof *host);
    float *device = NULL;

    if (host == NULL)
        die("memory", "there is none left");
    read_all(host, count * sizeof *host);
    check(cudaMalloc((void **)&device, count * sizeof *host), "cudaMalloc");
    check(
        cudaMemcpy(device, host, count * sizeof *host, cudaMemcpyHostToDevice),
        "cudaMemcpy");
    free(host);
    return device;
}

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;

    check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

/* The runs are queued, so that no time between two events is the host's. */
static void time_runs(void (*launch)(const struct lab_matmul *),
                      const struct lab_matmul *p, int runs, float *ms)
{
    static cudaEvent_t event[SPEED_RUNS + 1];

    for (int i = 0; i <= runs; i++)
        check(cudaEventCreate(&event[i]), "cudaEventCreate");
    for (int i = 0; i < WARM_UP; i++)
        launch(p);
    check(cudaEventRecord(event[0], NULL), "cudaEventRecord");
    for (int i = 0; i < runs; i++) {
        launch(p);
        check(cudaEventRecord(event[i + 1], NULL), "cudaEventRecord");
    }
    check(cudaDeviceSynchronize(), "the kernel");
    for (int i = 0; i < runs; i++) {
        check(cudaEventElapsedTime(&ms[i], event[i], event[i + 1]),
              "cudaEventElapsedTime");
    }
}

int main(void)
{
    static float ms[SPEED_RUNS];
    struct speed_answer answer = {.magic = SPEED_ANSWER};
    struct cudaDeviceProp about;
    struct speed_order order;
    struct lab_matmul p;
    float *C = NULL, *host;
    size_t count;

    read_all(&order, sizeof order);
    if (order.magic != SPEED_ORDER || order.runs < 1 || order.runs > SPEED_RUNS)
        die("input", "it is no order");
    if (order.second && lab_launch_b == NULL)
        die("lab_launch_b", "the lab does not define it");
    p = (struct lab_matmul){.m = order.m, .n = order.n, .k = order.k};
    count = (size_t)p.m * (size_t)p.n;
    p.A = take((size_t)p.m * (size_t)p.k);
    p.B = take((size_t)p.k * (size_t)p.n);
    check(cudaMalloc((void **)&C, count * sizeof *C), "cudaMalloc");
    check(cudaMemset(C, POISON, count * sizeof *C), "cudaMemset");
    p.C = C;

    time_runs(order.second ? lab_launch_b : lab_launch, &p, order.runs, ms);

    host = malloc(count * sizeof *host);
    if (host == NULL)
        die("memory", "there is none left");
    check(cudaMemcpy(host, C, count * sizeof *C, cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    write_all(GRADE_BOX_RESULT, host, count * sizeof *host);
    check(cudaGetDeviceProperties(&about, 0), "cudaGetDeviceProperties");
    memcpy(answer.device, about.name, sizeof answer.device);
    answer.runs = order.runs;
    answer.major = attribute(cudaDevAttrComputeCapabilityMajor);
    answer.minor = attribute(cudaDevAttrComputeCapabilityMinor);
    answer.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    answer.clock = attribute(cudaDevAttrClockRate);
    write_all(GRADE_BOX_REPORT, &answer, sizeof answer);
    write_all(GRADE_BOX_REPORT, ms, sizeof *ms * (size_t)order.runs);
    free(host);
    return EXIT_SUCCESS;
}
