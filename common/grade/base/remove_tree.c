#define _GNU_SOURCE
#include "grade/base/remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How deep folders may lie in each other; a descriptor each. */
enum {
    DEEPEST = 64
};

static int remove_below(int at, const char *name, int depth)
{
    const struct dirent *entry;
    int folder, error = 0;
    DIR *listing;

    if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    if (depth == DEEPEST) {
        errno = ELOOP;
        return -1;
    }
    folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return -1;
    listing = fdopendir(folder);
    if (listing == NULL) {
        close(folder);
        return -1;
    }
    while ((entry = readdir(listing)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            remove_below(dirfd(listing), entry->d_name, depth + 1) != 0 &&
            error == 0)
            error = errno;
    }
    closedir(listing);
    if (unlinkat(at, name, AT_REMOVEDIR) == 0)
        return 0;
    if (error != 0)
        errno = error;
    return -1;
}

int grade_remove_tree(int at, const char *name)
{
    return remove_below(at, name, 0);
}
