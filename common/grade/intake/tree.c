#define _GNU_SOURCE
#include "grade/intake/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "grade/intake/names.h"

enum {
    DEPTH = 10,        /* of folders below a student's */
    ABOVE = 5,         /* folders in which a student's may lie */
    LARGEST = 1 << 26, /* bytes of an archive that is opened */
    FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
};

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

/* --- all that there is ---------------------------------------------------- */

/* __MACOSX is what macOS puts into its archives. */
static int is_given(const char *name, size_t length)
{
    static const char *const given[] = {"build",        "common",  "solutions",
                                        "tests",        "slides",  "plots",
                                        "spot_the_bug", "warm_up", "transpose",
                                        "node_modules", "__MACOSX"};

    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (strlen(given[i]) == length && strncmp(name, given[i], length) == 0)
            return 1;
    }
    return 0;
}

int grade_tree_passes_over(const char *path)
{
    for (int depth = 0; *path != '\0'; depth++) {
        const size_t length = strcspn(path, "/");

        if (*path == '.' || is_given(path, length) || depth == DEPTH)
            return 1;
        path += length + (path[length] == '/');
    }
    return 0;
}

/* An archive that is a file of the folder. */
static void add_archive(struct grade_items *all, int folder, const char *name,
                        const char *path)
{
    const int file = openat(folder, name, FILE_FLAGS);
    struct grade_item item = {.refusal = NULL};
    struct stat status;

    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        item.refusal = "is an archive that cannot be opened, or a link";
    } else if (status.st_size > LARGEST) {
        item.refusal = "is an archive of more than 64 MiB";
    }
    if (item.refusal != NULL) {
        grade_items_add(all, path, item);
    } else {
        grade_archive_read(all, file, path, &grade_archive_of_student);
    }
    if (file >= 0)
        close(file);
}

static void walk(struct grade_items *all, int folder, const char *path,
                 int depth);

static void add_one(struct grade_items *all, int folder, const char *name,
                    const char *path, int depth)
{
    const int is_source = grade_item_is_source(name);
    struct grade_item item = {.refusal = NULL};
    struct stat status = {.st_mode = 0};

    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        status.st_mode = 0;
    item.is_link = S_ISLNK(status.st_mode);
    if (S_ISDIR(status.st_mode) && !(depth > 0 && is_source)) {
        const int is_none = *name == '.' || depth == ABOVE + DEPTH ||
                            (depth > 1 && is_given(name, strlen(name)));
        char *const below = base_text("%s/", path);

        if (below != NULL)
            grade_items_add(all, below, item);
        if (below != NULL && !is_none)
            walk(all, openat(folder, name, FOLDER), below, depth + 1);
        free(below);
        return;
    }
    if (S_ISREG(status.st_mode) && grade_archive_ending(name) > 0) {
        add_archive(all, folder, name, path);
        return;
    }
    if (item.is_link && !is_source)
        item.refusal = "is a symbolic link, and none is followed";
    grade_items_add(all, path, item);
}

/* Adds what is in a folder, and closes it. */
static void walk(struct grade_items *all, int folder, const char *path,
                 int depth)
{
    DIR *const stream = folder >= 0 ? fdopendir(folder) : NULL;
    const struct dirent *entry;

    while (stream != NULL && (errno = 0, entry = readdir(stream)) != NULL) {
        const char *const name = entry->d_name;
        char *const own = base_text("%s%s", path, name);

        if (own != NULL && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            add_one(all, folder, name, own, depth);
        free(own);
    }
    if (errno != 0)
        grade_items_add(all, path, (struct grade_item){.error = errno});
    if (stream != NULL) {
        closedir(stream);
    } else if (folder >= 0) {
        close(folder);
    }
}

void grade_tree_read(struct grade_tree *tree, int own)
{
    struct grade_items *const all = &tree->all;

    if (tree->is_archive) {
        grade_archive_read(all, tree->folder, "", &grade_archive_of_class);
    } else {
        walk(all, openat(tree->folder, ".", FOLDER), "", own ? 2 : 0);
    }
    if (all->items > 0)
        qsort(all->item, all->items, sizeof *all->item, grade_names_compare);
}

void grade_tree_free(struct grade_tree *tree)
{
    grade_items_free(&tree->all);
    free(tree->base);
    if (tree->folder >= 0)
        close(tree->folder);
    *tree = (struct grade_tree){.folder = -1};
}

/* --- what lies in a folder ------------------------------------------------ */

void grade_listing_free(struct grade_listing *listing)
{
    for (size_t i = 0; i < listing->entries; i++)
        free(listing->entry[i].name);
    free(listing->entry);
    *listing = (struct grade_listing){.entries = 0};
}

static struct grade_entry *add_entry(struct grade_listing *l, const char *name,
                                     size_t length, size_t first)
{
    char *const copy = base_text("%.*s", (int)length, name);
    struct grade_entry *const e =
        copy != NULL ? base_list_add(&l->entry, &l->entries, sizeof *e) : NULL;

    if (e == NULL) {
        free(copy);
        return NULL;
    }
    *e = (struct grade_entry){.name = copy, .first = first};
    return e;
}

size_t grade_tree_find(const struct grade_tree *tree, const char *path)
{
    size_t first = 0, end = tree->all.items;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (strcmp(tree->all.item[middle].path, path) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

void grade_tree_list(const struct grade_tree *tree, const char *base,
                     struct grade_listing *listing)
{
    const size_t length = strlen(base);

    *listing = (struct grade_listing){.entries = 0};
    for (size_t i = grade_tree_find(tree, base);
         i < tree->all.items &&
         strncmp(tree->all.item[i].path, base, length) == 0;
         i++) {
        const char *const name = tree->all.item[i].path + length;
        const size_t own = strcspn(name, "/");
        struct grade_entry *e =
            listing->entries > 0 ? &listing->entry[listing->entries - 1] : NULL;

        if (own == 0 || strncmp(name, "__MACOSX/", 9) == 0)
            continue;
        if (e == NULL || name[own] == '\0' ||
            strncmp(e->name, name, own) != 0 || e->name[own] != '\0') {
            e = add_entry(listing, name, own, i);
            if (e == NULL)
                return;
            e->is_folder = name[own] == '/' || tree->all.item[i].is_link ||
                           grade_archive_ending(e->name) > 0;
        }
        e->items++;
        e->is_repository |=
            !tree->is_archive && (strcmp(name + own, "/.git/") == 0 ||
                                  strcmp(name + own, "/.git") == 0);
    }
}
