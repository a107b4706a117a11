#define _POSIX_C_SOURCE 200809L
#include "grade/batch/record.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "base/memory.h"
#include "base/values.h"
#include "grade/base/text.h"

/* What the first rows are about; cases, measures and flags follow. */
enum {
    KEY,
    RESULT,
    PARTS,
    FINDINGS = PARTS + GRADE_PARTS,
    COSTS,
    LISTS
};
static const char *const about[LISTS] = {"key",    "result",   "right", "clean",
                                         "number", "findings", "costs"};
static const char last[] = "end";

/* --- writing -------------------------------------------------------------- */

static void put_text(FILE *to, const char *text)
{
    char *const clean =
        grade_text_clean(text != NULL ? text : "", GRADE_TEXT_LONGEST);

    base_put_csv_text(to, clean != NULL ? clean : "");
    free(clean);
}

/* A row; text may be NULL. */
static void put_row(FILE *to, const char *what, const char *name,
                    const char *verdict, const struct grade_measure *m,
                    const char *text)
{
    const double number[] = {m->points, m->of, m->value, m->full, m->zero};

    fprintf(to, "%s,", what);
    base_put_csv_text(to, name); /* the grader's own */
    fprintf(to, ",%s", verdict);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        fputc(',', to);
        base_put_csv_number(to, number[i]);
    }
    fputc(',', to);
    put_text(to, text);
    fputc('\n', to);
}

static void put_result(FILE *to, const struct grade_result *r, const char *key,
                       const char *student)
{
    static const struct grade_measure none;

    fputs("about,name,verdict,points,of,value,full,zero,text\n", to);
    put_row(to, about[KEY], key, "", &none, student);
    put_row(to, about[RESULT], r->lab, grade_verdict_word[r->verdict], &none,
            r->text);
    for (int i = 0; i < GRADE_PARTS; i++) {
        const struct grade_measure part = {.points = r->points[i],
                                           .of = r->of[i]};

        put_row(to, about[PARTS + i], "", "", &part, NULL);
    }
    put_row(to, about[FINDINGS], "", "", &none, r->findings);
    put_row(to, about[COSTS], "", "", &none, r->costs);
    for (size_t i = 0; i < r->case_count; i++) {
        const struct grade_case *const c = &r->cases[i];

        put_row(to, c->hidden ? "hidden" : "case", c->name,
                grade_verdict_word[c->verdict], &none, c->text);
    }
    for (size_t i = 0; i < r->measure_count; i++) {
        put_row(to, "measure", r->measures[i].column, "", &r->measures[i],
                NULL);
    }
    for (size_t i = 0; i < r->flag_count; i++)
        put_row(to, "flag", "", "", &none, r->flags[i]);
    fprintf(to, "%s,,,,,,,,\n", last);
}

char *grade_record_write(const struct grade_result *result, const char *key,
                         const char *student)
{
    const unsigned before = base_memory_failures();
    char *const shown = grade_text_shown(student);
    struct base_memory memory;
    char *text;

    if (base_memory_open(&memory) != NULL)
        put_result(memory.file, result, key, shown);
    free(shown);
    text = base_memory_close(&memory);
    if (base_memory_failures() == before)
        return text;
    free(text);
    errno = ENOMEM;
    return NULL;
}

/* --- reading -------------------------------------------------------------- */

/* Each of these returns 0, or -1 where a cell holds no such value. */

static int take_name(const struct base_csv *csv, size_t row, char *to,
                     size_t size)
{
    const int length =
        snprintf(to, size, "%s", base_csv_text(csv, row, "name"));

    return length > 0 && (size_t)length < size ? 0 : -1;
}

static int take_text(const struct base_csv *csv, size_t row, char **to)
{
    *to = base_text("%s", base_csv_text(csv, row, "text"));
    return *to != NULL ? 0 : -1;
}

static int take_verdict(const struct base_csv *csv, size_t row,
                        enum grade_verdict *verdict)
{
    const char *const word = base_csv_text(csv, row, "verdict");

    for (int i = 0; i < GRADE_VERDICTS; i++) {
        if (strcmp(word, grade_verdict_word[i]) == 0) {
            *verdict = (enum grade_verdict)i;
            return 0;
        }
    }
    return -1;
}

/* The rows that there are always. */
static int take_head(const struct base_csv *csv, const char *key,
                     struct grade_result *r)
{
    for (size_t i = 0; i < LISTS; i++) {
        if (i >= csv->rows ||
            strcmp(base_csv_text(csv, i, "about"), about[i]) != 0)
            return -1;
    }
    for (int i = 0; i < GRADE_PARTS; i++) {
        r->points[i] =
            base_csv_number(csv, (size_t)PARTS + (size_t)i, "points");
        r->of[i] = base_csv_number(csv, (size_t)PARTS + (size_t)i, "of");
        if (!isfinite(r->points[i]) || !isfinite(r->of[i]))
            return -1;
    }
    return strcmp(base_csv_text(csv, KEY, "name"), key) != 0 ||
                   take_name(csv, RESULT, r->lab, sizeof r->lab) != 0 ||
                   take_verdict(csv, RESULT, &r->verdict) != 0 ||
                   take_text(csv, RESULT, &r->text) != 0 ||
                   take_text(csv, FINDINGS, &r->findings) != 0 ||
                   take_text(csv, COSTS, &r->costs) != 0
               ? -1
               : 0;
}

/* A row of which there may be several. */
static int take_row(const struct base_csv *csv, size_t row,
                    struct grade_result *r)
{
    const char *const what = base_csv_text(csv, row, "about");
    const int hidden = strcmp(what, "hidden") == 0;

    if (hidden || strcmp(what, "case") == 0) {
        struct grade_case *const c = grade_result_case(r);

        if (c == NULL)
            return -1;
        c->hidden = hidden;
        return take_name(csv, row, c->name, sizeof c->name) != 0 ||
                       take_verdict(csv, row, &c->verdict) != 0
                   ? -1
                   : take_text(csv, row, &c->text);
    }
    if (strcmp(what, "measure") == 0) {
        struct grade_measure *const m = grade_result_measure(r);

        if (m == NULL)
            return -1;
        m->points = base_csv_number(csv, row, "points");
        m->of = base_csv_number(csv, row, "of");
        m->value = base_csv_number(csv, row, "value");
        m->full = base_csv_number(csv, row, "full");
        m->zero = base_csv_number(csv, row, "zero");
        return take_name(csv, row, m->column, sizeof m->column);
    }
    if (strcmp(what, "flag") != 0)
        return -1;
    grade_result_flag(r, base_csv_text(csv, row, "text"));
    return 0;
}

int grade_record_read(const char *text, const char *key,
                      struct grade_result *result)
{
    const unsigned before = base_memory_failures();
    struct base_csv csv;
    char why[200];
    int whole;

    *result = (struct grade_result){.verdict = GRADE_PASS};
    errno = 0;
    if (base_csv_parse("", text, &csv, why, sizeof why) != 0) {
        if (errno == ENOMEM)
            base_memory_fail();
        return 0;
    }
    whole = take_head(&csv, key, result) == 0 &&
            strcmp(base_csv_text(&csv, csv.rows - 1, "about"), last) == 0;
    for (size_t i = LISTS; whole && i + 1 < csv.rows; i++)
        whole = take_row(&csv, i, result) == 0;
    base_csv_free(&csv);
    if (whole && base_memory_failures() == before)
        return 1;
    grade_result_free(result);
    return 0;
}
