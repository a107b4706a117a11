/*
 * digest.h: are these bytes the same as those of another time?
 *
 * SHA-256 (FIPS 180-4; by Nettle) over items of any length, after sha256_init.
 * An item's length goes in as well, so that "ab" + "c" and "a" + "bc" differ.
 */
#ifndef GRADE_DIGEST_H
#define GRADE_DIGEST_H

#include <nettle/sha2.h>
#include <stddef.h>

enum {
    GRADE_DIGEST_TEXT = 65 /* 64 hexadecimal digits and a NUL */
};

void grade_digest_item(struct sha256_ctx *sha, const void *bytes, size_t size);
void grade_digest_string(struct sha256_ctx *sha, const char *text);

/* What is in the file. Returns 0, or -1 with errno. */
int grade_digest_file(struct sha256_ctx *sha, const char *path);

void grade_digest_end(struct sha256_ctx *sha, char text[GRADE_DIGEST_TEXT]);

#endif /* GRADE_DIGEST_H */
