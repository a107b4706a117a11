/* record.c: how does a result lie on the disk? See store.h. */
#include "grade/batch/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"
#include "grade/base/wire.h"

enum {
    MOST = 1000 /* of each list */
};

struct record {
    char *key, *student;
    struct grade_result result;
};

#define TEXT(type, member) GRADE_WIRE(TEXT, type, member, GRADE_TEXT_LONGEST)
/* All but the last byte of an array, which stays a NUL. */
#define NAME(type, member) \
    GRADE_WIRE(BYTES, type, member, sizeof((struct type *)NULL)->member - 1)
#define LIST(list, members, form)                \
    GRADE_WIRE(LIST, record, result.list, MOST), \
        .count = offsetof(struct record, result.members), .each = &(form)

static const struct grade_wire_member of_case[] = {
    {NAME(grade_case, name)},
    {GRADE_WIRE(BELOW, grade_case, hidden, 2)},
    {GRADE_WIRE(BELOW, grade_case, verdict, GRADE_VERDICTS)},
    {TEXT(grade_case, text)}};
static const struct grade_wire_form one_case =
    GRADE_WIRE_FORM(grade_case, of_case);

static const struct grade_wire_member of_measure[] = {
    {NAME(grade_measure, column)}, {GRADE_WIRE_SPAN(grade_measure, value, of)}};
static const struct grade_wire_form measure =
    GRADE_WIRE_FORM(grade_measure, of_measure);

struct flag {
    char *text;
};
static const struct grade_wire_member of_flag[] = {{TEXT(flag, text)}};
static const struct grade_wire_form flag = GRADE_WIRE_FORM(flag, of_flag);

static const struct grade_wire_member of_record[] = {
    {TEXT(record, key)},
    {TEXT(record, student)},
    {NAME(record, result.lab)},
    {GRADE_WIRE(BELOW, record, result.verdict, GRADE_VERDICTS)},
    {TEXT(record, result.text)},
    {GRADE_WIRE_SPAN(record, result.points, result.of)},
    {LIST(cases, case_count, one_case)},
    {LIST(measures, measure_count, measure)},
    {LIST(flags, flag_count, flag)},
    {TEXT(record, result.findings)},
    {TEXT(record, result.costs)}};
static const struct grade_wire_form form = GRADE_WIRE_FORM(record, of_record);

static void clean(char **text)
{
    char *const cleaned =
        grade_text_clean(*text != NULL ? *text : "", GRADE_TEXT_LONGEST);

    free(*text);
    *text = cleaned;
}

void grade_record_put(FILE *to, struct grade_result *result, const char *key,
                      const char *student)
{
    struct record record = {.key = (char *)(size_t)key,
                            .student = grade_text_shown(student)};

    clean(&result->text);
    clean(&result->findings);
    clean(&result->costs);
    for (size_t i = 0; i < result->case_count; i++)
        clean(&result->cases[i].text);
    for (size_t i = 0; i < result->flag_count; i++)
        clean(&result->flags[i]);
    record.result = *result;
    grade_wire_put(to, &form, &record);
    free(record.student);
}

int grade_record_get(FILE *from, const char *key, struct grade_result *result)
{
    struct record record;
    int whole = grade_wire_get(from, &form, &record) == NULL &&
                strcmp(record.key, key) == 0 && getc(from) == EOF;

    for (int i = 0; i < GRADE_PARTS && whole; i++) {
        whole =
            isfinite(record.result.points[i]) && isfinite(record.result.of[i]);
    }
    *result = (struct grade_result){.verdict = GRADE_PASS};
    if (whole) {
        *result = record.result;
        record.result = (struct grade_result){.verdict = GRADE_PASS};
    }
    grade_wire_free(&form, &record);
    return whole;
}
