/*
 * digest.h: are these bytes the same as those of another time?
 *
 * SHA-256 (FIPS 180-4; by Nettle), over items of any length. An item's length
 * goes in before its bytes, so that "ab" + "c" and "a" + "bc" differ.
 */
#ifndef GRADE_DIGEST_H
#define GRADE_DIGEST_H

#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>

struct grade_digest {
    struct sha256_ctx sha;
};

enum {
    GRADE_DIGEST_TEXT = 65 /* 64 hexadecimal digits and a NUL */
};

void grade_digest_begin(struct grade_digest *digest);
void grade_digest_bytes(struct grade_digest *digest, const void *bytes,
                        size_t size); /* without its length */
void grade_digest_item(struct grade_digest *digest, const void *bytes,
                       size_t size);
void grade_digest_string(struct grade_digest *digest, const char *text);

/* What is in the file. Returns 0, or -1 with errno. */
int grade_digest_file(struct grade_digest *digest, const char *path);

void grade_digest_end(struct grade_digest *digest,
                      char text[GRADE_DIGEST_TEXT]);

#endif /* GRADE_DIGEST_H */
