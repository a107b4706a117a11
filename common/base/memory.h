/*
 * memory.h: how is a text or a list made whose length nobody knows before?
 *
 * A text is written to a FILE like any other, which ends as a string.
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

/* How many of these have failed in this process, and what else base_memory_fail
   told of. So what is made of many can go on without those that failed, if who
   asked for it looks at this in the end, as replace_file.h does. */
unsigned base_memory_failures(void);
void base_memory_fail(void);

/* A short text, for free(); NULL without memory. */
__attribute__((format(printf, 1, 2))) char *base_text(const char *format, ...);

/* Adds a member of `each` bytes, all zero, to a list that grew by this alone.
   list: where the list is kept, as &all->item. Returns the member, or NULL
   without memory: then the list is as it was. */
void *base_list_add(void *list, size_t *count, size_t each);

#endif /* BASE_MEMORY_H */
