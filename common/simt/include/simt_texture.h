/*
 * simt_texture.h: how do kernels read textures? Arrays, texture objects and
 * what fetches from them, for C and C++.
 *
 * Coordinates, address modes and filters are those of the CUDA C++ Programming
 * Guide, "Texture Fetching": the weights of a linear filter have 8 bits behind
 * the point. Fetches are neither counted nor checked, nor are
 * accesses to surfaces, but for their bounds.
 */
#ifndef SIMT_TEXTURE_H
#define SIMT_TEXTURE_H

#include "cuda_runtime_api.h"

#define cudaArrayDefault          0x00
#define cudaArrayLayered          0x01
#define cudaArraySurfaceLoadStore 0x02

#ifdef __cplusplus
extern "C" {
#endif

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};

/* Bits of each channel of an element. */
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};

struct cudaExtent {
    size_t width, height, depth; /* of an array in elements, else in bytes */
};

struct cudaPos {
    size_t x, y, z;
};

struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};

cudaError_t cudaMallocArray(cudaArray_t *array,
                            const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height SIMT_ELSE(0),
                            unsigned flags SIMT_ELSE(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent,
                              unsigned flags SIMT_ELSE(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer,
                         struct cudaExtent extent);
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value,
                         struct cudaExtent extent);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *what);
/* Widths and the first offset are in bytes. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                  cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height,
                                  enum cudaMemcpyKind kind);

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height,
                                                size_t depth)
{
    const struct cudaExtent extent = {width, height, depth};

    return extent;
}

static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    const struct cudaPos position = {x, y, z};

    return position;
}

static inline struct cudaPitchedPtr
make_cudaPitchedPtr(void *pointer, size_t pitch, size_t xsize, size_t ysize)
{
    const struct cudaPitchedPtr pitched = {pointer, pitch, xsize, ysize};

    return pitched;
}

/* --- texture objects ------------------------------------------------------ */

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};

enum cudaTextureFilterMode {
    cudaFilterModePoint = 0,
    cudaFilterModeLinear = 1
};

enum cudaTextureReadMode {
    cudaReadModeElementType = 0,
    cudaReadModeNormalizedFloat = 1
};

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1, /* not on the CPU device */
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
};

struct cudaResourceViewDesc; /* not on the CPU device: NULL */

typedef unsigned long long cudaTextureObject_t;

cudaError_t
cudaCreateTextureObject(cudaTextureObject_t *texture,
                        const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *description,
                        const struct cudaResourceViewDesc *view SIMT_ELSE(0));
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture);

/* An array that kernels read and write; x is in bytes. */
typedef unsigned long long cudaSurfaceObject_t;

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

/* Where the bytes of an element are; NULL: outside, and left to the caller. */
void *simt_surface_at(cudaSurfaceObject_t surface, long x, long y, long z,
                      int bytes, enum cudaSurfaceBoundaryMode mode,
                      const char *file, int line);

/* What is fetched: f of floats and of what is read as such, else i. */
struct simt_texel {
    float f[4];
    int i[4];
};

/* From so many coordinates, and a layer; and the element of that number. */
void simt_texture_fetch(cudaTextureObject_t texture, int dimensions,
                        const float at[3], int layer, struct simt_texel *texel);
void simt_texture_element(cudaTextureObject_t texture, int number,
                          struct simt_texel *texel);

#ifdef __cplusplus
} /* extern "C" */

#include "simt_kernel.h"

#include <string.h>
#include <type_traits>

namespace simt_device
{

/* What a T is made of: itself, or the type of its x. */
template <class T, class = void> struct channel {
    typedef T type;
};
template <class T> struct channel<T, std::void_t<decltype(T::x)>> {
    typedef decltype(T::x) type;
};

template <class T>
SIMT_NOT_RECORDED static inline T from_texel(const simt_texel &texel)
{
    typedef typename channel<T>::type type;
    type values[sizeof(T) / sizeof(type)];
    T result;

    for (size_t i = 0; i < sizeof(T) / sizeof(type); i++) {
        if constexpr (std::is_floating_point_v<type>)
            values[i] = texel.f[i];
        else
            values[i] = static_cast<type>(texel.i[i]);
    }
    memcpy(&result, values, sizeof result);
    return result;
}

template <class T>
SIMT_NOT_RECORDED static inline T fetch(cudaTextureObject_t texture,
                                        int dimensions, float x, float y = 0,
                                        float z = 0, int layer = 0)
{
    const float at[3] = {x, y, z};
    simt_texel texel;

    simt_texture_fetch(texture, dimensions, at, layer, &texel);
    return from_texel<T>(texel);
}

} // namespace simt_device

template <class T>
SIMT_NOT_RECORDED static inline T tex1Dfetch(cudaTextureObject_t texture, int i)
{
    simt_texel texel;

    simt_texture_element(texture, i, &texel);
    return simt_device::from_texel<T>(texel);
}

template <class T>
SIMT_NOT_RECORDED static inline T tex1D(cudaTextureObject_t texture, float x)
{
    return simt_device::fetch<T>(texture, 1, x);
}

template <class T>
SIMT_NOT_RECORDED static inline T tex2D(cudaTextureObject_t texture, float x,
                                        float y)
{
    return simt_device::fetch<T>(texture, 2, x, y);
}

template <class T>
SIMT_NOT_RECORDED static inline T tex3D(cudaTextureObject_t texture, float x,
                                        float y, float z)
{
    return simt_device::fetch<T>(texture, 3, x, y, z);
}

template <class T>
SIMT_NOT_RECORDED static inline T tex1DLayered(cudaTextureObject_t texture,
                                               float x, int layer)
{
    return simt_device::fetch<T>(texture, 1, x, 0, 0, layer);
}

template <class T>
SIMT_NOT_RECORDED static inline T tex2DLayered(cudaTextureObject_t texture,
                                               float x, float y, int layer)
{
    return simt_device::fetch<T>(texture, 2, x, y, 0, layer);
}

namespace simt_device
{

template <class T>
SIMT_NOT_RECORDED static inline T
read_surface(cudaSurfaceObject_t surface, int x, int y, int z,
             cudaSurfaceBoundaryMode mode, const char *file, int line)
{
    const void *at =
        simt_surface_at(surface, x, y, z, sizeof(T), mode, file, line);
    T value = {};

    if (at != nullptr)
        memcpy(&value, at, sizeof value);
    return value;
}

template <class T>
SIMT_NOT_RECORDED static inline void
write_surface(const T &value, cudaSurfaceObject_t surface, int x, int y, int z,
              cudaSurfaceBoundaryMode mode, const char *file, int line)
{
    void *at = simt_surface_at(surface, x, y, z, sizeof(T), mode, file, line);

    if (at != nullptr)
        memcpy(at, &value, sizeof value);
}

} // namespace simt_device

/* The coordinates that a function has, and all three. */
#define SIMT_SURFACE(name, given, x, y, z)                                     \
    template <class T>                                                         \
    static inline T name##read(                                                \
        cudaSurfaceObject_t surface, SIMT_UNPACK given,                        \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, SIMT_HERE)        \
    {                                                                          \
        return simt_device::read_surface<T>(surface, x, y, z, mode, file,      \
                                            line);                             \
    }                                                                          \
    template <class T>                                                         \
    static inline void name##read(                                             \
        T *value, cudaSurfaceObject_t surface, SIMT_UNPACK given,              \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, SIMT_HERE)        \
    {                                                                          \
        *value =                                                               \
            simt_device::read_surface<T>(surface, x, y, z, mode, file, line);  \
    }                                                                          \
    template <class T>                                                         \
    static inline void name##write(                                            \
        T value, cudaSurfaceObject_t surface, SIMT_UNPACK given,               \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, SIMT_HERE)        \
    {                                                                          \
        simt_device::write_surface(value, surface, x, y, z, mode, file, line); \
    }
#define SIMT_UNPACK(...) __VA_ARGS__

SIMT_SURFACE(surf1D, (int x), x, 0, 0)
SIMT_SURFACE(surf2D, (int x, int y), x, y, 0)
SIMT_SURFACE(surf3D, (int x, int y, int z), x, y, z)
SIMT_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)

static inline cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind)
{
    return cudaChannelFormatDesc{x, y, z, w, kind};
}

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename simt_device::channel<T>::type type;
    constexpr int bits = 8 * sizeof(type), count = sizeof(T) / sizeof(type);

    return cudaChannelFormatDesc{
        bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
        std::is_floating_point_v<type> ? cudaChannelFormatKindFloat
        : std::is_signed_v<type>       ? cudaChannelFormatKindSigned
                                       : cudaChannelFormatKindUnsigned};
}

#endif /* __cplusplus */

#endif /* SIMT_TEXTURE_H */
