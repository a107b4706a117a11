#define _GNU_SOURCE
#include "buffers.h"

#include "device_kind.h"
#include "inputs.h"
#include "precision.h"

#include "base/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Of mmap() for what a lab is to reach: grade/module/outside.h. */
#ifdef SIMT_MAP_LOW
#define LAB_MAP_LOW SIMT_MAP_LOW
#else
#define LAB_MAP_LOW 0
#endif

/* Both are multiples of every page size that Linux has. An index that did not
   fit in a short leads 128 KiB back. */
enum {
    PAGES = 1 << 16, /* bytes */
    GUARD = 1 << 20
};

static size_t host_bytes(size_t count)
{
    const size_t bytes = (count + LAB_RED_ZONE) * sizeof(float);

    return (bytes + PAGES - 1) / PAGES * PAGES;
}

/* In front of the matrix and behind its red zone nobody may read or write: who
   goes on and on faults, and does not spoil what belongs to others. */
static float *take_host(size_t count)
{
    const size_t bytes = host_bytes(count);
    char *found = mmap(NULL, bytes + 2 * GUARD, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | LAB_MAP_LOW, -1, 0);

    if (found == MAP_FAILED)
        return NULL;
    if (mprotect(found + GUARD, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(found, bytes + 2 * GUARD);
        return NULL;
    }
    return (void *)(found + GUARD);
}

static void free_host(float *host, size_t count)
{
    if (host != NULL)
        munmap((char *)host - GUARD, host_bytes(count) + 2 * GUARD);
}

size_t lab_buffers_margin(const struct lab_buffers *b, int matrix)
{
    return host_bytes(b->count[matrix]) / sizeof(float) - b->count[matrix];
}

/* What stands in the red zones: behind A and B a NaN that is not that of an
   element which was never stored; behind C a number, since who reads a NaN past
   the end of A stores it as it is. A bfloat16 holds them too. */
static const uint32_t margin_bits[LAB_MATRICES] = {0x7fd20000, 0x7fd20000,
                                                   0xfe7e0000};

static int cuda_failed(const struct lab_buffers *b, const char *call,
                       int matrix, cudaError_t error, char *why, size_t size)
{
    snprintf(why, size, _("%s of %s: %s: %s"), call, b->layout.name[matrix],
             cudaGetErrorName(error), cudaGetErrorString(error));
    return -1;
}

/* Matrix i in host memory, as it is stored on the device. */
static void *as_stored(const struct lab_buffers *b, int i)
{
    return b->packed[i] != NULL ? b->packed[i] : (void *)b->host[i];
}

/* Between the host's floats, count of them, and what the device gets. Of ints
   the red zone and what nobody wrote stay as their bits are. */
static void pack(const struct lab_buffers *b, int i, const float *from,
                 size_t count)
{
    int *const to = b->packed[i];

    if (to != NULL && !b->layout.is_int[i])
        lab_bf16_pack(b->packed[i], from, count);
    for (size_t at = 0; to != NULL && at < count && b->layout.is_int[i]; at++) {
        memcpy(&to[at], &from[at], sizeof to[at]);
        if (at < b->count[i] && !lab_is_poison(from[at]))
            to[at] = (int)from[at];
    }
}

static void unpack(const struct lab_buffers *b, int i, float *to, size_t count)
{
    const int *const from = b->packed[i];

    if (from != NULL && !b->layout.is_int[i])
        lab_bf16_unpack(to, b->packed[i], count);
    for (size_t at = 0; from != NULL && at < count && b->layout.is_int[i];
         at++) {
        memcpy(&to[at], &from[at], sizeof to[at]);
        if (at < b->count[i] && !lab_is_poison(to[at]))
            to[at] = (float)from[at];
    }
}

/* Copies count elements of matrix i to the device, or from there or from
   another place on it. */
static cudaError_t send(const struct lab_buffers *b, int i, size_t count)
{
    return cudaMemcpy(b->device[i], as_stored(b, i),
                      count * lab_precision_bytes(b->precision),
                      cudaMemcpyHostToDevice);
}

static cudaError_t receive(const struct lab_buffers *b, int i,
                           const void *device, size_t count)
{
    return cudaMemcpy(as_stored(b, i), device,
                      count * lab_precision_bytes(b->precision),
                      cudaMemcpyDeviceToHost);
}

static int has(const struct lab_buffers *b, int i)
{
    return b->layout.name[i][0] != '\0';
}

static int take_device(struct lab_buffers *b, char *why, size_t size)
{
    b->device_red_zone = lab_device_red_zone();
    for (int i = 0; i < LAB_MATRICES; i++) {
        void *memory = NULL;
        cudaError_t error;

        if (!has(b, i))
            continue;
        error = cudaMalloc(&memory, (b->count[i] + b->device_red_zone) *
                                        lab_precision_bytes(b->precision));

        if (error != cudaSuccess)
            return cuda_failed(b, "cudaMalloc", i, error, why, size);
        b->device[i] = memory;
        lab_device_name_array(memory, b->layout.name[i]);
    }
    return 0;
}

static int is_packed(const struct lab_buffers *b, int i)
{
    return b->precision == LAB_BF16 || b->layout.is_int[i];
}

int lab_buffers_new(struct lab_buffers *b, struct course_shape shape,
                    const struct lab_layout *layout, uint64_t seed,
                    int on_device, enum lab_precision precision, char *why,
                    size_t size)
{
    const size_t m = (size_t)shape.m, n = (size_t)shape.n, k = (size_t)shape.k;
    const struct lab_layout product = {.name = {"A", "B", "C"},
                                       .count = {m * k, k * n, m * n}};

    *b = (struct lab_buffers){.shape = shape,
                              .precision = precision,
                              .layout = layout != NULL ? *layout : product};
    memcpy(b->count, b->layout.count, sizeof b->count);
    for (int i = 0; i < LAB_MATRICES; i++) {
        b->host[i] = take_host(b->count[i]);
        if (i < LAB_C)
            b->filled[i] = malloc((b->count[i] + 1) * sizeof(float));
        if (is_packed(b, i)) {
            b->packed[i] = malloc((b->count[i] + LAB_RED_ZONE) *
                                  lab_precision_bytes(precision));
        }
        if (b->host[i] == NULL || (i < LAB_C && b->filled[i] == NULL) ||
            (is_packed(b, i) && b->packed[i] == NULL)) {
            snprintf(why, size,
                     _("%d x %d x %d: out of memory (choose a smaller size)"),
                     shape.m, shape.n, shape.k);
            lab_buffers_free(b);
            return -1;
        }
    }
    lab_fill(b->filled[LAB_A], b->count[LAB_A], seed);
    lab_fill(b->filled[LAB_B], b->count[LAB_B], ~seed);
    for (int i = 0; precision == LAB_BF16 && i < LAB_C; i++) {
        lab_bf16_pack(b->packed[i], b->filled[i], b->count[i]);
        lab_bf16_unpack(b->filled[i], b->packed[i], b->count[i]);
    }
    if (on_device && take_device(b, why, size) != 0) {
        lab_buffers_free(b);
        return -1;
    }
    return 0;
}

void lab_buffers_free(struct lab_buffers *b)
{
    for (int i = 0; i < LAB_MATRICES; i++) {
        free_host(b->host[i], b->count[i]);
        free(b->packed[i]);
        if (i < LAB_C)
            free(b->filled[i]);
        if (b->device[i] != NULL)
            cudaFree(b->device[i]);
    }
    *b = (struct lab_buffers){0};
}

int lab_buffers_reset(struct lab_buffers *b, enum course_kind kind, char *why,
                      size_t size)
{
    for (int i = 0; i < LAB_MATRICES; i++) {
        const size_t count = b->count[i] + b->device_red_zone;
        const size_t margin =
            kind == COURSE_HOST ? lab_buffers_margin(b, i) : b->device_red_zone;
        cudaError_t error;

        lab_poison(b->host[i], b->count[i]);
        for (size_t at = 0; at < margin; at++) {
            memcpy(&b->host[i][b->count[i] + at], &margin_bits[i],
                   sizeof margin_bits[i]);
        }
        if (i < LAB_C)
            memcpy(b->host[i], b->filled[i], b->count[i] * sizeof(float));
        if (kind == COURSE_HOST || !has(b, i))
            continue;
        pack(b, i, b->host[i], count);
        error = send(b, i, count);
        if (error != cudaSuccess)
            return cuda_failed(b, "cudaMemcpy", i, error, why, size);
    }
    if (kind != COURSE_HOST)
        lab_device_unwritten(b->device[LAB_C]);
    return 0;
}

struct lab_matmul lab_buffers_product(const struct lab_buffers *b,
                                      enum course_kind kind)
{
    const int on_host = kind == COURSE_HOST;

    return (struct lab_matmul){
        on_host ? b->host[LAB_A] : b->device[LAB_A],
        on_host ? b->host[LAB_B] : b->device[LAB_B],
        on_host ? b->host[LAB_C] : b->device[LAB_C],
        b->shape.m,
        b->shape.n,
        b->shape.k,
    };
}

int lab_buffers_fetch(struct lab_buffers *b, char *why, size_t size)
{
    for (int i = 0; i < LAB_MATRICES; i++) {
        const size_t count = b->count[i] + b->device_red_zone;
        const cudaError_t error =
            has(b, i) ? receive(b, i, b->device[i], count) : cudaSuccess;

        if (error != cudaSuccess)
            return cuda_failed(b, "cudaMemcpy", i, error, why, size);
        unpack(b, i, b->host[i], count);
    }
    return 0;
}

int lab_buffers_fetch_other(struct lab_buffers *b, const void *C, char *why,
                            size_t size)
{
    const cudaError_t error = receive(b, LAB_C, C, b->count[LAB_C]);

    if (error != cudaSuccess)
        return cuda_failed(b, "cudaMemcpy", LAB_C, error, why, size);
    unpack(b, LAB_C, b->host[LAB_C], b->count[LAB_C]);
    return 0;
}

/* A number's bits: they compare even if it has become a NaN. */
static uint32_t bits(float x)
{
    uint32_t value;

    memcpy(&value, &x, sizeof value);
    return value;
}

int lab_buffers_intact(const struct lab_buffers *b, enum course_kind kind,
                       char *what, size_t size)
{
    for (int i = 0; i < LAB_MATRICES; i++) {
        const char *const name = b->layout.name[i];
        const size_t red_zone =
            kind == COURSE_HOST ? lab_buffers_margin(b, i) : b->device_red_zone;

        for (size_t at = 0; at < red_zone; at++) {
            if (bits(b->host[i][b->count[i] + at]) == margin_bits[i])
                continue;
            snprintf(
                what, size,
                _("It stores past the end of %s: to %s[%zu], and %s[%zu] is "
                  "the last element. %s"),
                name, name, b->count[i] + at, name, b->count[i] - 1,
                kind == COURSE_HOST
                    ? _("Check the index, and how many elements are stored.")
                    : _("Check the index, and which threads may store."));
            return 0;
        }
    }
    for (int i = 0; i < LAB_C; i++) {
        for (size_t at = 0; at < b->count[i]; at++) {
            if (bits(b->host[i][at]) == bits(b->filled[i][at]))
                continue;
            snprintf(
                what, size,
                _("It changes %s, which is an input: %s[%zu] was %g and is "
                  "%g now."),
                b->layout.name[i], b->layout.name[i], at,
                (double)b->filled[i][at], (double)b->host[i][at]);
            return 0;
        }
    }
    return 1;
}

int lab_buffers_copy(struct lab_buffers *b, char *why, size_t size)
{
    for (int i = 0; i < LAB_MATRICES; i++) {
        const cudaError_t error =
            !has(b, i)  ? cudaSuccess
            : i < LAB_C ? send(b, i, b->count[i])
                        : receive(b, i, b->device[i], b->count[i]);

        if (error != cudaSuccess)
            return cuda_failed(b, "cudaMemcpy", i, error, why, size);
    }
    return 0;
}
