#define _GNU_SOURCE
#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

void base_memory_fail(void)
{
    failures++;
}

unsigned base_memory_failures(void)
{
    return failures;
}

FILE *base_memory_open(struct base_memory *memory)
{
    *memory = (struct base_memory){.text = NULL};
    memory->file = open_memstream(&memory->text, &memory->length);
    failures += memory->file == NULL;
    return memory->file;
}

char *base_memory_close(struct base_memory *memory)
{
    if (memory->file != NULL && fclose(memory->file) == 0)
        return memory->text;
    failures += memory->file != NULL;
    free(memory->text);
    return NULL;
}

char *base_text(const char *format, ...)
{
    va_list values;
    char *text;

    va_start(values, format);
    if (vasprintf(&text, format, values) < 0) {
        text = NULL;
        failures++;
    }
    va_end(values);
    return text;
}

void *base_list_add(void *list, size_t *count, size_t each)
{
    char *members;

    memcpy(&members, list, sizeof members);
    /* Room doubles when the count is a power of two. */
    if ((*count & (*count - 1)) == 0) {
        char *const more =
            realloc(members, (*count > 0 ? 2 * *count : 1) * each);

        failures += more == NULL;
        if (more == NULL)
            return NULL;
        memcpy(list, &more, sizeof more);
        members = more;
    }
    return memset(members + each * (*count)++, 0, each);
}
