/* The second compilation unit of test_lines.c. */
#include "places.h"

#include <cuda_runtime.h>

static __device__ int differs[3][4];
static __device__ int agrees[2][6];

void second_places()
{
    differs[2][1]++;
    agrees[1][2]++;
    expect("another unit", here(), __FILE__, __LINE__);
}
