#define _POSIX_C_SOURCE 200809L
#include "grade/publish/course_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv_read.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "base/values.h"
#include "grade/base/text.h"

/* What a student has of a lab or of the report. */
struct mark {
    enum {
        NOTHING, /* it is not in the table yet */
        POINTS,
        MISSING, /* and so 0 points */
        EXCUSED,
        UNDECIDED
    } state;
    double points;
    int days; /* late, that counted */
};

struct entry {
    const char *student, *name;
    const struct grade_row *row; /* of the class; NULL: it has none */
    struct mark mark[COURSE_LABS + 1];
};

static const char excused[] = "excused";
static const struct grade_grant excuse = {.is_excused = 1};

/* The table; the report stands behind the index's labs. */
struct course_table {
    const struct course_index *index;
    struct base_csv csv; /* has texts */
    struct entry *entry;
    size_t entries;
    int has[COURSE_LABS + 1];
    double of[COURSE_LABS + 1];
};

/* --- reading -------------------------------------------------------------- */

/* "03_tiling" or "report" as a column, "03" or "report" in a list. */
static const char *column_name(const struct course_table *t, int column)
{
    return column < t->index->labs ? t->index->lab[column].name : "report";
}

static int short_length(const struct course_table *t, int column)
{
    return column < t->index->labs ? 2 : (int)strlen("report");
}

static int is_listed(const struct course_table *t, size_t row, const char *list,
                     int column)
{
    const char *const text = base_csv_text(&t->csv, row, list);
    char own[10];

    snprintf(own, sizeof own, "%.*s", short_length(t, column),
             column_name(t, column));
    return strstr(text, own) != NULL;
}

/* Reads a cell, which is a number or empty. Returns 0, or -1. */
static int read_number(const struct course_table *t, size_t row,
                       const char *column, double *number)
{
    const char *end, *const text = base_csv_text(&t->csv, row, column);

    *number = grade_table_number(text, &end);
    return *end == '\0' && isfinite(*number) && *number >= 0.0 ? 0 : -1;
}

static int read_mark(const struct course_table *t, size_t row, int column,
                     struct mark *mark)
{
    const char *const name = column_name(t, column);
    char days[80];
    double late = 0.0;

    snprintf(days, sizeof days, "%.60s_days", name);
    if (base_csv_is(&t->csv, row, name, excused)) {
        mark->state = EXCUSED;
        return 0;
    }
    if (read_number(t, row, name, &mark->points) != 0 ||
        read_number(t, row, days, &late) != 0)
        return -1;
    mark->days = (int)late;
    mark->state = is_listed(t, row, "missing", column)         ? MISSING
                  : is_listed(t, row, "undecided", column)     ? UNDECIDED
                  : *base_csv_text(&t->csv, row, name) != '\0' ? POINTS
                                                               : NOTHING;
    return 0;
}

static int read_row(struct course_table *t, size_t row)
{
    struct entry *const e = &t->entry[t->entries];

    e->student = base_csv_text(&t->csv, row, "student");
    e->name = base_csv_text(&t->csv, row, "name");
    for (int c = 0; c <= t->index->labs; c++) {
        if (t->has[c] && read_mark(t, row, c, &e->mark[c]) != 0)
            return -1;
        if (*e->student == '\0')
            t->of[c] = e->mark[c].points;
    }
    if (*e->student == '\0') {
        *e = (struct entry){.student = NULL};
    } else {
        t->entries++;
    }
    return 0;
}

/* Reads the table, if it is there, with room for `more` entries. */
static int read_table(struct course_table *t, const struct course_index *index,
                      const char *path, size_t more, char *why, size_t size)
{
    *t = (struct course_table){.index = index};
    if (access(path, F_OK) == 0 && base_csv_read(path, &t->csv, why, size) != 0)
        return -1;
    t->entry = calloc(t->csv.rows + more + 1, sizeof *t->entry);
    if (t->entry == NULL)
        return base_refuse(why, size, "there is no memory left");
    if (t->csv.columns == 0)
        return 0;
    for (int c = 0; c <= index->labs; c++)
        t->has[c] = base_csv_column(&t->csv, column_name(t, c)) >= 0;
    if (base_csv_column(&t->csv, "student") < 0) {
        return base_refuse(why, size,
                           "%s: no column 'student', so it is no table of a "
                           "course: name another folder by CLASS=",
                           path);
    }
    for (size_t i = 0; i < t->csv.rows; i++) {
        if (read_row(t, i) != 0) {
            return base_refuse(why, size,
                               "%s: row %zu: points and days are numbers from "
                               "0 up, or nothing",
                               path, i + 2);
        }
    }
    return 0;
}

static void free_table(struct course_table *t)
{
    free(t->entry);
    base_csv_free(&t->csv);
}

/* --- adding --------------------------------------------------------------- */

static struct entry *find_entry(struct course_table *t,
                                const struct grade_row *row)
{
    for (size_t i = 0; i < t->entries; i++) {
        if (t->entry[i].row == row)
            return &t->entry[i];
    }
    t->entry[t->entries] = (struct entry){.row = row};
    return &t->entry[t->entries++];
}

static struct mark mark_of(const struct grade_row *row, int column)
{
    const int is_there = grade_row_is_there(row, column);

    if (column < row->class->labs && grade_row_is_excused(row, column))
        return (struct mark){.state = EXCUSED};
    if (!is_there &&
        (column == row->class->labs || grade_row_is_settled(row, column)))
        return (struct mark){.state = MISSING};
    if (!grade_row_is_settled(row, column))
        return (struct mark){.state = UNDECIDED};
    return (struct mark){
        POINTS, grade_row_points(row, column),
        column < row->class->labs ? grade_row_days_late(row, column) : 0};
}

static void add_class(struct course_table *t, const struct grade_class *class)
{
    for (size_t i = 0; i < t->entries; i++)
        t->entry[i].row = grade_class_find(class, t->entry[i].student);
    for (size_t i = 0; i < class->rows; i++) {
        const struct grade_row *const row = &class->row[i];
        struct entry *e;

        if (!row->listed)
            continue;
        e = find_entry(t, row);
        e->student = row->student;
        e->name = row->name;
        for (int k = 0; k < class->columns; k++) {
            const int c = k < class->labs ? (int)(class->lab[k] - t->index->lab)
                                          : t->index->labs;

            if (class->withheld[k])
                continue;
            t->has[c] = 1;
            t->of[c] = class->of[k];
            e->mark[c] = mark_of(row, k);
        }
    }
}

/* --- writing -------------------------------------------------------------- */

static void put_list(FILE *to, const struct course_table *t,
                     const struct entry *e, int state)
{
    const char *separator = "";

    fputc(',', to);
    for (int c = 0; c <= t->index->labs; c++) {
        if (!t->has[c] || (int)e->mark[c].state != state)
            continue;
        fprintf(to, "%s%.*s", separator, short_length(t, c), column_name(t, c));
        separator = " ";
    }
}

static void put_entry(FILE *to, const struct course_table *t,
                      const struct entry *e)
{
    double sum = 0.0;
    int days = 0;

    for (int c = 0; c <= t->index->labs; c++) {
        sum += e->mark[c].points;
        days += e->mark[c].days;
    }
    grade_text_cell(to, e->student);
    fputc(',', to);
    grade_text_cell(to, e->name);
    fputc(',', to);
    base_put_csv_number(to, round(sum * 100.0) / 100.0);
    put_list(to, t, e, MISSING);
    put_list(to, t, e, UNDECIDED);
    fprintf(to, ",%d", days);
    for (int c = 0; c <= t->index->labs; c++) {
        const struct mark *const m = &e->mark[c];

        if (!t->has[c])
            continue;
        fputc(',', to);
        if (m->state == POINTS || m->state == MISSING)
            base_put_csv_number(to, m->points);
        fputs(m->state == EXCUSED ? excused : "", to);
        if (c < t->index->labs)
            fprintf(to, m->days > 0 ? ",%d" : ",", m->days);
    }
    fputc('\n', to);
}

static void put_table(FILE *to, const struct grade_papers *papers,
                      const void *what)
{
    const struct course_table *const t = what;
    struct entry of = {.student = "", .name = "points possible"};

    (void)papers;
    fputs("student,name,total,missing,undecided,late_days", to);
    for (int c = 0; c <= t->index->labs; c++) {
        if (!t->has[c])
            continue;
        fprintf(to, ",%s", column_name(t, c));
        if (c < t->index->labs)
            fprintf(to, ",%s_days", column_name(t, c));
        of.mark[c] = (struct mark){POINTS, t->of[c], 0};
    }
    fputc('\n', to);
    put_entry(to, t, &of);
    for (size_t i = 0; i < t->entries; i++)
        put_entry(to, t, &t->entry[i]);
}

int grade_course_add(const struct grade_papers *papers,
                     const struct course_index *index, const char *folder)
{
    char *const path = base_text("%s/course.csv", folder);
    struct grade_papers own = *papers;
    struct course_table t = {.entry = NULL};
    int result = -1;

    own.out = folder;
    mkdir(folder, 0700); /* what is wrong is told below */
    if (path == NULL) {
        return base_refuse(papers->why, papers->size,
                           "there is no memory left");
    }
    if (read_table(&t, index, path, papers->class->rows, papers->why,
                   papers->size) == 0) {
        add_class(&t, papers->class);
        result = grade_papers_write(&own, "course.csv", put_table, &t);
    }
    if (result == 0)
        fprintf(papers->tell, "  the whole term: %s\n", path);
    free_table(&t);
    free(path);
    return result;
}

/* How many have what. */
static void tell_table(FILE *to, const struct course_table *t, const char *path)
{
    fprintf(to, "%s: %zu students\n", path, t->entries);
    for (int c = 0; c <= t->index->labs; c++) {
        size_t count[UNDECIDED + 1] = {0};

        for (size_t i = 0; i < t->entries; i++)
            count[t->entry[i].mark[c].state]++;
        if (t->has[c]) {
            fprintf(to, "  %s: %zu have points, %zu missing, %zu not decided\n",
                    column_name(t, c), count[POINTS], count[MISSING],
                    count[UNDECIDED]);
        }
    }
}

/* --- a class of it -------------------------------------------------------- */

/* What a spreadsheet would take for a formula has an apostrophe before it. */
static const char *plain(const char *cell)
{
    return cell != NULL && cell[0] == '\'' && grade_text_is_formula(cell + 1)
               ? cell + 1
               : cell;
}

static void fill_row(struct grade_row *row, const struct entry *e,
                     const struct course_table *t,
                     struct grade_decision *decision)
{
    int k = 0;

    for (int c = 0; c <= t->index->labs; c++) {
        const struct mark *const m = &e->mark[c];

        if (!t->has[c])
            continue;
        decision[k].points = m->points;
        if (c < t->index->labs) {
            row->result[k].verdict =
                m->state == MISSING ? GRADE_MISSING : GRADE_GRADER_ERROR;
            row->decision[k] = m->state == POINTS ? &decision[k] : NULL;
            row->grant[k] = m->state == EXCUSED ? &excuse : NULL;
        } else if (m->state == POINTS) {
            const struct grade_decision **const part =
                base_list_add(&row->report, &row->report_parts,
                              sizeof(const struct grade_decision *));

            if (part != NULL)
                *part = &decision[k];
        }
        k++;
    }
}

int grade_course_class(struct grade_class *class,
                       const struct course_index *index, const char *folder,
                       FILE *tell, char *why, size_t size)
{
    static struct course_table t;
    char *const path = base_text("%s/course.csv", folder);

    *class = (struct grade_class){.has_no_feedback = 1};
    if (path == NULL || access(path, F_OK) != 0) {
        free(path);
        return base_refuse(why, size,
                           "%s: has no course.csv: it is written when a "
                           "download is graded with CLASS=%s",
                           folder, folder);
    }
    if (read_table(&t, index, path, 0, why, size) != 0) {
        free(path);
        return -1;
    }
    tell_table(tell, &t, path);
    free(path);
    for (int c = 0; c <= index->labs; c++) {
        if (!t.has[c])
            continue;
        grade_class_add_column(class, c < index->labs ? &index->lab[c] : NULL,
                               t.of[c]);
    }
    class->row = calloc(t.entries + 1, sizeof *class->row);
    class->decisions =
        calloc((t.entries + 1) * (COURSE_LABS + 1), sizeof *class->decisions);
    if (class->row == NULL || class->decisions == NULL)
        return base_refuse(why, size, "there is no memory left");
    for (size_t i = 0; i < t.entries; i++) {
        struct grade_row *const row = &class->row[class->rows++];

        *row = (struct grade_row){.class = class,
                                  .student = plain(t.entry[i].student),
                                  .name = t.entry[i].name,
                                  .handed = "",
                                  .listed = 1};
        fill_row(row, &t.entry[i], &t,
                 class->decisions + i * (COURSE_LABS + 1));
    }
    return 0;
}
