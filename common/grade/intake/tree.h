/*
 * tree.h: what lies where, in the folder of submissions or the archive of all?
 *
 * A name is bytes of any kind and is never part of a path that is opened as a
 * whole: each folder is opened by its name below the one that holds it, and no
 * symbolic link is followed.
 */
#ifndef GRADE_TREE_H
#define GRADE_TREE_H

#include <sys/types.h>

#include "grade/intake/archive.h"

struct grade_tree {
    int folder; /* descriptor; of the archive's, if that is what there is */
    int is_archive;
    struct grade_items archive; /* what it holds, in the order of paths */
    char *base;                 /* the folder of students; "" at the top */
};

struct grade_entry {
    char *name;
    mode_t mode;
    int is_folder; /* or what may hold more: an archive, a link to be refused */
    int is_repository;
    int is_nobodys;                /* no student's, by the layout */
    const struct grade_item *from; /* of an archive's file; or NULL */
};

struct grade_listing {
    struct grade_entry *entry;
    size_t entries;
};

/* Lists a folder, by its path from the top. Returns 0, or -1 with errno. Free
   the listing in any case. */
int grade_tree_list(const struct grade_tree *tree, const char *path,
                    struct grade_listing *listing);
void grade_listing_free(struct grade_listing *listing);

/* The path of what lies in a folder, for free(); NULL without memory. */
char *grade_tree_join(const char *folder, const char *name);

/* Opens the folder at a path below another one; or the one that holds what lies
   at a path, whose own name is in *name. Return a descriptor, or -1 with
   errno. */
int grade_open_below(int folder, const char *path);
int grade_open_above(int folder, const char *path, const char **name);

/*
 * Adds all that lies below an entry at the path `at`: a folder's files, an
 * archive's, or a file that was `called` so (or NULL). Folders that are a
 * program's own, or hold what the course gave, are passed over: names with a
 * dot first, build, common, solutions, tests and the like. Returns 0, or -1
 * without memory.
 */
int grade_tree_gather(const struct grade_tree *tree,
                      const struct grade_entry *entry, const char *at,
                      const char *called, struct grade_items *items);

#endif /* GRADE_TREE_H */
