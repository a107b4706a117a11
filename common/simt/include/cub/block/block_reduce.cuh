/* block_reduce.cuh: see cub.cuh. */
#include <cub/cub.cuh>
