#include "grade/base/digest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void grade_digest_item(struct sha256_ctx *sha, const void *bytes, size_t size)
{
    const uint64_t length = size;

    sha256_update(sha, sizeof length, (const uint8_t *)&length);
    sha256_update(sha, size, bytes);
}

void grade_digest_string(struct sha256_ctx *sha, const char *text)
{
    grade_digest_item(sha, text, strlen(text));
}

int grade_digest_file(struct sha256_ctx *sha, const char *path)
{
    unsigned char part[16384];
    FILE *const file = fopen(path, "rb");
    size_t length;
    uint64_t sum = 0;
    int bad;

    if (file == NULL)
        return -1;
    while ((length = fread(part, 1, sizeof part, file)) > 0) {
        sha256_update(sha, length, part);
        sum += length;
    }
    bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return -1;
    sha256_update(sha, sizeof sum, (const uint8_t *)&sum);
    return 0;
}

void grade_digest_end(struct sha256_ctx *sha, char text[GRADE_DIGEST_TEXT])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];

    sha256_digest(sha, sizeof bytes, bytes);
    for (int i = 0; i < SHA256_DIGEST_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", (unsigned)bytes[i]);
}
