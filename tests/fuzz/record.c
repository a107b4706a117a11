/* A stored result. One with another key is not taken; one that is taken and
   written again stays as it is from then on. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "grade/batch/record.h"

#include <math.h>
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

/* Names are the grader's own: what it would have to escape is in none. */
static int is_plain_name(const char *name)
{
    for (; *name != '\0'; name++) {
        if (*name < ' ' || *name > '~')
            return 0;
    }
    return 1;
}

static int has_plain_names(const struct grade_result *r)
{
    int plain = is_plain_name(r->lab);

    for (size_t i = 0; i < r->case_count; i++)
        plain &= is_plain_name(r->cases[i].name);
    for (size_t i = 0; i < r->measure_count; i++)
        plain &= is_plain_name(r->measures[i].column);
    return plain;
}

void fuzz_record(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    char *first, *second;
    struct grade_result result, same;

    if (grade_record_read(text, "key", &result) != 1) {
        fuzz_must(result.text == NULL && result.cases == NULL);
        free(text);
        return;
    }
    must_make_sense(&result);
    if (!has_plain_names(&result)) {
        grade_result_free(&result);
        free(text);
        return;
    }
    first = grade_record_write(&result, "key", "alice");
    fuzz_must(first != NULL);
    fuzz_must(grade_record_read(first, "another", &same) == 0);
    fuzz_must(grade_record_read(first, "key", &same) == 1);
    must_make_sense(&same);
    fuzz_must(same.verdict == result.verdict);
    fuzz_must(same.case_count == result.case_count &&
              same.measure_count == result.measure_count &&
              same.flag_count == result.flag_count);
    fuzz_must(memcmp(same.points, result.points, sizeof same.points) == 0);
    second = grade_record_write(&same, "key", "alice");
    fuzz_must(second != NULL);
    fuzz_must(strcmp(first, second) == 0);
    grade_result_free(&same);
    grade_result_free(&result);
    free(second);
    free(first);
    free(text);
}
