#include "banks.h"

#include <stddef.h>

enum {
    MOST_WORDS = 2 * BANKS_LANES
}; /* of one group: two for each lane */

const char *banks_rule_name(enum banks_rule rule)
{
    return rule == BANKS_CC1 ? "1.x" : "today";
}

int banks_count(enum banks_rule rule)
{
    return rule == BANKS_CC1 ? 16 : 32;
}

/* --- today ---------------------------------------------------------------- */

/*
 * The lanes of `group` at once: the largest number of distinct words that fall
 * into one bank. Equal words cost once. Each bank's words so far form a list,
 * linked by their places in word[]; the nth is served in wavefront n. Where
 * wavefront is not NULL, wavefront[l] becomes the last that lane l needs.
 */
static int group_wavefronts(const uint64_t *address, uint32_t group, int size,
                            int *wavefront)
{
    uint64_t word[MOST_WORDS];
    int next[MOST_WORDS], served[MOST_WORDS];
    int first[32], count[32] = {0};
    int words = 0, most = 0;

    for (; group != 0; group &= group - 1) {
        const int lane = __builtin_ctz(group);
        const uint64_t from = address[lane];
        const uint64_t last = (from + (uint64_t)size - 1) / BANKS_WIDTH;

        for (uint64_t w = from / BANKS_WIDTH; w <= last; w++) {
            const int bank = (int)(w % 32);
            int i = count[bank] > 0 ? first[bank] : -1;

            while (i >= 0 && word[i] != w)
                i = next[i];
            if (i < 0) {
                i = words++;
                word[i] = w;
                next[i] = count[bank] > 0 ? first[bank] : -1;
                first[bank] = i;
                served[i] = ++count[bank];
                if (served[i] > most)
                    most = served[i];
            }
            if (wavefront != NULL && served[i] > wavefront[lane])
                wavefront[lane] = served[i];
        }
    }
    return most;
}

/* The commonest groups: no lane begins 32 words or more above the first lane,
   or below it. Accesses are aligned, so no bank is asked for two words. */
static int is_one_wavefront(const uint64_t *address, uint32_t group)
{
    const uint64_t first = address[__builtin_ctz(group)] / BANKS_WIDTH;
    int is_near = 1;

    for (; group != 0; group &= group - 1)
        is_near &= address[__builtin_ctz(group)] / BANKS_WIDTH - first < 32;
    return is_near;
}

/* 1 if each active lane has the address of the lane whose number differs in
   `bit`, where both are active. */
static int equal_across(const uint64_t *address, uint32_t active, int bit)
{
    for (int lane = 0; lane < BANKS_LANES; lane++) {
        const uint32_t both = UINT32_C(1) << lane | UINT32_C(1) << (lane ^ bit);

        if ((active & both) == both && address[lane] != address[lane ^ bit])
            return 0;
    }
    return 1;
}

/* Lanes that are served together: the whole warp for 4 bytes, half for 8, a
   quarter for 16; twice as many where neighbours read the same. */
static int group_lanes(const uint64_t *address, uint32_t active, int size,
                       int is_store)
{
    const int lanes = size <= 4 ? 32 : size == 8 ? 16 : 8;

    if (lanes < 32 && !is_store &&
        (equal_across(address, active, 1) || equal_across(address, active, 2)))
        return 2 * lanes;
    return lanes;
}

static uint32_t lanes_from(int first, int count)
{
    return (count == 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1) << first;
}

static int wavefronts_today(const uint64_t *address, uint32_t active, int size,
                            int is_store, int *wavefront)
{
    const int lanes = group_lanes(address, active, size, is_store);
    int wavefronts = 0;

    for (int first = 0; first < BANKS_LANES; first += lanes) {
        const uint32_t group = active & lanes_from(first, lanes);
        const int before = wavefronts;

        if (group == 0)
            continue;
        if (wavefront == NULL && is_one_wavefront(address, group)) {
            wavefronts++;
            continue;
        }
        wavefronts += group_wavefronts(address, group, size, wavefront);
        for (int lane = first; wavefront != NULL && lane < first + lanes;
             lane++) {
            if (group >> lane & 1)
                wavefront[lane] += before;
        }
    }
    return wavefronts;
}

/* The lanes of a group are those of a store. A bank serves one lane at a time,
   also where two want the same word: each must see what the other has made. */
static int wavefronts_atomic(const uint64_t *address, uint32_t active, int size)
{
    const int lanes = group_lanes(address, active, size, 1);
    int wavefronts = 0;

    for (int first = 0; first < BANKS_LANES; first += lanes) {
        uint32_t group = active & lanes_from(first, lanes);
        int waiting[32] = {0}, most = 0;

        for (; group != 0; group &= group - 1) {
            const uint64_t from = address[__builtin_ctz(group)];
            const uint64_t last = (from + (uint64_t)size - 1) / BANKS_WIDTH;

            for (uint64_t w = from / BANKS_WIDTH; w <= last; w++) {
                if (++waiting[w % 32] > most)
                    most = waiting[w % 32];
            }
        }
        wavefronts += most;
    }
    return wavefronts;
}

/* --- compute capability 1.x ----------------------------------------------- */

/*
 * One half warp's request for 32-bit words, one for each of `count` lanes. In
 * each wavefront one word is broadcast to all lanes that want it; other banks
 * serve one lane. Which word is broadcast is unspecified in the guide; here it
 * is the one that most lanes wait for. served[i] becomes the wavefront of the
 * ith of them, from 1 up.
 */
static int half_warp_wavefronts(const uint64_t *wanted, int count, int *served)
{
    uint64_t waiting[16];
    int place[16];
    int wavefronts = 0;

    for (int i = 0; i < count; i++) {
        waiting[i] = wanted[i];
        place[i] = i;
    }
    while (count > 0) {
        uint32_t busy;
        uint64_t broadcast = 0;
        int most = 0, left = 0;

        for (int i = 0; i < count; i++) {
            int same = 0;

            for (int j = 0; j < count; j++)
                same += waiting[j] == waiting[i];
            if (same > most) {
                most = same;
                broadcast = waiting[i];
            }
        }
        busy = UINT32_C(1) << broadcast % 16;
        wavefronts++;
        for (int i = 0; i < count; i++) {
            const uint32_t bank = UINT32_C(1) << waiting[i] % 16;

            if (waiting[i] != broadcast && (busy & bank)) {
                waiting[left] = waiting[i];
                place[left++] = place[i];
                continue;
            }
            served[place[i]] = wavefronts;
            busy |= bank;
        }
        count = left;
    }
    return wavefronts;
}

/* An access of 8 or 16 bytes is as many requests for 32-bit words. They differ
   by one word in all lanes, so each takes as many wavefronts as the first. */
static int wavefronts_cc1(const uint64_t *address, uint32_t active, int size,
                          int *wavefront)
{
    const int parts = size <= BANKS_WIDTH ? 1 : size / BANKS_WIDTH;
    int slower = 0;

    for (int half = 0; half < BANKS_LANES; half += 16) {
        uint64_t wanted[16];
        int lane_of[16], served[16];
        int count = 0, wavefronts;

        for (int lane = half; lane < half + 16; lane++) {
            if (!(active >> lane & 1))
                continue;
            wanted[count] = address[lane] / BANKS_WIDTH;
            lane_of[count++] = lane;
        }
        wavefronts = half_warp_wavefronts(wanted, count, served);
        for (int i = 0; wavefront != NULL && i < count; i++)
            wavefront[lane_of[i]] = (parts - 1) * wavefronts + served[i];
        if (wavefronts > slower)
            slower = wavefronts;
    }
    return parts * slower;
}

int banks_wavefronts(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                     uint32_t active, int size, int is_store)
{
    return rule == BANKS_CC1
               ? wavefronts_cc1(address, active, size, NULL)
               : wavefronts_today(address, active, size, is_store, NULL);
}

int banks_atomic(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                 uint32_t active, int size)
{
    return rule == BANKS_CC1 ? wavefronts_cc1(address, active, size, NULL)
                             : wavefronts_atomic(address, active, size);
}

int banks_schedule(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                   uint32_t active, int size, int is_store,
                   int wavefront[BANKS_LANES])
{
    for (int lane = 0; lane < BANKS_LANES; lane++)
        wavefront[lane] = 0;
    return rule == BANKS_CC1
               ? wavefronts_cc1(address, active, size, wavefront)
               : wavefronts_today(address, active, size, is_store, wavefront);
}

int banks_ideal(enum banks_rule rule, const uint64_t address[BANKS_LANES],
                uint32_t active, int size, int is_store)
{
    int groups = 0;
    int lanes;

    if (rule == BANKS_CC1)
        return size <= BANKS_WIDTH ? 1 : size / BANKS_WIDTH;
    lanes = group_lanes(address, active, size, is_store);
    for (int first = 0; first < BANKS_LANES; first += lanes)
        groups += (active & lanes_from(first, lanes)) != 0;
    return groups;
}

/* --- reads of s[stride * tid] --------------------------------------------- */

static const struct {
    const char *name;
    int size;
} types[BANKS_TYPES] = {{"char", 1}, {"short", 2}, {"float", 4}, {"double", 8}};

const char *banks_type_name(int type)
{
    return types[type].name;
}

int banks_type_size(int type)
{
    return types[type].size;
}

void banks_stride_addresses(uint64_t address[BANKS_LANES], int type, int stride)
{
    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = (uint64_t)lane * (uint64_t)(stride * types[type].size);
}

int banks_of_stride(enum banks_rule rule, int type, int stride)
{
    uint64_t address[BANKS_LANES];

    banks_stride_addresses(address, type, stride);
    return banks_wavefronts(rule, address, UINT32_MAX, types[type].size, 0);
}
