#define _POSIX_C_SOURCE 200809L
#include "grade/batch/record.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"
#include "base/memory.h"
#include "base/values.h"

enum {
    MOST_MEMBERS = 10000 /* of an array in a record */
};

static const char *const part_name[GRADE_PARTS] = {"right", "clean", "number"};

/* --- writing -------------------------------------------------------------- */

struct writing {
    struct base_json json;
    int failed; /* 1: there was no memory */
};

/* Puts a text, cleaned. */
static void put_clean_text(struct writing *to, const char *name,
                           const char *text)
{
    char *const clean =
        grade_text_clean(text != NULL ? text : "", GRADE_TEXT_LONGEST);

    to->failed |= clean == NULL;
    base_json_text(&to->json, name, clean);
    free(clean);
}

static void put_parts(struct writing *to, const char *name, const double *value)
{
    base_json_open(&to->json, name, '{');
    for (int i = 0; i < GRADE_PARTS; i++)
        base_json_number(&to->json, part_name[i], value[i]);
    base_json_close(&to->json, '}');
}

static void put_lists(struct writing *to, const struct grade_result *result)
{
    base_json_open(&to->json, "cases", '[');
    for (int i = 0; i < result->case_count; i++) {
        const struct grade_case *const c = &result->cases[i];

        base_json_open(&to->json, NULL, '{');
        put_clean_text(to, "name", c->name);
        base_json_number(&to->json, "hidden", c->hidden);
        put_clean_text(to, "verdict", grade_verdict_word[c->verdict]);
        put_clean_text(to, "text", c->text);
        base_json_close(&to->json, '}');
    }
    base_json_close(&to->json, ']');
    base_json_open(&to->json, "measures", '[');
    for (int i = 0; i < result->measure_count; i++) {
        const struct grade_measure *const m = &result->measures[i];

        base_json_open(&to->json, NULL, '{');
        put_clean_text(to, "column", m->column);
        base_json_number(&to->json, "value", m->value);
        base_json_number(&to->json, "full", m->full);
        base_json_number(&to->json, "zero", m->zero);
        base_json_number(&to->json, "points", m->points);
        base_json_number(&to->json, "of", m->of);
        base_json_close(&to->json, '}');
    }
    base_json_close(&to->json, ']');
    base_json_open(&to->json, "flags", '[');
    for (int i = 0; i < result->flag_count; i++)
        put_clean_text(to, NULL, result->flags[i].text);
    base_json_close(&to->json, ']');
}

char *grade_record_write(const struct grade_result *result, const char *key,
                         const char *student)
{
    char *const shown = grade_text_shown(student);
    struct base_memory memory;
    struct writing to = {.json.file = base_memory_open(&memory),
                         .failed = shown == NULL};
    char *text;

    if (to.json.file != NULL) {
        base_json_open(&to.json, NULL, '{');
        base_json_text(&to.json, "key", key);
        base_json_text(&to.json, "student", shown);
        put_clean_text(&to, "lab", result->lab);
        put_clean_text(&to, "verdict", grade_verdict_word[result->verdict]);
        put_clean_text(&to, "text", result->text);
        put_parts(&to, "points", result->points);
        put_parts(&to, "of", result->of);
        put_lists(&to, result);
        put_clean_text(&to, "findings", result->findings);
        put_clean_text(&to, "costs", result->costs);
        base_json_close(&to.json, '}');
    }
    free(shown);
    text = base_memory_close(&memory);
    if (text != NULL && !to.failed)
        return text;
    free(text);
    errno = ENOMEM;
    return NULL;
}

/* --- reading -------------------------------------------------------------- */

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
    double hidden;

    if (cases == NULL || measures == NULL || flags == NULL)
        return -1;
    cJSON_ArrayForEach(one, cases)
    {
        struct grade_case *const c = grade_result_case(result);

        if (c == NULL || get_name(one, "name", c->name, sizeof c->name) != 0 ||
            get_verdict(one, &c->verdict) != 0 ||
            get_number(one, "hidden", &hidden) != 0 ||
            get_copy(one, "text", &c->text) != 0)
            return -1;
        c->hidden = hidden != 0.0;
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
        const char *const text = cJSON_GetStringValue(one);

        if (text == NULL || grade_result_flag(result, text) != 0)
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
