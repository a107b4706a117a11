#define _POSIX_C_SOURCE 200809L
#include "found.h"

#include "base/replace_file.h"

#include <stdlib.h>
#include <string.h>

/* A copy of text, which may be NULL. Clears *ok if there is no memory. */
static const char *copy_text(const char *text, int *ok)
{
    char *const own = text != NULL ? strdup(text) : NULL;

    if (text != NULL && own == NULL)
        *ok = 0;
    return own;
}

/* The strings are this part's own, though the structure says const. */
static void release(const char *text)
{
    free((void *)(size_t)text);
}

static void release_finding(const struct simt_finding *finding)
{
    release(finding->kernel);
    release(finding->array);
    release(finding->file);
    release(finding->other_file);
    release(finding->text);
}

int lab_found_add(struct lab_found *found, const struct simt_findings *findings)
{
    const size_t count = found->count + findings->count;
    struct simt_finding *larger;

    if (findings->count == 0)
        return 0;
    larger = realloc(found->finding, count * sizeof *larger);
    if (larger == NULL)
        return -1;
    found->finding = larger;
    for (size_t i = 0; i < findings->count; i++) {
        struct simt_finding own = findings->finding[i];
        int ok = 1;

        own.kernel = copy_text(own.kernel, &ok);
        own.array = copy_text(own.array, &ok);
        own.file = copy_text(own.file, &ok);
        own.other_file = copy_text(own.other_file, &ok);
        own.text = copy_text(own.text, &ok);
        if (!ok) {
            release_finding(&own);
            return -1;
        }
        found->finding[found->count++] = own;
    }
    return 0;
}

void lab_found_free(struct lab_found *found)
{
    for (size_t i = 0; i < found->count; i++)
        release_finding(&found->finding[i]);
    free(found->finding);
    *found = (struct lab_found){0};
}

int lab_found_write(const char *path, const struct simt_checks *checks,
                    const struct lab_found *found, char *why, size_t size)
{
    const struct simt_count count = {0};
    const struct simt_findings findings = {.finding = found->finding,
                                           .count = found->count};
    struct base_replacement r;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    simt_csv(r.file, &count, checks, &findings);
    return base_replace_end(&r, 1, why, size);
}
