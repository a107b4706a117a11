/* refuse.h: how does a function say what is wrong? */
#ifndef BASE_REFUSE_H
#define BASE_REFUSE_H

#include <stddef.h>

/* Writes a line into why, the caller's buffer. Returns -1. */
__attribute__((format(printf, 3, 4))) int base_refuse(char *why, size_t size,
                                                      const char *format, ...);

#endif /* BASE_REFUSE_H */
