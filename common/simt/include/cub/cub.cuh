/*
 * cub/cub.cuh: what programs most often take from CUB (NVIDIA, "CUB", part of
 * the CUDA Core Compute Libraries): sums and scans of a block or a warp, and of
 * whole arrays. The result of a reduction is thread 0's; a block's shared
 * TempStorage wants a barrier before it is used again, as there.
 *
 * Algorithms on arrays copy them to the host and back, and are not counted;
 * they take pointers, not other iterators.
 */
#ifndef SIMT_CUB_CUH
#define SIMT_CUB_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono> /* NVIDIA's headers bring it along */
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

namespace cub
{

template <class Key, class Value> struct KeyValuePair {
    Key key;
    Value value;
};

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS
};

/* --- a block, and a warp -------------------------------------------------- */

/* A place for each thread's value, and a barrier behind the stores. */
template <class T, int THREADS> class Exchange
{
  public:
    struct TempStorage {
        T value[THREADS];
    };

  protected:
    TempStorage &storage;
    explicit Exchange(TempStorage &shared) : storage(shared)
    {
    }
    /* Of those before `count`, in order. */
    template <class Op> T all(Op op, int count) const
    {
        T result = storage.value[0];

        for (int i = 1; i < count; i++)
            result = op(result, storage.value[i]);
        return result;
    }
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int Y = 1, int Z = 1>
class BlockReduce : public Exchange<T, X * Y * Z>
{
    typedef Exchange<T, X * Y * Z> base;

  public:
    explicit BlockReduce(typename base::TempStorage &shared) : base(shared)
    {
    }
    template <class Op>
    T Reduce(T own, Op op, int valid = X * Y * Z, SIMT_HERE) const
    {
        const int thread = (int)simt_device::thread_number();

        this->storage.value[thread] = own;
        simt_barrier(-line, file, line);
        return thread == 0 ? this->all(op, valid) : own;
    }
    T Sum(T own, int valid = X * Y * Z, SIMT_HERE) const
    {
        return Reduce(own, std::plus<>(), valid, file, line);
    }
    template <int ITEMS, class Op>
    T Reduce(T (&own)[ITEMS], Op op, SIMT_HERE) const
    {
        T part = own[0];

        for (int i = 1; i < ITEMS; i++)
            part = op(part, own[i]);
        return Reduce(part, op, X * Y * Z, file, line);
    }
    template <int ITEMS> T Sum(T (&own)[ITEMS], SIMT_HERE) const
    {
        return Reduce(own, std::plus<>(), file, line);
    }
};

template <class T, int LANES = 32> class WarpReduce : public Exchange<T, LANES>
{
    typedef Exchange<T, LANES> base;

  public:
    explicit WarpReduce(typename base::TempStorage &shared) : base(shared)
    {
    }
    template <class Op>
    T Reduce(T own, Op op, int valid = LANES, SIMT_HERE) const
    {
        const int place = (int)simt_lane() % LANES;

        this->storage.value[place] = own;
        __syncwarp(~0u, file, line);
        if (place == 0)
            own = this->all(op, valid);
        __syncwarp(~0u, file, line);
        return own;
    }
    T Sum(T own, int valid = LANES, SIMT_HERE) const
    {
        return Reduce(own, std::plus<>(), valid, file, line);
    }
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1,
          int Z = 1>
class BlockScan : public Exchange<T, X * Y * Z>
{
    typedef Exchange<T, X * Y * Z> base;

    int share(T own, const char *file, int line) const
    {
        const int thread = (int)simt_device::thread_number();

        this->storage.value[thread] = own;
        simt_barrier(-line, file, line);
        return thread;
    }

  public:
    explicit BlockScan(typename base::TempStorage &shared) : base(shared)
    {
    }
    template <class Op>
    void InclusiveScan(T own, T &result, Op op, SIMT_HERE) const
    {
        result = this->all(op, share(own, file, line) + 1);
    }
    template <class Op>
    void ExclusiveScan(T own, T &result, T first, Op op, SIMT_HERE) const
    {
        const int thread = share(own, file, line);

        result = thread > 0 ? op(first, this->all(op, thread)) : first;
    }
    void InclusiveSum(T own, T &result, SIMT_HERE) const
    {
        InclusiveScan(own, result, std::plus<>(), file, line);
    }
    void ExclusiveSum(T own, T &result, SIMT_HERE) const
    {
        ExclusiveScan(own, result, T(), std::plus<>(), file, line);
    }
    void InclusiveSum(T own, T &result, T &total, SIMT_HERE) const
    {
        InclusiveScan(own, result, std::plus<>(), file, line);
        total = this->all(std::plus<>(), X * Y * Z);
    }
    void ExclusiveSum(T own, T &result, T &total, SIMT_HERE) const
    {
        ExclusiveScan(own, result, T(), std::plus<>(), file, line);
        total = this->all(std::plus<>(), X * Y * Z);
    }
};

/* --- whole arrays --------------------------------------------------------- */

namespace detail
{

/* The array's elements, and elements for it; an error stays. */
template <class T>
static std::vector<std::remove_const_t<T>> from_device(T *at, size_t count,
                                                       cudaError_t &error)
{
    std::vector<std::remove_const_t<T>> result(count);

    if (error == cudaSuccess && count > 0)
        error =
            cudaMemcpy(result.data(), at, count * sizeof(T), cudaMemcpyDefault);
    return result;
}

template <class T, class From>
static void to_device(T *at, const std::vector<From> &from, cudaError_t &error)
{
    const std::vector<T> converted(from.begin(), from.end());

    if (error == cudaSuccess && !converted.empty())
        error = cudaMemcpy(at, converted.data(), converted.size() * sizeof(T),
                           cudaMemcpyDefault);
}

/* 1 if the call only asks how much memory there should be. */
static inline int asks(void *temporary, size_t &bytes)
{
    if (temporary == nullptr)
        bytes = 256;
    return temporary == nullptr;
}

/* In halves, as a GPU does: sums of many floats stay as exact. */
template <class T, class Op> static T reduced(const T *a, size_t count, Op op)
{
    if (count == 1)
        return a[0];
    return op(reduced(a, count / 2, op),
              reduced(a + count / 2, count - count / 2, op));
}

} // namespace detail

struct DeviceReduce {
    template <class In, class Out, class Op, class T>
    static cudaError_t Reduce(void *temporary, size_t &bytes, In *in, Out *out,
                              size_t count, Op op, T first,
                              cudaStream_t = nullptr)
    {
        cudaError_t error = cudaSuccess;

        if (detail::asks(temporary, bytes))
            return cudaSuccess;
        const auto a = detail::from_device(in, count, error);
        std::vector<T> result(1, first);

        if (count > 0)
            result[0] = op(first, detail::reduced(a.data(), count, op));
        detail::to_device(out, result, error);
        return error;
    }
    template <class In, class Out>
    static cudaError_t Sum(void *temporary, size_t &bytes, In *in, Out *out,
                           size_t count, cudaStream_t = nullptr)
    {
        return Reduce(temporary, bytes, in, out, count, std::plus<>(),
                      std::remove_const_t<In>());
    }
    template <class In, class Out>
    static cudaError_t Min(void *temporary, size_t &bytes, In *in, Out *out,
                           size_t count, cudaStream_t = nullptr)
    {
        typedef std::remove_const_t<In> T;

        return Reduce(
            temporary, bytes, in, out, count,
            [](T a, T b) { return b < a ? b : a; },
            std::numeric_limits<T>::max());
    }
    template <class In, class Out>
    static cudaError_t Max(void *temporary, size_t &bytes, In *in, Out *out,
                           size_t count, cudaStream_t = nullptr)
    {
        typedef std::remove_const_t<In> T;

        return Reduce(
            temporary, bytes, in, out, count,
            [](T a, T b) { return a < b ? b : a; },
            std::numeric_limits<T>::lowest());
    }
    template <class In, class T>
    static cudaError_t ArgMin(void *temporary, size_t &bytes, In *in,
                              KeyValuePair<int, T> *out, size_t count,
                              cudaStream_t = nullptr)
    {
        return arg(temporary, bytes, in, out, count,
                   [](const T &a, const T &b) { return a < b; });
    }
    template <class In, class T>
    static cudaError_t ArgMax(void *temporary, size_t &bytes, In *in,
                              KeyValuePair<int, T> *out, size_t count,
                              cudaStream_t = nullptr)
    {
        return arg(temporary, bytes, in, out, count,
                   [](const T &a, const T &b) { return b < a; });
    }

  private:
    template <class In, class T, class Before>
    static cudaError_t arg(void *temporary, size_t &bytes, In *in,
                           KeyValuePair<int, T> *out, size_t count,
                           Before before)
    {
        cudaError_t error = cudaSuccess;

        if (detail::asks(temporary, bytes))
            return cudaSuccess;
        const auto a = detail::from_device(in, count, error);
        const auto at = std::min_element(a.begin(), a.end(), before);
        std::vector<KeyValuePair<int, T>> result;

        if (count > 0)
            result.push_back({(int)(at - a.begin()), *at});
        detail::to_device(out, result, error);
        return error;
    }
};

struct DeviceScan {
    template <class In, class Out, class Op>
    static cudaError_t InclusiveScan(void *temporary, size_t &bytes, In *in,
                                     Out *out, Op op, size_t count,
                                     cudaStream_t = nullptr)
    {
        cudaError_t error = cudaSuccess;

        if (detail::asks(temporary, bytes))
            return cudaSuccess;
        auto a = detail::from_device(in, count, error);

        for (size_t i = 1; i < count; i++)
            a[i] = op(a[i - 1], a[i]);
        detail::to_device(out, a, error);
        return error;
    }
    template <class In, class Out, class Op, class T>
    static cudaError_t ExclusiveScan(void *temporary, size_t &bytes, In *in,
                                     Out *out, Op op, T first, size_t count,
                                     cudaStream_t = nullptr)
    {
        cudaError_t error = cudaSuccess;

        if (detail::asks(temporary, bytes))
            return cudaSuccess;
        const auto a = detail::from_device(in, count, error);
        std::vector<T> sums;

        for (size_t i = 0; i < count; i++) {
            sums.push_back(first);
            first = op(first, a[i]);
        }
        detail::to_device(out, sums, error);
        return error;
    }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void *temporary, size_t &bytes, In *in,
                                    Out *out, size_t count,
                                    cudaStream_t = nullptr)
    {
        return InclusiveScan(temporary, bytes, in, out, std::plus<>(), count);
    }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void *temporary, size_t &bytes, In *in,
                                    Out *out, size_t count,
                                    cudaStream_t = nullptr)
    {
        return ExclusiveScan(temporary, bytes, in, out, std::plus<>(),
                             std::remove_const_t<In>(), count);
    }
};

struct DeviceSelect {
    template <class In, class Out, class Number, class Wanted>
    static cudaError_t If(void *temporary, size_t &bytes, In *in, Out *out,
                          Number *selected, size_t count, Wanted wanted,
                          cudaStream_t = nullptr)
    {
        cudaError_t error = cudaSuccess;

        if (detail::asks(temporary, bytes))
            return cudaSuccess;
        auto a = detail::from_device(in, count, error);

        a.erase(std::remove_if(a.begin(), a.end(),
                               [&](const auto &x) { return !wanted(x); }),
                a.end());
        detail::to_device(out, a, error);
        detail::to_device(selected, std::vector<size_t>(1, a.size()), error);
        return error;
    }
    template <class In, class Flag, class Out, class Number>
    static cudaError_t Flagged(void *temporary, size_t &bytes, In *in,
                               Flag *flags, Out *out, Number *selected,
                               size_t count, cudaStream_t = nullptr)
    {
        cudaError_t error = cudaSuccess;

        if (detail::asks(temporary, bytes))
            return cudaSuccess;
        const auto a = detail::from_device(in, count, error);
        const auto f = detail::from_device(flags, count, error);
        std::vector<std::remove_const_t<In>> kept;

        for (size_t i = 0; i < count; i++) {
            if (f[i])
                kept.push_back(a[i]);
        }
        detail::to_device(out, kept, error);
        detail::to_device(selected, std::vector<size_t>(1, kept.size()), error);
        return error;
    }
};

struct DeviceRadixSort {
    template <class Key>
    static cudaError_t SortKeys(void *temporary, size_t &bytes, const Key *in,
                                Key *out, size_t count, int = 0, int = 0,
                                cudaStream_t = nullptr)
    {
        return sort<Key, int>(temporary, bytes, in, out, nullptr, nullptr,
                              count, std::less<>());
    }
    template <class Key>
    static cudaError_t
    SortKeysDescending(void *temporary, size_t &bytes, const Key *in, Key *out,
                       size_t count, int = 0, int = 0, cudaStream_t = nullptr)
    {
        return sort<Key, int>(temporary, bytes, in, out, nullptr, nullptr,
                              count, std::greater<>());
    }
    template <class Key, class Value>
    static cudaError_t SortPairs(void *temporary, size_t &bytes, const Key *in,
                                 Key *out, const Value *values, Value *sorted,
                                 size_t count, int = 0, int = 0,
                                 cudaStream_t = nullptr)
    {
        return sort(temporary, bytes, in, out, values, sorted, count,
                    std::less<>());
    }
    template <class Key, class Value>
    static cudaError_t
    SortPairsDescending(void *temporary, size_t &bytes, const Key *in, Key *out,
                        const Value *values, Value *sorted, size_t count,
                        int = 0, int = 0, cudaStream_t = nullptr)
    {
        return sort(temporary, bytes, in, out, values, sorted, count,
                    std::greater<>());
    }

  private:
    /* By all bits of a key; equal ones stay in order. */
    template <class Key, class Value, class Before>
    static cudaError_t sort(void *temporary, size_t &bytes, const Key *in,
                            Key *out, const Value *values, Value *sorted,
                            size_t count, Before before)
    {
        cudaError_t error = cudaSuccess;

        if (detail::asks(temporary, bytes))
            return cudaSuccess;
        const auto keys = detail::from_device(in, count, error);
        std::vector<size_t> order(count);
        std::vector<Key> sorted_keys;

        for (size_t i = 0; i < count; i++)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            return before(keys[a], keys[b]);
        });
        for (const size_t i : order)
            sorted_keys.push_back(keys[i]);
        detail::to_device(out, sorted_keys, error);
        if (values != nullptr) {
            const auto all = detail::from_device(values, count, error);
            std::vector<Value> sorted_values;

            for (const size_t i : order)
                sorted_values.push_back(all[i]);
            detail::to_device(sorted, sorted_values, error);
        }
        return error;
    }
};

} // namespace cub

#endif /* SIMT_CUB_CUH */
