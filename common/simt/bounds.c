/*
 * Indices of local and shared arrays. g++ -fsanitize=bounds calls the function
 * below where an index lies outside of an array whose size the compiler knows;
 * it is the compiler that checks, and this file that tells.
 */
#define _GNU_SOURCE
#include "device.h"
#include "host_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the compiler passes: GCC's libsanitizer/ubsan/ubsan_handlers.h and
   ubsan_value.h document the layout. */
struct place {
    const char *file;
    uint32_t line, column; /* of the ] behind the index; clang: of the array */
};

struct type {
    uint16_t kind, info;
    char name[]; /* "'float [16][17]'" */
};

struct out_of_bounds {
    struct place place;
    const struct type *array, *index;
};

/* Reads one line of a file. Returns its length, 0 if there is no such line. */
static size_t read_source_line(const struct place *place, char *line,
                               size_t size)
{
    FILE *file = fopen(place->file, "re");
    size_t length = 0;

    line[0] = '\0';
    for (uint32_t i = 0; file != NULL && i < place->line; i++) {
        if (fgets(line, (int)size, file) == NULL)
            line[0] = '\0';
    }
    if (file != NULL)
        fclose(file);
    length = strlen(line);
    return length >= place->column ? length : 0;
}

static int is_of_name(char c)
{
    return c == '_' || c == '.' || (c >= '0' && c <= '9') ||
           (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* How many subscripts stand at `at`. Where the last but `left` ends goes to
   *end. */
static int read_subscripts(const char *line, size_t at, int left, size_t *end)
{
    size_t behind[8] = {0};
    int count = 0, depth = 0;

    for (; count < 8 && (depth > 0 || line[at] == '['); at++) {
        depth += (line[at] == '[') - (line[at] == ']');
        if (line[at] == '\0')
            break;
        if (depth == 0)
            behind[count++] = at + 1;
    }
    if (count > 0)
        *end = behind[count > left ? count - 1 - left : 0];
    return count;
}

/* The words of the source that end with the ] at `place`: "As[ty]"; "an array"
   where the source cannot be read. `left`: dimensions behind that one. */
static void read_subscript_words(const struct place *place, int left,
                                 char *words, size_t size)
{
    char line[400];
    size_t begin, end = place->column;
    int depth = 0;

    snprintf(words, size, "an array");
    if (read_source_line(place, line, sizeof line) == 0 || end == 0)
        return;
    if (line[end - 1] != ']') { /* clang names the array */
        for (end--; is_of_name(line[end]);)
            end++;
        if (read_subscripts(line, end, left, &end) == 0)
            return;
    }
    for (begin = end; begin > 0; begin--) {
        const char c = line[begin - 1];

        depth += c == ']';
        if (depth == 0 && !is_of_name(c))
            break;
        depth -= c == '[';
    }
    snprintf(words, size, "%.*s", (int)(end - begin), line + begin);
}

/* The compiler declares it itself, and calls it by name. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __ubsan_handle_out_of_bounds(const struct out_of_bounds *what,
                                  uintptr_t index)
{
    struct simt_worker *worker = simt_self;
    /* What is wider than an address is passed by its own. */
    const long long value = 1u << (what->index->info >> 1) > 8 * sizeof index
                                ? *(const long long *)index
                                : (long long)(intptr_t)index;
    const char *const name = what->array->name;
    const char *const extent = strchr(name, '[');
    char words[80], type[80];
    int dimensions = 0;

    for (const char *c = extent; c != NULL && *c != '\0'; c++)
        dimensions += *c == '[';
    read_subscript_words(&what->place, dimensions - 1, words, sizeof words);
    snprintf(type, sizeof type, "%s", name);
    if (extent > name && extent[-1] != ' ') { /* as g++ writes it */
        snprintf(type, sizeof type, "%.*s %s", (int)(extent - name), name,
                 extent);
    }
    if (worker == NULL || worker->current == NULL) {
        fprintf(stderr, "%s:%u: host code uses index %lld in %s, of %s\n",
                what->place.file, (unsigned)what->place.line, value, words,
                type);
        abort();
    }
    simt_note_bad_index();
    simt_report(worker, SIMT_BOUNDS, cudaErrorIllegalAddress, what->place.file,
                (int)what->place.line,
                "uses index %lld in %s, where 0 to %ld are allowed: it is %s.",
                value, words, extent ? strtol(extent + 1, NULL, 10) - 1 : 0,
                type);
    simt_abandon_block(worker);
}
