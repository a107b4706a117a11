/* picture.c: a class as one picture (papers.h, plots/class.gp). */
#define _GNU_SOURCE
#include "grade/publish/papers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/memory.h"
#include "base/values.h"
#include "grade/base/text.h"

enum {
    BINS = 10, /* of the points that can be had */
    MOST = 12, /* kinds of failures that are shown */
    DRAWING_SECONDS = 60
};

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

static const char *missed(const struct grade_result *result)
{
    for (size_t i = 0; i < result->measure_count; i++) {
        if (result->measures[i].points < result->measures[i].of)
            return result->measures[i].column;
    }
    return "the lab's number";
}

/* The first case that is not right has it, where the result has no text. */
static const char *case_text(const struct grade_result *result)
{
    for (size_t i = 0; i < result->case_count; i++) {
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
            text = result->flags[0];
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

/* In the order of labs, verdicts and words. */
static int compare_kinds(const struct grade_failure *a,
                         const struct grade_failure *b)
{
    const int by_lab = strcmp(a->lab->name, b->lab->name);

    return by_lab != 0                ? by_lab
           : a->verdict != b->verdict ? (int)a->verdict - (int)b->verdict
                                      : strcmp(a->reason, b->reason);
}

static int compare_failures(const void *first, const void *second)
{
    const struct grade_failure *const a = first, *const b = second;

    return a->students != b->students ? (a->students < b->students ? 1 : -1)
                                      : compare_kinds(a, b);
}

struct grade_failure *grade_failures(const struct grade_class *class,
                                     size_t *count)
{
    struct grade_failure *const list =
        calloc(class->rows * (size_t) class->labs + 1, sizeof *list);

    *count = 0;
    for (size_t r = 0; list != NULL && r < class->rows; r++) {
        const struct grade_row *const row = &class->row[r];

        for (int i = 0; i < class->labs; i++) {
            struct grade_failure *const one = &list[*count];
            size_t k = 0;

            if (row->decision[i] != NULL || grade_row_is_full(row, i) ||
                row->result[i].verdict == GRADE_MISSING)
                continue;
            *one = (struct grade_failure){.lab = class->lab[i],
                                          .verdict = row->result[i].verdict};
            grade_failure_reason(&row->result[i], one->reason);
            while (compare_kinds(&list[k], one) != 0)
                k++;
            list[k].students++;
            *count += k == *count;
        }
    }
    if (list != NULL) {
        qsort(list, *count, sizeof *list, compare_failures);
    } else {
        base_memory_fail();
    }
    return list;
}

/* --- the table ------------------------------------------------------------ */

/* How many students have points from a share of all to the next? Students
   without a decision are in no bin. */
static void put_bins(FILE *to, const struct grade_class *class)
{
    size_t students[BINS] = {0}, missing[BINS] = {0};
    double all = 0.0;

    for (int i = 0; i < class->labs; i++)
        all += class->of[i];
    for (size_t r = 0; r < class->rows && all > 0.0; r++) {
        const struct grade_row *const row = &class->row[r];
        const double share = grade_row_total(row) / all;
        const int bin = share >= 1.0  ? BINS - 1
                        : share > 0.0 ? (int)(share * BINS)
                                      : 0;
        int there = 0;

        for (int i = 0; i < class->labs; i++)
            there |= grade_row_is_there(row, i);
        if (grade_row_is_decided(row)) {
            students[bin]++;
            missing[bin] += !there;
        }
    }
    for (int i = 0; i < BINS; i++) {
        fputs("points,,,,", to);
        base_put_csv_number(to, all * i / BINS);
        fputc(',', to);
        base_put_csv_number(to, all * (i + 1) / BINS);
        fprintf(to, ",%zu,%zu\n", students[i], missing[i]);
    }
}

static void put_table(FILE *to, const struct grade_papers *papers,
                      const void *what)
{
    size_t count;
    struct grade_failure *const failure = grade_failures(papers->class, &count);

    (void)what;
    fputs("kind,lab,verdict,reason,from,to,students,missing\n", to);
    put_bins(to, papers->class);
    for (size_t i = 0; i < count && i < MOST; i++) {
        fprintf(to, "failure,%s,%s,", failure[i].lab->name,
                grade_verdict_word[failure[i].verdict]);
        base_put_csv_text(to, failure[i].reason);
        fprintf(to, ",,,%zu,\n", failure[i].students);
    }
    free(failure);
}

/* --- the picture ---------------------------------------------------------- */

/* Runs gnuplot. Returns its exit code; 127: it is not there; -1: something else
   went wrong. */
static int run_gnuplot(const char *table, const char *picture)
{
    const char *const argv[] = {"gnuplot", "-c",    "plots/class.gp",
                                table,     picture, NULL};
    struct base_child gnuplot;
    struct base_child_end end;

    fflush(NULL); /* what was told goes before gnuplot's words */
    if (access(argv[2], R_OK) != 0 || base_child_start(&gnuplot, argv, 0) != 0)
        return -1;
    end = base_child_wait(&gnuplot, DRAWING_SECONDS, NULL);
    return end.how == BASE_CHILD_ENDED ? end.code : -1;
}

/* An old picture does not stay beside a new table. */
int grade_write_picture(const struct grade_papers *papers)
{
    char *const table = base_text("%s/%s", papers->out, "class.csv");
    char *const part = base_text("%s/%s", papers->out, "class.part.svg");
    char *const picture = base_text("%s/%s", papers->out, "class.svg");
    int result = -1, code;

    if (table != NULL && part != NULL && picture != NULL &&
        grade_papers_write(papers, "class.csv", put_table, NULL) == 0) {
        result = 0;
        code = run_gnuplot(table, part);
        if (code == 0 && rename(part, picture) == 0) {
            fprintf(papers->tell, "  the class as a picture: %s\n", picture);
        } else {
            unlink(part);
            unlink(picture);
            fprintf(papers->tell, "  class.svg is not drawn: %s\n",
                    code == 127 ? "gnuplot is not installed (make deps)"
                                : "gnuplot failed");
        }
    }
    free(table);
    free(part);
    free(picture);
    return result;
}
