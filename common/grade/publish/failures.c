#include "grade/publish/failures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"

/* --- words ---------------------------------------------------------------- */

/* Behind "tiling.cu:48: " or "tiling.cu:48:7: error: ", if it begins so. */
static const char *skip_place(const char *text)
{
    const size_t line = strcspn(text, "\n");
    const char *const error = strstr(text, "error: ");
    const char *at = strstr(text, ".cu:");

    if (error != NULL && at != NULL && at < error)
        return error + strlen("error: ");
    if (at == NULL || (size_t)(at - text) > line)
        return text;
    at += strlen(".cu:");
    at += strspn(at, "0123456789");
    return *at == ':' ? at + 1 + strspn(at + 1, " ") : text;
}

/* The advice behind how many elements are wrong, and where, if there is any. */
static const char *skip_elements(const char *text)
{
    const char *const end = strstr(text, "(allowed error ");
    const char *const next = end != NULL ? strstr(end, "). ") : NULL;

    return next != NULL ? next + strlen("). ") : text;
}

/* A sentence ends before a blank, a line at its end. */
static int ends_sentence(const char *s)
{
    return *s == '\n' || *s == '\0' ||
           (strchr(".:?", *s) != NULL &&
            (s[1] == ' ' || s[1] == '\n' || s[1] == '\0'));
}

/* Copies the first sentence, numbers as N, and a word that does not fit not. */
static void copy_reason(const char *text, char reason[GRADE_REASON])
{
    char *const clean = grade_text_clean(text, 400);
    size_t used = 0;

    for (const char *s = clean; s != NULL && !ends_sentence(s);) {
        if (used == GRADE_REASON - 4) {
            while (used > 0 && reason[used - 1] != ' ')
                used--;
            used += (size_t)snprintf(reason + used, 4, "...");
            break;
        }
        if (isdigit((unsigned char)*s)) {
            reason[used++] = 'N';
            s += strspn(s, "0123456789");
        } else {
            reason[used++] = *s == '\t' ? ' ' : *s;
            s++;
        }
    }
    reason[used] = '\0';
    free(clean);
}

/* The measure that lacks points. */
static const char *missed(const struct grade_result *result)
{
    for (int i = 0; i < result->measure_count; i++) {
        if (result->measures[i].points < result->measures[i].of)
            return result->measures[i].column;
    }
    return "the lab's number";
}

/* The first case that is not right has it, where the result has no text. */
static const char *case_text(const struct grade_result *result)
{
    for (int i = 0; i < result->case_count; i++) {
        const char *const text = result->cases[i].text;

        if (result->cases[i].verdict == result->verdict && text != NULL &&
            *text != '\0')
            return skip_elements(text);
    }
    return "";
}

void grade_failure_reason(const struct grade_result *result,
                          char reason[GRADE_REASON])
{
    const char *text = result->text != NULL ? result->text : "";
    char words[100];

    switch (result->verdict) {
    case GRADE_PASS:
        snprintf(words, sizeof words, "not all points for %s", missed(result));
        text = words;
        break;
    case GRADE_UNFINISHED:
        copy_reason("TODOs are open", reason);
        return;
    case GRADE_FLAG:
        if (result->flag_count > 0)
            text = result->flags[0].text;
        break;
    case GRADE_UNCLEAN:
        if (result->findings != NULL && *result->findings != '\0')
            text = result->findings;
        break;
    default:
        if (*text == '\0')
            text = case_text(result);
        break;
    }
    copy_reason(skip_place(text), reason);
}

/* --- counting ------------------------------------------------------------- */

static int is_same_failure(const struct grade_failure *a,
                           const struct grade_failure *b)
{
    return a->lab == b->lab && a->verdict == b->verdict &&
           strcmp(a->reason, b->reason) == 0;
}

/* Frequent ones first; of the same, in the order of labs and words. */
static int compare_failures(const void *first, const void *second)
{
    const struct grade_failure *const a = first, *const b = second;
    const int by_lab = strcmp(a->lab->name, b->lab->name);

    if (a->students != b->students)
        return a->students < b->students ? 1 : -1;
    if (by_lab != 0)
        return by_lab;
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    return strcmp(a->reason, b->reason);
}

int grade_failures(const struct grade_class *class,
                   struct grade_failure **failure, size_t *count)
{
    struct grade_failure *const list =
        calloc(class->rows * (size_t) class->labs + 1, sizeof *list);

    *count = 0;
    *failure = list;
    if (list == NULL)
        return -1;
    for (size_t r = 0; r < class->rows; r++) {
        const struct grade_row *const row = &class->row[r];

        for (int i = 0; i < class->labs; i++) {
            struct grade_failure one = {.lab = class->lab[i],
                                        .verdict = row->result[i].verdict,
                                        .students = 1};
            size_t k = 0;

            if (row->decision[i] != NULL || one.verdict == GRADE_MISSING ||
                (one.verdict == GRADE_PASS &&
                 grade_row_points(class, row, i) >= class->of[i]))
                continue;
            grade_failure_reason(&row->result[i], one.reason);
            while (k < *count && !is_same_failure(&list[k], &one))
                k++;
            if (k < *count) {
                list[k].students++;
            } else {
                list[(*count)++] = one;
            }
        }
    }
    qsort(list, *count, sizeof *list, compare_failures);
    return 0;
}
