#define _GNU_SOURCE
#include "grade/intake/gather.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEPTH = 10,        /* of folders */
    MOST = 5000,       /* files of one student */
    LARGEST = 1 << 26, /* bytes of an archive that is opened */
    FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
};

/* What nobody hands in as a lab. */
static int is_passed_over(const char *name)
{
    static const char *const given[] = {"__MACOSX",  "build", "common",
                                        "solutions", "tests", "spot_the_bug",
                                        "slides",    "plots", "node_modules"};

    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (strcmp(name, given[i]) == 0)
            return 1;
    }
    return name[0] == '.';
}

int grade_open_below(int folder, const char *path)
{
    int at = dup(folder);

    while (at >= 0 && *path != '\0') {
        char name[256];
        const size_t length = strcspn(path, "/");
        int next;

        if (length >= sizeof name) {
            close(at);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, path, length);
        name[length] = '\0';
        next = openat(at, name, FOLDER);
        close(at);
        at = next;
        path += length + strspn(path + length, "/");
    }
    return at;
}

/* Adds a file, or what is none, with the reason or the error. */
static int add_file(struct grade_items *items, const char *path, const char *at,
                    const char *refusal, int error)
{
    const struct grade_item item = {.path = strdup(path),
                                    .at = strdup(at),
                                    .refusal = refusal,
                                    .error = error};

    if (item.path != NULL && item.at != NULL)
        return grade_items_add(items, &item);
    free(item.path);
    free(item.at);
    return -1;
}

/* An archive that is a file of the folder. */
static int add_archive(struct grade_items *items, int folder, const char *name,
                       const char *path)
{
    const int file = openat(folder, name, FILE_FLAGS);
    const char *refusal;
    struct stat status;
    int result;

    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        refusal = "is an archive that cannot be opened, or a link";
    } else if (status.st_size > LARGEST) {
        refusal = "is an archive of more than 64 MiB";
    } else {
        result =
            grade_archive_read(items, file, path, &grade_archive_of_student);
        close(file);
        return result;
    }
    if (file >= 0)
        close(file);
    return add_file(items, path, name, refusal, 0);
}

/* Adds what is in an open folder; path and at: what stands before its names. */
static int walk(struct grade_items *items, int folder, const char *path,
                const char *at, int depth)
{
    DIR *const listing = fdopendir(dup(folder));
    const struct dirent *entry;
    int failed = 0;

    while (listing != NULL && failed == 0 && items->items < MOST &&
           (entry = readdir(listing)) != NULL) {
        const char *const name = entry->d_name;
        struct stat status;
        char *below = NULL, *own = NULL;
        int inner = -1;

        if (is_passed_over(name) ||
            fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (asprintf(&below, "%s%s%s", path, *path != '\0' ? "/" : "", name) <
                0 ||
            asprintf(&own, "%s/%s", at, name) < 0) {
            failed = -1;
        } else if (S_ISREG(status.st_mode) && grade_archive_ending(name) > 0) {
            failed = add_archive(items, folder, name, below);
        } else if (!S_ISDIR(status.st_mode) || grade_item_is_source(name)) {
            failed =
                add_file(items, below, own,
                         S_ISLNK(status.st_mode) && !grade_item_is_source(name)
                             ? "is a symbolic link, and none is followed"
                             : NULL,
                         0);
        } else if (depth < DEPTH &&
                   (inner = openat(folder, name, FOLDER)) < 0) {
            failed = add_file(items, below, own, NULL, errno);
        } else if (depth < DEPTH) {
            failed = walk(items, inner, below, own, depth + 1);
            close(inner);
        }
        free(below);
        free(own);
    }
    if (listing != NULL)
        closedir(listing);
    return failed;
}

int grade_gather(struct grade_items *items, int folder, const char *path,
                 const char *called)
{
    int inner, result;

    inner = openat(folder, path, FOLDER);
    if (inner < 0 && grade_archive_ending(path) > 0)
        return add_archive(items, folder, path, called != NULL ? called : path);
    if (inner < 0 && called != NULL)
        return add_file(items, called, path, NULL, 0);
    if (inner < 0 && (errno == ELOOP || errno == ENOTDIR)) {
        return add_file(items, "What was handed in", path,
                        "is a symbolic link, no folder", 0);
    }
    if (inner < 0)
        return errno == ENOENT ? 0 : add_file(items, path, path, NULL, errno);
    result = walk(items, inner, "", path, 1);
    close(inner);
    return result;
}

/* Is any folder of the path passed over? */
static int is_path_passed_over(const char *path)
{
    for (;;) {
        const size_t length = strcspn(path, "/");
        char name[256];

        snprintf(name, sizeof name, "%.*s", (int)length, path);
        if (is_passed_over(name))
            return 1;
        if (path[length] == '\0')
            return 0;
        path += length + 1;
    }
}

int grade_gather_archived(struct grade_items *items,
                          const struct grade_items *archive, const char *path,
                          const char *called)
{
    const size_t length = strlen(path);

    for (size_t i = 0; i < archive->items; i++) {
        const struct grade_item *const from = &archive->item[i];
        struct grade_item item = {.size = from->size, .refusal = from->refusal};
        const char *below = from->path + length;

        if (strncmp(from->path, path, length) != 0 ||
            (*below != '/' && *below != '\0'))
            continue;
        below += *below == '/';
        if (*below != '\0' && is_path_passed_over(below))
            continue;
        item.path = strdup(*below != '\0'   ? below
                           : called != NULL ? called
                                            : path);
        if (from->bytes != NULL) {
            item.bytes = malloc(from->size + 1);
            if (item.bytes != NULL)
                memcpy(item.bytes, from->bytes, from->size + 1);
        }
        if (item.path == NULL || (from->bytes != NULL && item.bytes == NULL)) {
            free(item.path);
            free(item.bytes);
            return -1;
        }
        if (grade_items_add(items, &item) != 0)
            return -1;
    }
    return 0;
}
