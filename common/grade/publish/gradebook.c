/* How do points come into the gradebook that a learning system exported? */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/csv_read.h"
#include "base/html.h"
#include "base/memory.h"
#include "base/values.h"
#include "grade/base/text.h"
#include "grade/intake/names.h"

enum {
    MOST_WHO = 10, /* columns that say who somebody is */
    MOST_NAMES = 20,
    TITLE = 200
};

/*
 * What a system's table of a course looks like, and what is written for it.
 *
 * A student is named as his or her folder is. That name is looked for in each
 * column that says who somebody is (roster.h), and then in what stands before
 * an @ in it; the one that has the most students is believed, for all.
 */
struct system {
    const char *word, *file, *table;
    const char *refusal; /* of a table that has not the columns it must have */
    struct {
        const char *title; /* that is written */
        int alias;         /* -1: the column has this title, too */
    } who[MOST_WHO];
    const char *must[2][2]; /* be there: one of each two; NULL: any of them */
    /* Rows and columns of labs are those of the table. What else is in it is
       left out, since a column that is not there stays as it is. Without: rows
       of students alone, and each lab with its feedback. */
    int is_filled_in;
    enum grade_layout layout; /* of its downloads; none: it takes no feedback */
    /* What stands behind an assignment's name in the title of its column, where
       the table is filled in; and how the points that it has are told there. */
    const char *behind, *points, *example;
    const char *last; /* the column that ends each row, or NULL */
};

static const struct system canvas = {
    "canvas",
    "export/canvas.csv",
    "the gradebook",
    "no columns 'Student' and 'ID': is it the gradebook as Canvas exports it?",
    {{"Student", -1},
     {"LastName", -1}, /* and the next, in the place of Student */
     {"FirstName", -1},
     {"ID", -1},
     {"SIS User ID", -1},
     {"SIS Login ID", -1},
     {"Integration ID", -1},
     {"Root Account", -1},
     {"Section", -1}},
    {{"Student", "LastName"}, {"ID", "ID"}},
    1,
    GRADE_CANVAS_FILES,
    " (",
    NULL, /* in a row of their own */
    "(88123)",
    NULL};

static const struct system moodle = {
    "moodle",
    "export/moodle.csv",
    "the list of users",
    "has none of the columns username, 'ID number' and 'Email address': is it "
    "a list of users as Moodle writes it?",
    {{"username", GRADE_LOGIN},
     {"idnumber", GRADE_MATRICULATION},
     {"email", GRADE_EMAIL}},
    {{NULL}},
    0,
    GRADE_MOODLE_FOLDERS,
    NULL,
    NULL,
    NULL,
    NULL};

/* A column is known by the number behind the bar: without it, an upload makes a
   new one. */
static const struct system blackboard = {
    "blackboard",
    "export/blackboard.csv",
    "the gradebook",
    "no column 'Username': is it the gradebook that Blackboard downloads, with "
    "commas?",
    {{"Last Name", -1},
     {"First Name", -1},
     {"Username", -1},
     {"Student ID", -1}},
    {{"Username", "Username"}},
    1,
    GRADE_LAYOUTS,
    " [",
    ": ",
    "[Total Pts: 100 Score] |88123",
    NULL};

static const struct system brightspace = {
    "brightspace",
    "export/brightspace.csv",
    "the gradebook",
    "no columns 'OrgDefinedId' or 'Username', and 'End-of-Line Indicator': is "
    "it the gradebook that Brightspace exports, with both and points?",
    {{"OrgDefinedId", -1},
     {"Username", -1},
     {"Last Name", -1},
     {"First Name", -1},
     {"Email", -1}},
    {{"OrgDefinedId", "Username"},
     {"End-of-Line Indicator", "End-of-Line Indicator"}},
    1,
    GRADE_LAYOUTS,
    " Points Grade",
    "MaxPoints:",
    "Points Grade <Numeric MaxPoints:100>",
    "End-of-Line Indicator"};

/* A table as it was read. */
struct book {
    const struct system *system;
    struct grade_table table;
    const struct grade_row **row; /* of each of its rows; NULL: no student */
    size_t found;                 /* students */
    const char *title[MOST_WHO];  /* of the columns that are written, */
    int who[MOST_WHO], whos;      /* and where they are */
    int lab[COURSE_LABS + 1];     /* the column of each; -1: it is left out */
    int labs;
};

/* --- who is who ----------------------------------------------------------- */

/* The student whom a cell of this column names, in all of it or before its @;
   NULL: nobody of the class. */
static const struct grade_row *student_at(const struct book *b, size_t row,
                                          int column, int before_at,
                                          const struct grade_class *class)
{
    const char *cell = grade_table_cell(&b->table, row, column);

    cell += b->system == &brightspace && *cell == '#';
    for (size_t k = 0; k < class->rows; k++) {
        const char *const name = class->row[k].student;
        const size_t length = strlen(name);

        if (strncmp(cell, name, length) == 0 &&
            (cell[length] == '\0' || (before_at && cell[length] == '@')))
            return &class->row[k];
    }
    return NULL;
}

/* Finds the students by the column that has the most. */
static int find_students(struct book *b, const struct grade_class *class)
{
    b->row = calloc(b->table.csv.rows + 1, sizeof(const struct grade_row *));
    if (b->row == NULL)
        return grade_table_refuse(&b->table, 0, "%s", strerror(ENOMEM));
    for (int turn = 0; turn < 2 * GRADE_ALIASES; turn++) {
        const int column =
            grade_alias_column(&b->table.csv, turn % GRADE_ALIASES);
        const int before_at = turn >= GRADE_ALIASES;
        size_t found = 0;

        for (size_t i = 0; i < b->table.csv.rows && column >= 0; i++)
            found += student_at(b, i, column, before_at, class) != NULL;
        if (found <= b->found)
            continue;
        b->found = found;
        for (size_t i = 0; i < b->table.csv.rows; i++)
            b->row[i] = student_at(b, i, column, before_at, class);
    }
    return 0;
}

/* Returns 0, or -1 with why if a student stands in two rows. */
static int check_once(const struct book *b)
{
    for (size_t i = 0; i < b->table.csv.rows; i++) {
        for (size_t k = i + 1; k < b->table.csv.rows && b->row[i] != NULL;
             k++) {
            if (b->row[k] != b->row[i])
                continue;
            return grade_table_refuse(
                &b->table, 0,
                "rows %zu and %zu are both '%.100s': take one out, since "
                "nobody can say which is meant",
                i + 2, k + 2, b->row[i]->student);
        }
    }
    return 0;
}

/* Which columns say who somebody is. Returns 0, or -1 with why. */
static int find_who(struct book *b)
{
    const struct system *const s = b->system;
    int failed = 0;

    for (int i = 0; i < MOST_WHO && s->who[i].title != NULL; i++) {
        const int at = s->who[i].alias < 0
                           ? base_csv_column(&b->table.csv, s->who[i].title)
                           : grade_alias_column(&b->table.csv, s->who[i].alias);

        if (at >= 0) {
            b->title[b->whos] = s->who[i].title;
            b->who[b->whos++] = at;
        }
    }
    for (int i = 0; i < 2 && s->must[i][0] != NULL; i++) {
        failed |= base_csv_column(&b->table.csv, s->must[i][0]) < 0 &&
                  base_csv_column(&b->table.csv, s->must[i][1]) < 0;
    }
    return !failed && b->whos > 0
               ? 0
               : grade_table_refuse(&b->table, 0, "%s", s->refusal);
}

/* Moodle must find a name as it is, and of a formula it cannot be: rows with
   one are left out. */
static void leave_out_formulas(struct book *b)
{
    for (size_t i = 0; i < b->table.csv.rows; i++) {
        for (int k = 0; k < b->whos && b->row[i] != NULL; k++) {
            if (!grade_text_is_formula(
                    grade_table_cell(&b->table, i, b->who[k])))
                continue;
            b->row[i] = NULL;
            b->found--;
        }
    }
}

/* --- which assignment is which lab ---------------------------------------- */

/* Is that the end of a column's title, by which the system knows it? */
static int is_end(const struct system *s, const char *end)
{
    const char *number = end + strlen(s->behind);

    if (s->layout == GRADE_CANVAS_FILES) { /* " (88123)" */
        const size_t digits = strspn(number, "0123456789");

        return digits > 0 && strcmp(number + digits, ")") == 0;
    }
    if (s->last !=
        NULL) /* " Points Grade", and in an export " <Numeric ...>" */
        return *number == '\0' || strncmp(number, " <", 2) == 0;
    number = strstr(number, "] |"); /* " [Total Pts: 100 Score] |88123" */
    return number != NULL && number[3] != '\0' &&
           number[3 + strspn(number + 3, "0123456789_")] == '\0';
}

/* Where the end of a column's title begins; NULL: it has none. */
static const char *find_end(const struct system *s, const char *title)
{
    const char *end = strstr(title, s->behind);

    while (end != NULL && !is_end(s, end))
        end = strstr(end + 1, s->behind);
    return end != NULL && end > title && end < title + TITLE ? end : NULL;
}

static int is_column_of(const struct system *s, const struct grade_class *class,
                        int lab, const char *column)
{
    const char *const end = find_end(s, column);
    char title[TITLE];

    if (end == NULL)
        return 0;
    snprintf(title, sizeof title, "%.*s", (int)(end - column), column);
    return lab < class->labs ? grade_name_is_lab(title, class->lab[lab]->name)
                             : strcasecmp(title, class->title[lab]) == 0;
}

static int find_assignments(struct book *b, const struct grade_class *class)
{
    char **const title = b->table.csv.cell;

    for (int lab = 0; lab < class->columns; lab++) {
        b->lab[lab] = -1;
        for (size_t c = 0; c < b->table.csv.columns && !class->withheld[lab];
             c++) {
            if (!is_column_of(b->system, class, lab, title[c]))
                continue;
            if (b->lab[lab] >= 0) {
                return grade_table_refuse(
                    &b->table, 0,
                    "'%.80s' and '%.80s' are both %s: take one column out",
                    title[b->lab[lab]], title[c], class->title[lab]);
            }
            b->lab[lab] = (int)c;
            b->labs++;
        }
    }
    return b->labs > 0
               ? 0
               : grade_table_refuse(
                     &b->table, 0,
                     "no assignment is one of the labs: make them in %c%s, "
                     "called as 'Lab %.2s', and export the gradebook again, so "
                     "that each title ends as in 'Lab %.2s %s'",
                     toupper(b->system->word[0]), b->system->word + 1,
                     class->lab[0]->name, class->lab[0]->name,
                     b->system->example);
}

/* The row that has an assignment's points; Canvas writes blanks before it. */
static int is_possible(const struct book *b, size_t row)
{
    const char *const student = grade_table_cell(&b->table, row, b->who[0]);

    return b->system->is_filled_in &&
           strcmp(student + strspn(student, " "), "Points Possible") == 0;
}

/* The points that a system has for the lab: Canvas in a row of its own, others
   in the column's title. "": this row does not say. */
static const char *tell_possible(const struct book *b, size_t row, int lab)
{
    const char *const points = b->system->points;
    const char *const end =
        b->lab[lab] >= 0 && points != NULL && row == 0
            ? find_end(b->system, b->table.csv.cell[b->lab[lab]])
            : NULL;
    const char *const at = end != NULL ? strstr(end, points) : NULL;

    if (at != NULL)
        return at + strlen(points);
    return b->lab[lab] >= 0 && is_possible(b, row)
               ? grade_table_cell(&b->table, row, b->lab[lab])
               : "";
}

/* Systems take points as they are, so the scale must be ours. */
static int check_possible(const struct book *b, const struct grade_class *class)
{
    for (size_t i = 0; i < b->table.csv.rows; i++) {
        for (int k = 0; k < class->columns; k++) {
            const char *const cell = tell_possible(b, i, k);
            const char *end;
            const double possible = grade_table_number(cell, &end);

            if (end == cell || (*end != '\0' && strchr(" >", *end) == NULL) ||
                possible == class->of[k])
                continue;
            return grade_table_refuse(
                &b->table, 0,
                "'%.80s' has %g points in %c%s, and %g here: change one of "
                "them (RUBRIC=)",
                b->table.csv.cell[b->lab[k]], possible,
                toupper(b->system->word[0]), b->system->word + 1, class->of[k]);
        }
    }
    return 0;
}

/* --- writing -------------------------------------------------------------- */

/* A cell as it was, but no formula. A number is none. */
static void put_cell(FILE *to, const char *cell)
{
    char *end;

    (void)strtod(cell, &end);
    if (end != cell && *end == '\0') {
        base_put_csv_text(to, cell);
    } else {
        grade_text_guarded(to, cell);
    }
}

/* Moodle reads feedback as HTML in which a line's end is one. It begins with
   the lab's number, so that it is no formula. */
static void put_feedback_cell(FILE *to, const struct grade_row *row, int lab)
{
    char *const plain = grade_feedback_text(row, lab);
    struct base_memory memory;
    char *cell;

    if (plain != NULL && base_memory_open(&memory) != NULL)
        base_put_html(memory.file, plain);
    cell = plain != NULL ? base_memory_close(&memory) : NULL;
    base_put_csv_text(to, cell != NULL ? cell : "");
    free(plain);
    free(cell);
}

static void put_titles(FILE *to, const struct book *b,
                       const struct grade_class *class)
{
    for (int i = 0; i < b->whos; i++)
        fprintf(to, "%s%s", i > 0 ? "," : "", b->title[i]);
    for (int k = 0; k < class->columns; k++) {
        if (b->lab[k] < 0)
            continue;
        if (b->system->is_filled_in) {
            fputc(',', to);
            put_cell(to, b->table.csv.cell[b->lab[k]]);
        } else {
            fprintf(to, ",%s", class->title[k]);
            if (!class->has_no_feedback)
                fprintf(to, ",%s feedback", class->title[k]);
        }
    }
    if (b->system->last != NULL)
        fprintf(to, ",%s", b->system->last);
    fputc('\n', to);
}

static void put_row(FILE *to, const struct book *b, size_t row,
                    const struct grade_class *class)
{
    const struct grade_row *const student = b->row[row];

    fputs(is_possible(b, row) ? "    " : "", to);
    for (int i = 0; i < b->whos; i++) {
        fputs(i > 0 ? "," : "", to);
        put_cell(to, grade_table_cell(&b->table, row, b->who[i]));
    }
    for (int k = 0; k < class->columns; k++) {
        if (b->lab[k] < 0)
            continue;
        fputc(',', to);
        if (student != NULL && grade_row_is_settled(student, k)) {
            base_put_csv_number(to, grade_row_points(student, k));
        } else if (b->system == &canvas && student != NULL && k < class->labs &&
                   grade_row_is_excused(student, k)) {
            fputs("EX", to); /* Canvas's word for it */
        } else if (b->system->is_filled_in) {
            put_cell(to, grade_table_cell(&b->table, row, b->lab[k]));
        } else {
            fputc('-', to); /* no grade, which is not 0 */
        }
        if (!b->system->is_filled_in && !class->has_no_feedback) {
            fputc(',', to);
            put_feedback_cell(to, student, k);
        }
    }
    fputs(b->system->last != NULL ? ",#\n" : "\n", to);
}

static void put_book(FILE *to, const struct grade_papers *papers,
                     const void *what)
{
    const struct book *const b = what;

    put_titles(to, b, papers->class);
    for (size_t i = 0; i < b->table.csv.rows; i++) {
        if (b->row[i] != NULL || b->system->is_filled_in)
            put_row(to, b, i, papers->class);
    }
}

static void tell_book(const struct book *b, const struct grade_papers *papers)
{
    const struct grade_class *const class = papers->class;
    struct grade_names absent = {papers->tell, "", MOST_NAMES, 0};
    struct grade_names without = {
        papers->tell, "  the gradebook has no column for ", MOST_NAMES, 0};
    char before[80];

    fprintf(papers->tell, "  %s: %s/%s; %zu students", b->system->word,
            papers->out, b->system->file, b->found);
    if (b->system->is_filled_in)
        fprintf(papers->tell, ", %d labs", b->labs);
    fputc('\n', papers->tell);
    for (int k = 0; k < class->columns; k++) {
        if (b->lab[k] < 0 && !class->withheld[k])
            grade_names_tell(&without, class->title[k]);
    }
    grade_names_end(&without, "\n");
    snprintf(before, sizeof before,
             "  not in %s, so left out: ", b->system->table);
    absent.before = before;
    for (size_t i = 0; i < class->rows; i++) {
        size_t k = 0;

        while (k < b->table.csv.rows && b->row[k] != &class->row[i])
            k++;
        if (k == b->table.csv.rows)
            grade_names_tell(&absent, class->row[i].student);
    }
    grade_names_end(&absent, "\n");
}

static int write_book(struct book *b, const struct grade_papers *papers)
{
    const struct grade_class *const class = papers->class;

    if (find_who(b) != 0 || find_students(b, class) != 0 || check_once(b) != 0)
        return -1;
    if (b->system->is_filled_in) {
        if (find_assignments(b, class) != 0 || check_possible(b, class) != 0)
            return -1;
    } else {
        for (int k = 0; k < class->columns; k++)
            b->lab[k] = class->withheld[k] ? -1 : 0;
        leave_out_formulas(b);
    }
    if (grade_papers_write(papers, b->system->file, put_book, b) != 0)
        return -1;
    tell_book(b, papers);
    return b->system->layout == GRADE_LAYOUTS
               ? 0
               : grade_export_feedback(papers, b->system->layout,
                                       b->system->word);
}

static int export_book(const struct system *system,
                       const struct grade_papers *papers, const char *given)
{
    struct book b = {.system = system};
    char *const old = base_text("%s/%s", papers->out, system->file);
    int result = grade_table_read(&b.table, given, papers->why, papers->size);

    if (result == 0) {
        result = write_book(&b, papers);
        base_csv_free(&b.table.csv);
        free(b.row);
    }
    /* What an earlier run wrote does not stay beside new grades. */
    if (result != 0 && old != NULL && strcmp(old, given) != 0)
        unlink(old);
    free(old);
    return result;
}

int grade_export_canvas(const struct grade_papers *papers, const char *given)
{
    return export_book(&canvas, papers, given);
}

int grade_export_moodle(const struct grade_papers *papers, const char *given)
{
    return export_book(&moodle, papers, given);
}

int grade_export_blackboard(const struct grade_papers *papers,
                            const char *given)
{
    return export_book(&blackboard, papers, given);
}

int grade_export_brightspace(const struct grade_papers *papers,
                             const char *given)
{
    return export_book(&brightspace, papers, given);
}
