/*
 * tree.h: what lies where, in the folder of submissions or the archive of all?
 *
 * One list has all of it, in the order of paths; what archives hold stands in
 * it as if they were folders. A name is bytes of any kind and is never part of
 * a path that is opened as a whole: each folder is opened by its name below the
 * one that holds it, and no symbolic link is followed.
 */
#ifndef GRADE_TREE_H
#define GRADE_TREE_H

#include <stddef.h>

/* --- archives: archive.c -------------------------------------------------- */

/*
 * libarchive reads what somebody made, in a process of its own with little
 * memory, little time and no rights, so that an archive made to do harm ends
 * that process at the most. Nothing is ever written to a path that an archive
 * names.
 */

/* Gradescope's list of who handed in what. */
#define GRADE_METADATA "submission_metadata.yml"

enum {                                 /* bytes */
    GRADE_SOURCE_LARGEST = 256 * 1024, /* a lab has about 5000 */
    GRADE_METADATA_LARGEST = 16 << 20
};

/* A file of the submissions, or a folder. */
struct grade_item {
    char *path; /* from their top, as "anna/sent.zip/tiling.cu", or a folder's,
                   "anna/" */
    int is_link;
    int is_unpacked; /* it was in an archive, and this is what it holds: of what
                        is no source, nothing */
    char *bytes;     /* with a NUL behind them */
    size_t size;
    const char *refusal; /* why it is not read; NULL: it is */
    int error; /* errno: whoever grades may not read it; 0: there is none */
};

struct grade_items {
    struct grade_item *item;
    size_t items;
};

/* Limits on an archive: bytes in it once unpacked, files, and seconds. */
struct grade_archive_limits {
    long long bytes;
    int files, seconds;
};
extern const struct grade_archive_limits grade_archive_of_class,
    grade_archive_of_student;

/* Does the name end as that of an archive that can be read? Returns the length
   of that end, 0 if not. */
size_t grade_archive_ending(const char *name);

/* Is the file a source, by its name's end? */
int grade_item_is_source(const char *path);

/* Adds a file; copies the path, and takes over its bytes. Without memory it is
   not added (base/memory.h). */
void grade_items_add(struct grade_items *items, const char *path,
                     struct grade_item item);

void grade_items_free(struct grade_items *items);

/*
 * Adds the files of the archive that is open at `file`, with prefix before
 * their paths, and those of archives in it. What could not be read is added
 * with a refusal.
 */
void grade_archive_read(struct grade_items *items, int file, const char *prefix,
                        const struct grade_archive_limits *limits);

/* --- the tree: tree.c ----------------------------------------------------- */

struct grade_tree {
    int folder; /* descriptor; of the archive's, if that is what there is */
    int is_archive;
    struct grade_items all;
    char *base; /* the folder of students, as "class/"; "" at the top */
};

/* What lies side by side in a folder. */
struct grade_entry {
    char *name;
    int is_folder; /* or what may hold more: an archive, a link to be refused */
    int is_repository;
    int is_nobodys;      /* no student's, by the layout */
    size_t first, items; /* of the tree: itself, or all that lies below it */
};

struct grade_listing {
    struct grade_entry *entry;
    size_t entries;
};

/* Lists all that lies below the open folder, or in the open archive. own: it is
   a student's, so what is passed over there is not looked at. What there was no
   memory for is not listed (base/memory.h). */
void grade_tree_read(struct grade_tree *tree, int own);
void grade_tree_free(struct grade_tree *tree);

/* Lists a folder, as "" or "class/". */
void grade_tree_list(const struct grade_tree *tree, const char *base,
                     struct grade_listing *listing);
void grade_listing_free(struct grade_listing *listing);

/* The first item whose path is not before this one. */
size_t grade_tree_find(const struct grade_tree *tree, const char *path);

/* Is a path in a student's folder none of the student's work: does it lead
   through what is a program's own, or what the course gave (names with a dot
   first, build, common, solutions, tests and the like), or very deep? */
int grade_tree_passes_over(const char *path);

/* Opens the folder at a path below another one; or the one that holds what lies
   at a path, whose own name is in *name. Return a descriptor, or -1 with
   errno. */
int grade_open_below(int folder, const char *path);
int grade_open_above(int folder, const char *path, const char **name);

#endif /* GRADE_TREE_H */
