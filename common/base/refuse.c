#include "base/refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    size_t used;

    base_refuse(why, size, "%s:%d: ", path, line);
    used = strlen(why);
    vsnprintf(why + used, size - used, format, values);
    return -1;
}
