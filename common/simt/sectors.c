/* How many sectors does one request to global memory take? */
#define _GNU_SOURCE
#include "recorder.h"

#include <stdlib.h>

static int sort_and_sweep(const uint64_t *address, uint32_t active, int size,
                          int *bytes)
{
    uint64_t sorted[SIMT_WARP] = {0};
    uint64_t seen = 0;        /* bytes below this one are counted */
    uint64_t next_sector = 0; /* likewise sectors */
    int count = 0, sectors = 0;

    for (int lane = 0; lane < SIMT_WARP; lane++) {
        int at = count;

        if (!(active >> lane & 1))
            continue;
        for (; at > 0 && sorted[at - 1] > address[lane]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = address[lane];
        count++;
    }
    *bytes = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t end = sorted[i] + (uint64_t)size;
        const uint64_t from = sorted[i] > seen ? sorted[i] : seen;
        uint64_t sector = sorted[i] / 32;

        if (end > from)
            *bytes += (int)(end - from);
        seen = end > seen ? end : seen;
        if (sector < next_sector)
            sector = next_sector;
        for (; sector <= (end - 1) / 32; sector++)
            sectors++;
        next_sector = sector > next_sector ? sector : next_sector;
    }
    return sectors;
}

/*
 * Most requests stay within 2 KB and ask for whole words: then a bit for each
 * word is enough, and each byte of these bits stands for a sector.
 */
int simt_count_sectors(const uint64_t address[SIMT_WARP], uint32_t active,
                       int size, int *bytes)
{
    const uint64_t first = address[__builtin_ctz(active)];
    const uint64_t base = first / 32 * 32 - 1024;
    const uint64_t word = size >= 4 ? (UINT64_C(1) << size / 4) - 1 : 0;
    uint64_t bits[8] = {0};
    int sectors = 0, words = 0;

    if (word == 0)
        return sort_and_sweep(address, active, size, bytes);
    for (uint32_t left = active; left != 0; left &= left - 1) {
        const uint64_t offset = address[__builtin_ctz(left)] - base;

        if (offset >= 2048 || offset % (uint64_t)size != 0)
            return sort_and_sweep(address, active, size, bytes);
        bits[offset / 256] |= word << offset / 4 % 64;
    }
    for (int i = 0; i < 8; i++) {
        uint64_t any = bits[i];

        if (any == 0)
            continue;
        words += __builtin_popcountll(any);
        any |= any >> 4;
        any |= any >> 2;
        any |= any >> 1;
        sectors += __builtin_popcountll(any & UINT64_C(0x0101010101010101));
    }
    *bytes = 4 * words;
    return sectors;
}

int simt_count_copy_sectors(const uint64_t address[SIMT_WARP], uint32_t active,
                            int *bytes)
{
    int sectors = 0;

    *bytes = 16 * __builtin_popcount(active);
    for (int lane = 0; lane < SIMT_WARP; lane += 2) {
        const uint32_t pair = active >> lane & 3;

        sectors += pair != 0;
        sectors += pair == 3 && address[lane] / 128 != address[lane + 1] / 128;
    }
    return sectors;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

int simt_count_atomic_sectors(const uint64_t address[SIMT_WARP],
                              uint32_t active)
{
    uint64_t sorted[SIMT_WARP] = {0};
    size_t count = 0;
    int sectors = 0, most = 0, same = 0;

    for (; active != 0; active &= active - 1)
        sorted[count++] = address[__builtin_ctz(active)];
    qsort(sorted, count, sizeof sorted[0], by_value);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && sorted[i] / 32 != sorted[i - 1] / 32) {
            sectors += most;
            most = 0;
        }
        same = i > 0 && sorted[i] == sorted[i - 1] ? same + 1 : 1;
        most = same > most ? same : most;
    }
    return sectors + most;
}
