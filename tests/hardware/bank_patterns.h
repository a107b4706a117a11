/*
 * bank_patterns.h: on which requests is the bank rule measured?
 *
 * Each pattern is one request of one warp to shared memory: a shape, which
 * says which element each lane wants, and a mask, which says which lanes take
 * part. bank_patterns.cu makes the request on a GPU; test_bank_patterns.c asks
 * banks.h about it. Both see the same table, which this header makes, in C and
 * in C++.
 */
#ifndef BANK_PATTERNS_H
#define BANK_PATTERNS_H

#include <stdint.h>
#include <stdio.h>

enum {
    BANK_PATTERN_LANES = 32,
    BANK_PATTERN_ELEMENTS = 1024, /* of 16 bytes: 16 KB of shared memory */
    BANK_PATTERNS_MOST = 2048
};

struct bank_pattern {
    int size; /* bytes of each access: 4, 8 or 16 */
    int is_store;
    uint32_t active;                     /* bit l is set if lane l takes part */
    uint32_t offset[BANK_PATTERN_LANES]; /* bytes; also of lanes that do not */
    char name[64];                       /* no comma, no quote */
};

/* A number that depends on its arguments alone. Multipliers and shifts: the
   finalizer of MurmurHash3. */
static inline uint32_t bank_pattern_random(uint32_t seed, uint32_t n)
{
    uint32_t x = seed * 0x9e3779b9U + n;

    x = (x ^ x >> 16) * 0x85ebca6bU;
    x = (x ^ x >> 13) * 0xc2b2ae35U;
    return x ^ x >> 16;
}

/* --- shapes --------------------------------------------------------------- */

static const char *const bank_shape[] = {
    "one for all",
    "consecutive",
    "reversed",
    "stride 2",
    "stride 3",
    "stride 4",
    "stride 8",
    "stride 16",
    "stride 17",
    "stride 32",
    "xor 1",
    "xor 2",
    "xor 16",
    "pairs l^1",
    "pairs l^2",
    "pairs l^4",
    "pairs l^8",
    "pairs l^16",
    "fours",
    "eights",
    "pairs l^1 in the first half",
    "pairs l^1 in the last half",
    "pairs l^2 in the first half",
    "pairs l^1 then l^2 by halves",
    "pairs l^1 in even quarters",
    "pairs l^1 but lane 31",
    "pairs l^2 but lane 0",
    "pairs l^1 stride 16",
    "pairs l^2 stride 16",
    "each quarter its own element",
    "each half its own element",
    "quarters in one bank",
    "even lanes one odd lanes another",
    "two words of one bank in turn",
    "random of 8",
    "random of 32",
    "random of 128",
    "random of 1024",
    "random order",
    "random pairs l^1",
    "random pairs l^2",
    "random fours",
    "random stride 8",
};

enum {
    BANK_SHAPES = sizeof bank_shape / sizeof bank_shape[0]
};

/* Drops bit `bit` of lane: lanes that differ in it alone get one number. */
static inline uint32_t bank_pairs(uint32_t lane, uint32_t bit)
{
    return (lane & (bit - 1)) | (lane / (2 * bit) * bit);
}

/* Which element lane wants; seed tells patterns of one shape apart. */
static inline uint32_t bank_element(int shape, uint32_t lane, uint32_t seed)
{
    const uint32_t first_half = lane < 16, l = lane;

    switch (shape) {
    case 0:
        return 3;
    case 1:
        return l;
    case 2:
        return 31 - l;
    case 3:
        return 2 * l;
    case 4:
        return 3 * l;
    case 5:
        return 4 * l;
    case 6:
        return 8 * l;
    case 7:
        return 16 * l;
    case 8:
        return 17 * l;
    case 9:
        return 32 * l;
    case 10:
        return l ^ 1;
    case 11:
        return l ^ 2;
    case 12:
        return l ^ 16;
    case 13:
        return bank_pairs(l, 1);
    case 14:
        return bank_pairs(l, 2);
    case 15:
        return bank_pairs(l, 4);
    case 16:
        return bank_pairs(l, 8);
    case 17:
        return bank_pairs(l, 16);
    case 18:
        return l / 4;
    case 19:
        return l / 8;
    case 20:
        return first_half ? bank_pairs(l, 1) : l;
    case 21:
        return first_half ? l : bank_pairs(l, 1);
    case 22:
        return first_half ? bank_pairs(l, 2) : l;
    case 23:
        return bank_pairs(l, first_half ? 1 : 2);
    case 24:
        return l / 8 % 2 ? l : bank_pairs(l, 1);
    case 25:
        return l == 31 ? 0 : bank_pairs(l, 1);
    case 26:
        return l == 0 ? 9 : bank_pairs(l, 2);
    case 27:
        return 16 * bank_pairs(l, 1);
    case 28:
        return 16 * bank_pairs(l, 2);
    case 29:
        return 5 * (l / 8);
    case 30:
        return 7 * (l / 16);
    case 31:
        return 32 * (l / 8) + l % 8;
    case 32:
        return l % 2 * 5;
    case 33:
        return l % 2 * 32;
    case 34:
        return bank_pattern_random(seed, l) % 8;
    case 35:
        return bank_pattern_random(seed, l) % 32;
    case 36:
        return bank_pattern_random(seed, l) % 128;
    case 37:
        return bank_pattern_random(seed, l) % BANK_PATTERN_ELEMENTS;
    case 38: /* multiplied by an odd number: each once */
        return (l * (2 * (seed % 16) + 1) + seed) % 32;
    case 39:
        return bank_pattern_random(seed, bank_pairs(l, 1)) % 64;
    case 40:
        return bank_pattern_random(seed, bank_pairs(l, 2)) % 64;
    case 41:
        return bank_pattern_random(seed, l / 4) % 64;
    default:
        return bank_pattern_random(seed, l) % 64 * 8;
    }
}

/* --- masks ---------------------------------------------------------------- */

/* Parts of a warp: first and last lanes, one lane, every nth, some quarters or
   halves alone, one of each pair, all but a few. */
static const uint32_t bank_mask[] = {
    0x00000001, 0x80000000, 0x00010000, 0x0000000f, 0x000000ff, 0x00000fff,
    0x0000ffff, 0x000fffff, 0x00ffffff, 0x7fffffff, 0xfffffffe, 0xffff0000,
    0xff000000, 0xff0000ff, 0x00ff00ff, 0xff00ff00, 0x00ffff00, 0x55555555,
    0xaaaaaaaa, 0x11111111, 0x33333333, 0xcccccccc, 0x77777777, 0xf0f0f0f0,
    0x5a5a5a5a, 0x00005555, 0x0f0f0000, 0x10000001, 0xfffeffff, 0x0001ffff,
};

enum {
    BANK_MASKS = sizeof bank_mask / sizeof bank_mask[0],
    BANK_RANDOM_MASKS = 3,
    /* Parts of a warp that each shape is measured with. */
    BANK_PARTS_LOAD = 6, /* loads of 8 and 16 bytes: here the rule has cases */
    BANK_PARTS = 2       /* the others */
};

static inline int bank_parts(int size, int is_store)
{
    return size > 4 && !is_store ? BANK_PARTS_LOAD : BANK_PARTS;
}

/* Part number n of a pattern; some are random, none is empty. */
static inline uint32_t bank_part(uint32_t seed, int n)
{
    const uint32_t i = 5 * seed + (uint32_t)n * 7;
    const uint32_t r = bank_pattern_random(seed, (uint32_t)n + 1000);

    switch (i % (BANK_MASKS + BANK_RANDOM_MASKS)) {
    case BANK_MASKS:
        return r | 1;
    case BANK_MASKS + 1: /* one lane in four */
        return (r & r >> 9) | 0x200;
    case BANK_MASKS + 2: /* three in four */
        return r | r >> 7;
    default:
        return bank_mask[i % (BANK_MASKS + BANK_RANDOM_MASKS)];
    }
}

/* --- the table ------------------------------------------------------------ */

/* Fills pattern with the one of that shape, seed and part; part -1 is the whole
   warp. */
static inline void bank_pattern_make(struct bank_pattern *pattern, int shape,
                                     int size, int is_store, uint32_t seed,
                                     int part)
{
    const uint32_t most = (uint32_t)(16 / size) * BANK_PATTERN_ELEMENTS;
    const uint32_t own = 64 * seed + (uint32_t)(part + 1);

    pattern->size = size;
    pattern->is_store = is_store;
    pattern->active = part < 0 ? UINT32_MAX : bank_part(seed, part);
    for (uint32_t lane = 0; lane < BANK_PATTERN_LANES; lane++) {
        pattern->offset[lane] =
            bank_element(shape, lane, own) % most * (uint32_t)size;
    }
    snprintf(pattern->name, sizeof pattern->name, "%d bytes %s %s 0x%08x", size,
             is_store ? "store" : "load", bank_shape[shape],
             (unsigned)pattern->active);
}

/* Fills the table; returns how many patterns there are. */
static inline int bank_patterns(struct bank_pattern table[BANK_PATTERNS_MOST])
{
    int count = 0;
    uint32_t seed = 0;

    for (int size = 4; size <= 16; size *= 2) {
        for (int is_store = 0; is_store < 2; is_store++) {
            for (int shape = 0; shape < BANK_SHAPES; shape++, seed++) {
                for (int part = -1; part < bank_parts(size, is_store); part++) {
                    bank_pattern_make(&table[count++], shape, size, is_store,
                                      seed, part);
                }
            }
        }
    }
    return count;
}

#endif /* BANK_PATTERNS_H */
