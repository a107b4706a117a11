/* The assembly of a submission: apart from the lines that are added, it comes
   out as it went in. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "simt/flops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next line of a text that the filter did not add; NULL behind the last. */
static char *own_line(char **rest)
{
    int in_table = 0;

    while (**rest != '\0') {
        char *const line = *rest;

        *rest += strcspn(*rest, "\n");
        if (**rest != '\0')
            *(*rest)++ = '\0';
        if (strncmp(line, "\t.pushsection simt_blocks", 25) == 0)
            in_table = 1;
        if (!in_table && strncmp(line, ".Lsimt_", 7) != 0)
            return line;
        if (strcmp(line, "\t.popsection") == 0)
            in_table = 0;
    }
    return NULL;
}

void fuzz_flops(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    const size_t length = strlen(text);
    FILE *const from =
        length > 0 ? fmemopen(text, length, "r") : fopen("/dev/null", "r");
    char why[256] = "", *output = NULL, *was = text, *is;
    size_t output_length;
    FILE *const to = open_memstream(&output, &output_length);
    int status;

    if (from == NULL || to == NULL)
        abort();
    status = simt_flops_add_table(from, to, why, sizeof why);
    fclose(from);
    fclose(to);
    if (status != 0)
        fuzz_message(why, sizeof why);
    is = output;
    while (status == 0 && strstr(text, "simt_") == NULL) {
        const char *const a = own_line(&was), *const b = own_line(&is);

        fuzz_must((a == NULL) == (b == NULL));
        if (a == NULL)
            break;
        fuzz_must(strcmp(a, b) == 0);
    }
    free(output);
    free(text);
}
