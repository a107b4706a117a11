/*
 * What a module calls of the runtime. A call is named in calls.def, or here
 * where a structure or an address is of another size in the module. What the
 * device keeps of it is copied, for the module may change what it has.
 *
 * An address and a size of 32 bits each reach no further than 8 GB: nothing of
 * the device's lies there (module.c).
 */
#define _GNU_SOURCE
#include "calls.h"

#include "grade/runner/runner.h"
#include "lab.h"
#include "simt/device.h"
#include "simt/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* wasm2c names these, and so does clang. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* --- arguments ------------------------------------------------------------ */

#define CODE(a) ((const void *)(module_image + (a)))
#define NO(a)   ((void)(a), NULL) /* a stream: what there is is in order */

enum {
    MOST_TEXTS = 4096,
    MOST_TEXT = 500,
    MOST_EVENTS = 4096, /* a check of failing calls leaves some behind */
    LOW_BYTES = 64 * 1024
};

/* As nvcc does. */
static void on_host(const char *call)
{
    if (simt_self != NULL) {
        grade_runner_stop("A kernel calls %s(), which runs on the host alone.",
                          call);
    }
}

const char *module_kept_text(u32 address)
{
    static char *texts[MOST_TEXTS];
    static size_t count;
    static u32 last_address; /* each barrier names its file */
    static const char *last;
    const char *const text = P(address);
    size_t length, i = 0;

    if (address != 0 && address == last_address)
        return last;
    length = address == 0 ? 0 : strnlen(text, MOST_TEXT);
    while (i < count &&
           (strncmp(texts[i], text, length) != 0 || texts[i][length] != '\0'))
        i++;
    if (i == count) {
        if (address == 0 || count == MOST_TEXTS)
            return "";
        texts[count] = strndup(text, length);
        if (texts[count] == NULL)
            return "";
        count++;
    }
    if (address - module_constants.begin <
        module_constants.end - module_constants.begin) {
        last_address = address;
        last = texts[i];
    }
    return texts[i];
}

/* A text of the device's where the module can read it. */
static u32 lent_text(const char *text)
{
    static char *begin;
    static size_t used;
    const size_t size = strlen(text) + 1;
    char *at;

    if (begin == NULL) {
        begin = mmap(NULL, LOW_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | SIMT_MAP_LOW, -1, 0);
        if (begin == MAP_FAILED)
            abort();
    }
    if (size > LOW_BYTES - used)
        used = 0;
    at = memcpy(begin + used, text, size);
    used += size;
    return (u32)(uintptr_t)at;
}

/* Rows of a memory of that pitch; 0 if they would reach beyond what an address
   does. */
static size_t rows_of(u32 height, u32 pitch)
{
    return (u64)height * pitch <= UINT32_MAX ? height : 0;
}

/* Of so many bytes: one of few is one word of a column, perhaps. */
static size_t copied(u32 size)
{
    grade_column_copies += size <= 16;
    return size;
}

/* The same of a copy of rows of so many bytes. */
static size_t rows_copied(u32 height, u32 pitch, u32 width)
{
    grade_column_copies += width <= sizeof(float) && height > 1;
    return rows_of(height, pitch);
}

/* Events have numbers in the module, from 1. */
static cudaEvent_t events[MOST_EVENTS];

static cudaEvent_t event_of(u32 number)
{
    return number - 1 < MOST_EVENTS ? events[number - 1] : NULL;
}

static cudaEvent_t forget_event(u32 number)
{
    const cudaEvent_t event = event_of(number);

    if (event != NULL)
        events[number - 1] = NULL;
    return event;
}

/* Writes the members of a structure of the device's, from `from` on, as the
   module has them: i is an int, s a size or an address. */
static void lend(u32 to, const void *from, const char *members)
{
    const char *at = from;
    u32 *word = P(to);

    for (; *members != '\0'; members++) {
        if (*members == 's' && (uintptr_t)at % sizeof(size_t) != 0)
            at += sizeof(int);
        memcpy(word++, at, sizeof *word);
        at += *members == 's' ? sizeof(size_t) : sizeof(int);
    }
}

/* --- calls by the table --------------------------------------------------- */

#define CALL(result, name, parameters, arguments) \
    CALL_##result(name, parameters, arguments)
#define CALL_void(name, parameters, arguments) \
    void Z_envZ_##name parameters;             \
    void Z_envZ_##name parameters              \
    {                                          \
        (void)module;                          \
        name arguments;                        \
    }
#define CALL_u32(name, parameters, arguments) \
    u32 Z_envZ_##name parameters              \
    {                                         \
        (void)module;                         \
        return (u32)name arguments;           \
    }
#define HOST(result, name, parameters, arguments) \
    u32 Z_envZ_##name parameters                  \
    {                                             \
        (void)module;                             \
        on_host(#name);                           \
        return (u32)name arguments;               \
    }
#define CALL_u64(name, parameters, arguments) \
    u64 Z_envZ_##name parameters              \
    {                                         \
        (void)module;                         \
        return (u64)name arguments;           \
    }

#include "calls.def"

/* --- the runtime ---------------------------------------------------------- */

/* Gives what a call allocates to the module, if it did. */
static u32 give(cudaError_t error, u32 to, const void *memory)
{
    if (error == cudaSuccess)
        *(u32 *)P(to) = (u32)(uintptr_t)memory;
    return error;
}

#define ALLOCATE(name, parameters, ...)                      \
    u32 Z_envZ_##name parameters                             \
    {                                                        \
        void *memory = NULL;                                 \
        cudaError_t error;                                   \
                                                             \
        on_host(#name);                                      \
        error = name(to == 0 ? NULL : &memory, __VA_ARGS__); \
        (void)module;                                        \
        return give(error, to, memory);                      \
    }

ALLOCATE(cudaMalloc, (E, u32 to, u32 size), size)
ALLOCATE(cudaMallocAsync, (E, u32 to, u32 size, u32 stream), size, NO(stream))
ALLOCATE(cudaMallocManaged, (E, u32 to, u32 size, u32 flags), size, flags)
ALLOCATE(cudaMallocHost, (E, u32 to, u32 size), size)
ALLOCATE(cudaHostAlloc, (E, u32 to, u32 size, u32 flags), size, flags)
ALLOCATE(cudaHostGetDevicePointer, (E, u32 to, u32 host, u32 flags), P(host),
         flags)

u32 Z_envZ_cudaMallocPitch(E, u32 to, u32 pitch, u32 width, u32 height)
{
    void *memory = NULL;
    size_t bytes = 0;
    const cudaError_t error =
        cudaMallocPitch(&memory, &bytes, width, rows_of(height, width + 512));

    (void)module;
    on_host("cudaMallocPitch");
    if (error == cudaSuccess)
        *(u32 *)P(pitch) = (u32)bytes;
    return give(error, to, memory);
}

u32 Z_envZ_cudaDeviceGetLimit(E, u32 to, u32 limit)
{
    size_t value = 0;
    const cudaError_t error =
        cudaDeviceGetLimit(to == 0 ? NULL : &value, limit);

    (void)module;
    on_host("cudaDeviceGetLimit");
    return give(error, to, P(value));
}

u32 Z_envZ_cudaGetErrorName(E, u32 error)
{
    (void)module;
    return lent_text(cudaGetErrorName((cudaError_t)error));
}

u32 Z_envZ_cudaGetErrorString(E, u32 error)
{
    (void)module;
    return lent_text(cudaGetErrorString((cudaError_t)error));
}

u32 Z_envZ_cudaGetDeviceProperties(E, u32 to, u32 device)
{
    struct cudaDeviceProp p;
    const cudaError_t error =
        cudaGetDeviceProperties(to == 0 ? NULL : &p, (int)device);
    const size_t texts = offsetof(struct cudaDeviceProp, totalGlobalMem);

    (void)module;
    on_host("cudaGetDeviceProperties");
    if (error == cudaSuccess) {
        memcpy(P(to), &p, texts);
        lend(to + (u32)texts, &p.totalGlobalMem,
             "ssiisiiiiiiisiiiiiiiiiiiisiiiiiiiiiiiiiiiiisssiiiiiiiiiiiiisi");
    }
    return error;
}

u32 Z_envZ_cudaFuncGetAttributes(E, u32 to, u32 kernel)
{
    struct cudaFuncAttributes a;
    const cudaError_t error =
        cudaFuncGetAttributes(to == 0 ? NULL : &a, P(kernel));

    (void)module;
    on_host("cudaFuncGetAttributes");
    if (error == cudaSuccess)
        lend(to, &a, "sssiiiiii");
    return error;
}

u32 Z_envZ_cudaMemGetInfo(E, u32 free_bytes, u32 total_bytes)
{
    size_t available, all;
    const cudaError_t error = cudaMemGetInfo(&available, &all);

    (void)module;
    on_host("cudaMemGetInfo");
    if (error == cudaSuccess) {
        lend(free_bytes, &available, "s");
        lend(total_bytes, &all, "s");
    }
    return error;
}

u32 Z_envZ_cudaPointerGetAttributes(E, u32 to, u32 pointer)
{
    struct cudaPointerAttributes a;
    const cudaError_t error =
        cudaPointerGetAttributes(to == 0 ? NULL : &a, P(pointer));

    (void)module;
    on_host("cudaPointerGetAttributes");
    if (error == cudaSuccess)
        lend(to, &a, "iiss");
    return error;
}

/* A function of the module's, and what it is called with. */
struct shared_of {
    u32 function, data;
};

static size_t ask_shared(int threads, const void *data)
{
    const struct shared_of *const of = data;

    return module_shared_of(of->function, (u32)threads, of->data);
}

u32 Z_envZ_simt_best_block(E, u32 blocks, u32 threads, u32 kernel, u32 function,
                           u32 data, u32 limit)
{
    const struct shared_of of = {function, data};

    (void)module;
    on_host("simt_best_block");
    return simt_best_block(P(blocks), P(threads), P(kernel), ask_shared, &of,
                           (int)limit);
}

static u32 create_event(u32 to, unsigned flags)
{
    for (u32 i = 0; i < MOST_EVENTS; i++) {
        if (events[i] == NULL) {
            return give(cudaEventCreateWithFlags(&events[i], flags), to,
                        P(i + 1));
        }
    }
    return cudaErrorMemoryAllocation;
}

u32 Z_envZ_cudaEventCreate(E, u32 to)
{
    (void)module;
    on_host("cudaEventCreate");
    return create_event(to, cudaEventDefault);
}

u32 Z_envZ_cudaEventCreateWithFlags(E, u32 to, u32 flags)
{
    (void)module;
    on_host("cudaEventCreateWithFlags");
    return create_event(to, flags);
}

/* One stream is as another. */
u32 Z_envZ_cudaStreamCreate(E, u32 to)
{
    (void)module;
    on_host("cudaStreamCreate");
    return give(simt_sticky_error(), to, P(16));
}

u32 Z_envZ_cudaStreamCreateWithFlags(E, u32 to, u32 flags)
{
    (void)flags;
    return Z_envZ_cudaStreamCreate(module, to);
}

u32 Z_envZ_cudaStreamCreateWithPriority(E, u32 to, u32 flags, u32 priority)
{
    (void)priority;
    return Z_envZ_cudaStreamCreateWithFlags(module, to, flags);
}

u32 Z_envZ_cudaStreamDestroy(E, u32 stream)
{
    (void)module;
    return stream == 16 ? simt_sticky_error() : cudaErrorInvalidResourceHandle;
}

/* The symbol at an address. */
static struct simt_symbol symbol_at(u32 address)
{
    const u32 *const symbol = P(address);

    return (struct simt_symbol){P(symbol[0]), symbol[1]};
}

u32 Z_envZ_simt_symbol_write(E, u32 symbol, u32 from, u32 size, u32 offset,
                             u32 kind)
{
    const struct simt_symbol s = symbol_at(symbol);

    (void)module;
    on_host("simt_symbol_write");
    return simt_symbol_write(&s, P(from), size, offset, kind);
}

u32 Z_envZ_simt_symbol_read(E, u32 to, u32 symbol, u32 size, u32 offset,
                            u32 kind)
{
    const struct simt_symbol s = symbol_at(symbol);

    (void)module;
    on_host("simt_symbol_read");
    return simt_symbol_read(P(to), &s, size, offset, kind);
}

u32 Z_envZ_simt_symbol_address(E, u32 to, u32 symbol)
{
    const struct simt_symbol s = symbol_at(symbol);
    void *address = NULL;

    const cudaError_t error = simt_symbol_address(&address, &s);

    (void)module;
    on_host("simt_symbol_address");
    return give(error, to, address);
}

u32 Z_envZ_simt_symbol_bytes(E, u32 to, u32 symbol)
{
    const struct simt_symbol s = symbol_at(symbol);
    size_t size = 0;

    const cudaError_t error = simt_symbol_bytes(&size, &s);

    (void)module;
    on_host("simt_symbol_bytes");
    return give(error, to, P(size));
}

/* --- what the module's C library asks for --------------------------------- */

u32 Z_envZ_module_print(E, u32 file, u32 from, u32 size)
{
    (void)module;
    if (file != STDOUT_FILENO && file != STDERR_FILENO)
        return 1;
    if (fwrite(P(from), 1, size, file == STDOUT_FILENO ? stdout : stderr) <
        size)
        return 0; /* nobody reads it */
    return 0;
}

/* Where a CUDA call was let fail, that is what its check may do. */
void Z_envZ_module_exit(E, u32 code)
{
    enum {
        ABORTED = 134
    };

    (void)module;
    if (code != 0 && simt_failed_call() != NULL)
        lab_exit((int)code, "lab.cu", 0);
    if (code == ABORTED) {
        grade_runner_stop("It calls abort(), as an assertion and the standard "
                          "library do, instead of returning.");
    }
    grade_runner_stop("It ends the program with code %d instead of returning.",
                      (int)code);
}

void Z_envZ_module_look_at_free(E, u32 memory)
{
    const char *const why = simt_not_for_free(P(memory));

    (void)module;
    if (why != NULL)
        grade_runner_stop("free(): %s.", why);
}
