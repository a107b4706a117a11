/* class_plot.c: a class as one picture. See exports.h and plots/class.gp. */
#define _GNU_SOURCE
#include "grade/publish/exports.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade/publish/failures.h"
#include "base/replace_file.h"
#include "base/values.h"

enum {
    BINS = 10, /* of the points that can be had */
    MOST = 12  /* kinds of failures that are shown */
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
        output_csv_number(to, all * i / BINS);
        fputc(',', to);
        output_csv_number(to, all * (i + 1) / BINS);
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
        output_csv_text(to, failure[i].reason);
        fprintf(to, ",,,%zu,\n", failure[i].students);
    }
    free(failure);
    return 0;
}

static int write_table(const char *path, const struct grade_class *class,
                       char *why, size_t size)
{
    struct output_replacement r;
    int failed;

    if (output_replace_begin(&r, path, why, size) != 0)
        return -1;
    fputs("kind,lab,verdict,reason,from,to,students,missing\n", r.file);
    put_bins(r.file, class);
    failed = put_failures(r.file, class) != 0;
    if (output_replace_end(&r, !failed, why, size) == 0 && !failed)
        return 0;
    if (failed)
        snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
    return -1;
}

/* --- the picture ---------------------------------------------------------- */

/* Runs gnuplot on plots/class.gp. Returns its exit code; 127: it is not there;
   -1: it could not be started. */
static int run_gnuplot(const char *table, const char *picture)
{
    int status = -1;
    const pid_t child = fork();

    if (child == 0) {
        sigset_t none;

        sigemptyset(&none); /* the grader holds some back (engine.h) */
        sigprocmask(SIG_SETMASK, &none, NULL);
        execlp("gnuplot", "gnuplot", "-c", "plots/class.gp", table, picture,
               NULL);
        _exit(127);
    }
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
