/* Memory that the wrong call frees; host code that may touch pinned memory but
   not what is freed. */
/* expect: 139 */
/* says: this is pinned host memory: cudaFreeHost is for it */
/* says: this is device memory: cudaFree is for it */
/* says: 7 */
/* says: device memory of an unnamed array, which was freed */
#include <cuda_runtime.h>
#include "../public/check.h"

int main()
{
    int *pinned, *device;

    CHECK(cudaMallocHost(&pinned, 4));
    CHECK(cudaMalloc(&device, 4));
    cudaFree(pinned);
    cudaFreeHost(device);
    *pinned = 7;
    printf("%d\n", *pinned);
    fflush(stdout);
    cudaFreeHost(pinned);
    *(volatile int *)pinned = 8;
    return 0;
}
