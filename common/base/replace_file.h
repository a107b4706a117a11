/*
 * replace_file.h: how is a file written so that nobody ever sees half of it?
 *
 * Into a temporary file beside it, which takes its name when all is on disk.
 */
#ifndef BASE_REPLACE_FILE_H
#define BASE_REPLACE_FILE_H

#include <stdio.h>

struct base_replacement {
    FILE *file; /* write the new content here */
    const char *path;
    char *temporary;          /* its name for now */
    int folder;               /* locked until the end */
    unsigned failures_before; /* of memory (memory.h) */
};

/*
 * Begins to replace path, which need not be there but must be a regular file
 * if it is. Waits for others that are replacing files of the same folder.
 * path must outlive the replacement. Returns 0, or -1 with a line in why.
 */
int base_replace_begin(struct base_replacement *r, const char *path, char *why,
                       size_t size);

/* Ends it: keep is 1 to replace the file, 0 to leave it as it was. It is left,
   and that is an error, where a text was not made for want of memory. Frees
   what r holds in any case. Returns 0, or -1 with a line in why. */
int base_replace_end(struct base_replacement *r, int keep, char *why,
                     size_t size);

#endif /* BASE_REPLACE_FILE_H */
