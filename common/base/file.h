/*
 * file.h: how are the course's small text files read and written?
 *
 * On an error functions with a why say there what happened to which file; the
 * message ends without a full stop or a newline.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/*
 * The whole file with a NUL behind it; the caller frees it. Returns NULL with
 * a message if the file cannot be read, is larger than 1 MiB or holds a NUL.
 */
char *base_read_file(const char *path, char *why, size_t size);

/* The bytes of an open file, to be read alone, and how many they are; for
   munmap, also once the file is closed. NULL with errno; of an empty file
   EINVAL. */
void *base_map_file(int file, size_t *size);

/*
 * Replaces the file in one step (replace_file.h): a reader sees the old text or
 * the new one.
 * Returns 0, or -1 with a message; the old file then still stands.
 */
int base_write_file(const char *path, const char *text, char *why, size_t size);

/* Makes the folders above a path, as "a/b" of "a/b/c". What goes wrong is told
   by who then writes there. */
void base_make_folders(const char *path);

/* The text without the blanks and line ends at both of its ends, in place. */
char *base_trim(char *text);

/* Makes one line of a text, in place: blanks and line ends are single blanks,
   and none stand at its ends. */
void base_one_line(char *text);

/* The whole numbers of a text file, with blanks between, up to what is none;
   for free(). NULL and count 0: there are none, or no file. */
int *base_read_ints(const char *path, size_t *count);

#endif /* BASE_FILE_H */
