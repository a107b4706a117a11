/* Which names of CUDA and which headers may a lab's source hold? See vet.h. */
#include "course/vet.h"

#include "base/words.h"

/* What CUDA C has of such words and the CPU device knows (simt/include), what
   compilers define, and of C++ what a lab may want. None of them is a macro
   that puts words together. */
static const char words[] =
    " __COUNTER__ __CUDACC__ __CUDA_ARCH__ __FILE__ __LINE__ __STDC__ "
    "__activemask __align__ __all_sync __any_sync __ballot_sync __brev "
    "__brevll __byte_perm __clz __clzll __constant__ __cosf __cplusplus "
    "__cvta_generic_to_shared "
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
    "__volatile__ __BASE_FILE__ __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ "
    "__DATE__ __FUNCTION__ __GNUC_MINOR__ __GNUC__ __NVCC__ "
    "__PRETTY_FUNCTION__ __TIMESTAMP__ __TIME__ __VA_ARGS__ __VA_OPT__ "
    "__VERSION__ __bfloat162float __builtin_assume __builtin_assume_aligned "
    "__builtin_expect __builtin_unreachable __clang__ __cluster_dims__ "
    "__const __extension__ __float2bfloat16 __float2half __float2half_rn "
    "__half __half2 __half22float2 __half2float __hadd2 __hfma __hfma2 "
    "__hmul __hmul2 __inline __isGlobal __isShared __linux__ __maxnreg__ "
    "__nv_bfloat16 __nv_bfloat162 __signed__ __syncwarp __typeof__ "
    "__volatile __x86_64__ ";

static const char headers[] =
    " lab.h cuda_runtime.h cuda_runtime_api.h cuda.h "
    "device_launch_parameters.h vector_types.h vector_functions.h "
    "device_functions.h math_constants.h math_functions.h "
    "cooperative_groups.h cooperative_groups/memcpy_async.h "
    "cooperative_groups/reduce.h cooperative_groups/scan.h "
    "cuda_pipeline.h cuda_pipeline_primitives.h cuda_fp16.h cuda_bf16.h "
    "cuda_awbarrier.h mma.h cuda/pipeline cuda/barrier cuda/atomic "
    "cublas_v2.h cuda_profiler_api.h nvtx3/nvToolsExt.h "
    /* C */
    "assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h "
    "limits.h locale.h math.h setjmp.h signal.h stdalign.h stdarg.h "
    "stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h "
    "stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h "
    "wctype.h sys/time.h sys/types.h unistd.h malloc.h memory.h strings.h "
    /* C++17, and later ones that say themselves that they are not there */
    "algorithm any array atomic bit bitset cassert ccomplex cctype cerrno "
    "cfenv cfloat charconv chrono cinttypes ciso646 climits clocale cmath "
    "codecvt compare complex concepts condition_variable csetjmp csignal "
    "cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring "
    "ctgmath ctime cuchar cwchar cwctype deque exception execution "
    "filesystem forward_list fstream functional future initializer_list "
    "iomanip ios iosfwd iostream istream iterator limits list locale map "
    "memory memory_resource mutex new numbers numeric optional ostream "
    "queue random ranges ratio regex scoped_allocator set shared_mutex "
    "source_location span sstream stack stdexcept streambuf string "
    "string_view strstream system_error thread tuple type_traits typeindex "
    "typeinfo unordered_map unordered_set utility valarray variant vector "
    "version ";

int course_vet_is_known(const char *word)
{
    return base_find_word(word, words) >= 0;
}

int course_vet_is_header(const char *path)
{
    return base_find_word(path, headers) >= 0;
}
