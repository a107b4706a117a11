/* refuse.h: how does a function say what is wrong? */
#ifndef BASE_REFUSE_H
#define BASE_REFUSE_H

#include <stdarg.h>
#include <stddef.h>

/* Writes a line into why, the caller's buffer. Returns -1. */
__attribute__((format(printf, 3, 4))) int base_refuse(char *why, size_t size,
                                                      const char *format, ...);

/* The same for what stands on a line of a file: "path:3: " and the line. */
__attribute__((format(printf, 5, 0))) int
base_refuse_line(char *why, size_t size, const char *path, int line,
                 const char *format, va_list values);

#endif /* BASE_REFUSE_H */
