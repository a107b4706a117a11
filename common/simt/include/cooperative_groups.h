/*
 * cooperative_groups.h: groups of threads that a kernel works with by name
 * (CUDA C++ Programming Guide, "Cooperative Groups"): a block, tiles of a warp,
 * and the lanes that come along together; of a cooperative
 * launch the whole grid.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

class thread_block
{
  public:
    /* Two of these on one line are not told apart in messages. */
    SIMT_NOT_RECORDED static void sync(SIMT_HERE)
    {
        simt_barrier(-line, file, line);
    }
    static unsigned thread_rank()
    {
        return simt_device::thread_number();
    }
    static unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static unsigned num_threads()
    {
        return size();
    }
    static dim3 group_index()
    {
        return dim3(blockIdx);
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx);
    }
    static dim3 group_dim()
    {
        return blockDim;
    }
    static dim3 dim_threads()
    {
        return blockDim;
    }
};

static inline thread_block this_thread_block()
{
    return thread_block();
}

/* All threads of a launch. */
class grid_group
{
  public:
    SIMT_NOT_RECORDED static void sync(SIMT_HERE)
    {
        simt_grid_barrier(file, line);
    }
    static unsigned long long block_rank()
    {
        return blockIdx.x +
               (unsigned long long)gridDim.x *
                   (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() +
               thread_block::thread_rank();
    }
    static unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    static unsigned long long num_threads()
    {
        return size();
    }
    static dim3 group_dim()
    {
        return gridDim;
    }
    static dim3 dim_blocks()
    {
        return gridDim;
    }
    static dim3 block_index()
    {
        return dim3(blockIdx);
    }
    static bool is_valid()
    {
        return simt_is_cooperative();
    }
};

static inline grid_group this_grid()
{
    return grid_group();
}

/* Lanes of one warp, by mask. What tiles and coalesced groups share: a rank is
   a place among the lanes of the mask. */
class warp_lanes
{
  protected:
    unsigned lanes;

    /* The lane that has this rank. */
    int lane_of(unsigned rank) const
    {
        unsigned left = lanes;

        for (; rank > 0 && left != 0; rank--)
            left &= left - 1;
        return left ? __builtin_ctz(left) : 32;
    }

  public:
    explicit warp_lanes(unsigned mask) : lanes(mask)
    {
    }
    unsigned mask() const
    {
        return lanes;
    }
    unsigned size() const
    {
        return (unsigned)__popc(lanes);
    }
    unsigned num_threads() const
    {
        return size();
    }
    unsigned thread_rank() const
    {
        return (unsigned)__popc(lanes & ((1u << simt_lane()) - 1));
    }
    void sync(SIMT_HERE) const
    {
        __syncwarp(lanes, file, line);
    }
    int any(int predicate, SIMT_HERE) const
    {
        return __any_sync(lanes, predicate, file, line);
    }
    int all(int predicate, SIMT_HERE) const
    {
        return __all_sync(lanes, predicate, file, line);
    }
    /* A bit for each rank. */
    unsigned ballot(int predicate, SIMT_HERE) const
    {
        return by_rank(__ballot_sync(lanes, predicate, file, line));
    }
    template <class T> unsigned match_any(T value, SIMT_HERE) const
    {
        return by_rank(__match_any_sync(lanes, value, file, line));
    }
    /* Of any type that may be copied by its bytes, as a float4. */
    template <class T> T shfl(T value, unsigned rank, SIMT_HERE) const
    {
        return simt_device::shuffle_bytes("shfl", file, line, lanes, value,
                                          (unsigned)lane_of(rank % size()));
    }
    template <class T> T shfl_up(T value, unsigned delta, SIMT_HERE) const
    {
        const unsigned rank = thread_rank();

        return shfl(value, delta <= rank ? rank - delta : rank, file, line);
    }
    template <class T> T shfl_down(T value, unsigned delta, SIMT_HERE) const
    {
        const unsigned rank = thread_rank();

        return shfl(value, delta < size() - rank ? rank + delta : rank, file,
                    line);
    }

  private:
    unsigned by_rank(unsigned bits) const
    {
        unsigned result = 0, rank = 0;

        for (unsigned left = lanes; left != 0; left &= left - 1)
            result |= (bits >> __builtin_ctz(left) & 1) << rank++;
        return result;
    }
};

/* Which tile of its parent: what tiles within a warp and larger ones share. */
template <unsigned Size, class Threads> class tile_of : public Threads
{
    static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 ... or 1024 threads");

    unsigned number, count; /* of this tile, and how many the parent has */

  public:
    template <class... Of>
    tile_of(unsigned tile_number, unsigned tile_count, Of... of)
        : Threads(of...), number(tile_number), count(tile_count)
    {
    }
    static constexpr unsigned size()
    {
        return Size;
    }
    static constexpr unsigned num_threads()
    {
        return Size;
    }
    unsigned meta_group_rank() const
    {
        return number;
    }
    unsigned meta_group_size() const
    {
        return count;
    }
};

/* `Size` neighbours of a block: 1, 2, 4 and so on. Parent is what was divided;
   a tile of any parent is one of no particular parent too. This one lies within
   a warp. */
template <unsigned Size, class Parent = void, bool of_warps = (Size > 32)>
class thread_block_tile : public tile_of<Size, warp_lanes>
{
    using warp_lanes::lanes;

  public:
    thread_block_tile(unsigned number, unsigned count)
        : tile_of<Size, warp_lanes>(number, count,
                                    (Size == 32 ? ~0u : (1u << Size % 32) - 1)
                                        << simt_lane() / Size * Size)
    {
    }
    operator thread_block_tile<Size, void>() const
    {
        return {this->meta_group_rank(), this->meta_group_size()};
    }
    template <class T> T shfl_xor(T value, unsigned mask, SIMT_HERE) const
    {
        const unsigned lane = simt_lane(), source = lane ^ mask;

        return simt_device::shuffle_bytes("shfl_xor", file, line, lanes, value,
                                          source / Size == lane / Size ? source
                                                                       : lane);
    }
};

/* Several warps. They wait for the whole block: so all of its tiles must come
   to a sync(). No values are exchanged in them. */
template <unsigned Size, class Parent>
class thread_block_tile<Size, Parent, true> : public tile_of<Size, thread_block>
{
  public:
    using tile_of<Size, thread_block>::tile_of;

    operator thread_block_tile<Size, void>() const
    {
        return {this->meta_group_rank(), this->meta_group_size()};
    }
    static unsigned thread_rank()
    {
        return thread_block::thread_rank() % Size;
    }
};

template <unsigned Size, class Parent>
static inline thread_block_tile<Size, Parent>
tiled_partition(const Parent &parent)
{
    return thread_block_tile<Size, Parent>(parent.thread_rank() / Size,
                                           (parent.size() + Size - 1) / Size);
}

/* The lanes that come here together. */
class coalesced_group : public warp_lanes
{
  public:
    explicit coalesced_group(unsigned mask) : warp_lanes(mask)
    {
    }
};

SIMT_NOT_RECORDED static inline coalesced_group coalesced_threads(SIMT_HERE)
{
    return coalesced_group(__activemask(file, line));
}

/* Any of the groups above, chosen while the program runs. */
class thread_group
{
    unsigned lanes; /* of a warp; 0: the block */

  public:
    thread_group(const thread_block &) : lanes(0)
    {
    }
    thread_group(const warp_lanes &group) : lanes(group.mask())
    {
    }
    unsigned size() const
    {
        return lanes == 0 ? thread_block::size() : (unsigned)__popc(lanes);
    }
    unsigned num_threads() const
    {
        return size();
    }
    unsigned thread_rank() const
    {
        return lanes == 0 ? thread_block::thread_rank()
                          : (unsigned)__popc(lanes & ((1u << simt_lane()) - 1));
    }
    bool is_valid() const
    {
        return true;
    }
    void sync(SIMT_HERE) const
    {
        if (lanes == 0) {
            simt_barrier(-line, file, line);
        } else {
            __syncwarp(lanes, file, line);
        }
    }
};

/* Neighbours of a warp by a number that is not constant, at most 32. */
static inline thread_group tiled_partition(const thread_group &parent,
                                           unsigned size)
{
    const unsigned first = parent.thread_rank() / size * size;
    const unsigned lane = simt_lane() - (parent.thread_rank() - first);

    return warp_lanes((size >= 32 ? ~0u : (1u << size) - 1) << lane);
}

template <class Group> static inline void sync(const Group &group, SIMT_HERE)
{
    group.sync(file, line);
}

} // namespace cooperative_groups

#endif /* SIMT_COOPERATIVE_GROUPS_H */
