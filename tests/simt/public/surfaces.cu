/* Arrays that kernels read and write, as surfaces. */
/* expect: 0 */
/* says: 0 wrong */
#include "check.h"

enum {
    WIDTH = 20,
    HEIGHT = 7
};

__global__ void fill(cudaSurfaceObject_t surface)
{
    const int x = threadIdx.x, y = blockIdx.x;

    surf2Dwrite((float)(y * WIDTH + x), surface, x * sizeof(float), y);
}

/* What is outside is 0, or the element at the edge. */
__global__ void look_at(cudaSurfaceObject_t surface, float *out, float *beyond)
{
    const int x = threadIdx.x, y = blockIdx.x;
    float right;

    surf2Dread(&right, surface, (x + 1) * sizeof(float), y,
               cudaBoundaryModeZero);
    out[y * WIDTH + x] =
        surf2Dread<float>(surface, x * sizeof(float), y) + right;
    if (x == 0 && y == 0) {
        beyond[0] = surf2Dread<float>(surface, 4 * WIDTH, HEIGHT,
                                      cudaBoundaryModeClamp);
        surf2Dwrite(-1.0f, surface, 0, HEIGHT, cudaBoundaryModeZero);
    }
}

int main()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t surface = 0;
    cudaArray_t array;
    float *out, *beyond, host[HEIGHT][WIDTH];
    int wrong = 0;

    CHECK(cudaMallocArray(&array, &format, WIDTH, HEIGHT,
                          cudaArraySurfaceLoadStore));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaMallocManaged(&out, WIDTH * HEIGHT * sizeof(float)));
    CHECK(cudaMallocManaged(&beyond, sizeof(float)));
    fill<<<HEIGHT, WIDTH>>>(surface);
    look_at<<<HEIGHT, WIDTH>>>(surface, out, beyond);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy2DFromArray(host, sizeof host[0], array, 0, 0,
                                sizeof host[0], HEIGHT,
                                cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const float own = (float)(y * WIDTH + x);

            wrong += host[y][x] != own;
            wrong +=
                out[y * WIDTH + x] != own + (x + 1 < WIDTH ? own + 1 : 0.0f);
        }
    }
    wrong += *beyond != WIDTH * HEIGHT - 1;
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
