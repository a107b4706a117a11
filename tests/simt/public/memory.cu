/* Memory that host and kernels share, pitched memory, and what knows what a
   pointer points to. */
/* expect: 0 */
/* says: 0 wrong */
#include <cuda_runtime.h>
#include "check.h"

#include <cstring>

struct node {
    int value;
    node *next;
};

__global__ void double_list(node *first)
{
    for (node *n = first; n != NULL; n = n->next)
        n->value *= 2;
}

__global__ void fill(float *rows, size_t pitch, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        float *row = (float *)((char *)rows + y * pitch);

        row[x] += 100 * y + x;
    }
}

__global__ void scale(int *a, int n, int factor, const int *extra)
{
    const int i = threadIdx.x;

    if (i < n)
        a[i] = a[i] * factor + (extra ? extra[i] : 0);
}

int main()
{
    const int width = 37, height = 11;
    float host[height][width + 3];
    float *rows;
    size_t pitch = 0, free_bytes = 0, total = 0;
    node *list = NULL;
    int wrong = 0, *mapped, *on_device, *plain;
    cudaPointerAttributes what;

    /* A list in managed memory. */
    for (int i = 0; i < 5; i++) {
        node *n;

        CHECK(cudaMallocManaged(&n, sizeof *n));
        n->value = i;
        n->next = list;
        list = n;
    }
    double_list<<<1, 1>>>(list);
    CHECK(cudaDeviceSynchronize());
    for (int i = 4; list != NULL; i--) {
        node *next = list->next;

        wrong += list->value != 2 * i;
        CHECK(cudaFree(list));
        list = next;
    }

    /* Rows, of which only a part is copied. */
    CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(float), height));
    wrong += pitch < width * sizeof(float) || pitch % 32 != 0;
    CHECK(cudaMemset2D(rows, pitch, 0, width * sizeof(float), height));
    fill<<<dim3(3, 3), dim3(16, 4)>>>(rows, pitch, width, height);
    CHECK(cudaGetLastError());
    memset(host, 0, sizeof host);
    CHECK(cudaMemcpy2D(host, sizeof host[0], rows, pitch,
                       (width - 1) * sizeof(float), height,
                       cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width + 3; x++)
            wrong += host[y][x] != (x < width - 1 ? 100 * y + x : 0);
    }
    wrong += cudaMemcpy2D(host, 8, rows, pitch, 16, 2,
                          cudaMemcpyDeviceToHost) != cudaErrorInvalidPitchValue;
    cudaGetLastError();
    CHECK(cudaFree(rows));

    /* Pinned memory, which a kernel writes through its device pointer; a null
       pointer among the arguments. */
    CHECK(cudaHostAlloc(&mapped, 8 * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&on_device, mapped, 0));
    for (int i = 0; i < 8; i++)
        mapped[i] = i;
    scale<<<1, 32>>>(on_device, 8, 3, NULL);
    CHECK(cudaDeviceSynchronize());
    scale<<<1, 32>>>(on_device, 8, 1, on_device);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++)
        wrong += mapped[i] != 6 * i;
    scale<<<1, 32, 0, 0>>>(on_device, 8, 0, 0);
    CHECK(cudaDeviceSynchronize());
    wrong += mapped[7] != 0;

    CHECK(cudaMalloc(&plain, 8 * sizeof(int)));
    CHECK(cudaPointerGetAttributes(&what, plain));
    wrong += what.type != cudaMemoryTypeDevice || what.devicePointer != plain;
    CHECK(cudaPointerGetAttributes(&what, mapped));
    wrong += what.type != cudaMemoryTypeHost || what.hostPointer != mapped;
    CHECK(cudaMemcpy(plain, mapped, 8 * sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemcpy(mapped, plain, 8 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    wrong += free_bytes == 0 || free_bytes > total;
    CHECK(cudaFreeHost(mapped));
    CHECK(cudaFree(plain));
    CHECK(cudaFree(NULL));
    printf("%d wrong\n", wrong);
    return wrong ? 1 : 0;
}
