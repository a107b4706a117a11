#define _POSIX_C_SOURCE 200809L
#include "grade/publish/export/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grade/publish/export/people.h"
#include "grade/intake/names.h"
#include "grade/base/text.h"
#include "base/replace_file.h"
#include "base/values.h"

/*
 * Canvas finds a student by these columns, and an assignment by the number in
 * brackets behind its title; without that number it would make a new one. What
 * else a gradebook holds is left out: a column that is not there stays as it
 * is.
 */
static const struct grade_identity identity[] = {
    {"Student", {"Student"}},
    {"ID", {"ID"}},
    {"SIS User ID", {"SIS User ID"}},
    {"SIS Login ID", {"SIS Login ID"}},
    {"Integration ID", {"Integration ID"}},
    {"Root Account", {"Root Account"}},
    {"Section", {"Section"}},
    {NULL, {NULL}}};
static const char *const names[] = {"SIS Login ID", "SIS User ID",
                                    "Integration ID", "ID", NULL};

enum {
    TITLE = 200
};

/* Which column of the gradebook is each lab's? -1: none. */
struct columns {
    int of[COURSE_LABS + 1], labs;
};

/* --- which assignment is which lab ---------------------------------------- */

/* Cuts the title before " (88123)". Returns 1; 0 if there is no such end. */
static int cut_number(const char *title, char words[TITLE])
{
    const size_t length = strlen(title);
    size_t at;

    if (length < 4 || length >= TITLE || title[length - 1] != ')')
        return 0;
    for (at = length - 1; at > 0 && isdigit((unsigned char)title[at - 1]);)
        at--;
    if (at == length - 1 || at < 2 || title[at - 1] != '(' ||
        title[at - 2] != ' ')
        return 0;
    snprintf(words, TITLE, "%.*s", (int)(at - 2), title);
    return 1;
}

static int find_columns(const char *path, const struct base_csv *csv,
                        const struct grade_class *class,
                        struct columns *columns, char *why, size_t size)
{
    *columns = (struct columns){.labs = 0};
    for (int lab = 0; lab < class->columns; lab++) {
        char own[16];

        grade_column_title(class, lab, own);
        columns->of[lab] = -1;
        for (size_t c = 0; c < csv->columns && !class->withheld[lab]; c++) {
            char title[TITLE];

            if (!cut_number(csv->cell[c], title) ||
                (lab < class->labs
                     ? !grade_name_is_lab(title, class->lab[lab]->name)
                     : strcasecmp(title, own) != 0))
                continue;
            if (columns->of[lab] >= 0) {
                snprintf(why, size,
                         "%s: '%.80s' and '%.80s' are both %s: take one "
                         "column out",
                         path, csv->cell[columns->of[lab]], csv->cell[c], own);
                return -1;
            }
            columns->of[lab] = (int)c;
            columns->labs++;
        }
    }
    if (columns->labs > 0)
        return 0;
    snprintf(
        why, size,
        "%s: no assignment is one of the labs: make them in Canvas, called "
        "as 'Lab %.2s', and export the gradebook again, so that each "
        "title ends in its (number)",
        path, class->lab[0]->name);
    return -1;
}

/* The row that has an assignment's points; Canvas writes blanks before it. */
static int is_possible(const char *student)
{
    return strcmp(student + strspn(student, " "), "Points Possible") == 0;
}

/* Canvas takes points as they are, so the scale must be ours. */
static int check_possible(const char *path, const struct grade_people *people,
                          const struct grade_class *class,
                          const struct columns *columns, char *why, size_t size)
{
    for (size_t i = 0; i < people->csv.rows; i++) {
        if (!is_possible(base_csv_text(&people->csv, i, "Student")))
            continue;
        for (int lab = 0; lab < class->columns; lab++) {
            const char *const cell =
                columns->of[lab] < 0
                    ? ""
                    : grade_people_cell(people, i, columns->of[lab]);
            const char *end;
            const double possible = grade_table_number(cell, &end);

            if (end == cell || *end != '\0' || possible == class->of[lab])
                continue;
            snprintf(why, size,
                     "%s: '%.80s' has %g points in Canvas, and %g here: change "
                     "one of them (RUBRIC=)",
                     path, people->csv.cell[columns->of[lab]], possible,
                     class->of[lab]);
            return -1;
        }
    }
    return 0;
}

/* --- writing -------------------------------------------------------------- */

static void put_canvas_row(FILE *to, const struct grade_people *people,
                           size_t row, const struct grade_class *class,
                           const struct columns *columns)
{
    const struct grade_row *const student = people->row[row];

    if (is_possible(base_csv_text(&people->csv, row, "Student")))
        fputs("    ", to);
    grade_people_put(to, people, row);
    for (int lab = 0; lab < class->columns; lab++) {
        if (columns->of[lab] < 0)
            continue;
        fputc(',', to);
        if (student != NULL && grade_row_is_settled(class, student, lab)) {
            base_put_csv_number(to, grade_row_points(class, student, lab));
        } else {
            grade_people_put_cell(
                to, grade_people_cell(people, row, columns->of[lab]));
        }
    }
    fputc('\n', to);
}

static void put_header(FILE *to, const struct grade_people *people,
                       const struct grade_class *class,
                       const struct columns *columns)
{
    grade_people_put_titles(to, people);
    for (int lab = 0; lab < class->columns; lab++) {
        if (columns->of[lab] < 0)
            continue;
        fputc(',', to);
        grade_people_put_cell(to, people->csv.cell[columns->of[lab]]);
    }
    fputc('\n', to);
}

static void tell_what(FILE *to, const char *path,
                      const struct grade_people *people,
                      const struct grade_class *class,
                      const struct columns *columns)
{
    const char *separator = "  the gradebook has no column for ";
    char title[16];

    fprintf(to, "  canvas: %s; %zu students, %d labs\n", path, people->found,
            columns->labs);
    for (int lab = 0; lab < class->columns; lab++) {
        if (columns->of[lab] >= 0 || class->withheld[lab])
            continue;
        grade_column_title(class, lab, title);
        fprintf(to, "%s%s", separator, title);
        separator = ", ";
    }
    if (*separator == ',')
        fputc('\n', to);
    grade_people_tell_absent(to, people, class, "the gradebook");
}

int grade_export_canvas(const char *path, const char *gradebook,
                        const struct grade_class *class, FILE *tell, char *why,
                        size_t size)
{
    struct grade_people people;
    struct columns columns;
    struct base_replacement r;
    int result = -1;

    if (grade_people_read(gradebook, names, identity, class, &people, why,
                          size) != 0)
        return -1;
    if (base_csv_column(&people.csv, "Student") < 0 ||
        base_csv_column(&people.csv, "ID") < 0) {
        snprintf(why, size,
                 "%s: no columns 'Student' and 'ID': is it the "
                 "gradebook as Canvas exports it?",
                 gradebook);
    } else if (find_columns(gradebook, &people.csv, class, &columns, why,
                            size) == 0 &&
               check_possible(gradebook, &people, class, &columns, why, size) ==
                   0 &&
               base_replace_begin(&r, path, why, size) == 0) {
        put_header(r.file, &people, class, &columns);
        for (size_t i = 0; i < people.csv.rows; i++)
            put_canvas_row(r.file, &people, i, class, &columns);
        result = base_replace_end(&r, 1, why, size);
        if (result == 0)
            tell_what(tell, path, &people, class, &columns);
    }
    grade_people_free(&people);
    return result;
}
