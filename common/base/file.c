#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LARGEST = 1 << 20
}; /* bytes; a lab has a few thousand */

char *course_read_file(const char *path, char *why, size_t size)
{
    char *text = malloc(LARGEST + 1);
    FILE *file = fopen(path, "rb");
    char *fitted;
    size_t length;

    if (text == NULL || file == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        goto bad;
    }
    length = fread(text, 1, LARGEST + 1, file);
    if (ferror(file)) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        goto bad;
    }
    if (length > LARGEST) {
        snprintf(why, size, "%s: larger than %d bytes", path, LARGEST);
        goto bad;
    }
    if (memchr(text, '\0', length) != NULL) {
        snprintf(why, size,
                 "%s: holds a NUL byte: save it as plain text (UTF-8)", path);
        goto bad;
    }
    fclose(file);
    text[length] = '\0';
    fitted = realloc(text, length + 1);
    return fitted != NULL ? fitted : text;

bad:
    if (file != NULL)
        fclose(file);
    free(text);
    return NULL;
}

/* Writes text to an open file and closes it. Returns 0, or -1 with errno. */
static int write_and_close(int descriptor, const char *text)
{
    FILE *file = fdopen(descriptor, "w");
    int bad;

    if (file == NULL) {
        close(descriptor);
        return -1;
    }
    bad = fputs(text, file) == EOF || fflush(file) != 0 ||
          fchmod(descriptor, 0644) != 0 || fsync(descriptor) != 0;
    return fclose(file) != 0 || bad ? -1 : 0;
}

int course_write_file(const char *path, const char *text, char *why,
                      size_t size)
{
    const size_t length = strlen(path) + sizeof ".XXXXXX";
    char *temporary = malloc(length);
    int descriptor;

    if (temporary == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        return -1;
    }
    snprintf(temporary, length, "%s.XXXXXX", path);
    descriptor = mkstemp(temporary);
    if (descriptor < 0) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        free(temporary);
        return -1;
    }
    if (write_and_close(descriptor, text) != 0 ||
        rename(temporary, path) != 0) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        unlink(temporary);
        free(temporary);
        return -1;
    }
    free(temporary);
    return 0;
}
