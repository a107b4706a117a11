/*
 * archive.h: what is in an archive that somebody made?
 *
 * libarchive reads it, in a process of its own with little memory, little time
 * and no rights, so that an archive made to do harm ends that process at the
 * most. Nothing is ever written to a path that an archive names.
 */
#ifndef GRADE_ARCHIVE_H
#define GRADE_ARCHIVE_H

#include <stddef.h>

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

#endif /* GRADE_ARCHIVE_H */
