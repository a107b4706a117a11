/* simt_tables: a filter that adds to the assembly of a .cu file what the
   program must know of its source (tables.h). */
#define _GNU_SOURCE
#include "tables.h"

#include <errno.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"--keep-debug", "--whole-program"};
    const int option[] = {SIMT_TABLES_DEBUG, SIMT_TABLES_WHOLE};
    int options = 0;
    char why[256];

    for (int i = 0; i < 2 && argc == 2; i++)
        options |= strcmp(argv[1], names[i]) == 0 ? option[i] : 0;
    if (argc > 1 && options == 0) {
        fputs("usage: simt_tables [--keep-debug | --whole-program] <file.s "
              ">file-with-tables.s\n",
              stderr);
        return 2;
    }
    if (simt_tables_add(stdin, stdout, options, why, sizeof why) != 0) {
        fprintf(stderr, "simt_tables: %s\n", why);
        return 2;
    }
    if (fflush(stdout) != 0) {
        fprintf(stderr, "simt_tables: %s\n", strerror(errno));
        return 2;
    }
    return 0;
}
