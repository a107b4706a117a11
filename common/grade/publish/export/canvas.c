#define _POSIX_C_SOURCE 200809L
#include "grade/publish/export/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/publish/export/people.h"
#include "grade/base/text.h"
#include "base/replace_file.h"
#include "base/values.h"

/*
 * Canvas finds a student by these columns, and an assignment by the number in
 * brackets behind its title; without that number it would make a new one. What
 * else a gradebook holds is left out: a column that is not there stays as it
 * is.
 */
static const char *const identity[] = {
    "Student",        "ID",           "SIS User ID", "SIS Login ID",
    "Integration ID", "Root Account", "Section"};
static const char *const names[] = {"SIS Login ID", "SIS User ID",
                                    "Integration ID", "ID", NULL};

enum {
    IDENTITIES = sizeof identity / sizeof identity[0],
    TITLE = 200
};

/* Which column of the gradebook is each lab's? -1: none. */
struct columns {
    int of[COURSE_LABS], labs;
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

/* Small letters and digits stay, all between them is one blank. */
static void simplify(const char *text, char words[TITLE])
{
    size_t used = 0;

    for (; *text != '\0' && used < TITLE - 1; text++) {
        if (isalnum((unsigned char)*text)) {
            words[used++] = (char)tolower((unsigned char)*text);
        } else if (used > 0 && words[used - 1] != ' ') {
            words[used++] = ' ';
        }
    }
    used -= used > 0 && words[used - 1] == ' ';
    words[used] = '\0';
}

/* Is it "Lab 04", "lab 4: coalescing", "04_coalescing" or "Coalescing"? */
static int is_lab(const char *title, const struct course_lab *lab)
{
    char words[TITLE] = "", name[TITLE] = "";
    const char *rest = words;
    int numbered = 0;

    simplify(title, words);
    simplify(lab->name + 3, name);
    if (strncmp(rest, "lab", 3) == 0) {
        rest += 3;
        rest += *rest == ' ';
        numbered = 1; /* its number is enough */
    }
    if (isdigit((unsigned char)*rest)) {
        char *end;

        if (strtol(rest, &end, 10) != strtol(lab->name, NULL, 10))
            return 0;
        rest = end + (*end == ' ');
        if (*rest == '\0')
            return numbered;
    }
    return strcmp(rest, name) == 0;
}

static int find_columns(const char *path, const struct lab_csv *csv,
                        const struct grade_class *class,
                        struct columns *columns, char *why, size_t size)
{
    *columns = (struct columns){.labs = 0};
    for (int lab = 0; lab < class->labs; lab++) {
        columns->of[lab] = -1;
        for (size_t c = 0; c < csv->columns; c++) {
            char title[TITLE];

            if (!cut_number(csv->cell[c], title) ||
                !is_lab(title, class->lab[lab]))
                continue;
            if (columns->of[lab] >= 0) {
                snprintf(why, size,
                         "%s: '%.80s' and '%.80s' are both lab %.2s: take one "
                         "column out",
                         path, csv->cell[columns->of[lab]], csv->cell[c],
                         class->lab[lab]->name);
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
        if (!is_possible(lab_csv_text(&people->csv, i, "Student")))
            continue;
        for (int lab = 0; lab < class->labs; lab++) {
            const char *const cell =
                columns->of[lab] < 0
                    ? ""
                    : grade_people_cell(people, i, columns->of[lab]);
            char *end;
            const double possible = strtod(cell, &end);

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

/* A cell as it was, but no formula. A number is none. */
static void put_kept(FILE *to, const char *cell)
{
    char *end, *guarded;
    size_t room;

    if (is_possible(cell)) {
        fputs("    Points Possible", to);
        return;
    }
    if (!grade_text_is_formula(cell) ||
        (strtod(cell, &end), end != cell && *end == '\0')) {
        output_csv_text(to, cell);
        return;
    }
    room = strlen(cell) + 2;
    guarded = malloc(room);
    if (guarded != NULL) {
        snprintf(guarded, room, "'%s", cell);
        output_csv_text(to, guarded);
    }
    free(guarded);
}

static void put_canvas_row(FILE *to, const struct grade_people *people,
                           size_t row, const struct grade_class *class,
                           const struct columns *columns)
{
    const struct grade_row *const student = people->row[row];
    const char *separator = "";

    for (size_t i = 0; i < IDENTITIES; i++) {
        const int column = lab_csv_column(&people->csv, identity[i]);

        if (column < 0)
            continue;
        fputs(separator, to);
        put_kept(to, grade_people_cell(people, row, column));
        separator = ",";
    }
    for (int lab = 0; lab < class->labs; lab++) {
        if (columns->of[lab] < 0)
            continue;
        fputc(',', to);
        if (student != NULL && grade_lab_is_decided(student, lab)) {
            output_csv_number(to, grade_row_points(student, lab));
        } else {
            put_kept(to, grade_people_cell(people, row, columns->of[lab]));
        }
    }
    fputc('\n', to);
}

static void put_header(FILE *to, const struct lab_csv *csv,
                       const struct grade_class *class,
                       const struct columns *columns)
{
    const char *separator = "";

    for (size_t i = 0; i < IDENTITIES; i++) {
        if (lab_csv_column(csv, identity[i]) < 0)
            continue;
        fprintf(to, "%s%s", separator, identity[i]);
        separator = ",";
    }
    for (int lab = 0; lab < class->labs; lab++) {
        if (columns->of[lab] < 0)
            continue;
        fputc(',', to);
        put_kept(to, csv->cell[columns->of[lab]]);
    }
    fputc('\n', to);
}

static void tell_what(FILE *to, const char *path,
                      const struct grade_people *people,
                      const struct grade_class *class,
                      const struct columns *columns)
{
    const char *separator = "  the gradebook has no column for ";

    fprintf(to, "  canvas: %s; %zu students, %d labs\n", path, people->found,
            columns->labs);
    for (int lab = 0; lab < class->labs; lab++) {
        if (columns->of[lab] >= 0)
            continue;
        fprintf(to, "%s%s", separator, class->lab[lab]->name);
        separator = ", ";
    }
    if (columns->labs < class->labs)
        fputc('\n', to);
    grade_people_tell_absent(to, people, class, "the gradebook");
}

int grade_export_canvas(const char *path, const char *gradebook,
                        const struct grade_class *class, FILE *tell, char *why,
                        size_t size)
{
    struct grade_people people;
    struct columns columns;
    struct output_replacement r;
    int result = -1;

    if (grade_people_read(gradebook, names, class, &people, why, size) != 0)
        return -1;
    if (lab_csv_column(&people.csv, "Student") < 0 ||
        lab_csv_column(&people.csv, "ID") < 0) {
        snprintf(why, size,
                 "%s: no columns 'Student' and 'ID', between commas: is it the "
                 "gradebook as Canvas exports it?",
                 gradebook);
    } else if (find_columns(gradebook, &people.csv, class, &columns, why,
                            size) == 0 &&
               check_possible(gradebook, &people, class, &columns, why, size) ==
                   0 &&
               output_replace_begin(&r, path, why, size) == 0) {
        put_header(r.file, &people.csv, class, &columns);
        for (size_t i = 0; i < people.csv.rows; i++)
            put_canvas_row(r.file, &people, i, class, &columns);
        result = output_replace_end(&r, 1, why, size);
        if (result == 0)
            tell_what(tell, path, &people, class, &columns);
    }
    grade_people_free(&people);
    return result;
}
