/* Who decided what about a grade, when and why? See papers.h. */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/csv_read.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "base/values.h"
#include "grade/base/text.h"

/* The log as it was, and what is added. */
struct log {
    const struct grade_papers *papers;
    struct base_csv csv;
    char *before; /* its text; NULL: there is none yet */
    struct base_memory added;
    char now[40], login[60];
};

static const char taken_back[] = "taken back";

/* --- what stands there ---------------------------------------------------- */

static int is_about(const struct log *l, size_t row, const char *student,
                    const char *what)
{
    return base_csv_is(&l->csv, row, "from", l->papers->out) &&
           base_csv_is(&l->csv, row, "lab", what) &&
           base_csv_is(&l->csv, row, "student", student);
}

/* The last row about this, or -1. A student as the log shows one. */
static long last_about(const struct log *l, const char *student,
                       const char *what)
{
    for (size_t i = l->csv.rows; i-- > 0;) {
        if (is_about(l, i, student, what))
            return (long)i;
    }
    return -1;
}

/* A cell as it is read again, for free(). */
static char *cell_of(const char *text)
{
    struct base_memory memory;
    struct base_csv csv;
    char *line, *cell = NULL, why[200];

    if (base_memory_open(&memory) == NULL)
        return NULL;
    fputs("cell\n", memory.file);
    grade_text_cell(memory.file, text);
    fputs("\n", memory.file);
    line = base_memory_close(&memory);
    if (line != NULL &&
        base_csv_parse("log.csv", line, &csv, why, sizeof why) == 0) {
        cell = base_text("%s", csv.rows > 0 ? csv.cell[1] : "");
        base_csv_free(&csv);
    }
    free(line);
    return cell;
}

/* --- what is new ---------------------------------------------------------- */

/* Points that the grader alone gives; NaN: it gives none. */
static double own_points(const struct grade_row *row, int column)
{
    struct grade_row alone = *row;

    if (column < 0 || column == row->class->labs)
        return (double)NAN;
    alone.decision[column] = NULL;
    return grade_row_is_settled(&alone, column)
               ? grade_row_points(&alone, column)
               : (double)NAN;
}

static void add_line(struct log *l, const char *who, const char *student,
                     const char *what, double old, double new, const char *why)
{
    FILE *const to = l->added.file;

    fprintf(to, "%s,", l->now);
    grade_text_cell(to, *who != '\0' ? who : l->login);
    fputc(',', to);
    grade_text_cell(to, student);
    fprintf(to, ",%s,", what);
    if (isfinite(old))
        base_put_csv_number(to, old);
    fputc(',', to);
    if (isfinite(new))
        base_put_csv_number(to, new);
    fputc(',', to);
    grade_text_cell(to, why);
    fputc(',', to);
    base_put_csv_text(to, l->papers->out);
    fputc('\n', to);
}

static int column_of(const struct grade_class *class,
                     const struct course_lab *lab)
{
    for (int k = 0; k < class->labs; k++) {
        if (class->lab[k] == lab)
            return k;
    }
    return -1;
}

static void log_decision(struct log *l, const struct grade_decision *d)
{
    const struct grade_class *const class = l->papers->class;
    const struct grade_row *const row = grade_class_find(class, d->student);
    const int column = column_of(class, d->lab);
    char *student, *why;
    long last;

    if (row == NULL || (d->lab != NULL && column < 0))
        return;
    student = cell_of(row->student);
    why = cell_of(d->reason);
    if (student != NULL && why != NULL) {
        last = last_about(l, student, d->what);
        if (last < 0 ||
            base_csv_number(&l->csv, (size_t)last, "new") != d->points ||
            !base_csv_is(&l->csv, (size_t)last, "why", why)) {
            add_line(l, d->by, row->student, d->what,
                     last < 0 ? own_points(row, column)
                              : base_csv_number(&l->csv, (size_t)last, "new"),
                     d->points, d->reason);
        }
    }
    free(student);
    free(why);
}

/* Is there a decision still on what a row of the log is about? */
static int is_decided(const struct log *l, size_t row,
                      const struct grade_manual *manual)
{
    for (size_t i = 0; i < manual->decisions; i++) {
        const struct grade_decision *const d = &manual->decision[i];

        if (base_csv_is(&l->csv, row, "lab", d->what) &&
            grade_class_find(l->papers->class, d->student) ==
                grade_class_find(l->papers->class,
                                 base_csv_text(&l->csv, row, "student")))
            return 1;
    }
    return 0;
}

static void log_taken_back(struct log *l, const struct course_index *index,
                           const struct grade_manual *manual)
{
    for (size_t i = 0; i < l->csv.rows; i++) {
        const char *const student = base_csv_text(&l->csv, i, "student");
        const char *const what = base_csv_text(&l->csv, i, "lab");
        const struct grade_row *const row =
            grade_class_find(l->papers->class, student);
        const struct course_lab *const lab = grade_lab_called(index, what);
        const int column = lab != NULL ? column_of(l->papers->class, lab) : -1;

        if (row == NULL || last_about(l, student, what) != (long)i ||
            base_csv_is(&l->csv, i, "why", taken_back) ||
            (lab != NULL && column < 0) || is_decided(l, i, manual))
            continue;
        add_line(l, "", row->student, what, base_csv_number(&l->csv, i, "new"),
                 own_points(row, column), taken_back);
    }
}

/* --- the file ------------------------------------------------------------- */

static void put_log(FILE *to, const struct grade_papers *papers,
                    const void *what)
{
    const struct log *const l = what;

    (void)papers;
    fputs(l->before != NULL ? l->before
                            : "when,who,student,lab,old,new,why,from\n",
          to);
    fputs(l->added.text, to);
}

static void fill_names(struct log *l)
{
    const struct passwd *const user = getpwuid(geteuid());
    const time_t now = time(NULL);
    struct tm day;

    if (localtime_r(&now, &day) != NULL)
        strftime(l->now, sizeof l->now, "%Y-%m-%d %H:%M:%S %z", &day);
    if (user != NULL) {
        snprintf(l->login, sizeof l->login, "%s", user->pw_name);
    } else {
        snprintf(l->login, sizeof l->login, "user %ld", (long)geteuid());
    }
}

int grade_write_log(const struct grade_papers *papers,
                    const struct course_index *index,
                    const struct grade_manual *manual, const char *folder)
{
    static const char *const columns[] = {"student", "lab",  "new",
                                          "why",     "from", NULL};
    struct log l = {.papers = papers};
    struct grade_papers own = *papers;
    char *const path = base_text("%s/log.csv", folder);
    int result = 0;

    if (path == NULL) {
        return base_refuse(papers->why, papers->size,
                           "there is no memory left");
    }
    own.out = folder;
    mkdir(folder, 0700); /* what is wrong is told below */
    if (access(path, F_OK) == 0) {
        l.before = base_read_file(path, papers->why, papers->size);
        result =
            l.before == NULL || base_csv_parse(path, l.before, &l.csv,
                                               papers->why, papers->size) != 0
                ? -1
                : 0;
    }
    if (result == 0 && l.before != NULL &&
        base_csv_missing(&l.csv, columns) != NULL) {
        result = base_refuse(papers->why, papers->size,
                             "%s: no column '%s', so it is no log of ours: "
                             "name it otherwise",
                             path, base_csv_missing(&l.csv, columns));
    }
    fill_names(&l);
    if (result == 0 && base_memory_open(&l.added) != NULL) {
        for (size_t i = 0; i < manual->decisions; i++)
            log_decision(&l, &manual->decision[i]);
        log_taken_back(&l, index, manual);
        base_memory_close(&l.added);
        if (l.added.text != NULL && l.added.length > 0)
            result = grade_papers_write(&own, "log.csv", put_log, &l);
        free(l.added.text);
    }
    base_csv_free(&l.csv);
    free(l.before);
    free(path);
    return result;
}
