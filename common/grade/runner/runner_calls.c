/*
 * The library's functions as the student's code finds them (symbols.c): those
 * that write look first where to, those that end the program say so, and those
 * that print do not.
 */
#define _GNU_SOURCE
#include "grade/runner/runner.h"

#include "simt/device.h"

#include <cuda_runtime_api.h>

#include "harness/device_kind.h"
#include "lab.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

/* The names are made of those in symbols.c; nobody calls them in C. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/*
 * A function that is called after a look at its arguments: a is the first one.
 * None has more than eight, all of them numbers and pointers: they lie where
 * eight numbers of 64 bits would, and what lies behind the last does no harm
 * (System V ABI, section 3.2.3).
 */
#define ARGUMENTS                                                         \
    size_t a, size_t b, size_t c, size_t d, size_t e, size_t f, size_t g, \
        size_t h
#define CALL(function, look)       \
    CALL_ANYWHERE(function, {      \
        if (simt_self != NULL)     \
            refuse_in_kernel(who); \
        look;                      \
    })
#define CALL_ANYWHERE(function, look)                   \
    long real_##function(ARGUMENTS) __asm__(#function); \
    long grade_call_##function(ARGUMENTS)               \
    {                                                   \
        const char *const who = #function;              \
                                                        \
        (void)who;                                      \
        look;                                           \
        return real_##function(a, b, c, d, e, f, g, h); \
    }

/* As nvcc does. */
static void refuse_in_kernel(const char *who)
{
    grade_runner_stop("A kernel calls %s(), which runs on the host alone.",
                      who);
}

/* A name for a function that does for another one too. */
#define ALSO(name, function)                            \
    __typeof__(grade_call_##function) grade_call_##name \
        __attribute__((alias("grade_call_" #function)));

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

static void copies(const char *who, size_t to, size_t from, size_t size)
{
    grade_guard_write(who, (void *)to, size);
    count_read((void *)from, size);
    count_write((void *)to, size);
}

static void fills(const char *who, size_t to, size_t size)
{
    grade_guard_write(who, (void *)to, size);
    count_write((void *)to, size);
}

CALL_ANYWHERE(memcpy, copies(who, a, b, c))
CALL_ANYWHERE(memmove, copies(who, a, b, c))
CALL_ANYWHERE(memset, fills(who, a, c))
CALL(strcpy, grade_guard_write(who, (void *)a, strlen((char *)b) + 1))
CALL(strncpy, grade_guard_write(who, (void *)a, c))
CALL(strlen, )
CALL(strcmp, )
CALL(strncmp, )
CALL(memcmp, )
CALL(memchr, )
CALL(strchr, )
CALL(strstr, )
CALL(atoi, )
CALL(atol, )

char *grade_call_strcat(char *to, const char *from)
{
    if (simt_self != NULL)
        refuse_in_kernel("strcat");
    const size_t size = strlen(from) + 1;
    char *const end = to + strlen(to);

    grade_guard_write("strcat", end, size);
    memcpy(end, from, size);
    return to;
}

static void *give_memory(const char *who, void *memory, size_t size)
{
    if (memory == NULL)
        grade_runner_no_memory(who, size);
    grade_guard_allow(memory, size);
    return memory;
}

void *grade_call_malloc(size_t size)
{
    return give_memory("malloc()", malloc(size), size);
}

void *grade_call_calloc(size_t count, size_t size)
{
    return give_memory("calloc()", calloc(count, size), count * size);
}

static void take_back(const char *who, const void *memory)
{
    const char *const why = simt_not_for_free(memory);

    if (why != NULL)
        grade_runner_stop("%s: %s.", who, why);
    if (memory != NULL && grade_guard_forget(memory) != 0) {
        grade_runner_stop("%s of what malloc() did not give, or of what is "
                          "freed already.",
                          who);
    }
}

void *grade_call_realloc(void *memory, size_t size)
{
    take_back("realloc()", memory);
    return give_memory("realloc()", realloc(memory, size > 0 ? size : 1), size);
}

CALL_ANYWHERE(simt_host_free, take_back("free()", (void *)a))

/* operator new and delete, of one and of many: Itanium C++ ABI, section 5.1. */
void *grade_call__Znwm(size_t size)
{
    return give_memory("new", malloc(size > 0 ? size : 1), size);
}

ALSO(_Znam, _Znwm)
ALSO(_ZdlPv, simt_host_free)
ALSO(_ZdaPv, simt_host_free)
ALSO(_ZdlPvm, simt_host_free)
ALSO(_ZdaPvm, simt_host_free)

/* The atomic form of a shared_ptr's count, which one thread never takes. */
int __tsan_atomic32_fetch_add(int *at, int value, int order)
{
    const int before = *at;

    (void)order;
    if (simt_self != NULL)
        grade_runner_stop("A kernel uses std::atomic. CUDA's is atomicAdd().");
    grade_guard_write("std::atomic", at, sizeof *at);
    *at = before + value;
    return before;
}

/* An object learns which class it is of. */
void __tsan_vptr_update(void **at, void *table)
{
    (void)table;
    grade_guard_write("a constructor", at, sizeof *at);
    count_write(at, sizeof *at);
}

void __tsan_vptr_read(void **at)
{
    count_read(at, sizeof *at);
}

/* --- the end, and what is printed ----------------------------------------- */

/* Where a CUDA call was let fail, that is what its check may do. */
void grade_call_exit(int code)
{
    if (code != 0 && simt_failed_call() != NULL) {
        lab_check(cudaErrorUnknown, "an exit() that may follow LastError",
                  "lab.cu", 0);
    }
    grade_runner_stop("It calls exit(%d) instead of returning.", code);
}

void grade_call_abort(void)
{
    if (simt_failed_call() != NULL)
        grade_call_exit(1);
    grade_runner_stop("It calls abort() instead of returning.");
}

/* The standard library's exceptions, which a lab is compiled without. */
#define STOPS(function, ...)                      \
    void grade_call_##function(const char *where) \
    {                                             \
        (void)where;                              \
        grade_runner_stop(__VA_ARGS__);           \
    }

STOPS(_ZSt20__throw_length_errorPKc,
      "%.100s: a container is to hold more than it can.", where)
STOPS(_ZSt19__throw_logic_errorPKc,
      "The standard library found a mistake: %.200s", where)
ALSO(_ZSt20__throw_out_of_rangePKc, _ZSt19__throw_logic_errorPKc)
ALSO(_ZSt24__throw_invalid_argumentPKc, _ZSt19__throw_logic_errorPKc)
STOPS(_ZSt24__throw_out_of_range_fmtPKcz, "%.100s: at() of what is not there.",
      where)
STOPS(_ZSt25__throw_bad_function_callv,
      "It calls a std::function that holds none.")
STOPS(__cxa_pure_virtual, "It calls a virtual function that is none.")

void grade_call__ZSt17__throw_bad_allocv(void)
{
    grade_runner_no_memory("A container", 0);
}

ALSO(_ZSt28__throw_bad_array_new_lengthv, _ZSt17__throw_bad_allocv)

/* Nobody reads what a lab prints, and a format can write: %n. */
int grade_call_printf(void)
{
    return 0;
}

ALSO(fprintf, printf)
ALSO(puts, printf)
ALSO(putchar, printf)
ALSO(fputs, printf)
ALSO(fputc, printf)
ALSO(putc, printf)
ALSO(fflush, printf)
ALSO(perror, printf)
/* std::make_shared asks for the type of what it made. */
ALSO(_ZNSt19_Sp_make_shared_tag5_S_eqERKSt9type_info, printf)

size_t grade_call_fwrite(const void *from, size_t size, size_t count)
{
    (void)from;
    (void)size;
    return count;
}

/* Texts in memory. A format may write as well, and none that is honest does. */

static void check_format(const char *who, const char *format)
{
    for (const char *c = format; (c = strchr(c, '%')) != NULL; c++) {
        c += 1 + strspn(c + 1, "-+ #0123456789.*hlLqjzt'I$");
        if (*c == 'n')
            grade_runner_stop("%s with %%n, which writes.", who);
        if (*c == '\0')
            return;
    }
}

int grade_call_snprintf(char *to, size_t size, const char *format, ...)
{
    va_list list;
    int length;

    if (simt_self != NULL)
        refuse_in_kernel("snprintf");
    grade_guard_write("snprintf", to, size);
    check_format("snprintf", format);
    va_start(list, format);
    length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}

int grade_call_sprintf(char *to, const char *format, ...)
{
    va_list list;
    int length;

    if (simt_self != NULL)
        refuse_in_kernel("sprintf");
    check_format("sprintf", format);
    va_start(list, format);
    length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    grade_guard_write("sprintf", to, (size_t)length + 1);
    va_start(list, format);
    vsnprintf(to, (size_t)length + 1, format, list);
    va_end(list);
    return length;
}

/* --- clocks, and a sine with its cosine ----------------------------------- */

long grade_call__ZNSt6chrono3_V212steady_clock3nowEv(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

ALSO(_ZNSt6chrono3_V212system_clock3nowEv, _ZNSt6chrono3_V212steady_clock3nowEv)

/* NULL is what the functions answer with an error. */
static void writes(const char *who, size_t to, size_t size)
{
    if (to != 0)
        grade_guard_write(who, (void *)to, size);
}

CALL(time, writes(who, a, sizeof(time_t)))
CALL(clock_gettime, writes(who, b, sizeof(struct timespec)))
CALL(gettimeofday, (writes(who, a, sizeof(struct timeval)), b = 0))

void grade_call_sincosf(float angle, float *sine, float *cosine)
{
    grade_guard_write("sincosf", sine, sizeof *sine);
    grade_guard_write("sincosf", cosine, sizeof *cosine);
    count_write(sine, sizeof *sine);
    count_write(cosine, sizeof *cosine);
    *sine = sinf(angle);
    *cosine = cosf(angle);
}

void grade_call_sincos(double angle, double *sine, double *cosine)
{
    grade_guard_write("sincos", sine, sizeof *sine);
    grade_guard_write("sincos", cosine, sizeof *cosine);
    count_write(sine, sizeof *sine);
    count_write(cosine, sizeof *cosine);
    *sine = sin(angle);
    *cosine = cos(angle);
}

/* --- the runtime API ------------------------------------------------------ */

CALL(cudaRuntimeGetVersion, writes(who, a, sizeof(int)))
CALL(cudaDriverGetVersion, writes(who, a, sizeof(int)))
CALL(cudaGetDevice, writes(who, a, sizeof(int)))
CALL(cudaGetDeviceCount, writes(who, a, sizeof(int)))
CALL(cudaGetDeviceProperties, writes(who, a, sizeof(struct cudaDeviceProp)))
CALL(cudaDeviceGetAttribute, writes(who, a, sizeof(int)))
CALL(cudaDeviceGetStreamPriorityRange,
     (writes(who, a, sizeof(int)), writes(who, b, sizeof(int))))
CALL(cudaPointerGetAttributes,
     writes(who, a, sizeof(struct cudaPointerAttributes)))
CALL(cudaFuncGetAttributes, writes(who, a, sizeof(struct cudaFuncAttributes)))
CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, writes(who, a, sizeof(int)))
CALL(simt_best_block,
     (writes(who, a, sizeof(int)), writes(who, b, sizeof(int))))
CALL(cudaMemGetInfo,
     (writes(who, a, sizeof(size_t)), writes(who, b, sizeof(size_t))))

CALL(cudaFree, )
CALL(cudaFreeAsync, )
CALL(cudaFreeHost, )
CALL(cudaMemset, )
CALL(cudaMemsetAsync, )
CALL(cudaDeviceSynchronize, )
CALL(cudaDeviceReset, )
CALL(simt_symbol_write, )

CALL(cudaMalloc, writes(who, a, sizeof(void *)))
CALL(cudaMallocAsync, writes(who, a, sizeof(void *)))
CALL(cudaMallocHost, writes(who, a, sizeof(void *)))
CALL(cudaHostAlloc, writes(who, a, sizeof(void *)))
CALL(cudaMallocManaged, writes(who, a, sizeof(void *)))
CALL(cudaMallocPitch,
     (writes(who, a, sizeof(void *)), writes(who, b, sizeof(size_t))))
CALL(cudaHostGetDevicePointer, writes(who, a, sizeof(void *)))
CALL(simt_symbol_address, writes(who, a, sizeof(void *)))
CALL(simt_symbol_bytes, writes(who, a, sizeof(size_t)))

CALL(simt_symbol_read, writes("cudaMemcpyFromSymbol", a, c))
CALL(cudaMemcpy, writes(who, a, c))
CALL(cudaMemcpyAsync, writes(who, a, c))

static void writes_rows(const char *who, size_t to, size_t pitch, size_t width,
                        size_t height)
{
    for (size_t i = 0; i < height; i++)
        writes(who, to + i * pitch, width);
    grade_column_copies += width <= sizeof(float) && height > 1;
}

CALL(cudaMemcpy2D, writes_rows(who, a, b, e, f))
CALL(cudaMemcpy2DAsync, writes_rows(who, a, b, e, f))
CALL(cudaMemset2D, writes_rows(who, a, b, d, e))

/* An event or a stream is a piece of memory that its handle points to: a handle
   that the lab was not given is none. */

enum {
    HANDLES = 256
};
static size_t events[HANDLES], streams[HANDLES];

/* The handle's place in its list; of 0 a free one. */
static size_t *place_of(size_t *list, size_t handle)
{
    for (int i = 0; i < HANDLES; i++) {
        if (list[i] == handle)
            return &list[i];
    }
    if (handle == 0) {
        grade_runner_stop("It holds more than %d %s at a time.", HANDLES,
                          list == events ? "events" : "streams");
    }
    grade_runner_stop(
        list == events ? "An event is used that cudaEventCreate did not give."
                       : "A stream is used that cudaStreamCreate did not "
                         "give.");
}

static size_t *event(size_t handle)
{
    return place_of(events, handle != 0 ? handle : SIZE_MAX);
}

static size_t *stream(size_t handle)
{
    return place_of(streams, handle != 0 ? handle : SIZE_MAX);
}

static void stream_or_none(size_t handle)
{
    if (handle != 0)
        stream(handle);
}

/* One that gives a handle. */
#define GIVES(list, function)                            \
    long real_##function(ARGUMENTS) __asm__(#function);  \
    long grade_call_##function(ARGUMENTS)                \
    {                                                    \
        size_t *const place = place_of(list, 0);         \
        long error;                                      \
                                                         \
        if (simt_self != NULL)                           \
            refuse_in_kernel(#function);                 \
        writes(#function, a, sizeof(void *));            \
        error = real_##function(a, b, c, d, e, f, g, h); \
        if ((cudaError_t)error == cudaSuccess)           \
            *place = *(size_t *)a;                       \
        return error;                                    \
    }

GIVES(events, cudaEventCreate)
GIVES(events, cudaEventCreateWithFlags)
CALL(cudaEventQuery, event(a))
CALL(cudaEventRecord, event(a))
CALL(cudaEventSynchronize, event(a))
CALL(cudaEventElapsedTime, (writes(who, a, sizeof(float)), event(b), event(c)))
CALL(cudaEventDestroy, *event(a) = 0)

GIVES(streams, cudaStreamCreate)
GIVES(streams, cudaStreamCreateWithFlags)
GIVES(streams, cudaStreamCreateWithPriority)
CALL(cudaStreamQuery, stream_or_none(a))
CALL(cudaStreamSynchronize, stream_or_none(a))
CALL(cudaStreamWaitEvent, (stream_or_none(a), event(b)))
CALL(cudaStreamDestroy, *stream(a) = 0)
