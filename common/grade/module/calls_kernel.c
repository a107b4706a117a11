/* What a module's kernels call: launches, warps, memory and the recorder. */
#include "calls.h"

#include "grade/runner/runner.h"
#include "simt/device.h"
#include "simt/recorder.h"

#include <string.h>

/* wasm2c names these, and so does clang. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* --- the recorder --------------------------------------------------------- */

/* The next access is that one, unless it is a local variable. */
static inline void tell_of(u32 address, u32 size)
{
    if (simt_self != NULL && address - module_own.begin < SIMT_STACK)
        return;
    module_own.told = address;
    module_own.told_size = size;
}

/* The thread may give way while it is recorded. */
#define RECORDED(kind, bytes)                        \
    void __tsan_##kind##bytes(const void *address);  \
    void Z_envZ___tsan_##kind##bytes(E, u32 address) \
    {                                                \
        (void)module;                                \
        __tsan_##kind##bytes(P(address));            \
        tell_of(address, bytes);                     \
    }
RECORDED(read, 1)
RECORDED(read, 2)
RECORDED(read, 4)
RECORDED(read, 8)
RECORDED(read, 16)
RECORDED(write, 1)
RECORDED(write, 2)
RECORDED(write, 4)
RECORDED(write, 8)
RECORDED(write, 16)

enum {
    MOST_ARGUMENTS = 256
};

/* --- kernels -------------------------------------------------------------- */

/* A structure of simt_kernel.h as the module has it. */
struct launch {
    u32 kernel, function, file;
    int line;
    struct dim3 grid, block;
    u32 dynamic_shared, pointers, objects, pointer_count, run_thread, closure,
        closure_size;
    int can_wait;
};

struct object {
    u32 at, size;
    int is_int, is_pointer;
};

struct warp_call {
    u32 operation, name, file;
    int line;
    u32 mask;
    u64 value;
    u32 source;
};

static u32 thread_function;

static void run_thread(void *closure)
{
    module_call(thread_function, (u32)(uintptr_t)closure);
}

void Z_envZ_simt_launch_kernel(E, u32 address)
{
    const struct launch l = *(const struct launch *)P(address);
    const u32 *const pointers = P(l.pointers);
    const struct object *const objects = P(l.objects);
    const void *pointer[MOST_ARGUMENTS];
    struct simt_object object[MOST_ARGUMENTS];
    const struct simt_launch launch = {
        .kernel = T(l.kernel),
        .function = P(l.function),
        .file = T(l.file),
        .line = l.line,
        .grid = l.grid,
        .block = l.block,
        .dynamic_shared = l.dynamic_shared,
        .pointers = pointer,
        .objects = object,
        .pointer_count = l.pointer_count,
        .run_thread = run_thread,
        .closure = P(l.closure),
        .closure_size = l.closure_size,
    };

    (void)module;
    if (l.pointer_count > MOST_ARGUMENTS ||
        !module_is_on_stack(l.closure, l.closure_size))
        wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE);
    for (u32 i = 0; i < l.pointer_count; i++) {
        const struct object o = objects[i];

        pointer[i] = P(pointers[i]);
        object[i] =
            (struct simt_object){P(o.at), o.size, o.is_int, o.is_pointer};
    }
    if (simt_self == NULL) /* a kernel's own launches are refused */
        thread_function = l.run_thread;
    simt_launch_kernel(&launch);
}

/* What an operation with matrices changes, as large as it may be: a copy, which
   nobody else reaches while other lanes are waited for. */
union matrices {
    struct simt_fragments fragments;
    struct simt_matrices any;
};

/* How many bytes of it the operation has; ends the thread if there is no such
   operation, or none of that size. */
static size_t take_matrices(const struct warp_call *c, union matrices *own)
{
    const struct simt_matrices *const m = &own->any;

    if (c->operation > SIMT_WARP_MATRICES)
        wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE);
    if (c->operation < SIMT_WARP_MMA_TF32)
        return 0;
    if (c->operation != SIMT_WARP_MATRICES) {
        memcpy(&own->fragments, P((u32)c->value), sizeof own->fragments);
        return sizeof own->fragments;
    }
    memcpy(&own->any, P((u32)c->value), sizeof own->any);
    if (m->m < 1 || m->n < 1 || m->k < 1 || m->m > 32 || m->n > 32 ||
        m->k > 16 || m->m * m->n > 256 ||
        (m->flops != 0 && m->flops != 2 * m->m * m->n * m->k))
        wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE);
    return sizeof own->any;
}

u64 Z_envZ_simt_warp(E, u32 address)
{
    const struct warp_call c = *(const struct warp_call *)P(address);
    union matrices own;
    const size_t bytes = take_matrices(&c, &own);
    const struct simt_warp_call call = {
        .operation = c.operation,
        .name = T(c.name),
        .file = T(c.file),
        .line = c.line,
        .mask = c.mask,
        .value = bytes > 0 ? (uintptr_t)&own : c.value,
        .source = c.source,
    };
    const u64 result = simt_warp(&call);

    (void)module;
    memcpy(P((u32)c.value), &own, bytes);
    return result;
}

u32 Z_envZ_simt_dynamic_shared(E)
{
    (void)module;
    return (u32)(uintptr_t)simt_dynamic_shared();
}

u32 Z_envZ_simt_shared_pointer(E, u32 number)
{
    (void)module;
    return (u32)(uintptr_t)simt_shared_pointer(number);
}

/* What tables/wasm.c puts before a division, and where code ends. */
u32 Z_envZ_simt_divisor32(E, u32 divisor)
{
    (void)module;
    return divisor;
}

u64 Z_envZ_simt_divisor64(E, u64 divisor)
{
    (void)module;
    return divisor;
}

void Z_envZ_simt_unreachable(E)
{
    (void)module;
}
