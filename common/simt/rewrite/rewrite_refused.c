/*
 * What of CUDA the CPU device does not have. Each is refused by name, where it
 * stands: a program that does not compile is better than one that is wrong.
 */
#define _GNU_SOURCE
#include "functions.h"
#include "rewriter.h"

#include "base/words.h"

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
    {"cudaMipmappedArray_t", 0, "textures of several sizes (mipmaps) are not"},
    {"texCubemap", 0, "cubemaps are not"},
    {"cudaLaunchKernelEx", 0,
     "clusters and launch attributes (cudaLaunchKernelEx) are not"},
    {"__cluster_dims__", 0, "clusters of blocks are not"},
    {"this_cluster", 0, "clusters of blocks are not"},
    {"cudaGraphCreate", 0,
     "graphs whose nodes are added one by one are not: captured ones are"},
    {"cudaStreamBeginCaptureToGraph", 0, "capturing into a graph is not"},
    {"cudaGraphExecUpdate", 0, "changing a graph (cudaGraphExecUpdate) is not"},
    {"curandCreateGenerator", 0, "cuRAND's generators of the host are not"},
    {"curandStateMRG32k3a", 0, "cuRAND's MRG32k3a is not"},
    {"curandStateMRG32k3a_t", 0, "cuRAND's MRG32k3a is not"},
    {"curandStateMtgp32_t", 0, "cuRAND's MTGP32 is not"},
    {"curandStateSobol32_t", 0, "cuRAND's Sobol sequences are not"},
    {"curand_poisson", 0, "cuRAND's Poisson distribution is not"},
    {"cudaDeviceGetP2PAttribute", 0, "a second device is not"},
    {"cudaAccessPolicyWindow", 0, "a window of the L2 cache is not"},
    {"cudaStreamAttrValue", 0, "a window of the L2 cache is not"},
    {"cuModuleLoad", 0, "kernels of a module (cuModuleLoad) are not"},
    {"cuModuleLoadData", 0, "kernels of a module (cuModuleLoadData) are not"},
    {"cuModuleLoadDataEx", 0,
     "kernels of a module (cuModuleLoadDataEx) are not"},
    {"cuLibraryLoadData", 0, "kernels of a module (cuLibraryLoadData) are not"},
    {"cuLaunchKernel", 0, "kernels of a module (cuLaunchKernel) are not"},
    {"cuMemAddressReserve", 0,
     "memory by addresses (cuMemAddressReserve) is not"},
};

/* What CUDA 13 has no more, and what it has instead. A '.' before a word: it is
   a member of cudaDeviceProp. Behind others stands a parenthesis, but for
   texture<...> and surface<...>. */
static const struct {
    char before;
    const char *word, *instead;
} dropped[] = {
    {0, "texture", "cudaTextureObject_t, and give it to the kernel"},
    {0, "surface", "cudaSurfaceObject_t, and give it to the kernel"},
    {0, "cudaBindTexture", "cudaCreateTextureObject(...)"},
    {0, "cudaBindTexture2D", "cudaCreateTextureObject(...)"},
    {0, "cudaBindTextureToArray", "cudaCreateTextureObject(...)"},
    {'.', "clockRate",
     "cudaDeviceGetAttribute(&kHz, cudaDevAttrClockRate, device)"},
    {'.', "memoryClockRate",
     "cudaDeviceGetAttribute(&kHz, cudaDevAttrMemoryClockRate, device)"},
    {'.', "deviceOverlap", "asyncEngineCount > 0"},
    {'.', "computeMode",
     "cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device)"},
    {'.', "kernelExecTimeoutEnabled",
     "cudaDeviceGetAttribute(&on, cudaDevAttrKernelExecTimeout, device)"},
    {0, "cudaThreadSynchronize", "cudaDeviceSynchronize()"},
    {0, "cudaThreadExit", "cudaDeviceReset()"},
    {0, "cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig(config)"},
    {0, "__shfl", "__shfl_sync(0xffffffff, value, lane)"},
    {0, "__shfl_up", "__shfl_up_sync(0xffffffff, value, delta)"},
    {0, "__shfl_down", "__shfl_down_sync(0xffffffff, value, delta)"},
    {0, "__shfl_xor", "__shfl_xor_sync(0xffffffff, value, mask)"},
    {0, "__ballot", "__ballot_sync(0xffffffff, predicate)"},
    {0, "__any", "__any_sync(0xffffffff, predicate)"},
    {0, "__all", "__all_sync(0xffffffff, predicate)"},
};

/* Headers of NVIDIA's that are not here; the beginning of a name is enough.
   NULL: it is here. */
static const struct {
    const char *begin, *what;
} headers[] = {
    {"cub/cub.cuh", NULL},
    {"cub/block/block_reduce", NULL},
    {"cub/block/block_scan", NULL},
    {"cub/warp/warp_reduce", NULL},
    {"cub/device/device_reduce", NULL},
    {"cub/device/device_scan", NULL},
    {"cub/device/device_radix_sort", NULL},
    {"cub/device/device_select", NULL},
    {"cub/", "this part of CUB is not"},
    {"cuda/barrier", "cuda::barrier is not"},
    {"cuda/pipeline", "cuda::pipeline is not"},
    {"cuda/annotated_ptr", "cuda::annotated_ptr is not"},
    {"cublasXt", "cuBLASXt is not"},
    {"cufft", "cuFFT is not"},
    {"curand.h", NULL},
    {"curand_kernel.h", NULL},
    {"curand_normal.h", NULL},
    {"curand_uniform.h", NULL},
    {"curand", "this part of cuRAND is not"},
    {"cusparse", "cuSPARSE is not"},
    {"cusolver", "cuSOLVER is not"},
    {"cudnn", "cuDNN is not"},
    {"nvToolsExtCuda", "NVTX for streams and devices is not"},
    {"nvrtc", "compiling while the program runs is not"},
    {"helper_cuda.h", NULL},
    {"helper_functions.h", NULL},
    {"helper_string.h", NULL},
    {"helper_timer.h", NULL},
    {"helper_",
     "with INCLUDES=their/folder make run finds NVIDIA's other helpers, which "
     "are not"},
};

/* "inline PTX does not run" + " on the CPU device" */
static int refuse_construct(struct rewriter *r, size_t i, const char *what)
{
    char message[200];

    snprintf(message, sizeof message, "%s on the CPU device", what);
    return simt_refuse(r, i, message);
}

/* "cudaThreadSynchronize is not in CUDA 13: write ..." */
static int check_dropped(struct rewriter *r, size_t i)
{
    const size_t before = simt_before(r, i);
    const int is_member =
        simt_mark(r, before) == '.' || simt_ends(r, before, '-', '>');
    char message[200];

    for (size_t j = 0; j < sizeof dropped / sizeof dropped[0]; j++) {
        if (!simt_is(r, i, dropped[j].word) ||
            is_member != (dropped[j].before == '.') ||
            (!is_member &&
             simt_mark(r, simt_skip(r, i + 1)) !=
                 (simt_is(r, i, "texture") || simt_is(r, i, "surface") ? '<'
                                                                       : '(')))
            continue;
        /* A program may have a function of that name. */
        if (simt_functions_find(r->functions, r, i) != NULL)
            return 0;
        snprintf(message, sizeof message, "%s is not in CUDA 13: write %s",
                 dropped[j].word, dropped[j].instead);
        return simt_refuse(r, i, message);
    }
    return 0;
}

int simt_check_word(struct rewriter *r, size_t i)
{
    const struct simt_body *body;

    if (check_dropped(r, i) != 0)
        return -1;
    for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
        if (!simt_is(r, i, words[j].word) ||
            (words[j].next != 0 &&
             simt_mark(r, simt_skip(r, i + 1)) != words[j].next))
            continue;
        /* The host has assembly of its own. */
        body = simt_body_of(r->functions, i);
        if (strstr(words[j].word, "asm") != NULL && body != NULL &&
            body->runs == SIMT_ON_HOST)
            return 0;
        if (strstr(words[j].word, "asm") != NULL && simt_rewrite_ptx(r, i))
            return 0;
        return refuse_construct(r, i, words[j].what);
    }
    return 0;
}

/* What stands behind the < or " of the #include at i, up to *end. */
static const char *header_at(const struct rewriter *r, size_t i,
                             const char **end)
{
    const char *at = r->tokens.text + r->tokens.token[i].begin;

    *end = r->tokens.text + r->tokens.token[i].end;
    while (at < *end && *at != '<' && *at != '"')
        at++;
    return at + 1;
}

int simt_has_printf(const struct rewriter *r, size_t i)
{
    static const char without[] =
        " lab.h cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h "
        "cuda_pipeline.h cuda_pipeline_primitives.h cuda_fp16.h cuda_bf16.h "
        "mma.h math.h stdlib.h string.h stdint.h stdbool.h stddef.h time.h "
        "assert.h limits.h float.h cmath cstdlib cstring cstdint cstddef cfloat "
        "climits cassert ";
    const char *end, *const at = header_at(r, i, &end);
    char name[64];

    snprintf(name, sizeof name, "%.*s",
             at < end ? (int)strcspn(at, ">\"\n") : 0, at);
    return base_find_word(name, without) < 0;
}

int simt_check_include(struct rewriter *r, size_t i)
{
    const char *end, *const at = header_at(r, i, &end);

    for (size_t j = 0; j < sizeof headers / sizeof headers[0]; j++) {
        const size_t size = strlen(headers[j].begin);

        if (at < end && (size_t)(end - at) > size &&
            memcmp(at, headers[j].begin, size) == 0 && r->conditions == 0) {
            return headers[j].what ? refuse_construct(r, i, headers[j].what)
                                   : 0;
        }
    }
    return 0;
}
