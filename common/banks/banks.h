/*
 * banks.h: how many wavefronts do the banks need for a request?
 *
 * Shared memory consists of banks, each 4 bytes wide; word w lies in bank
 * w modulo the number of banks. A wavefront, the word of Nsight Compute, serves
 * each bank once. Wavefronts are counted from byte addresses and active lanes,
 * never from element indices, so that the model holds for any type.
 *
 * Sources: CUDA C Programming Guide 4.2, appendix F.3.3 (compute capability
 * 1.x), and CUDA C++ Programming Guide 12, "Compute Capability 5.x", Shared
 * Memory. Which lanes are served together for accesses of 8 and 16 bytes today,
 * and that the lanes of an atomic wait for each other, no document says: it is
 * read from the wavefront counters of an H200. Its 1118 patterns of loads and
 * stores, whole warps and parts, and its 10 of atomics equal this rule
 * (tests/hardware).
 */
#ifndef BANKS_H
#define BANKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BANKS_LANES = 32,
    BANKS_WIDTH = 4 /* bytes */
};

enum banks_rule {
    BANKS_CC1,   /* compute capability 1.x: 16 banks, half a warp at a time */
    BANKS_TODAY, /* 5.x and later: 32 banks, the whole warp */
    BANKS_RULES
};

/* "1.x" or "today". */
const char *banks_rule_name(enum banks_rule rule);

/* How many banks there are. */
int banks_count(enum banks_rule rule);

/*
 * Wavefronts for one request of a warp.
 *
 *   address   byte address of each lane; those of inactive lanes are ignored
 *   active    bit l is set if lane l takes part; at least one is
 *   size      bytes of each access: 1, 2, 4, 8 or 16
 *   is_store  0 for a load, 1 for a store
 *
 * On 1.x this is the slower half of the warp, as the tables of that time give
 * it, and a store counts as a load would: the guide says only of loads which
 * lanes share a wavefront. Addresses are multiples of size, as the GPU demands.
 * Returns at least 1; allocates nothing.
 */
int banks_wavefronts(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                     uint32_t active, int size, int is_store);

/*
 * The same for an atomic: lanes that share a word are served one after the
 * other, so equal words of a bank cost as often as they are asked for. Measured
 * with 4 bytes alone; on 1.x it counts as a load would.
 */
int banks_atomic(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                 uint32_t active, int size);

/*
 * The same, and which serves each lane: wavefront[l] is 1 or more, or 0 if lane
 * l takes no part; of several for one lane it is the last. On 1.x each half of
 * the warp counts its own wavefronts from 1. Slower.
 */
int banks_schedule(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                   uint32_t active, int size, int is_store,
                   int wavefront[BANKS_LANES]);

/*
 * Wavefronts that the same request would take without a conflict: one for each
 * group of lanes that is served at once; on 1.x one for each 4 bytes of the
 * access, which even neighbouring elements of 8 or 16 bytes do not reach there.
 */
int banks_ideal(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                uint32_t active, int size, int is_store);

/* --- reads of s[stride * tid] by one warp, where s starts in bank 0 ------- */

enum {
    BANKS_TYPES = 4 /* char, short, float, double */
};

/* "char", "short", "float", "double"; bytes of each. */
const char *banks_type_name(int type);
int banks_type_size(int type);

void banks_stride_addresses(uint64_t address[BANKS_LANES], int type,
                            int stride);

/* Wavefronts of such a read. */
int banks_of_stride(enum banks_rule rule, int type, int stride);

#ifdef __cplusplus
}
#endif

#endif /* BANKS_H */
