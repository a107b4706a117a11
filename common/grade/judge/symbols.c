/* Which functions of a library may a lab call? See vet.h. */
#include "grade/judge/vet.h"

#include <string.h>

/* What the compiler's own additions call, and what the course's headers do. */
static const char *const free_symbols[] = {
    "lab_check", "lab_exit", "lab_strides", "grade_watch", "grade_watch_rdi",
    "grade_watch_kind", "_GLOBAL_OFFSET_TABLE_",
    /* the device: simt_kernel.h */
    "simt_launch_kernel", "threadIdx", "blockIdx", "blockDim", "gridDim",
    "simt_lane", "simt_barrier", "simt_barrier_count", "simt_dynamic_shared",
    "simt_nanoseconds", "simt_warp", "simt_atomic", "simt_atomic_cas",
    "simt_fence", "simt_copy_fetches", "simt_copy_async", "simt_copy_commit",
    "simt_copy_wait", "simt_assert_failed", "simt_trap",
    /* the runtime API, where it writes to no address that it is given */
    "cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorName",
    "cudaGetErrorString", "cudaSetDevice", "cudaSetDeviceFlags",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig",
    "cudaDeviceSetCacheConfig",
    /* mathematics */
    "acosf", "acos", "asinf", "asin", "atanf", "atan", "atan2f", "atan2",
    "cbrtf", "cbrt", "ceilf", "ceil", "cosf", "cos", "coshf", "cosh", "erff",
    "erf", "expf", "exp", "exp2f", "exp2", "expm1f", "expm1", "fabsf", "fabs",
    "floorf", "floor", "fmaf", "fma", "fmaxf", "fmax", "fminf", "fmin", "fmodf",
    "fmod", "hypotf", "hypot", "ldexpf", "ldexp", "logf", "log", "log10f",
    "log10", "log1pf", "log1p", "log2f", "log2", "lrintf", "lrint",
    "nearbyintf", "nearbyint", "powf", "pow", "remainderf", "remainder",
    "rintf", "rint", "roundf", "round", "sinf", "sin", "sinhf", "sinh", "sqrtf",
    "sqrt", "tanf", "tan", "tanhf", "tanh", "truncf", "trunc",
    /* what reads alone */
    "abs", "labs", "clock", "rand", "srand", "__libc_single_threaded", "atof",
    "strerror", "__errno_location", "isalpha", "isdigit", "toupper", "tolower",
    "stdout", "stderr", "__stack_chk_fail"};

enum {
    FREE = sizeof free_symbols / sizeof *free_symbols
};

/* The calls that -fsanitize=thread, -fsanitize-coverage, -mindirect-branch and
   -mfunction-return make: words that no lab's source may hold (vet.c). */
static int is_of_compiler(const char *name)
{
    return strncmp(name, "__tsan_", 7) == 0 ||
           strcmp(name, "__sanitizer_cov_trace_pc") == 0 ||
           strcmp(name, "__x86_return_thunk") == 0 ||
           strncmp(name, "__x86_indirect_thunk_r", 22) == 0;
}

/* With this begins the runner's own form of a function that writes memory or
   would leave the lab (runner_calls.c); no source may hold such a name. */
#define GRADE_GUARDED "grade_call_"

int grade_symbol_is_free(const char *name)
{
    for (size_t i = 0; i < FREE; i++) {
        if (strcmp(free_symbols[i], name) == 0)
            return 1;
    }
    return is_of_compiler(name) ||
           strncmp(name, GRADE_GUARDED, strlen(GRADE_GUARDED)) == 0;
}
