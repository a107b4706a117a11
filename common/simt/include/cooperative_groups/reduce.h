/* cooperative_groups/reduce.h: one value of those that the threads of a tile or
   of a coalesced group have. */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SIMT_OPERATION(name, result)                    \
    template <class T = void> struct name {             \
        template <class V> V operator()(V a, V b) const \
        {                                               \
            return result;                              \
        }                                               \
    };

SIMT_OPERATION(plus, a + b)
SIMT_OPERATION(less, b < a ? b : a)
SIMT_OPERATION(greater, a < b ? b : a)
SIMT_OPERATION(bit_and, a &b)
SIMT_OPERATION(bit_or, a | b)
SIMT_OPERATION(bit_xor, a ^ b)

#undef SIMT_OPERATION

/* Each thread gets what the operation makes of all values, combined in pairs of
   neighbours first: the order of a sum is the same for each of them. */
template <class Group, class T, class Operation>
static inline T reduce(const Group &group, T value, Operation operation,
                       SIMT_HERE)
{
    const unsigned rank = group.thread_rank(), size = group.size();

    for (unsigned step = 1; step < size; step *= 2) {
        const T other = group.shfl(
            value, rank + step < size ? rank + step : rank, file, line);

        if (rank % (2 * step) == 0 && rank + step < size)
            value = operation(value, other);
    }
    return group.shfl(value, 0, file, line);
}

} // namespace cooperative_groups

#endif /* SIMT_COOPERATIVE_GROUPS_REDUCE_H */
