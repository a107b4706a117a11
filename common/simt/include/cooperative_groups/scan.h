/* cooperative_groups/scan.h: what the operation makes of the values of all
   threads of a group up to each, or before each. */
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

template <class Group, class T, class Operation = plus<T>>
static inline T inclusive_scan(const Group &group, T value,
                               Operation operation = {}, SIMT_HERE)
{
    const unsigned rank = group.thread_rank();

    for (unsigned step = 1; step < group.size(); step *= 2) {
        const T other = group.shfl_up(value, step, file, line);

        if (rank >= step)
            value = operation(other, value);
    }
    return value;
}

/* The first thread gets T(). */
template <class Group, class T, class Operation = plus<T>>
static inline T exclusive_scan(const Group &group, T value,
                               Operation operation = {}, SIMT_HERE)
{
    const T all = inclusive_scan(group, value, operation, file, line);
    const T before = group.shfl_up(all, 1, file, line);

    return group.thread_rank() == 0 ? T() : before;
}

} // namespace cooperative_groups

#endif /* SIMT_COOPERATIVE_GROUPS_SCAN_H */
