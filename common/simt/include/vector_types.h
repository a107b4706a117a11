/*
 * vector_types.h: how are CUDA's vector types laid out?
 *
 * As CUDA lays them out (CUDA C++ Programming Guide, "Built-in Vector Types"):
 * one with two or four members is aligned to its own size, but to no more than
 * 16 bytes, so that one access moves it; one with three is aligned as its
 * members are and takes three accesses. C has uint3 and dim3 alone.
 */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H

#ifndef __cplusplus

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
};

#else

/* What lies in them and how it is copied. g++ copies 16 bytes at once; clang
   does only if it is told that they are one vector. */
#if !defined(__wasm__)
#define SIMT_MEMBERS2(name, type) type x, y;
#define SIMT_MEMBERS4(name, type) type x, y, z, w;
#else
#define SIMT_COPIED(name, type, count)                                     \
    typedef type whole __attribute__((vector_size(                         \
        sizeof(type) * count > 16 ? sizeof(type) : sizeof(type) * count))) \
    __attribute__((may_alias));                                            \
    name() = default;                                                      \
    name(const name &from)                                                 \
    {                                                                      \
        copy(from);                                                        \
    }                                                                      \
    name &operator=(const name &from)                                      \
    {                                                                      \
        copy(from);                                                        \
        return *this;                                                      \
    }                                                                      \
    void copy(const name &from)                                            \
    {                                                                      \
        for (unsigned i = 0; i < sizeof *this / sizeof(whole); i++)        \
            ((whole *)this)[i] = ((const whole *)&from)[i];                \
    }
#define SIMT_MEMBERS2(name, type)                       \
    type x, y;                                          \
    constexpr name(type x_, type y_ = 0) : x(x_), y(y_) \
    {                                                   \
    }                                                   \
    SIMT_COPIED(name, type, 2)
#define SIMT_MEMBERS4(name, type)                                  \
    type x, y, z, w;                                               \
    constexpr name(type x_, type y_ = 0, type z_ = 0, type w_ = 0) \
        : x(x_), y(y_), z(z_), w(w_)                               \
    {                                                              \
    }                                                              \
    SIMT_COPIED(name, type, 4)
#endif

/* name1 to name4 with members of this type, and make_name1 to make_name4. */
#define SIMT_VECTOR(name, type)                                              \
    struct name##1                                                           \
    {                                                                        \
        type x;                                                              \
    };                                                                       \
    struct alignas(2 * sizeof(type)) name##2 {SIMT_MEMBERS2(name##2, type)}; \
    struct name##3                                                           \
    {                                                                        \
        type x, y, z;                                                        \
    };                                                                       \
    struct alignas(sizeof(type) < 8 ? 4 * sizeof(type) : 16)                 \
        name##4 {SIMT_MEMBERS4(name##4, type)};                              \
    static inline name##1 make_##name##1(type x)                             \
    {                                                                        \
        return name##1 {x};                                                  \
    }                                                                        \
    static inline name##2 make_##name##2(type x, type y)                     \
    {                                                                        \
        return name##2 {x, y};                                               \
    }                                                                        \
    static inline name##3 make_##name##3(type x, type y, type z)             \
    {                                                                        \
        return name##3 {x, y, z};                                            \
    }                                                                        \
    static inline name##4 make_##name##4(type x, type y, type z, type w)     \
    {                                                                        \
        return name##4 {x, y, z, w};                                         \
    }

SIMT_VECTOR(char, signed char)
SIMT_VECTOR(uchar, unsigned char)
SIMT_VECTOR(short, short)
SIMT_VECTOR(ushort, unsigned short)
SIMT_VECTOR(int, int)
SIMT_VECTOR(uint, unsigned)
SIMT_VECTOR(long, long)
SIMT_VECTOR(ulong, unsigned long)
SIMT_VECTOR(longlong, long long)
SIMT_VECTOR(ulonglong, unsigned long long)
SIMT_VECTOR(float, float)
SIMT_VECTOR(double, double)

struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned x_size = 1, unsigned y_size = 1,
                   unsigned z_size = 1)
        : x(x_size), y(y_size), z(z_size)
    {
    }
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
};

#endif

#endif /* SIMT_VECTOR_TYPES_H */
