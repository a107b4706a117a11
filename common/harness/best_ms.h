/*
 * best_ms.h: how long does a GPU take for something, at best? For nvcc alone.
 */
#ifndef LAB_BEST_MS_H
#define LAB_BEST_MS_H

#include <cuda_runtime.h>

enum {
    LAB_BEST_OF = 20 /* runs: the first ones raise the clock */
};

/*
 * The least of several times in ms, each between two events around a call of
 * launch(run), where run counts from 0; behind another such call on the GPU, if
 * that is asked for. Returns 0 if a CUDA call failed.
 */
template <class Launch> double lab_best_ms(int is_behind_another, Launch launch)
{
    cudaEvent_t start = NULL, stop = NULL;
    double best = 0.0;
    int ok = cudaEventCreate(&start) == cudaSuccess &&
             cudaEventCreate(&stop) == cudaSuccess;

    for (int run = 0; ok && run < LAB_BEST_OF; run++) {
        float ms = 0.0f;

        if (is_behind_another)
            launch(run);
        cudaEventRecord(start, 0);
        launch(run);
        cudaEventRecord(stop, 0);
        ok = cudaEventSynchronize(stop) == cudaSuccess &&
             cudaEventElapsedTime(&ms, start, stop) == cudaSuccess &&
             cudaGetLastError() == cudaSuccess;
        if (ms > 0.0f && (best <= 0.0 || ms < best))
            best = ms;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return ok ? best : 0.0;
}

#endif /* LAB_BEST_MS_H */
