/*
 * symbols: writes the lists for objcopy that symbols.h has, for grade_build.sh.
 *
 *   symbols guarded    each with the name that it is bound to
 *   symbols offered    what a lab may define for others
 */
#include "grade/judge/symbols.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int guarded = argc == 2 && strcmp(argv[1], "guarded") == 0;
    const char *name;

    for (size_t i = 0; guarded && (name = grade_symbol_guarded(i)) != NULL; i++)
        printf("%s " GRADE_GUARDED "%s\n", name, name);
    for (size_t i = 0; !guarded && (name = grade_symbol_offered(i)) != NULL;
         i++)
        printf("%s\n", name);
    return 0;
}
