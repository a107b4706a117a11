#define _GNU_SOURCE
#include "grade/intake/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/intake/names.h"

enum {
    DEPTH = 10,        /* of folders */
    MOST = 5000,       /* files of one student */
    LARGEST = 1 << 26, /* bytes of an archive that is opened */
    FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
};

char *grade_tree_join(const char *folder, const char *name)
{
    char *path;

    return asprintf(&path, "%s%s%s", folder, *folder != '\0' ? "/" : "", name) <
                   0
               ? NULL
               : path;
}

int grade_open_below(int folder, const char *path)
{
    int at = openat(folder, ".", FOLDER);

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

int grade_open_above(int folder, const char *path, const char **name)
{
    const char *const slash = strrchr(path, '/');
    char *const above =
        strndup(path, slash != NULL ? (size_t)(slash - path) : 0);
    const int opened = above != NULL ? grade_open_below(folder, above) : -1;

    *name = slash != NULL ? slash + 1 : path;
    free(above);
    return opened;
}

/* --- what lies in a folder ------------------------------------------------ */

void grade_listing_free(struct grade_listing *listing)
{
    for (size_t i = 0; i < listing->entries; i++)
        free(listing->entry[i].name);
    free(listing->entry);
    *listing = (struct grade_listing){.entries = 0};
}

/* What is in no listing; macOS puts that folder into its archives. */
static int is_skipped(const char *name, size_t length)
{
    return length == 0 || (length <= 2 && strncmp(name, "..", length) == 0) ||
           (length == 8 && strncmp(name, "__MACOSX", length) == 0);
}

/* Adds an entry; returns it, or NULL with errno. */
static struct grade_entry *add_entry(struct grade_listing *l, const char *name,
                                     size_t length, mode_t mode)
{
    struct grade_entry *const more =
        grade_list_room(l->entry, l->entries, sizeof *more);
    struct grade_entry *e;

    if (more == NULL)
        return NULL;
    l->entry = more;
    e = &more[l->entries];
    *e = (struct grade_entry){.name = strndup(name, length), .mode = mode};
    if (e->name == NULL)
        return NULL;
    e->is_folder =
        S_ISDIR(mode) || S_ISLNK(mode) || grade_archive_ending(e->name) > 0;
    l->entries++;
    return e;
}

static int list_folder(int top, const char *path, struct grade_listing *l)
{
    const int folder = grade_open_below(top, path);
    DIR *const stream = folder >= 0 ? fdopendir(folder) : NULL;
    const struct dirent *entry;
    int error;

    while (stream != NULL && (errno = 0, entry = readdir(stream)) != NULL) {
        const char *const name = entry->d_name;
        struct stat status = {.st_mode = 0};
        struct grade_entry *e;
        char git[300];

        if (is_skipped(name, strlen(name)))
            continue;
        if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            status.st_mode = 0;
        e = add_entry(l, name, strlen(name), status.st_mode);
        if (e == NULL)
            break;
        snprintf(git, sizeof git, "%s/.git", name);
        e->is_repository =
            S_ISDIR(status.st_mode) &&
            faccessat(folder, git, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    }
    error = errno;
    if (stream != NULL) {
        closedir(stream);
    } else if (folder >= 0) {
        close(folder);
    }
    errno = error;
    return stream != NULL && error == 0 ? 0 : -1;
}

/* The first item whose path is not before this one. */
static size_t find_item(const struct grade_items *archive, const char *path)
{
    size_t first = 0, end = archive->items;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (strcmp(archive->item[middle].path, path) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

/* Of the archive's paths those that begin with `base`, which ends in a slash,
   or is "". */
static int list_archive(const struct grade_items *archive, const char *base,
                        struct grade_listing *l)
{
    const size_t length = strlen(base);

    for (size_t i = find_item(archive, base);
         i < archive->items &&
         strncmp(archive->item[i].path, base, length) == 0;
         i++) {
        const char *const name = archive->item[i].path + length;
        const size_t own = strcspn(name, "/");
        const int is_folder = name[own] == '/';
        struct grade_entry *e =
            l->entries > 0 ? &l->entry[l->entries - 1] : NULL;

        if (is_skipped(name, own) ||
            (is_folder && e != NULL && S_ISDIR(e->mode) &&
             strncmp(e->name, name, own) == 0 && e->name[own] == '\0'))
            continue;
        e = add_entry(l, name, own, is_folder ? S_IFDIR : S_IFREG);
        if (e == NULL)
            return -1;
        e->from = is_folder ? NULL : &archive->item[i];
    }
    return 0;
}

int grade_tree_list(const struct grade_tree *tree, const char *path,
                    struct grade_listing *listing)
{
    char *base;
    int result;

    *listing = (struct grade_listing){.entries = 0};
    if (!tree->is_archive)
        return list_folder(tree->folder, path, listing);
    base = *path != '\0' ? grade_tree_join(path, "") : strdup("");
    result = base != NULL ? list_archive(&tree->archive, base, listing) : -1;
    free(base);
    return result;
}

/* --- all that lies below -------------------------------------------------- */

/* What nobody hands in as a lab. */
static int is_passed_over(const char *name)
{
    static const char *const given[] = {
        "build",  "common", "solutions",    "tests",
        "slides", "plots",  "spot_the_bug", "node_modules"};

    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (strcmp(name, given[i]) == 0)
            return 1;
    }
    return name[0] == '.';
}

/* Adds a file, or what is none, with a refusal or an error. */
static int add_file(struct grade_items *items, const char *path, const char *at,
                    struct grade_item item)
{
    item.path = strdup(path);
    item.at = strdup(at);
    if (item.from != NULL)
        item.refusal = item.from->refusal;
    return grade_items_add(items, &item);
}

/* An archive that is a file of the folder. */
static int add_archive(const struct grade_tree *tree, const char *at,
                       const char *path, struct grade_items *items)
{
    const char *name;
    const int folder = grade_open_above(tree->folder, at, &name);
    const int file = openat(folder, name, FILE_FLAGS);
    struct grade_item refused = {.path = NULL};
    struct stat status;
    int result;

    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        refused.refusal = "is an archive that cannot be opened, or a link";
    } else if (status.st_size > LARGEST) {
        refused.refusal = "is an archive of more than 64 MiB";
    }
    result =
        refused.refusal != NULL
            ? add_file(items, path, at, refused)
            : grade_archive_read(items, file, path, &grade_archive_of_student);
    if (file >= 0)
        close(file);
    if (folder >= 0)
        close(folder);
    return result;
}

static int walk(const struct grade_tree *tree, const char *at, const char *path,
                int depth, struct grade_items *items);

/* An entry of a folder. */
static int add_one(const struct grade_tree *tree, const struct grade_entry *e,
                   const char *at, const char *path, int depth,
                   struct grade_items *items)
{
    const int is_source = grade_item_is_source(e->name);

    if (S_ISDIR(e->mode) && (tree->is_archive || !is_source))
        return depth < DEPTH ? walk(tree, at, path, depth + 1, items) : 0;
    if (S_ISREG(e->mode) && e->is_folder && !tree->is_archive)
        return add_archive(tree, at, path, items);
    return add_file(
        items, path, at,
        (struct grade_item){.from = e->from,
                            .refusal =
                                S_ISLNK(e->mode) && !is_source
                                    ? "is a symbolic link, and none is followed"
                                    : NULL});
}

/* Adds what is in a folder; path: what its author calls it. */
static int walk(const struct grade_tree *tree, const char *at, const char *path,
                int depth, struct grade_items *items)
{
    struct grade_listing l;
    int failed = 0;

    if (grade_tree_list(tree, at, &l) != 0) {
        failed = add_file(items, *path != '\0' ? path : at, at,
                          (struct grade_item){.error = errno});
    }
    for (size_t i = 0; i < l.entries && !failed && items->items < MOST; i++) {
        char *const below = grade_tree_join(path, l.entry[i].name);
        char *const own = grade_tree_join(at, l.entry[i].name);

        failed = below == NULL || own == NULL;
        if (!failed && !is_passed_over(l.entry[i].name))
            failed = add_one(tree, &l.entry[i], own, below, depth, items);
        free(below);
        free(own);
    }
    grade_listing_free(&l);
    return failed ? -1 : 0;
}

int grade_tree_gather(const struct grade_tree *tree,
                      const struct grade_entry *entry, const char *at,
                      const char *called, struct grade_items *items)
{
    struct grade_item item = {.from = entry->from};

    if (S_ISDIR(entry->mode))
        return walk(tree, at, "", 1, items);
    if (called == NULL)
        called = entry->name;
    if (grade_archive_ending(called) > 0 && !tree->is_archive)
        return add_archive(tree, at, called, items);
    if (S_ISLNK(entry->mode)) {
        called = "What was handed in";
        item.refusal = "is a symbolic link, no folder";
    }
    return add_file(items, called, at, item);
}
