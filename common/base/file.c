#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include "base/memory.h"
#include "base/replace_file.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
    LARGEST = 1 << 20
}; /* bytes; a lab has a few thousand */

char *base_read_file(const char *path, char *why, size_t size)
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

void *base_map_file(int file, size_t *size)
{
    struct stat about;
    void *bytes;

    if (fstat(file, &about) != 0)
        return NULL;
    *size = (size_t)about.st_size;
    bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
    return bytes != MAP_FAILED ? bytes : NULL;
}

int base_write_file(const char *path, const char *text, char *why, size_t size)
{
    struct base_replacement r;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs(text, r.file);
    return base_replace_end(&r, 1, why, size);
}

void base_make_folders(const char *path)
{
    char *const part = strdup(path);

    for (char *slash = part != NULL ? strchr(part + 1, '/') : NULL;
         slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0777);
        *slash = '/';
    }
    free(part);
}

char *base_trim(char *text)
{
    char *end = text + strlen(text);

    while (isspace((unsigned char)*text))
        text++;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

void base_one_line(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        if (!isspace((unsigned char)*from)) {
            *to++ = *from;
        } else if (to > text && to[-1] != ' ') {
            *to++ = ' ';
        }
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

int *base_read_ints(const char *path, size_t *count)
{
    char why[300], *end;
    char *const text = base_read_file(path, why, sizeof why);
    int *number = NULL;

    *count = 0;
    for (char *at = text; at != NULL; at = end) {
        const long value = strtol(at, &end, 10);
        int *added;

        if (end == at || value < INT_MIN || value > INT_MAX)
            break;
        added = base_list_add(&number, count, sizeof *number);
        if (added == NULL)
            break;
        *added = (int)value;
    }
    free(text);
    return number;
}
