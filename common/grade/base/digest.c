#include "grade/base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* FIPS 180-4, section 4.2.2: of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

/* Section 6.2.2: takes in the block of 64 bytes. */
static void take_block(struct grade_digest *d)
{
    uint32_t w[64], s[8];

    for (int i = 0; i < 16; i++) {
        const unsigned char *const b = d->block + 4 * i;

        w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
               (uint32_t)b[2] << 8 | (uint32_t)b[3];
    }
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];

        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(s, d->state, sizeof s);
    for (int i = 0; i < 64; i++) {
        const uint32_t e = s[4], a = s[0];
        const uint32_t t1 = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                            ((e & s[5]) ^ (~e & s[6])) + K[i] + w[i];
        const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                            ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        d->state[i] += s[i];
}

void grade_digest_begin(struct grade_digest *digest)
{
    *digest = (struct grade_digest){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void grade_digest_bytes(struct grade_digest *digest, const void *bytes,
                        size_t size)
{
    const unsigned char *from = bytes;

    while (size > 0) {
        const size_t used = digest->length % 64;
        const size_t now = size < 64 - used ? size : 64 - used;

        memcpy(digest->block + used, from, now);
        digest->length += now;
        from += now;
        size -= now;
        if (used + now == 64)
            take_block(digest);
    }
}

void grade_digest_item(struct grade_digest *digest, const void *bytes,
                       size_t size)
{
    const uint64_t length = size;

    grade_digest_bytes(digest, &length, sizeof length);
    grade_digest_bytes(digest, bytes, size);
}

void grade_digest_string(struct grade_digest *digest, const char *text)
{
    grade_digest_item(digest, text, strlen(text));
}

int grade_digest_file(struct grade_digest *digest, const char *path)
{
    unsigned char part[16384];
    FILE *const file = fopen(path, "rb");
    size_t length;
    uint64_t sum = 0;
    int bad;

    if (file == NULL)
        return -1;
    while ((length = fread(part, 1, sizeof part, file)) > 0) {
        grade_digest_bytes(digest, part, length);
        sum += length;
    }
    bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return -1;
    grade_digest_bytes(digest, &sum, sizeof sum);
    return 0;
}

void grade_digest_end(struct grade_digest *digest, char text[GRADE_DIGEST_TEXT])
{
    static const unsigned char one = 0x80, none = 0;
    const uint64_t bits = digest->length * 8;
    unsigned char end[8];

    for (int i = 0; i < 8; i++)
        end[i] = (unsigned char)(bits >> (56 - 8 * i));
    grade_digest_bytes(digest, &one, 1);
    while (digest->length % 64 != 56)
        grade_digest_bytes(digest, &none, 1);
    grade_digest_bytes(digest, end, sizeof end);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", (unsigned)digest->state[i]);
}
