#include "found.h"

#include "base/replace_file.h"

#include <stdlib.h>
#include <string.h>

int lab_found_add(struct lab_found *found, const struct simt_findings *findings)
{
    const size_t count = found->count + findings->count;
    struct simt_finding *larger;

    if (findings->count == 0)
        return 0;
    larger = realloc(found->finding, count * sizeof *larger);
    if (larger == NULL)
        return -1;
    memcpy(larger + found->count, findings->finding,
           findings->count * sizeof *larger);
    found->finding = larger;
    found->count = count;
    return 0;
}

void lab_found_free(struct lab_found *found)
{
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
