#include "base/refuse.h"

#include <stdarg.h>
#include <stdio.h>

int base_refuse(char *why, size_t size, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(why, size, format, values);
    va_end(values);
    return -1;
}

int base_refuse_line(char *why, size_t size, const char *path, int line,
                     const char *format, va_list values)
{
    const int length = snprintf(why, size, "%s:%d: ", path, line);

    if (length >= 0 && (size_t)length < size)
        vsnprintf(why + length, size - (size_t)length, format, values);
    return -1;
}
