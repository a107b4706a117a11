/* simt_flops: a filter that adds the table of floating-point operations to the
   assembly of an analyse build (flops.h). */
#define _GNU_SOURCE
#include "flops.h"

#include <errno.h>
#include <string.h>

int main(int argc, char **argv)
{
    char why[256];

    (void)argv;
    if (argc > 1) {
        fputs("usage: simt_flops <file.s >file-with-table.s\n", stderr);
        return 2;
    }
    if (simt_flops_add_table(stdin, stdout, why, sizeof why) != 0) {
        fprintf(stderr, "simt_flops: %s\n", why);
        return 2;
    }
    if (fflush(stdout) != 0) {
        fprintf(stderr, "simt_flops: %s\n", strerror(errno));
        return 2;
    }
    return 0;
}
