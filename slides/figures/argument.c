#include "figures.h"

#include <limits.h>
#include <stdlib.h>

int figure_number(const char *argument)
{
    char *end;
    long number;

    if (!argument || *argument == '\0')
        return 0;
    number = strtol(argument, &end, 10);
    return *end == '\0' && number > INT_MIN && number < INT_MAX ? (int)number
                                                                : 0;
}
