#define _GNU_SOURCE
#include "replace_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of a path, opened and locked; -1 with errno. */
static int lock_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *folder = length > 0 ? strndup(path, length) : strdup(".");

    if (folder == NULL)
        return -1;
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    free(folder);
    /* Some network file systems lock no folders: then rows may get lost if
       programs write at the same time, but no row is ever torn. */
    if (descriptor >= 0)
        flock(descriptor, LOCK_EX);
    return descriptor;
}

/* The permissions of the file to be replaced, or those of a new one. */
static int permissions(const char *path, mode_t *mode)
{
    struct stat status;

    if (stat(path, &status) == 0) {
        *mode = status.st_mode & 0777;
        return S_ISREG(status.st_mode) ? 0 : -1;
    }
    const mode_t mask = umask(0);

    umask(mask);
    *mode = 0666 & ~mask;
    return 0;
}

int base_replace_begin(struct base_replacement *r, const char *path, char *why,
                       size_t size)
{
    mode_t mode;
    int descriptor = -1;

    *r = (struct base_replacement){
        .path = path, .folder = -1, .failures_before = base_memory_failures()};
    if (permissions(path, &mode) != 0) {
        snprintf(why, size, "%s: not a regular file (name another one)", path);
        return -1;
    }
    r->folder = lock_folder(path);
    if (r->folder < 0)
        goto bad;
    if (asprintf(&r->temporary, "%s.tmp.XXXXXX", path) < 0) {
        r->temporary = NULL;
        goto bad;
    }
    descriptor = mkstemp(r->temporary);
    if (descriptor < 0) {
        free(r->temporary);
        r->temporary = NULL;
        goto bad;
    }
    if (fchmod(descriptor, mode) != 0)
        goto bad;
    r->file = fdopen(descriptor, "w");
    if (r->file != NULL)
        return 0;
bad:
    snprintf(why, size, "%s: cannot be written: %s (choose another file)", path,
             strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    base_replace_end(r, 0, NULL, 0);
    return -1;
}

int base_replace_end(struct base_replacement *r, int keep, char *why,
                     size_t size)
{
    int failed =
        keep && base_memory_failures() != r->failures_before ? ENOMEM : 0;

    if (r->file != NULL) {
        if (keep && (ferror(r->file) || fflush(r->file) != 0 ||
                     fsync(fileno(r->file)) != 0))
            failed = errno != 0 ? errno : EIO;
        if (fclose(r->file) != 0 && keep && failed == 0)
            failed = errno;
    }
    if (r->temporary != NULL) {
        if (keep && failed == 0 && rename(r->temporary, r->path) != 0)
            failed = errno;
        if (!keep || failed != 0)
            unlink(r->temporary);
        free(r->temporary);
    }
    if (r->folder >= 0)
        close(r->folder); /* and unlock */
    if (failed != 0) {
        snprintf(why, size, "%s: cannot be written: %s", r->path,
                 strerror(failed));
    }
    *r = (struct base_replacement){.folder = -1};
    return failed != 0 ? -1 : 0;
}
