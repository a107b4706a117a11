/*
 * What of CUDA the CPU device does not have. Each is refused by name, where it
 * stands: a program that does not compile is better than one that is wrong.
 */
#define _GNU_SOURCE
#include "rewriter.h"

#include <stdio.h>
#include <string.h>

/* If `next` is not 0, the word only counts where this character follows. */
static const struct {
    const char *word;
    char next;
    const char *what;
} words[] = {
    {"asm", 0, "inline PTX does not run"},
    {"__asm__", 0, "inline PTX does not run"},
    {"__asm", 0, "inline PTX does not run"},
    {"wmma", ':', "tensor cores (wmma) are not"},
    {"texture", '<', "textures are not"},
    {"surface", '<', "surfaces are not"},
    {"cudaTextureObject_t", 0, "textures are not"},
    {"cudaSurfaceObject_t", 0, "surfaces are not"},
    {"cudaBindTexture", 0, "textures are not"},
    {"tex1D", 0, "textures are not"},
    {"tex1Dfetch", 0, "textures are not"},
    {"tex2D", 0, "textures are not"},
    {"tex3D", 0, "textures are not"},
    {"surf2Dread", 0, "surfaces are not"},
    {"surf2Dwrite", 0, "surfaces are not"},
    {"cudaArray_t", 0, "arrays of textures (cudaArray) are not"},
    {"cudaMallocArray", 0, "arrays of textures (cudaArray) are not"},
    {"cudaMalloc3DArray", 0, "arrays of textures (cudaArray) are not"},
    {"cudaMalloc3D", 0, "three-dimensional pitched memory is not"},
    {"cudaMemcpy3D", 0, "three-dimensional pitched memory is not"},
    {"cudaLaunchKernel", 0,
     "write kernel<<<grid, block>>>(...) instead: cudaLaunchKernel is not"},
    {"cudaLaunchKernelEx", 0,
     "clusters and launch attributes (cudaLaunchKernelEx) are not"},
    {"__cluster_dims__", 0, "clusters of blocks are not"},
    {"this_cluster", 0, "clusters of blocks are not"},
    {"cudaLaunchCooperativeKernel", 0, "barriers of a whole grid are not"},
    {"this_grid", 0, "barriers of a whole grid (grid_group) are not"},
    {"cudaGraph_t", 0, "graphs of calls are not"},
    {"cudaStreamBeginCapture", 0, "graphs of calls are not"},
    {"cudaHostRegister", 0,
     "take memory from cudaMallocHost: cudaHostRegister is not"},
    {"cudaStreamAddCallback", 0,
     "write cudaLaunchHostFunc instead: cudaStreamAddCallback is not"},
    {"cudaDeviceEnablePeerAccess", 0, "a second device is not"},
    {"cudaMemcpyPeer", 0, "a second device is not"},
    {"cudaMemPrefetchAsync", 0,
     "leave it out, for nothing is moved: cudaMemPrefetchAsync is not"},
    {"cudaMemAdvise", 0,
     "leave it out, for nothing is moved: cudaMemAdvise is not"},
    {"__half", 0, "half precision is not"},
    {"__half2", 0, "half precision is not"},
    {"__nv_bfloat16", 0, "bfloat16 is not"},
    {"cudaDeviceptr_t", 0, "the driver API is not"},
    {"CUdeviceptr", 0, "the driver API is not"},
    {"cuInit", 0, "the driver API (cu...) is not"},
};

/* Headers of NVIDIA's that are not here; the beginning of a name is enough. */
static const struct {
    const char *begin, *what;
} headers[] = {
    {"thrust/", "Thrust is not"},
    {"cub/", "CUB is not"},
    {"cuda/", "libcu++ is not"},
    {"cublas", "cuBLAS is not"},
    {"cufft", "cuFFT is not"},
    {"curand", "cuRAND is not"},
    {"cusparse", "cuSPARSE is not"},
    {"cusolver", "cuSOLVER is not"},
    {"cudnn", "cuDNN is not"},
    {"mma.h", "tensor cores (wmma) are not"},
    {"cuda_fp16.h", "half precision is not"},
    {"cuda_fp8.h", "8-bit floating point is not"},
    {"cuda_bf16.h", "bfloat16 is not"},
    {"cuda_texture_types.h", "textures are not"},
    {"nvrtc", "compiling while the program runs is not"},
    {"helper_cuda.h", "NVIDIA's helper for its samples is not"},
};

/* "inline PTX does not run" + " on the CPU device" */
static int refuse_construct(struct rewriter *r, size_t i, const char *what)
{
    char message[200];

    snprintf(message, sizeof message, "%s on the CPU device", what);
    if (r->conditions == 0)
        return simt_fail(r, i, message);
    /* Within #if only the compiler knows whether it counts: there it gets the
       message. */
    simt_catch_up(r, i);
    fprintf(r->output, "_Pragma(\"GCC error \\\"%s\\\"\") ", message);
    return 0;
}

int simt_check_word(struct rewriter *r, size_t i)
{
    for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
        if (simt_is(r, i, words[j].word) &&
            (words[j].next == 0 ||
             simt_mark(r, simt_skip(r, i + 1)) == words[j].next))
            return refuse_construct(r, i, words[j].what);
    }
    return 0;
}

int simt_check_include(struct rewriter *r, size_t i)
{
    const char *at = r->text + r->token[i].begin;
    const char *end = r->text + r->token[i].end;

    while (at < end && *at != '<' && *at != '"')
        at++;
    at++;
    for (size_t j = 0; j < sizeof headers / sizeof headers[0]; j++) {
        const size_t size = strlen(headers[j].begin);

        if (at < end && (size_t)(end - at) > size &&
            memcmp(at, headers[j].begin, size) == 0 && r->conditions == 0)
            return refuse_construct(r, i, headers[j].what);
    }
    return 0;
}
