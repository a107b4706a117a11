/*
 * hash.h: is this text the same as that one, by a number?
 *
 * 64-bit FNV-1a (Fowler, Noll and Vo), a byte at a time. It tells what was
 * changed, and guards against nobody.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#define BASE_HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

static inline uint64_t base_hash_add(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

#endif /* BASE_HASH_H */
