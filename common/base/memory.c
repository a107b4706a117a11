#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"

#include <stdlib.h>

FILE *base_memory_open(struct base_memory *memory)
{
    *memory = (struct base_memory){.text = NULL};
    memory->file = open_memstream(&memory->text, &memory->length);
    return memory->file;
}

char *base_memory_close(struct base_memory *memory)
{
    if (memory->file != NULL && fclose(memory->file) == 0)
        return memory->text;
    free(memory->text);
    return NULL;
}
