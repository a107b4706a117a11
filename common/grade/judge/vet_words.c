#include "grade/judge/vet.h"

#include <string.h>

/* What CUDA C has of such words and the CPU device knows (simt/include), and of
   C++ what a lab may want. */
static const char words[] =
    " __COUNTER__ __CUDACC__ __CUDA_ARCH__ __FILE__ __LINE__ __STDC__ "
    "__activemask __align__ __all_sync __any_sync __ballot_sync __brev "
    "__brevll __byte_perm __clz __clzll __constant__ __cosf __cplusplus "
    "__dadd_rn __ddiv_rn __device__ __dmul_rn __double2float_rn "
    "__double2hiint __double2int __double2ll __double2loint "
    "__double2uint __double2ull __double_as_longlong __drcp_rn "
    "__dsqrt_rn __dsub_rn __exp10f __expf __fadd_rn __fdiv_rn __fdividef "
    "__ffs __ffsll __float2int __float2ll __float2uint __float2ull "
    "__float_as_int __float_as_uint __fma_rn __fmaf_rn __fmul_rn "
    "__forceinline__ __frcp_rn __frsqrt_rn __fsqrt_rn __fsub_rn __func__ "
    "__funnelshift_l __funnelshift_r __global__ __grid_constant__ __hadd "
    "__hiloint2double __host__ __inline__ __int128 __int2double_rn "
    "__int2float_rn __int_as_float __launch_bounds__ __ldca __ldcg "
    "__ldcs __ldcv __ldg __ldlu __ll2double_rn __ll2float_rn __log10f "
    "__log2f __logf __longlong_as_double __managed__ __match_all_sync "
    "__match_any_sync __mul24 __mul64hi __mulhi __nanosleep __noinline "
    "__noinline__ __pipeline_commit __pipeline_memcpy_async "
    "__pipeline_wait_prior __popc __popcll __powf __reduce_add_sync "
    "__reduce_and_sync __reduce_max_sync __reduce_min_sync "
    "__reduce_or_sync __reduce_xor_sync __restrict __restrict__ __rhadd "
    "__sad __saturatef __shared__ __shfl_down_sync __shfl_sync "
    "__shfl_up_sync __shfl_xor_sync __sincosf __sinf __stcg __stcs "
    "__stwb __stwt __syncthreads __syncthreads_and __syncthreads_count "
    "__syncthreads_or __syncwarp __tanf __threadfence "
    "__threadfence_block __threadfence_system __trap __uhadd "
    "__uint2double_rn __uint2float_rn __uint_as_float __ull2double_rn "
    "__ull2float_rn __umul24 __umul64hi __umulhi __urhadd __usad "
    "__volatile__ ";

int grade_vet_has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);

    if (length == 0 || strchr(word, ' ') != NULL)
        return 0;
    for (const char *at = strstr(list, word); at != NULL;
         at = strstr(at + 1, word)) {
        if (at[-1] == ' ' && at[length] == ' ')
            return 1;
    }
    return 0;
}

int grade_vet_is_cuda(const char *word)
{
    return grade_vet_has_word(words, word);
}
