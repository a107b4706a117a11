#include "run.h"

#include "guard.h"

#include <stdio.h>

int lab_run_call(const struct course_entry *entry, const struct lab_buffers *b,
                 struct lab_outcome *outcome)
{
    const struct lab_matmul p = lab_buffers_product(b, entry->kind);
    struct lab_failure failure;
    cudaError_t error;

    if (lab_guard_entry(entry, &p, &failure) != 0) {
        snprintf(outcome->wrong, sizeof outcome->wrong, "%s", failure.text);
        return 1;
    }
    error = cudaGetLastError();
    if (error != cudaSuccess) {
        snprintf(outcome->wrong, sizeof outcome->wrong,
                 "A CUDA call or a launch failed and nobody asked: %s: %s. "
                 "Which one? LAB_CHECK around each call tells.",
                 cudaGetErrorName(error), cudaGetErrorString(error));
        return 1;
    }
    error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        snprintf(outcome->wrong, sizeof outcome->wrong,
                 "The launch was accepted, but the kernel did not come to its "
                 "end: %s: %s.",
                 cudaGetErrorName(error), cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
