/* simt_tables: a filter that adds to the assembly of a .cu file what the
   program must know of its source (tables.h). */
#define _GNU_SOURCE
#include "tables.h"

#include <errno.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"--keep-debug", "--whole-program",
                                        "--only-volatile"};
    const int option[] = {SIMT_TABLES_DEBUG, SIMT_TABLES_WHOLE,
                          SIMT_TABLES_VOLATILE};
    int options = 0, known = 1;
    char why[256];

    for (int i = 1; i < argc; i++) {
        for (int j = 0; j < 3; j++) {
            if (strcmp(argv[i], names[j]) == 0) {
                options |= option[j];
                known++;
            }
        }
    }
    if (known < argc) {
        fputs("usage: simt_tables [--keep-debug] [--whole-program] "
              "[--only-volatile] <file.s >file-with-tables.s\n",
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
