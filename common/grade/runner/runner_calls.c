/*
 * The library's functions as the student's code finds them (symbols.h): those
 * that write look first where to, those that end the program say so, and those
 * that print do not.
 */
#define _GNU_SOURCE
#include "grade/runner/runner.h"

#include "simt/device.h"

#include <cuda_runtime_api.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names are made of those in symbols.c; nobody calls them in C. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* --- memory --------------------------------------------------------------- */

/* The device sees what the compiler compiled. What these functions read and
   write for a kernel counts as well. */
void __tsan_read_range(const void *pointer, unsigned long bytes);
void __tsan_write_range(const void *pointer, unsigned long bytes);

static void count_read(const void *from, size_t size)
{
    if (simt_self != NULL && size > 0)
        __tsan_read_range(from, size);
}

static void count_write(const void *to, size_t size)
{
    if (simt_self != NULL && size > 0)
        __tsan_write_range(to, size);
}

void *grade_call_memcpy(void *to, const void *from, size_t size)
{
    grade_guard_write("memcpy", to, size);
    count_read(from, size);
    count_write(to, size);
    return memcpy(to, from, size);
}

void *grade_call_memmove(void *to, const void *from, size_t size)
{
    grade_guard_write("memmove", to, size);
    count_read(from, size);
    count_write(to, size);
    return memmove(to, from, size);
}

void *grade_call_memset(void *to, int value, size_t size)
{
    grade_guard_write("memset", to, size);
    count_write(to, size);
    return memset(to, value, size);
}

void *grade_call_malloc(size_t size)
{
    void *memory = malloc(size);

    if (memory == NULL)
        grade_runner_no_memory("malloc()", size);
    grade_guard_allow(memory, size);
    return memory;
}

void *grade_call_calloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (memory == NULL)
        grade_runner_no_memory("calloc()", size);
    grade_guard_allow(memory, count * size);
    return memory;
}

void grade_call_free(void *memory)
{
    if (memory == NULL)
        return;
    if (grade_guard_forget(memory) != 0) {
        grade_runner_stop("free() of what malloc() did not give, or of what is "
                          "freed already.");
    }
    free(memory);
}

void *grade_call_realloc(void *memory, size_t size)
{
    void *larger;

    if (memory != NULL && grade_guard_forget(memory) != 0)
        grade_runner_stop("realloc() of what malloc() did not give.");
    larger = realloc(memory, size > 0 ? size : 1);
    if (larger == NULL)
        grade_runner_no_memory("realloc()", size);
    grade_guard_allow(larger, size);
    return larger;
}

/* operator new and delete, of one and of many: Itanium C++ ABI, section 5.1. */

void *grade_call__Znwm(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);

    if (memory == NULL)
        grade_runner_no_memory("new", size);
    grade_guard_allow(memory, size);
    return memory;
}

void *grade_call__Znam(size_t size)
{
    return grade_call__Znwm(size);
}

void grade_call__ZdlPv(void *memory)
{
    grade_call_free(memory);
}

void grade_call__ZdaPv(void *memory)
{
    grade_call_free(memory);
}

void grade_call__ZdlPvm(void *memory, size_t size)
{
    (void)size;
    grade_call_free(memory);
}

void grade_call__ZdaPvm(void *memory, size_t size)
{
    (void)size;
    grade_call_free(memory);
}

/* --- the end, and what is printed ----------------------------------------- */

void grade_call_exit(int code)
{
    grade_runner_stop("It calls exit(%d) instead of returning.", code);
}

void grade_call_abort(void)
{
    grade_runner_stop("It calls abort() instead of returning.");
}

/* The standard library's exceptions, which a lab is compiled without. */

void grade_call__ZSt20__throw_length_errorPKc(const char *where)
{
    grade_runner_stop("%.100s: a container is to hold more than it can.",
                      where);
}

void grade_call__ZSt17__throw_bad_allocv(void)
{
    grade_runner_no_memory("A container", 0);
}

void grade_call__ZSt28__throw_bad_array_new_lengthv(void)
{
    grade_runner_no_memory("A container", 0);
}

void grade_call__ZSt24__throw_out_of_range_fmtPKcz(const char *where, ...)
{
    grade_runner_stop("%.100s: at() of what is not there.", where);
}

/* Nobody reads what a lab prints, and a format can write: %n. */

int grade_call_printf(const char *format, ...)
{
    (void)format;
    return 0;
}

int grade_call_fprintf(FILE *file, const char *format, ...)
{
    (void)file;
    (void)format;
    return 0;
}

int grade_call_puts(const char *text)
{
    (void)text;
    return 0;
}

int grade_call_putchar(int letter)
{
    return letter;
}

int grade_call_fputs(const char *text, FILE *file)
{
    (void)text;
    (void)file;
    return 0;
}

int grade_call_fputc(int letter, FILE *file)
{
    (void)file;
    return letter;
}

int grade_call_putc(int letter, FILE *file)
{
    (void)file;
    return letter;
}

size_t grade_call_fwrite(const void *from, size_t size, size_t count,
                         FILE *file)
{
    (void)from;
    (void)size;
    (void)file;
    return count;
}

int grade_call_fflush(FILE *file)
{
    (void)file;
    return 0;
}

/* --- the runtime API ------------------------------------------------------ */

static void check_pointer(const char *who, const void *to, size_t size)
{
    if (to != NULL) /* which the functions answer with an error */
        grade_guard_write(who, to, size);
}

cudaError_t grade_call_cudaMalloc(void **pointer, size_t size)
{
    check_pointer("cudaMalloc", pointer, sizeof *pointer);
    return cudaMalloc(pointer, size);
}

cudaError_t grade_call_cudaMallocAsync(void **pointer, size_t size,
                                       cudaStream_t stream)
{
    check_pointer("cudaMallocAsync", pointer, sizeof *pointer);
    return cudaMallocAsync(pointer, size, stream);
}

cudaError_t grade_call_cudaMallocPitch(void **pointer, size_t *pitch,
                                       size_t width, size_t height)
{
    check_pointer("cudaMallocPitch", pointer, sizeof *pointer);
    check_pointer("cudaMallocPitch", pitch, sizeof *pitch);
    return cudaMallocPitch(pointer, pitch, width, height);
}

cudaError_t grade_call_cudaMallocHost(void **pointer, size_t size)
{
    check_pointer("cudaMallocHost", pointer, sizeof *pointer);
    return cudaMallocHost(pointer, size);
}

cudaError_t grade_call_cudaHostAlloc(void **pointer, size_t size,
                                     unsigned flags)
{
    check_pointer("cudaHostAlloc", pointer, sizeof *pointer);
    return cudaHostAlloc(pointer, size, flags);
}

cudaError_t grade_call_cudaMallocManaged(void **pointer, size_t size,
                                         unsigned flags)
{
    check_pointer("cudaMallocManaged", pointer, sizeof *pointer);
    return cudaMallocManaged(pointer, size, flags);
}

cudaError_t grade_call_cudaMemcpy(void *to, const void *from, size_t size,
                                  enum cudaMemcpyKind kind)
{
    check_pointer("cudaMemcpy", to, size);
    return cudaMemcpy(to, from, size, kind);
}

cudaError_t grade_call_cudaMemcpyAsync(void *to, const void *from, size_t size,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    check_pointer("cudaMemcpyAsync", to, size);
    return cudaMemcpyAsync(to, from, size, kind, stream);
}

cudaError_t grade_call_cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                    size_t from_pitch, size_t width,
                                    size_t height, enum cudaMemcpyKind kind)
{
    for (size_t i = 0; i < height; i++)
        check_pointer("cudaMemcpy2D", (char *)to + i * to_pitch, width);
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t grade_call_cudaGetDevice(int *device)
{
    check_pointer("cudaGetDevice", device, sizeof *device);
    return cudaGetDevice(device);
}

cudaError_t grade_call_cudaGetDeviceCount(int *count)
{
    check_pointer("cudaGetDeviceCount", count, sizeof *count);
    return cudaGetDeviceCount(count);
}

cudaError_t grade_call_cudaGetDeviceProperties(struct cudaDeviceProp *prop,
                                               int device)
{
    check_pointer("cudaGetDeviceProperties", prop, sizeof *prop);
    return cudaGetDeviceProperties(prop, device);
}

cudaError_t grade_call_cudaDeviceGetAttribute(int *value,
                                              enum cudaDeviceAttr attribute,
                                              int device)
{
    check_pointer("cudaDeviceGetAttribute", value, sizeof *value);
    return cudaDeviceGetAttribute(value, attribute, device);
}

/* An event or a stream is a piece of memory that its handle points to: a handle
   that the lab was not given is none. */

enum {
    HANDLES = 256
};
static void *events[HANDLES], *streams[HANDLES];

/* The handle's place in its list, or NULL; of NULL a free one. */
static void **handle_place(void **list, const void *handle)
{
    for (int i = 0; i < HANDLES; i++) {
        if (list[i] == handle)
            return &list[i];
    }
    return NULL;
}

static void **free_place(void **list)
{
    void **const place = handle_place(list, NULL);

    if (place == NULL) {
        grade_runner_stop("It holds more than %d %s at a time.", HANDLES,
                          list == events ? "events" : "streams");
    }
    return place;
}

static void **known(void **list, const void *handle)
{
    void **const place = handle != NULL ? handle_place(list, handle) : NULL;

    if (place == NULL) {
        grade_runner_stop(list == events ? "An event is used that "
                                           "cudaEventCreate did not give."
                                         : "A stream is used that "
                                           "cudaStreamCreate did not give.");
    }
    return place;
}

cudaError_t grade_call_cudaEventCreate(cudaEvent_t *event)
{
    void **const place = free_place(events);
    cudaError_t error;

    check_pointer("cudaEventCreate", event, sizeof(void *));
    error = cudaEventCreate(event);
    if (error == cudaSuccess)
        *place = *event;
    return error;
}

cudaError_t grade_call_cudaEventDestroy(cudaEvent_t event)
{
    *known(events, event) = NULL;
    return cudaEventDestroy(event);
}

cudaError_t grade_call_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    known(events, event);
    return cudaEventRecord(event, stream);
}

cudaError_t grade_call_cudaEventSynchronize(cudaEvent_t event)
{
    known(events, event);
    return cudaEventSynchronize(event);
}

cudaError_t grade_call_cudaEventElapsedTime(float *milliseconds,
                                            cudaEvent_t from, cudaEvent_t to)
{
    check_pointer("cudaEventElapsedTime", milliseconds, sizeof *milliseconds);
    known(events, from);
    known(events, to);
    return cudaEventElapsedTime(milliseconds, from, to);
}

cudaError_t grade_call_cudaStreamCreate(cudaStream_t *stream)
{
    void **const place = free_place(streams);
    cudaError_t error;

    check_pointer("cudaStreamCreate", stream, sizeof(void *));
    error = cudaStreamCreate(stream);
    if (error == cudaSuccess)
        *place = *stream;
    return error;
}

cudaError_t grade_call_cudaStreamDestroy(cudaStream_t stream)
{
    *known(streams, stream) = NULL;
    return cudaStreamDestroy(stream);
}

cudaError_t grade_call_cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream != NULL)
        known(streams, stream);
    return cudaStreamSynchronize(stream);
}

cudaError_t grade_call_cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    check_pointer("cudaMemGetInfo", free_bytes, sizeof *free_bytes);
    check_pointer("cudaMemGetInfo", total_bytes, sizeof *total_bytes);
    return cudaMemGetInfo(free_bytes, total_bytes);
}
