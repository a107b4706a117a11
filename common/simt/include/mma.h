/*
 * mma.h: products of small matrices by a whole warp, nvcuda::wmma of the CUDA
 * C++ Programming Guide, "Warp Matrix Functions". Which lane has which element
 * of a fragment is not specified; here lane l has elements l, l + 32, ... row
 * by row, and those of a matrix_a or matrix_b that is stored by columns column
 * by column.
 */
#ifndef SIMT_MMA_H
#define SIMT_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt_warp.h"

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

enum layout_t {
    mem_row_major,
    mem_col_major
};

namespace precision
{
struct tf32;
}

/* What a fragment's elements are in a program, and what a tensor core takes of
   one: of TF32, a float without its last 13 bits. */
template <class T> struct element {
    typedef T type;
    static double value(T x)
    {
        return (double)(std::conditional_t<std::is_class_v<T>, float, T>)x;
    }
};

template <> struct element<precision::tf32> {
    typedef float type;
    static double value(float x)
    {
        return __uint_as_float(__float_as_uint(x) & 0xffffe000);
    }
};

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
    static_assert(std::is_same_v<Use, accumulator> || !std::is_same_v<T, float>,
                  "a tensor core takes no float: wmma::precision::tf32 does");
    static_assert(!std::is_same_v<T, double> || (m == 8 && n == 8 && k == 4),
                  "a tensor core takes double in 8 x 8 x 4 alone");

    typedef typename element<T>::type element_type;

    static constexpr int rows = std::is_same_v<Use, matrix_b> ? k : m;
    static constexpr int columns = std::is_same_v<Use, matrix_a> ? k : n;
    static constexpr int num_elements = rows * columns / warpSize;
    static constexpr int num_storage_elements = num_elements;
    static constexpr bool by_columns = std::is_same_v<Layout, col_major>;

    element_type x[num_elements];
};

/* Where element e of this lane's stands in memory. */
template <class Fragment>
static inline size_t place_of(int e, unsigned stride, bool in_columns)
{
    const unsigned number = (unsigned)e * warpSize + simt_lane();
    const unsigned row = Fragment::by_columns ? number % Fragment::rows
                                              : number / Fragment::columns;
    const unsigned column = Fragment::by_columns ? number / Fragment::rows
                                                 : number % Fragment::columns;

    return in_columns ? (size_t)column * stride + row
                      : (size_t)row * stride + column;
}

template <class Fragment, class T>
static __forceinline__ void fill_fragment(Fragment &to, const T &value)
{
    for (auto &x : to.x)
        x = static_cast<typename Fragment::element_type>(value);
}

/* The warp loads, or stores, as one: no lane comes to what follows before all
   have done so, as if __syncwarp() stood before and behind. */
template <class Fragment>
static __forceinline__ void
load_matrix_sync(Fragment &to, const typename Fragment::element_type *from,
                 unsigned stride, layout_t layout, SIMT_HERE)
{
    simt_device::warp(SIMT_WARP_SYNC, "load_matrix_sync", file, line, ~0u);
#pragma GCC unroll 16
    for (int e = 0; e < Fragment::num_elements; e++)
        to.x[e] = from[place_of<Fragment>(e, stride, layout == mem_col_major)];
    simt_device::warp(SIMT_WARP_SYNC, "load_matrix_sync", file, line, ~0u);
}

template <class Fragment>
static __forceinline__ void
load_matrix_sync(Fragment &to, const typename Fragment::element_type *from,
                 unsigned stride, SIMT_HERE)
{
    load_matrix_sync(to, from, stride,
                     Fragment::by_columns ? mem_col_major : mem_row_major, file,
                     line);
}

template <class Fragment>
static __forceinline__ void
store_matrix_sync(typename Fragment::element_type *to, const Fragment &from,
                  unsigned stride, layout_t layout, SIMT_HERE)
{
    simt_device::warp(SIMT_WARP_SYNC, "store_matrix_sync", file, line, ~0u);
#pragma GCC unroll 16
    for (int e = 0; e < Fragment::num_elements; e++)
        to[place_of<Fragment>(e, stride, layout == mem_col_major)] = from.x[e];
    simt_device::warp(SIMT_WARP_SYNC, "store_matrix_sync", file, line, ~0u);
}

/* d = a b + c. A function of its own: it touches no memory of the device, and
   within unrolled loops it would take a minute to compile. */
template <int m, int n, int k, class T, class InA, class InB, class D, class C>
SIMT_NOT_RECORDED static __attribute__((noinline)) void
mma_sync(fragment<accumulator, m, n, k, D> &d,
         const fragment<matrix_a, m, n, k, T, InA> &a,
         const fragment<matrix_b, m, n, k, T, InB> &b,
         const fragment<accumulator, m, n, k, C> &c, bool = false,
         const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    simt_matrices all = {m,
                         n,
                         k,
                         a.by_columns,
                         b.by_columns,
                         std::is_integral_v<C> ? 0 : 2 * m * n * k,
                         {},
                         {},
                         {}};

    for (int e = 0; e < a.num_elements; e++)
        all.a[e] = element<T>::value(a.x[e]);
    for (int e = 0; e < b.num_elements; e++)
        all.b[e] = element<T>::value(b.x[e]);
    for (int e = 0; e < c.num_elements; e++)
        all.c[e] = element<C>::value(c.x[e]);
    simt_device::warp(SIMT_WARP_MATRICES, "mma_sync", file, line, ~0u,
                      (uintptr_t)&all);
    for (int e = 0; e < d.num_elements; e++)
        d.x[e] = (D)(std::conditional_t<std::is_class_v<D>, float, D>)all.c[e];
}

/* Rounded to 10 bits of mantissa; halves go away from 0. */
static inline float __float_to_tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
}

} // namespace wmma
} // namespace nvcuda

#endif /* SIMT_MMA_H */
