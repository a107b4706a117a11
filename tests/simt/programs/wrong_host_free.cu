/* free() gets what cudaMalloc gave; before that what malloc gave. */
/* expect: 134 */
/* says: freed */
/* says: free(): this is device memory: cudaFree is for it */
#include <cuda_runtime.h>
#include "../public/check.h"

int main()
{
    char *host = (char *)malloc(4), *device;

    CHECK(cudaMalloc(&device, 4));
    free(host);
    printf("freed\n");
    fflush(stdout);
    free(device);
    return 0;
}
