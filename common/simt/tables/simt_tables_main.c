/* simt_tables: a filter that adds to the assembly of a .cu file what the
   program must know of its source (tables.h). */
#define _GNU_SOURCE
#include "tables.h"

#include <errno.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int keep_debug = argc == 2 && strcmp(argv[1], "--keep-debug") == 0;
    char why[256];

    if (argc - keep_debug > 1) {
        fputs("usage: simt_tables [--keep-debug] <file.s >file-with-tables.s\n",
              stderr);
        return 2;
    }
    if (simt_tables_add(stdin, stdout, keep_debug, why, sizeof why) != 0) {
        fprintf(stderr, "simt_tables: %s\n", why);
        return 2;
    }
    if (fflush(stdout) != 0) {
        fprintf(stderr, "simt_tables: %s\n", strerror(errno));
        return 2;
    }
    return 0;
}
