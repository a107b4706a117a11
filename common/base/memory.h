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

/* How many texts were not made in this process for want of memory, and what
   else base_memory_fail told of. So a file can be written of texts without a
   look at each: replace_file.h asks. */
unsigned base_memory_failures(void);
void base_memory_fail(void);

/* Room for one more in a list that grew by this alone. Returns the list, or
   NULL with errno: then it is as it was. */
void *base_list_room(void *list, size_t count, size_t each);

#endif /* BASE_MEMORY_H */
