/* device_radix_sort.cuh: see cub.cuh. */
#include <cub/cub.cuh>
