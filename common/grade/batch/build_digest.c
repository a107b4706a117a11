#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/batch/batch.h"

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The folder's entries by name. Those of a folder in it count as well. */
static int add_folder(struct grade_digest *digest, const char *folder,
                      int depth)
{
    struct dirent **entry;
    const int entries = scandir(folder, &entry, is_visible, alphasort);
    int failed = entries < 0;

    for (int i = 0; i < entries; i++) {
        char path[1024];

        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        grade_digest_string(digest, entry[i]->d_name);
        if (!failed && grade_digest_file(digest, path) != 0) {
            failed = errno != EISDIR || depth == 0 ||
                     add_folder(digest, path, depth - 1) != 0;
        }
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
    return failed ? -1 : 0;
}

int grade_build_digest(const char *folder, char text[GRADE_DIGEST_TEXT],
                       char *why, size_t size)
{
    static const char *const file[] = {"/proc/self/exe", "labs/INDEX",
                                       "labs/TODOS"};
    struct grade_digest digest;

    grade_digest_begin(&digest);
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        if (grade_digest_file(&digest, file[i]) != 0) {
            snprintf(why, size, "%s: %s", file[i], strerror(errno));
            return -1;
        }
    }
    if (add_folder(&digest, folder, 4) != 0) {
        snprintf(why, size, "%s: %s (run it by make grade)", folder,
                 strerror(errno));
        return -1;
    }
    grade_digest_end(&digest, text);
    return 0;
}
