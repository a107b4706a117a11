/* The assembly of a submission: apart from the lines that are added, it comes
   out as it went in; without its debug information lines are missing, and the
   others are those that went in. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "simt/tables/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next line of a text that the filter did not add; NULL behind the last. */
static char *own_line(char **rest)
{
    int tables = 0;

    while (**rest != '\0') {
        char *const line = *rest;

        *rest += strcspn(*rest, "\n");
        if (**rest != '\0')
            *(*rest)++ = '\0';
        if (strncmp(line, "\t.pushsection simt_", 19) == 0) {
            tables++;
        } else if (tables > 0 && strcmp(line, "\t.popsection") == 0) {
            tables--;
        } else if (tables == 0 && strncmp(line, ".Lsimt_", 7) != 0) {
            return line;
        }
    }
    return NULL;
}

static void filter(const char *bytes, int options)
{
    char *const text = strdup(bytes);
    const size_t length = strlen(bytes);
    FILE *const from =
        length > 0 ? fmemopen(text, length, "r") : fopen("/dev/null", "r");
    char why[256] = "", *output = NULL, *was = text, *is;
    size_t output_length;
    FILE *const to = open_memstream(&output, &output_length);
    int status;

    if (text == NULL || from == NULL || to == NULL)
        abort();
    status = simt_tables_add(from, to, options, why, sizeof why);
    fclose(from);
    fclose(to);
    if (status != 0)
        fuzz_message(why, sizeof why);
    is = output;
    while (status == 0 && strstr(bytes, "simt_") == NULL) {
        const char *const b = own_line(&is);
        const char *a = own_line(&was);

        while (options != SIMT_TABLES_DEBUG && a != NULL &&
               (b == NULL || strcmp(a, b) != 0))
            a = own_line(&was);
        fuzz_must((a == NULL) == (b == NULL));
        if (a == NULL)
            break;
        fuzz_must(strcmp(a, b) == 0);
    }
    free(output);
    free(text);
}

void fuzz_tables(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);

    filter(text, SIMT_TABLES_DEBUG);
    filter(text, 0);
    filter(text, SIMT_TABLES_WHOLE);
    free(text);
}
