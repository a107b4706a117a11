/*
 * replace_file.h: how is a file written so that nobody ever sees half of it?
 *
 * Into a temporary file beside it, which takes its name when all is on disk.
 */
#ifndef OUTPUT_REPLACE_FILE_H
#define OUTPUT_REPLACE_FILE_H

#include <stdio.h>

struct output_replacement {
    FILE *file; /* write the new content here */
    const char *path;
    char *temporary; /* its name for now */
    int folder;      /* locked until the end */
};

/*
 * Begins to replace path, which need not be there but must be a regular file
 * if it is. Waits for others that are replacing files of the same folder.
 * path must outlive the replacement. Returns 0, or -1 with a line in why.
 */
int output_replace_begin(struct output_replacement *r, const char *path,
                         char *why, size_t size);

/* Ends it: keep is 1 to replace the file, 0 to leave it as it was. Frees what
   r holds either way. Returns 0, or -1 with a line in why. */
int output_replace_end(struct output_replacement *r, int keep, char *why,
                       size_t size);

#endif /* OUTPUT_REPLACE_FILE_H */
