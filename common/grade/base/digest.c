#include "grade/base/digest.h"

#include <stdio.h>
#include <string.h>

void grade_digest_begin(struct grade_digest *digest)
{
    sha256_init(&digest->sha);
}

void grade_digest_bytes(struct grade_digest *digest, const void *bytes,
                        size_t size)
{
    sha256_update(&digest->sha, size, bytes);
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
    uint8_t bytes[SHA256_DIGEST_SIZE];

    sha256_digest(&digest->sha, sizeof bytes, bytes);
    for (int i = 0; i < SHA256_DIGEST_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", (unsigned)bytes[i]);
}
