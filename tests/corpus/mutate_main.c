/*
 * mutate: makes the labs of a file of the corpus (case.h).
 *
 *   mutate tests/corpus/labs/03_tiling.edits build/mutants
 *
 * Each becomes FOLDER/NAME.cu. One that would not change is left as it is.
 */
#include "case.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns 0, or -1 after a message. */
static int write_case(const struct corpus_case *c, const char *folder)
{
    char path[400], why[300];
    char *old;
    int result = 0;

    snprintf(path, sizeof path, "%s/%s.cu", folder, c->name);
    old = base_read_file(path, why, sizeof why);
    if (old == NULL || strcmp(old, c->source) != 0)
        result = base_write_file(path, c->source, why, sizeof why);
    if (result != 0)
        fprintf(stderr, "mutate: %s\n", why);
    free(old);
    return result;
}

int main(int argc, char **argv)
{
    struct corpus_case *cases;
    size_t count;
    int failed = 0;

    if (argc != 3) {
        fprintf(stderr, "usage: mutate FILE.edits FOLDER\n");
        return 2;
    }
    count = corpus_read(argv[1], &cases);
    for (size_t i = 0; i < count; i++) {
        corpus_make(&cases[i]);
        failed |= write_case(&cases[i], argv[2]);
    }
    corpus_free(cases, count);
    return failed ? 2 : 0;
}
