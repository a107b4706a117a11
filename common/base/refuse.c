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
