/* device_scan.cuh: see cub.cuh. */
#include <cub/cub.cuh>
