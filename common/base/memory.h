/*
 * memory.h: how is a text written whose length nobody knows before?
 *
 * To a FILE like any other, which ends as a string.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdio.h>

struct base_memory {
    FILE *file; /* write here */
    char *text;
    size_t length; /* of the text, once it has been closed */
};

/* Returns the file, or NULL with errno. */
FILE *base_memory_open(struct base_memory *memory);

/* Ends it. Returns the text, for free(); NULL without memory. */
char *base_memory_close(struct base_memory *memory);

#endif /* BASE_MEMORY_H */
