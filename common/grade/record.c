#define _POSIX_C_SOURCE 200809L
#include "grade/record.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/text.h"

enum {
    MOST_MEMBERS = 10000 /* of an array in a record */
};

static const char *const part_name[GRADE_PARTS] = {"right", "clean", "number"};

/* --- writing ------------------------------------------------------------------ */

/* Adds a text, cleaned. Returns 0 or -1. */
static int add_text(cJSON *to, const char *name, const char *text)
{
    char *const clean =
        grade_text_clean(text != NULL ? text : "", GRADE_TEXT_LONGEST);
    int result = -1;

    if (clean != NULL && cJSON_AddStringToObject(to, name, clean) != NULL)
        result = 0;
    free(clean);
    return result;
}

/* A number that reads back as the same, which cJSON's own need not: it leaves
   the last bits out. null: one that is not finite. */
static int add_number(cJSON *to, const char *name, double number)
{
    char text[40];

    snprintf(text, sizeof text, "%.17g", number);
    return cJSON_AddRawToObject(to, name, isfinite(number) ? text : "null") !=
                   NULL
               ? 0
               : -1;
}

static int add_parts(cJSON *to, const char *name, const double *value)
{
    cJSON *const parts = cJSON_AddObjectToObject(to, name);
    int bad = parts == NULL;

    for (int i = 0; i < GRADE_PARTS && !bad; i++)
        bad = add_number(parts, part_name[i], value[i]);
    return bad ? -1 : 0;
}

/* A new object at the end of an array, or NULL. */
static cJSON *add_member(cJSON *array)
{
    cJSON *const member = cJSON_CreateObject();

    if (member != NULL && !cJSON_AddItemToArray(array, member)) {
        cJSON_Delete(member);
        return NULL;
    }
    return member;
}

static int add_cases(cJSON *to, const struct grade_result *result)
{
    cJSON *const cases = cJSON_AddArrayToObject(to, "cases");

    for (int i = 0; i < result->case_count; i++) {
        const struct grade_case *const c = &result->cases[i];
        cJSON *const one = cases != NULL ? add_member(cases) : NULL;

        if (one == NULL || add_text(one, "name", c->name) != 0 ||
            cJSON_AddBoolToObject(one, "hidden", c->hidden) == NULL ||
            add_text(one, "verdict", grade_verdict_word[c->verdict]) != 0 ||
            add_text(one, "text", c->text) != 0)
            return -1;
    }
    return cases != NULL ? 0 : -1;
}

static int add_measures(cJSON *to, const struct grade_result *result)
{
    cJSON *const measures = cJSON_AddArrayToObject(to, "measures");

    for (int i = 0; i < result->measure_count; i++) {
        const struct grade_measure *const m = &result->measures[i];
        cJSON *const one = measures != NULL ? add_member(measures) : NULL;

        if (one == NULL || add_text(one, "column", m->column) != 0 ||
            add_number(one, "value", m->value) != 0 ||
            add_number(one, "full", m->full) != 0 ||
            add_number(one, "zero", m->zero) != 0 ||
            add_number(one, "points", m->points) != 0 ||
            add_number(one, "of", m->of) != 0)
            return -1;
    }
    return measures != NULL ? 0 : -1;
}

static int add_flags(cJSON *to, const struct grade_result *result)
{
    cJSON *const flags = cJSON_AddArrayToObject(to, "flags");

    for (int i = 0; i < result->flag_count; i++) {
        cJSON *const one = flags != NULL ? add_member(flags) : NULL;

        if (one == NULL || add_text(one, "text", result->flags[i].text) != 0)
            return -1;
    }
    return flags != NULL ? 0 : -1;
}

char *grade_record_write(const struct grade_result *result, const char *key,
                         const char *student)
{
    cJSON *const record = cJSON_CreateObject();
    char *const shown = grade_text_shown(student);
    char *text = NULL;

    if (record != NULL && shown != NULL &&
        cJSON_AddStringToObject(record, "key", key) != NULL &&
        cJSON_AddStringToObject(record, "student", shown) != NULL &&
        add_text(record, "lab", result->lab) == 0 &&
        add_text(record, "verdict", grade_verdict_word[result->verdict]) == 0 &&
        add_text(record, "text", result->text) == 0 &&
        add_parts(record, "points", result->points) == 0 &&
        add_parts(record, "of", result->of) == 0 &&
        add_cases(record, result) == 0 && add_measures(record, result) == 0 &&
        add_flags(record, result) == 0 &&
        add_text(record, "findings", result->findings) == 0 &&
        add_text(record, "costs", result->costs) == 0)
        text = cJSON_Print(record);
    cJSON_Delete(record);
    free(shown);
    if (text == NULL)
        errno = ENOMEM;
    return text;
}

/* --- reading ------------------------------------------------------------------ */

/* Each reader returns 0, or -1 where the member is not there or is no such
   value. */
static int get_string(const cJSON *from, const char *name, const char **text)
{
    *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(from, name));
    return *text != NULL ? 0 : -1;
}

static int get_name(const cJSON *from, const char *name, char *to, size_t size)
{
    const char *text;

    if (get_string(from, name, &text) != 0 || strlen(text) >= size)
        return -1;
    memcpy(to, text, strlen(text) + 1);
    return 0;
}

static int get_copy(const cJSON *from, const char *name, char **copy)
{
    const char *text;

    if (get_string(from, name, &text) != 0)
        return -1;
    *copy = strdup(text);
    return *copy != NULL ? 0 : -1;
}

static int get_number(const cJSON *from, const char *name, double *number)
{
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(from, name);

    *number = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
    return cJSON_IsNumber(item) || cJSON_IsNull(item) ? 0 : -1;
}

static int get_verdict(const cJSON *from, enum grade_verdict *verdict)
{
    const char *word;

    if (get_string(from, "verdict", &word) != 0)
        return -1;
    for (int i = 0; i < GRADE_VERDICTS; i++) {
        if (strcmp(word, grade_verdict_word[i]) == 0) {
            *verdict = (enum grade_verdict)i;
            return 0;
        }
    }
    return -1;
}

static int get_parts(const cJSON *from, const char *name, double *value)
{
    const cJSON *const parts = cJSON_GetObjectItemCaseSensitive(from, name);

    for (int i = 0; i < GRADE_PARTS; i++) {
        if (get_number(parts, part_name[i], &value[i]) != 0 ||
            !isfinite(value[i]))
            return -1;
    }
    return 0;
}

static const cJSON *get_array(const cJSON *from, const char *name)
{
    const cJSON *const array = cJSON_GetObjectItemCaseSensitive(from, name);

    return cJSON_IsArray(array) && cJSON_GetArraySize(array) < MOST_MEMBERS
               ? array
               : NULL;
}

static int get_lists(const cJSON *from, struct grade_result *result)
{
    const cJSON *const cases = get_array(from, "cases");
    const cJSON *const measures = get_array(from, "measures");
    const cJSON *const flags = get_array(from, "flags");
    const cJSON *one;

    if (cases == NULL || measures == NULL || flags == NULL)
        return -1;
    cJSON_ArrayForEach(one, cases)
    {
        struct grade_case *const c = grade_result_case(result);

        if (c == NULL || get_name(one, "name", c->name, sizeof c->name) != 0 ||
            get_verdict(one, &c->verdict) != 0 ||
            get_copy(one, "text", &c->text) != 0)
            return -1;
        c->hidden =
            cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(one, "hidden"));
    }
    cJSON_ArrayForEach(one, measures)
    {
        struct grade_measure *const m = grade_result_measure(result);

        if (m == NULL ||
            get_name(one, "column", m->column, sizeof m->column) != 0 ||
            get_number(one, "value", &m->value) != 0 ||
            get_number(one, "full", &m->full) != 0 ||
            get_number(one, "zero", &m->zero) != 0 ||
            get_number(one, "points", &m->points) != 0 ||
            get_number(one, "of", &m->of) != 0)
            return -1;
    }
    cJSON_ArrayForEach(one, flags)
    {
        const char *text;

        if (get_string(one, "text", &text) != 0 ||
            grade_result_flag(result, text) != 0)
            return -1;
    }
    return 0;
}

int grade_record_read(const char *text, const char *key,
                      struct grade_result *result)
{
    cJSON *const record = cJSON_Parse(text);
    const char *found;
    int whole;

    grade_result_init(result);
    errno = 0;
    whole = record != NULL && get_string(record, "key", &found) == 0 &&
            strcmp(found, key) == 0 &&
            get_name(record, "lab", result->lab, sizeof result->lab) == 0 &&
            get_verdict(record, &result->verdict) == 0 &&
            get_copy(record, "text", &result->text) == 0 &&
            get_parts(record, "points", result->points) == 0 &&
            get_parts(record, "of", result->of) == 0 &&
            get_lists(record, result) == 0 &&
            get_copy(record, "findings", &result->findings) == 0 &&
            get_copy(record, "costs", &result->costs) == 0;
    cJSON_Delete(record);
    if (whole)
        return 1;
    grade_result_free(result);
    return errno == ENOMEM ? -1 : 0;
}
