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

void grade_digest_end(struct sha256_ctx *sha, char text[GRADE_DIGEST_TEXT]);

/*
 * The digest of this program, of labs/INDEX and labs/TODOS, and of all files in
 * `folder`, which the submissions are built with. Returns 0, or -1 with a line
 * in why.
 */
int grade_build_digest(const char *folder, char text[GRADE_DIGEST_TEXT],
                       char *why, size_t size);

#endif /* GRADE_DIGEST_H */
