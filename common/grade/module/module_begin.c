/*
 * The first object of a module: what lies where in its memory, and its layout.
 * Compiled for WebAssembly, as the lab is, and not recorded.
 */
#include "layout.h"

#include <stddef.h>

#define PART(name) __attribute__((section(name), used))

struct index {
    unsigned x, y, z;
};

/* The linker lays parts out in the order in which it meets them. */
/* Constants lie before, on pages of their own. */
_Alignas(4096) char module_variables[16] PART(".data") = "1";
char module_indices[16] PART("simt_indices") = "";
_Thread_local struct index threadIdx PART("simt_indices"), blockIdx
    PART("simt_indices");
struct index blockDim PART("simt_indices"), gridDim PART("simt_indices");
char module_data[16] PART("simt_data_start") = "";
/* So there is always some shared memory. */
char module_shared[16] PART("simt_shared") = "";

const void *simt_site;
const int lab_strides[] = {1, 2, 3, 4, 5, 8, 16, 32, 33}; /* lab.h */

extern const int lab_prediction[] __attribute__((weak));
/* A struct lab_matmul. */
static uint32_t module_product[6];

#define EDGES(name)                                           \
    extern const char __start_##name[] __attribute__((weak)), \
        __stop_##name[] __attribute__((weak))
#define RANGE(name)                                        \
    {                                                      \
        (uint32_t) __start_##name, (uint32_t)__stop_##name \
    }

EDGES(simt_shared);
EDGES(simt_symbols);
EDGES(simt_lines);
EDGES(simt_blocks);
EDGES(simt_shapes);
EDGES(simt_parameters);
EDGES(simt_constants);
EDGES(simt_device);
EDGES(simt_device_const);
EDGES(simt_device_inline);
EDGES(simt_device_const_inline);
EDGES(simt_constant);
EDGES(simt_constant_const);
EDGES(simt_constant_inline);
EDGES(simt_constant_const_inline);

/* Writes the layout to the module's own memory, and returns where. */
const struct module_layout *module_tell_layout(void)
{
    static struct module_layout layout;

    layout = (struct module_layout){
        .data = (uint32_t)module_data,
        .site = (uint32_t)&simt_site,
        .indices = (uint32_t)module_indices,
        .thread_index = (uint32_t)&threadIdx,
        .block_index = (uint32_t)&blockIdx,
        .block_size = (uint32_t)&blockDim,
        .grid_size = (uint32_t)&gridDim,
        .prediction = (uint32_t)lab_prediction,
        .product = (uint32_t)module_product,
        .shared = RANGE(simt_shared),
        .symbols = RANGE(simt_symbols),
        .lines = RANGE(simt_lines),
        .blocks = RANGE(simt_blocks),
        .shapes = RANGE(simt_shapes),
        .parameters = RANGE(simt_parameters),
        .stores = RANGE(simt_constants),
        .variable = {RANGE(simt_device), RANGE(simt_device_const),
                     RANGE(simt_device_inline), RANGE(simt_device_const_inline),
                     RANGE(simt_constant), RANGE(simt_constant_const),
                     RANGE(simt_constant_inline),
                     RANGE(simt_constant_const_inline)},
    };
    return &layout;
}

void __wasm_call_ctors(void);

/* Variables that are made by code, before the lab is called. */
void module_construct(void)
{
    __wasm_call_ctors();
}

/* Calls a function of the lab's by its number. */
void module_call(void (*function)(void *), void *closure)
{
    function(closure);
}

/* How much shared memory a function of the lab's says such a block needs. */
size_t module_shared_of(size_t (*shared_of)(int, const void *), int threads,
                        const void *data)
{
    return shared_of(threads, data);
}

/* --- what the C library asks of its system (WASI) ------------------------- */

/* In the place of the C library's own calls of it, all of which lie in one
   object: what more is asked for makes no program. */

/* Of all files a lab has the two that it may print to. */
int module_print(int file, const void *from, unsigned size);
void module_exit(int code) __attribute__((noreturn));
long long simt_nanoseconds(void);

enum {
    NO_FILE = 8,  /* __WASI_ERRNO_BADF */
    TERMINAL = 2, /* __WASI_FILETYPE_CHARACTER_DEVICE */
    ABORTED = 134 /* what a shell says of abort() */
};

struct vector {
    const void *from;
    size_t size;
};

int __wasi_fd_write(int file, const struct vector *vector, size_t count,
                    size_t *written)
{
    size_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (module_print(file, vector[i].from, vector[i].size) != 0)
            return NO_FILE;
        sum += vector[i].size;
    }
    *written = sum;
    return 0;
}

/* The first member is the kind of file. */
int __wasi_fd_fdstat_get(int file, unsigned char *to)
{
    if (file < 0 || file > 2)
        return NO_FILE;
    *to = TERMINAL;
    return 0;
}

int __wasi_clock_time_get(int clock, long long precision, long long *to)
{
    (void)clock;
    (void)precision;
    *to = simt_nanoseconds();
    return 0;
}

void __wasi_proc_exit(int code)
{
    module_exit(code);
}

/* C++ asks for the beginning of a thread's errno. */
void module_begin_errno(void) __asm__("_ZTH5errno");
void module_begin_errno(void)
{
}

void abort(void);
void abort(void)
{
    module_exit(ABORTED);
}

/* free(), as a lab calls it (simt/include/cuda_runtime.h). */
void free(void *memory);
void module_look_at_free(const void *memory);
void simt_host_free(void *memory);
void simt_host_free(void *memory)
{
    module_look_at_free(memory);
    free(memory);
}

int __wasi_fd_close(int file)
{
    (void)file;
    return NO_FILE;
}

int __wasi_fd_seek(int file, long long to, int from, long long *at)
{
    (void)file;
    (void)to;
    (void)from;
    (void)at;
    return NO_FILE;
}

int __wasi_fd_read(int file, const struct vector *vector, size_t count,
                   size_t *bytes)
{
    (void)file;
    (void)vector;
    (void)count;
    (void)bytes;
    return NO_FILE;
}

/* A box has no environment. */
char *getenv(const char *name);
char *getenv(const char *name)
{
    (void)name;
    return 0;
}

/* --- copies --------------------------------------------------------------- */

/* In the place of the C library's, whose loads are of eight bytes wherever they
   lie. Nobody tells of these: each word that a kernel copies is recorded. */

enum {
    WORD = sizeof(unsigned)
};

static int are_words(const void *to, const void *from, size_t size)
{
    return ((size_t)to | (size_t)from | size) % WORD == 0;
}

void *memmove(void *to, const void *from, size_t size)
{
    const int words = are_words(to, from, size);
    const size_t step = words ? WORD : 1;
    const int down = (size_t)to - (size_t)from < size;

    for (size_t i = 0; i < size; i += step) {
        const size_t at = down ? size - step - i : i;

        if (words) {
            *(unsigned *)((char *)to + at) =
                *(const unsigned *)((const char *)from + at);
        } else {
            ((char *)to)[at] = ((const char *)from)[at];
        }
    }
    return to;
}

void *memcpy(void *to, const void *from, size_t size)
{
    return memmove(to, from, size);
}

void *memset(void *to, int value, size_t size)
{
    const unsigned word = 0x01010101u * (unsigned char)value;
    const int words = are_words(to, to, size);

    for (size_t i = 0; i < size; i += words ? WORD : 1) {
        if (words) {
            *(unsigned *)((char *)to + i) = word;
        } else {
            ((unsigned char *)to)[i] = (unsigned char)value;
        }
    }
    return to;
}
