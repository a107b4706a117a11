/* The CPU device has no driver; g++ is of the same version as gcc. */
#include "origin.h"

const char *lab_origin_compiler(void)
{
    return "gcc " __VERSION__;
}

void lab_origin_driver(char *text, unsigned size)
{
    (void)size;
    text[0] = '\0';
}

int lab_origin_fits(char *why, unsigned size)
{
    if (size > 0)
        why[0] = '\0';
    return 0;
}
