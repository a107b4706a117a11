/* class_plot.c: a class as one picture. See exports.h and plots/class.gp. */
#define _GNU_SOURCE
#include "grade/publish/exports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "grade/publish/failures.h"
#include "base/replace_file.h"
#include "base/values.h"

enum {
    BINS = 10, /* of the points that can be had */
    MOST = 12, /* kinds of failures that are shown */
    DRAWING_SECONDS = 60
};

/* --- the table ------------------------------------------------------------ */

static int handed_in_nothing(const struct grade_class *class,
                             const struct grade_row *row)
{
    for (int i = 0; i < class->labs; i++) {
        if (row->result[i].verdict != GRADE_MISSING || row->decision[i] != NULL)
            return 0;
    }
    return 1;
}

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
        const double share = grade_row_total(class, row) / all;
        const int bin = share >= 1.0  ? BINS - 1
                        : share > 0.0 ? (int)(share * BINS)
                                      : 0;

        if (!grade_row_is_decided(class, row))
            continue;
        students[bin]++;
        missing[bin] += (size_t)handed_in_nothing(class, row);
    }
    for (int i = 0; i < BINS; i++) {
        fputs("points,,,,", to);
        base_put_csv_number(to, all * i / BINS);
        fputc(',', to);
        base_put_csv_number(to, all * (i + 1) / BINS);
        fprintf(to, ",%zu,%zu\n", students[i], missing[i]);
    }
}

static int put_failures(FILE *to, const struct grade_class *class)
{
    struct grade_failure *failure;
    size_t count;

    if (grade_failures(class, &failure, &count) != 0)
        return -1;
    for (size_t i = 0; i < count && i < MOST; i++) {
        fprintf(to, "failure,%s,%s,", failure[i].lab->name,
                grade_verdict_word[failure[i].verdict]);
        base_put_csv_text(to, failure[i].reason);
        fprintf(to, ",,,%zu,\n", failure[i].students);
    }
    free(failure);
    return 0;
}

static int write_table(const char *path, const struct grade_class *class,
                       char *why, size_t size)
{
    struct base_replacement r;
    int failed;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs("kind,lab,verdict,reason,from,to,students,missing\n", r.file);
    put_bins(r.file, class);
    failed = put_failures(r.file, class) != 0;
    return base_replace_end(&r, failed ? -1 : 1, why, size);
}

/* --- the picture ---------------------------------------------------------- */

/* Runs gnuplot on plots/class.gp. Returns its exit code; 127: it is not there;
   -1: something else went wrong. */
static int run_gnuplot(const char *table, const char *picture)
{
    const char *const argv[] = {"gnuplot", "-c",    "plots/class.gp",
                                table,     picture, NULL};
    struct base_child gnuplot;
    struct base_child_end end;

    if (base_child_start(&gnuplot, argv, 0) != 0)
        return -1;
    end = base_child_wait(&gnuplot, DRAWING_SECONDS, NULL);
    return end.how == BASE_CHILD_ENDED ? end.code : -1;
}

/* An old picture does not stay beside a new table. */
static int draw_class(const char *out, const char *table, FILE *tell)
{
    char *part = NULL, *picture = NULL;
    int code;

    if (asprintf(&part, "%s/class.part.svg", out) < 0)
        return -1;
    if (asprintf(&picture, "%s/class.svg", out) < 0) {
        free(part);
        return -1;
    }
    code = access("plots/class.gp", R_OK) == 0 ? run_gnuplot(table, part) : -1;
    if (code == 0 && rename(part, picture) == 0) {
        fprintf(tell, "  the class as a picture: %s\n", picture);
    } else {
        unlink(part);
        unlink(picture);
        fprintf(tell, "  class.svg is not drawn: %s\n",
                code == 127 ? "gnuplot is not installed (make deps)"
                            : "gnuplot failed");
    }
    free(part);
    free(picture);
    return 0;
}

int grade_class_plot(const char *out, const struct grade_class *class,
                     FILE *tell, char *why, size_t size)
{
    char *table = NULL;
    int result = -1;

    if (asprintf(&table, "%s/class.csv", out) < 0) {
        snprintf(why, size, "%s: %s", out, strerror(ENOMEM));
        return -1;
    }
    if (write_table(table, class, why, size) == 0) {
        fflush(NULL); /* what was told goes before gnuplot's words */
        result = draw_class(out, table, tell);
        if (result != 0)
            snprintf(why, size, "%s: %s", table, strerror(ENOMEM));
    }
    free(table);
    return result;
}
