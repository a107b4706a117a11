/*
 * file.h: how are the course's small text files read and written?
 *
 * On an error both functions say in why what happened to which file; the
 * message ends without a full stop or a newline.
 */
#ifndef COURSE_FILE_H
#define COURSE_FILE_H

#include <stddef.h>

/*
 * The whole file with a NUL behind it; the caller frees it. Returns NULL with
 * a message if the file cannot be read, is larger than 1 MiB or holds a NUL.
 */
char *course_read_file(const char *path, char *why, size_t size);

/*
 * Replaces the file in one step: a reader sees the old text or the new one.
 * Returns 0, or -1 with a message; the old file then still stands.
 */
int course_write_file(const char *path, const char *text, char *why,
                      size_t size);

#endif /* COURSE_FILE_H */
