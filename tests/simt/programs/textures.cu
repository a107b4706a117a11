/* Texture objects, as the CUDA C++ Programming Guide, "Texture Fetching", says
   what they give. */
/* expect: 0 */
/* says: points of 10 20 30 40: 10 10 20 40 40 */
/* says: border: 0 10 40 0 */
/* says: linear, at 1 1.5 1.75 4: 15 20 22.5 40 */
/* says: wrap: 10 40 20, mirror: 10 20 40 */
/* says: bytes as floats: 0.0000 1.0000, as numbers: 0 255 7 */
/* says: signed bytes as floats: -1.0000 1.0000 */
/* says: linear memory: 2 3 0 0 */
/* says: rows of a pitch: 5 8, between four: 7.5 */
/* says: layers: 103 115, depth: 107.5 */
/* says: numbers are not filtered: linear filtering not supported */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

/* Fetches at x[i], y[i], z[i]. */
template <class T>
__global__ void fetch(cudaTextureObject_t texture, int dimensions,
                      const float *at, T *to)
{
    const int i = threadIdx.x;
    const float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];

    to[i] = dimensions == 1   ? tex1D<T>(texture, x)
            : dimensions == 2 ? tex2D<T>(texture, x, y)
            : dimensions == 3 ? tex3D<T>(texture, x, y, z)
                              : tex2DLayered<T>(texture, x, y, (int)z);
}

__global__ void elements(cudaTextureObject_t texture, int first, float *to)
{
    to[threadIdx.x] = tex1Dfetch<float>(texture, first + (int)threadIdx.x);
}

static float *at;
static void *to;

template <class T>
static const T *fetched(cudaTextureObject_t texture, int dimensions, int count,
                        const float *places)
{
    memcpy(at, places, 3 * count * sizeof *at);
    fetch<<<1, count>>>(texture, dimensions, at, static_cast<T *>(to));
    if (cudaDeviceSynchronize() != cudaSuccess)
        exit(2);
    return static_cast<const T *>(to);
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource,
                                      cudaTextureAddressMode mode,
                                      cudaTextureFilterMode filter,
                                      cudaTextureReadMode read, int normalized)
{
    cudaTextureDesc how = {};
    cudaTextureObject_t texture = 0;

    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
    how.filterMode = filter;
    how.readMode = read;
    how.normalizedCoords = normalized;
    if (cudaCreateTextureObject(&texture, &resource, &how, NULL) != cudaSuccess)
        printf("numbers are not filtered: %s\n",
               cudaGetErrorString(cudaGetLastError()));
    return texture;
}

static cudaResourceDesc of_array(cudaArray_t array)
{
    cudaResourceDesc resource = {};

    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

/* One row: 10 20 30 40. */
static void modes()
{
    const float row[4] = {10, 20, 30, 40};
    const float points[] = {-3, 0, 0, 0.9f, 0, 0, 1, 0, 0, 3.5f, 0, 0, 9, 0, 0};
    const float edges[] = {-0.1f, 0, 0, 0, 0, 0, 3.9f, 0, 0, 4, 0, 0};
    const float between[] = {1, 0, 0, 1.5f, 0, 0, 1.75f, 0, 0, 4, 0, 0};
    const float again[] = {1.1f, 0, 0, -0.1f, 0, 0, 1.3f, 0, 0};
    const float back[] = {-0.1f, 0, 0, -0.3f, 0, 0, 1.1f, 0, 0};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaResourceDesc r;
    const float *f;

    cudaMallocArray(&array, &format, 4);
    cudaMemcpy2DToArray(array, 0, 0, row, sizeof row, sizeof row, 1,
                        cudaMemcpyHostToDevice);
    r = of_array(array);
    f = fetched<float>(texture_of(r, cudaAddressModeClamp, cudaFilterModePoint,
                                  cudaReadModeElementType, 0),
                       1, 5, points);
    printf("points of 10 20 30 40: %g %g %g %g %g\n", f[0], f[1], f[2], f[3],
           f[4]);
    f = fetched<float>(texture_of(r, cudaAddressModeBorder, cudaFilterModePoint,
                                  cudaReadModeElementType, 0),
                       1, 4, edges);
    printf("border: %g %g %g %g\n", f[0], f[1], f[2], f[3]);
    f = fetched<float>(texture_of(r, cudaAddressModeClamp, cudaFilterModeLinear,
                                  cudaReadModeElementType, 0),
                       1, 4, between);
    printf("linear, at 1 1.5 1.75 4: %g %g %g %g\n", f[0], f[1], f[2], f[3]);
    f = fetched<float>(texture_of(r, cudaAddressModeWrap, cudaFilterModePoint,
                                  cudaReadModeElementType, 1),
                       1, 3, again);
    printf("wrap: %g %g %g, ", f[0], f[1], f[2]);
    f = fetched<float>(texture_of(r, cudaAddressModeMirror, cudaFilterModePoint,
                                  cudaReadModeElementType, 1),
                       1, 3, back);
    printf("mirror: %g %g %g\n", f[0], f[1], f[2]);
    cudaFreeArray(array);
}

static void bytes()
{
    const unsigned char row[8] = {0, 0, 0, 0, 255, 7, 128, 255};
    const signed char signs[8] = {-128, 0, 0, 0, 127};
    const float points[] = {0, 0, 0, 1, 0, 0};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    const float4 *f;
    const uchar4 *u;

    cudaMallocArray(&array, &format, 2, 1);
    cudaMemcpy2DToArray(array, 0, 0, row, 8, 8, 1, cudaMemcpyHostToDevice);
    f = fetched<float4>(texture_of(of_array(array), cudaAddressModeClamp,
                                   cudaFilterModePoint,
                                   cudaReadModeNormalizedFloat, 0),
                        2, 2, points);
    printf("bytes as floats: %.4f %.4f", f[0].w, f[1].w);
    u = fetched<uchar4>(texture_of(of_array(array), cudaAddressModeClamp,
                                   cudaFilterModePoint, cudaReadModeElementType,
                                   0),
                        2, 2, points);
    printf(", as numbers: %d %d %d\n", u[0].x, u[1].x, u[1].y);
    texture_of(of_array(array), cudaAddressModeClamp, cudaFilterModeLinear,
               cudaReadModeElementType, 0);
    format.f = cudaChannelFormatKindSigned;
    cudaMallocArray(&array, &format, 2, 1);
    cudaMemcpy2DToArray(array, 0, 0, signs, 8, 8, 1, cudaMemcpyHostToDevice);
    f = fetched<float4>(texture_of(of_array(array), cudaAddressModeClamp,
                                   cudaFilterModePoint,
                                   cudaReadModeNormalizedFloat, 0),
                        2, 2, points);
    printf("signed bytes as floats: %.4f %.4f\n", f[0].x, f[1].x);
}

/* 0 1 2 3 in linear memory; rows 4 5, 6 7, 8 9 with a pitch. */
static void memory()
{
    const float values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const float points[] = {1.5f, 0.5f, 0, 0.5f, 2.5f, 0};
    const float middle[] = {1, 2, 0};
    cudaResourceDesc r = {};
    size_t pitch;
    float *rows, *row;
    const float *f = static_cast<const float *>(to);

    cudaMalloc(&row, 4 * sizeof *row);
    cudaMemcpy(row, values, 4 * sizeof *row, cudaMemcpyHostToDevice);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = row;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = 4 * sizeof *row;
    elements<<<1, 4>>>(texture_of(r, cudaAddressModeClamp, cudaFilterModePoint,
                                  cudaReadModeElementType, 0),
                       2, static_cast<float *>(to));
    cudaDeviceSynchronize();
    printf("linear memory: %g %g %g %g\n", f[0], f[1], f[2], f[3]);
    cudaMallocPitch(&rows, &pitch, 2 * sizeof *rows, 3);
    cudaMemcpy2D(rows, pitch, values + 4, 8, 8, 3, cudaMemcpyHostToDevice);
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = rows;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = 2;
    r.res.pitch2D.height = 3;
    r.res.pitch2D.pitchInBytes = pitch;
    f = fetched<float>(texture_of(r, cudaAddressModeClamp, cudaFilterModePoint,
                                  cudaReadModeElementType, 0),
                       2, 2, points);
    printf("rows of a pitch: %g %g, ", f[0], f[1]);
    f = fetched<float>(texture_of(r, cudaAddressModeClamp, cudaFilterModeLinear,
                                  cudaReadModeElementType, 0),
                       2, 1, middle);
    printf("between four: %g\n", f[0]);
}

/* Two layers of 4 x 3 numbers from 100 on. */
static void layers(unsigned flags)
{
    const float points[] = {3.5f, 0.5f, 0, 3.5f, 0.5f, 1};
    const float middle[] = {2, 0.5f, 1};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms copy = {};
    float values[24];
    cudaArray *array;
    const float *f;

    for (int i = 0; i < 24; i++)
        values[i] = 100.0f + i;
    copy.extent = make_cudaExtent(4, 3, 2);
    cudaMalloc3DArray(&array, &format, copy.extent, flags);
    copy.srcPtr = make_cudaPitchedPtr(values, 4 * sizeof(float), 4, 3);
    copy.dstArray = array;
    copy.kind = cudaMemcpyHostToDevice;
    if (cudaMemcpy3D(&copy) != cudaSuccess)
        exit(2);
    if (flags == cudaArrayLayered) {
        f = fetched<float>(texture_of(of_array(array), cudaAddressModeClamp,
                                      cudaFilterModePoint,
                                      cudaReadModeElementType, 0),
                           4, 2, points);
        printf("layers: %g %g, ", f[0], f[1]);
    } else {
        f = fetched<float>(texture_of(of_array(array), cudaAddressModeClamp,
                                      cudaFilterModeLinear,
                                      cudaReadModeElementType, 0),
                           3, 1, middle);
        printf("depth: %g\n", f[0]);
    }
}

int main()
{
    cudaMallocManaged(&at, 64 * sizeof *at);
    cudaMallocManaged(&to, 64 * sizeof(float4));
    modes();
    bytes();
    memory();
    layers(cudaArrayLayered);
    layers(cudaArrayDefault);
    return 0;
}
