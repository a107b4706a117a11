/*
 * cudaMemcpy and its like. Each is done when the call returns. A wrong pointer
 * is an error with a message, where a GPU's driver might end the program.
 */
#define _GNU_SOURCE
#include "base/language.h"
#include "device.h"

#include <stdio.h>
#include <string.h>

/* Rows of `width` bytes, `pitch` bytes apart; a plain range is one row. */
struct side {
    const char *name; /* "destination" */
    const char *at;
    size_t pitch;
    int is_device; /* as the direction says */
};

/* Bytes from the first to behind the last that is touched. */
static size_t extent(const struct side *side, size_t width, size_t height)
{
    return side->pitch * (height - 1) + width;
}

static int is_device(const void *pointer)
{
    return simt_memory_holds(pointer) ||
           simt_variable_kind(pointer) != SIMT_NO_VARIABLE;
}

/* Says what is wrong with one side of a copy. Returns 0 if nothing is. */
static int check_side(const char *call, const struct side *side, size_t size)
{
    const struct simt_allocation *a = simt_memory_find(side->at);
    const char *wrong = NULL, *file;
    char has[160] = "";
    int line;

    if (side->is_device && !is_device(side->at)) {
        wrong = N_("is host memory where the direction says device");
    } else if (a != NULL && a->freed) {
        wrong = N_("is device memory that was freed");
    } else if (!side->is_device && is_device(side->at) &&
               (a == NULL || a->kind == SIMT_DEVICE_MEMORY)) {
        wrong = N_("is device memory where the direction says host");
    } else if (is_device(side->at) && !simt_memory_valid(side->at, size) &&
               !simt_variable_holds(side->at, size)) {
        wrong = N_("is a device array with fewer bytes than are to be copied");
    }
    if (wrong == NULL)
        return 0;
    if (a != NULL && !a->freed && a->size < size) {
        const int taken = simt_host_calls_malloc_line(a->base);

        if (taken > 0) {
            snprintf(has, sizeof has,
                     N_("%s: it has %zu (cudaMalloc in line %d)"), wrong,
                     a->size, taken);
        } else {
            snprintf(has, sizeof has, N_("%s: it has %zu"), wrong, a->size);
        }
    }
    simt_caller_line(&file, &line);
    simt_say(file, line, N_("%s of %zu bytes: the %s pointer %s"), call, size,
             side->name, has[0] != '\0' ? has : wrong);
    return -1;
}

/* Which sides are the device's. Returns 0, or -1 if there is no such kind. */
static int read_direction(enum cudaMemcpyKind kind, struct side *to,
                          struct side *from)
{
    switch (kind) {
    case cudaMemcpyHostToHost:
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToHost:
    case cudaMemcpyDeviceToDevice:
        to->is_device =
            kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        from->is_device =
            kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        return 0;
    case cudaMemcpyDefault:
        to->is_device = is_device(to->at);
        from->is_device = is_device(from->at);
        return 0;
    default:
        return -1;
    }
}

/* In make run: host code reads what neither a kernel nor a call has written.
   Told once of an array. */
static void warn_of_unwritten(const char *call, const char *from, size_t size)
{
    const struct simt_allocation *a = simt_memory_find(from);
    const char *file;
    int line;

    if (!simt_record_in_step || !simt_memory_is_unwritten(from, size))
        return;
    simt_caller_line(&file, &line);
    simt_say(file, line,
             "warning: %s of %zu bytes to the host: no kernel, copy or "
             "cudaMemset has written any of them",
             call, size);
    simt_memory_written(a->base, a->size);
}

static cudaError_t copy_rows(const char *call, void *to, size_t to_pitch,
                             const void *from, size_t from_pitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind)
{
    struct side destination = {N_("destination"), to, to_pitch, 0};
    struct side source = {N_("source"), from, from_pitch, 0};

    if (read_direction(kind, &destination, &source) != 0)
        return simt_set_error(cudaErrorInvalidMemcpyDirection);
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && (width > to_pitch || width > from_pitch))
        return simt_set_error(cudaErrorInvalidPitchValue);
    if (to == NULL || from == NULL ||
        check_side(call, &destination, extent(&destination, width, height)) !=
            0 ||
        check_side(call, &source, extent(&source, width, height)) != 0)
        return simt_set_error(cudaErrorInvalidValue);
    simt_memory_open();
    simt_fault_catch();
    if (!is_device(to) && simt_memory_holds(from))
        warn_of_unwritten(call, from, extent(&source, width, height));
    for (size_t row = 0; row < height; row++) {
        char *row_to = (char *)to + row * to_pitch;

        memmove(row_to, source.at + row * from_pitch, width);
        if (is_device(to))
            simt_memory_written(row_to, width);
    }
    simt_memory_close();
    simt_host_calls_add_memory(SIMT_CALL_COPY, call, to, from, width * height);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size,
                       enum cudaMemcpyKind kind)
{
    SIMT_ENTER("cudaMemcpy");
    return copy_rows("cudaMemcpy", to, size, from, size, size, 1, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct simt_step step = {
        .to = to, .from = from, .size = size, .kind = kind};

    SIMT_ENTER("cudaMemcpyAsync");
    if (simt_capture != NULL && from != NULL && simt_capture(stream, &step))
        return cudaSuccess;
    return copy_rows("cudaMemcpyAsync", to, size, from, size, size, 1, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    SIMT_ENTER("cudaMemcpy2D");
    return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width,
                     height, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    SIMT_ENTER("cudaMemcpy2DAsync");
    return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width,
                     height, kind);
}

static cudaError_t set(const char *call, void *to, size_t pitch, int value,
                       size_t width, size_t height)
{
    const struct side destination = {N_("destination"), to, pitch, 1};

    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && width > pitch)
        return simt_set_error(cudaErrorInvalidPitchValue);
    if (check_side(call, &destination, extent(&destination, width, height)) !=
        0)
        return simt_set_error(cudaErrorInvalidValue);
    simt_memory_open();
    simt_fault_catch();
    for (size_t row = 0; row < height; row++) {
        memset((char *)to + row * pitch, value, width);
        simt_memory_written((char *)to + row * pitch, width);
    }
    simt_memory_close();
    simt_host_calls_add_memory(SIMT_CALL_SET, call, to, NULL, width * height);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int value, size_t size)
{
    SIMT_ENTER("cudaMemset");
    return set("cudaMemset", to, size, value, size, 1);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t size,
                            cudaStream_t stream)
{
    const struct simt_step step = {.to = to, .size = size, .value = value};

    SIMT_ENTER("cudaMemsetAsync");
    if (simt_capture != NULL && simt_capture(stream, &step))
        return cudaSuccess;
    return set("cudaMemsetAsync", to, size, value, size, 1);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width,
                         size_t height)
{
    SIMT_ENTER("cudaMemset2D");
    return set("cudaMemset2D", to, pitch, value, width, height);
}

/* --- symbols -------------------------------------------------------------- */

/* Says what is wrong with a symbol or the part of it that is asked for. */
static cudaError_t check_symbol(const char *call, const struct simt_symbol *s,
                                size_t size, size_t offset)
{
    if (simt_variable_kind(s->at) == SIMT_NO_VARIABLE) {
        fprintf(stderr,
                "%s: the symbol is no __device__ or __constant__ variable of "
                "a .cu file: pass the variable itself, not its address or its "
                "name in quotes\n",
                call);
        return simt_set_error(cudaErrorInvalidSymbol);
    }
    if (offset > s->size || size > s->size - offset) {
        fprintf(stderr,
                "%s of %zu bytes at offset %zu: the variable has %zu bytes\n",
                call, size, offset, s->size);
        return simt_set_error(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t simt_symbol_write(const struct simt_symbol *s, const void *from,
                              size_t size, size_t offset,
                              enum cudaMemcpyKind kind)
{
    cudaError_t error;

    SIMT_ENTER("cudaMemcpyToSymbol");
    error = check_symbol("cudaMemcpyToSymbol", s, size, offset);
    if (error != cudaSuccess)
        return error;
    if (!simt_variable_writable(s->at)) {
        fprintf(stderr, "cudaMemcpyToSymbol: the variable is const\n");
        return simt_set_error(cudaErrorInvalidSymbol);
    }
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
        return simt_set_error(cudaErrorInvalidMemcpyDirection);
    return copy_rows("cudaMemcpyToSymbol", (char *)(uintptr_t)s->at + offset,
                     size, from, size, size, 1, kind);
}

cudaError_t simt_symbol_read(void *to, const struct simt_symbol *s, size_t size,
                             size_t offset, enum cudaMemcpyKind kind)
{
    cudaError_t error;

    SIMT_ENTER("cudaMemcpyFromSymbol");
    error = check_symbol("cudaMemcpyFromSymbol", s, size, offset);
    if (error != cudaSuccess)
        return error;
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
        return simt_set_error(cudaErrorInvalidMemcpyDirection);
    return copy_rows("cudaMemcpyFromSymbol", to, size,
                     (const char *)s->at + offset, size, size, 1, kind);
}

cudaError_t simt_symbol_address(void **address, const struct simt_symbol *s)
{
    cudaError_t error;

    SIMT_ENTER("cudaGetSymbolAddress");
    error = check_symbol("cudaGetSymbolAddress", s, 0, 0);
    if (error == cudaSuccess)
        *address = (void *)(uintptr_t)s->at;
    return error;
}

cudaError_t simt_symbol_bytes(size_t *size, const struct simt_symbol *s)
{
    cudaError_t error;

    SIMT_ENTER("cudaGetSymbolSize");
    error = check_symbol("cudaGetSymbolSize", s, 0, 0);
    if (error == cudaSuccess)
        *size = s->size;
    return error;
}
