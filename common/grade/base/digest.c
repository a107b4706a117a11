#define _DEFAULT_SOURCE
#include "grade/base/digest.h"

#include <sys/types.h>

#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/refuse.h"

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

/* What is in the file. Returns 0, or -1 with errno. */
static int add_file(struct sha256_ctx *sha, const char *path)
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

static int compare_names(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Returns 0, or -1 with errno. */
static int add_entry(struct sha256_ctx *digest, const FTSENT *entry)
{
    errno = entry->fts_errno;
    if (errno != 0 || entry->fts_info != FTS_F)
        return errno != 0 ? -1 : 0;
    grade_digest_string(digest, entry->fts_path);
    return add_file(digest, entry->fts_path);
}

int grade_build_digest(const char *folder, char text[GRADE_DIGEST_TEXT],
                       char *why, size_t size)
{
    static char self[] = "/proc/self/exe", labs[] = "labs/INDEX",
                todos[] = "labs/TODOS";
    char *const paths[] = {self, labs, todos, (char *)(size_t)folder, NULL};
    FTS *const tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, compare_names);
    const FTSENT *entry = NULL;
    struct sha256_ctx digest;
    int failed = tree == NULL;

    sha256_init(&digest);
    while (!failed && (entry = fts_read(tree)) != NULL)
        failed = add_entry(&digest, entry) != 0;
    if (failed) {
        base_refuse(why, size, "%s: %s (run it by make grade)",
                    entry != NULL ? entry->fts_path : folder, strerror(errno));
    }
    if (tree != NULL)
        fts_close(tree);
    grade_digest_end(&digest, text);
    return failed ? -1 : 0;
}
