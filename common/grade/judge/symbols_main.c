/* symbols: writes what a lab may define for others, for objcopy. */
#include "grade/judge/symbols.h"

#include <stdio.h>

int main(void)
{
    const char *name;

    for (size_t i = 0; (name = grade_symbol_offered(i)) != NULL; i++)
        puts(name);
    return 0;
}
