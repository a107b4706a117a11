/*
 * The library's functions as the student's code finds them (symbols.h): those
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

/* A name for a function that does for another one too: arguments behind those
   that it looks at do no harm (System V ABI, section 3.2.3). */
#define SAME_AS(function) __attribute__((alias("grade_call_" #function)))

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

void *grade_call__Znam(size_t size) SAME_AS(_Znwm);
void grade_call__ZdlPv(void *memory) SAME_AS(free);
void grade_call__ZdaPv(void *memory) SAME_AS(free);
void grade_call__ZdlPvm(void *memory) SAME_AS(free);
void grade_call__ZdaPvm(void *memory) SAME_AS(free);

/* --- the end, and what is printed ----------------------------------------- */

/* Where a CUDA call was let fail, that is what its check may do. */
void grade_call_exit(int code)
{
    if (code != 0 && lab_device_failed_call() != NULL) {
        lab_check(cudaErrorUnknown, "an exit() that may follow LastError",
                  "lab.cu", 0);
    }
    grade_runner_stop("It calls exit(%d) instead of returning.", code);
}

void grade_call_abort(void)
{
    if (lab_device_failed_call() != NULL)
        grade_call_exit(1);
    grade_runner_stop("It calls abort() instead of returning.");
}

/* The standard library's exceptions, which a lab is compiled without. */

void grade_call__ZSt20__throw_length_errorPKc(const char *where)
{
    grade_runner_stop("%.100s: a container is to hold more than it can.",
                      where);
}

void grade_call__ZSt19__throw_logic_errorPKc(const char *where)
{
    grade_runner_stop("The standard library found a mistake: %.200s", where);
}

void grade_call__ZSt20__throw_out_of_rangePKc(const char *where)
    SAME_AS(_ZSt19__throw_logic_errorPKc);
void grade_call__ZSt24__throw_invalid_argumentPKc(const char *where)
    SAME_AS(_ZSt19__throw_logic_errorPKc);

void grade_call__ZSt25__throw_bad_function_callv(void)
{
    grade_runner_stop("It calls a std::function that holds none.");
}

void grade_call___cxa_pure_virtual(void)
{
    grade_runner_stop("It calls a virtual function that is none.");
}

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

void grade_call__ZSt17__throw_bad_allocv(void)
{
    grade_runner_no_memory("A container", 0);
}

void grade_call__ZSt28__throw_bad_array_new_lengthv(void)
    SAME_AS(_ZSt17__throw_bad_allocv);

void grade_call__ZSt24__throw_out_of_range_fmtPKcz(const char *where, ...)
{
    grade_runner_stop("%.100s: at() of what is not there.", where);
}

/* Nobody reads what a lab prints, and a format can write: %n. Arguments do no
   harm to a function that takes none (System V ABI, section 3.2.3). */

int grade_call_printf(void)
{
    return 0;
}

int grade_call_fprintf(void) SAME_AS(printf);
int grade_call_puts(void) SAME_AS(printf);
int grade_call_putchar(void) SAME_AS(printf);
int grade_call_fputs(void) SAME_AS(printf);
int grade_call_fputc(void) SAME_AS(printf);
int grade_call_putc(void) SAME_AS(printf);
int grade_call_fflush(void) SAME_AS(printf);
int grade_call_perror(void) SAME_AS(printf);
/* std::make_shared asks for the type of what it made. */
int grade_call__ZNSt19_Sp_make_shared_tag5_S_eqERKSt9type_info(void)
    SAME_AS(printf);

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
        c += 1 + strspn(c + 1, "-+ #0123456789.*hlLqjzt'");
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

char *grade_call_strcpy(char *to, const char *from)
{
    const size_t size = strlen(from) + 1;

    grade_guard_write("strcpy", to, size);
    return memcpy(to, from, size);
}

char *grade_call_strncpy(char *to, const char *from, size_t size)
{
    grade_guard_write("strncpy", to, size);
    return strncpy(to, from, size);
}

char *grade_call_strcat(char *to, const char *from)
{
    grade_call_strcpy(to + strlen(to), from);
    return to;
}

/* Clocks. */

long grade_call__ZNSt6chrono3_V212steady_clock3nowEv(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

long grade_call__ZNSt6chrono3_V212system_clock3nowEv(void)
    SAME_AS(_ZNSt6chrono3_V212steady_clock3nowEv);

static void check_pointer(const char *who, const void *to, size_t size)
{
    if (to != NULL) /* which the functions answer with an error */
        grade_guard_write(who, to, size);
}

time_t grade_call_time(time_t *to)
{
    check_pointer("time", to, sizeof *to);
    return time(to);
}

int grade_call_clock_gettime(clockid_t clock, struct timespec *to)
{
    check_pointer("clock_gettime", to, sizeof *to);
    return clock_gettime(clock, to);
}

int grade_call_gettimeofday(struct timeval *to, void *zone)
{
    (void)zone;
    check_pointer("gettimeofday", to, sizeof *to);
    return gettimeofday(to, NULL);
}

/* What g++ makes of a sine and a cosine of one angle. */

void grade_call_sincosf(float angle, float *sine, float *cosine)
{
    grade_guard_write("sincosf", sine, sizeof *sine);
    grade_guard_write("sincosf", cosine, sizeof *cosine);
    *sine = sinf(angle);
    *cosine = cosf(angle);
}

void grade_call_sincos(double angle, double *sine, double *cosine)
{
    grade_guard_write("sincos", sine, sizeof *sine);
    grade_guard_write("sincos", cosine, sizeof *cosine);
    *sine = sin(angle);
    *cosine = cos(angle);
}

/* --- the runtime API ------------------------------------------------------ */

/* An event or a stream is a piece of memory that its handle points to: a handle
   that the lab was not given is none. */

enum {
    HANDLES = 256
};
static void *events[HANDLES], *streams[HANDLES];

/* The handle's place in its list; of NULL a free one. */
static void **place_of(void **list, const void *handle)
{
    for (int i = 0; i < HANDLES; i++) {
        if (list[i] == handle)
            return &list[i];
    }
    if (handle == NULL) {
        grade_runner_stop("It holds more than %d %s at a time.", HANDLES,
                          list == events ? "events" : "streams");
    }
    grade_runner_stop(
        list == events ? "An event is used that cudaEventCreate did not give."
                       : "A stream is used that cudaStreamCreate did not "
                         "give.");
}

static void **known(void **list, const void *handle)
{
    return place_of(list, handle != NULL ? handle : "");
}

static void check_stream(cudaStream_t stream)
{
    if (stream != NULL)
        known(streams, stream);
}

/* A function that is called after a look at its arguments. */
#define LOOKS(look, function, parameters, arguments) \
    cudaError_t grade_call_##function parameters     \
    {                                                \
        look;                                        \
        return function arguments;                   \
    }

/* One that writes to one or two addresses what it finds. */
#define TO(who, to) check_pointer(who, to, sizeof *(to))
#define WRITES_TO(function, parameters, arguments, to) \
    LOOKS(TO(#function, to), function, parameters, arguments)
#define WRITES_BOTH(function, parameters, arguments, one, two)            \
    LOOKS((TO(#function, one), TO(#function, two)), function, parameters, \
          arguments)

/* One that gives a handle. */
#define GIVES(list, function, parameters, arguments)    \
    cudaError_t grade_call_##function parameters        \
    {                                                   \
        void **const place = place_of(list, NULL);      \
        cudaError_t error;                              \
                                                        \
        check_pointer(#function, made, sizeof(void *)); \
        error = function arguments;                     \
        if (error == cudaSuccess)                       \
            *place = *made;                             \
        return error;                                   \
    }

WRITES_TO(cudaRuntimeGetVersion, (int *version), (version), version)
WRITES_TO(cudaDriverGetVersion, (int *version), (version), version)
WRITES_TO(cudaGetDevice, (int *device), (device), device)
WRITES_TO(cudaGetDeviceCount, (int *count), (count), count)
WRITES_TO(cudaGetDeviceProperties, (struct cudaDeviceProp * to, int device),
          (to, device), to)
WRITES_TO(cudaDeviceGetAttribute,
          (int *value, enum cudaDeviceAttr attribute, int device),
          (value, attribute, device), value)
WRITES_TO(cudaHostGetDevicePointer, (void **to, void *host, unsigned flags),
          (to, host, flags), to)
WRITES_TO(cudaPointerGetAttributes,
          (struct cudaPointerAttributes * to, const void *of), (to, of), to)
WRITES_TO(cudaFuncGetAttributes,
          (struct cudaFuncAttributes * to, const void *kernel), (to, kernel),
          to)
WRITES_TO(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
          (int *blocks, const void *kernel, int threads, size_t shared),
          (blocks, kernel, threads, shared), blocks)
WRITES_TO(simt_symbol_address, (void **to, const struct simt_symbol *symbol),
          (to, symbol), to)
WRITES_TO(simt_symbol_bytes, (size_t * size, const struct simt_symbol *symbol),
          (size, symbol), size)
WRITES_TO(cudaMalloc, (void **to, size_t size), (to, size), to)
WRITES_TO(cudaMallocAsync, (void **to, size_t size, cudaStream_t stream),
          (to, size, stream), to)
WRITES_TO(cudaMallocHost, (void **to, size_t size), (to, size), to)
WRITES_TO(cudaHostAlloc, (void **to, size_t size, unsigned flags),
          (to, size, flags), to)
WRITES_TO(cudaMallocManaged, (void **to, size_t size, unsigned flags),
          (to, size, flags), to)
WRITES_BOTH(cudaMallocPitch,
            (void **to, size_t *pitch, size_t width, size_t height),
            (to, pitch, width, height), to, pitch)
WRITES_BOTH(cudaMemGetInfo, (size_t * unused, size_t *total), (unused, total),
            unused, total)
WRITES_BOTH(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest),
            (least, greatest), least, greatest)
WRITES_BOTH(simt_best_block,
            (int *blocks, int *threads, const void *kernel,
             size_t (*shared_of)(int, const void *), const void *data,
             int limit),
            (blocks, threads, kernel, shared_of, data, limit), blocks, threads)

LOOKS(check_pointer("cudaMemcpyFromSymbol", to, size), simt_symbol_read,
      (void *to, const struct simt_symbol *symbol, size_t size, size_t offset,
       enum cudaMemcpyKind kind),
      (to, symbol, size, offset, kind))
LOOKS(check_pointer("cudaMemcpy", to, size), cudaMemcpy,
      (void *to, const void *from, size_t size, enum cudaMemcpyKind kind),
      (to, from, size, kind))
LOOKS(check_pointer("cudaMemcpyAsync", to, size), cudaMemcpyAsync,
      (void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
       cudaStream_t stream),
      (to, from, size, kind, stream))

static void check_rows(const char *who, void *to, size_t pitch, size_t width,
                       size_t height)
{
    for (size_t i = 0; i < height; i++)
        check_pointer(who, (char *)to + i * pitch, width);
}

LOOKS(check_rows("cudaMemcpy2D", to, to_pitch, width, height), cudaMemcpy2D,
      (void *to, size_t to_pitch, const void *from, size_t from_pitch,
       size_t width, size_t height, enum cudaMemcpyKind kind),
      (to, to_pitch, from, from_pitch, width, height, kind))
LOOKS(check_rows("cudaMemcpy2DAsync", to, to_pitch, width, height),
      cudaMemcpy2DAsync,
      (void *to, size_t to_pitch, const void *from, size_t from_pitch,
       size_t width, size_t height, enum cudaMemcpyKind kind,
       cudaStream_t stream),
      (to, to_pitch, from, from_pitch, width, height, kind, stream))
LOOKS(check_rows("cudaMemset2D", to, pitch, width, height), cudaMemset2D,
      (void *to, size_t pitch, int value, size_t width, size_t height),
      (to, pitch, value, width, height))

GIVES(events, cudaEventCreate, (cudaEvent_t * made), (made))
GIVES(events, cudaEventCreateWithFlags, (cudaEvent_t * made, unsigned flags),
      (made, flags))
LOOKS(known(events, event), cudaEventQuery, (cudaEvent_t event), (event))
LOOKS(known(events, event), cudaEventRecord,
      (cudaEvent_t event, cudaStream_t stream), (event, stream))
LOOKS(known(events, event), cudaEventSynchronize, (cudaEvent_t event), (event))
LOOKS((TO("cudaEventElapsedTime", ms), known(events, from), known(events, to)),
      cudaEventElapsedTime, (float *ms, cudaEvent_t from, cudaEvent_t to),
      (ms, from, to))
LOOKS(*known(events, event) = NULL, cudaEventDestroy, (cudaEvent_t event),
      (event))

GIVES(streams, cudaStreamCreate, (cudaStream_t * made), (made))
GIVES(streams, cudaStreamCreateWithFlags, (cudaStream_t * made, unsigned flags),
      (made, flags))
GIVES(streams, cudaStreamCreateWithPriority,
      (cudaStream_t * made, unsigned flags, int priority),
      (made, flags, priority))
LOOKS(check_stream(stream), cudaStreamQuery, (cudaStream_t stream), (stream))
LOOKS(check_stream(stream), cudaStreamSynchronize, (cudaStream_t stream),
      (stream))
LOOKS((check_stream(stream), known(events, event)), cudaStreamWaitEvent,
      (cudaStream_t stream, cudaEvent_t event, unsigned flags),
      (stream, event, flags))
LOOKS(*known(streams, stream) = NULL, cudaStreamDestroy, (cudaStream_t stream),
      (stream))
