/* device_select.cuh: see cub.cuh. */
#include <cub/cub.cuh>
