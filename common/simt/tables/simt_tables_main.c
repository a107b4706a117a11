/* simt_tables: a filter that adds to the assembly of a .cu file what the
   program must know of its source (tables.h). */
#define _GNU_SOURCE
#include "tables.h"

#include <errno.h>
#include <string.h>

/* --wasm FILE: of the assembly of clang for WebAssembly, FILE being the other
   one. Returns 0, or -1 with a line in why. */
static int add_wasm(const char *file, char *why, size_t size)
{
    FILE *const debug = fopen(file, "r");
    int status;

    if (debug == NULL) {
        snprintf(why, size, "%s: %s", file, strerror(errno));
        return -1;
    }
    status = simt_tables_add_wasm(stdin, debug, stdout, why, size);
    fclose(debug);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"--keep-debug", "--whole-program",
                                        "--only-volatile"};
    const int option[] = {SIMT_TABLES_DEBUG, SIMT_TABLES_WHOLE,
                          SIMT_TABLES_VOLATILE};
    const int is_wasm = argc == 3 && strcmp(argv[1], "--wasm") == 0;
    int options = 0, known = is_wasm ? argc : 1;
    char why[256];

    for (int i = 1; i < argc && !is_wasm; i++) {
        for (int j = 0; j < 3; j++) {
            if (strcmp(argv[i], names[j]) == 0) {
                options |= option[j];
                known++;
            }
        }
    }
    if (known < argc) {
        fputs("usage: simt_tables [--keep-debug] [--whole-program] "
              "[--only-volatile] <file.s >file-with-tables.s\n"
              "       simt_tables --wasm FILE.s <file.s >file-with-tables.s\n",
              stderr);
        return 2;
    }
    if ((is_wasm
             ? add_wasm(argv[2], why, sizeof why)
             : simt_tables_add(stdin, stdout, options, why, sizeof why)) != 0) {
        fprintf(stderr, "simt_tables: %s\n", why);
        return 2;
    }
    if (fflush(stdout) != 0) {
        fprintf(stderr, "simt_tables: %s\n", strerror(errno));
        return 2;
    }
    return 0;
}
