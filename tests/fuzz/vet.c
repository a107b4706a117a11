/* The first look at a source: an empty line before it changes nothing but the
   line that is named, and what is named stands there. */
#include "fuzz.h"

#include "course/vet.h"

#include <stdlib.h>
#include <string.h>

static int count_lines(const char *text, size_t size)
{
    int lines = 1;

    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

void fuzz_vet(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    char *const moved = malloc(size + 2);
    char why[800] = "", other[800] = "";
    const char *rest;
    int refused;

    if (moved == NULL)
        abort();
    moved[0] = '\n';
    memcpy(moved + 1, text, size + 1);
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) /* stays the first */
        memcpy(moved, "\xEF\xBB\xBF\n", 4);
    refused = course_vet_source("lab.cu", text, size, why, sizeof why);
    fuzz_must(refused == 0 || refused == -1);
    fuzz_must(course_vet_source("lab.cu", moved, size + 1, other,
                                sizeof other) == refused ||
              size + 1 > COURSE_LARGEST_SOURCE);
    if (refused) {
        fuzz_message(why, sizeof why);
        fuzz_must(strncmp(why, "lab.cu:", 7) == 0);
        rest = why + 7;
        if (*rest >= '0' && *rest <= '9') {
            const long line = strtol(rest, NULL, 10);

            fuzz_must(line >= 1 && line <= count_lines(text, size));
            fuzz_must(size + 1 > COURSE_LARGEST_SOURCE ||
                      strtol(other + 7, NULL, 10) == line + 1);
        }
    }
    if (memchr(text, '\0', size) == NULL) {
        const int line = course_vet_find(text, size, "main");

        fuzz_must(line >= 0 && line <= count_lines(text, size));
        fuzz_must(line == 0 || refused);
    }
    free(moved);
    free(text);
}
