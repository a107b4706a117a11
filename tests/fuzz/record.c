/* A stored result. One with another key is not taken; one that is taken and
   written again stays as it is from then on. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "grade/batch/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must_make_sense(const struct grade_result *r)
{
    fuzz_must(memchr(r->lab, '\0', sizeof r->lab) != NULL);
    fuzz_must((int)r->verdict >= 0 && r->verdict < GRADE_VERDICTS);
    fuzz_must(r->text != NULL && r->findings != NULL && r->costs != NULL);
    for (int i = 0; i < GRADE_PARTS; i++)
        fuzz_must(isfinite(r->points[i]) && isfinite(r->of[i]));
    for (size_t i = 0; i < r->case_count; i++) {
        fuzz_must(r->cases[i].text != NULL);
        fuzz_must((int)r->cases[i].verdict >= 0 &&
                  r->cases[i].verdict < GRADE_VERDICTS);
    }
    for (size_t i = 0; i < r->flag_count; i++)
        fuzz_must(r->flags[i] != NULL);
}

static char *write_record(struct grade_result *r, size_t *size)
{
    char *bytes = NULL;
    FILE *const to = open_memstream(&bytes, size);

    fuzz_must(to != NULL);
    grade_record_put(to, r, "key", "alice");
    fuzz_must(fclose(to) == 0);
    return bytes;
}

static int read_record(const char *bytes, size_t size, const char *key,
                       struct grade_result *r)
{
    FILE *const from = fmemopen((void *)(uintptr_t)bytes, size, "rb");
    int found;

    fuzz_must(from != NULL);
    found = grade_record_get(from, key, r);
    fclose(from);
    return found;
}

void fuzz_record(const uint8_t *bytes, size_t size)
{
    struct grade_result result, same;
    size_t first_size, second_size;
    char *first, *second;

    if (size == 0 ||
        read_record((const char *)bytes, size, "key", &result) != 1)
        return;
    must_make_sense(&result);
    first = write_record(&result, &first_size);
    fuzz_must(read_record(first, first_size, "another", &same) == 0);
    fuzz_must(same.text == NULL && same.cases == NULL);
    fuzz_must(read_record(first, first_size, "key", &same) == 1);
    must_make_sense(&same);
    second = write_record(&same, &second_size);
    fuzz_must(first_size == second_size &&
              memcmp(first, second, first_size) == 0);
    grade_result_free(&same);
    grade_result_free(&result);
    free(second);
    free(first);
}
