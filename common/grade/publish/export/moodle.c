#define _POSIX_C_SOURCE 200809L
#include "grade/publish/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grade/publish/export/people.h"
#include "grade/base/text.h"
#include "base/replace_file.h"
#include "base/values.h"

/* How the importer calls a column, and how lists of users do. */
static const struct {
    const char *name, *called[4];
} user[] = {{"username", {"username", "Username", NULL}},
            {"idnumber", {"idnumber", "ID number", "ID Number", NULL}},
            {"email", {"email", "Email address", "Email", NULL}}};
static const char *const names[] = {"username",      "Username",  "idnumber",
                                    "ID number",     "ID Number", "email",
                                    "Email address", "Email",     NULL};

enum {
    USERS = sizeof user / sizeof user[0]
};

static int column_of(const struct lab_csv *csv, int which)
{
    int column = -1;

    for (const char *const *c = user[which].called; *c != NULL && column < 0;
         c++)
        column = lab_csv_column(csv, *c);
    return column;
}

/* A name that the importer must find as it is: no formula of it can be changed,
   so that it is left out. */
static int is_usable(const struct grade_people *people, size_t row)
{
    for (int i = 0; i < (int)USERS; i++) {
        const int column = column_of(&people->csv, i);

        if (column >= 0 &&
            grade_text_is_formula(grade_people_cell(people, row, column)))
            return 0;
    }
    return 1;
}

/* Moodle reads feedback as HTML in which a line's end is one. It begins with
   the lab's number, so that it is no formula. */
static int put_feedback_cell(FILE *to, const struct grade_class *class,
                             const struct grade_row *row, int lab)
{
    char *const plain = grade_feedback_text(class, row, lab);
    char *cell = NULL;
    size_t length;
    FILE *const file = plain != NULL ? open_memstream(&cell, &length) : NULL;

    for (const char *s = plain; file != NULL && *s != '\0'; s++) {
        if (*s == '<' || *s == '>' || *s == '&') {
            fputs(*s == '<' ? "&lt;" : *s == '>' ? "&gt;" : "&amp;", file);
        } else {
            fputc(*s, file);
        }
    }
    free(plain);
    if (file == NULL || fclose(file) != 0) {
        free(cell);
        return -1;
    }
    output_csv_text(to, cell);
    free(cell);
    return 0;
}

static int put_moodle_row(FILE *to, const struct grade_people *people,
                          size_t row, const struct grade_class *class)
{
    const struct grade_row *const student = people->row[row];
    const char *separator = "";
    int failed = 0;

    for (int i = 0; i < (int)USERS; i++) {
        const int column = column_of(&people->csv, i);

        if (column < 0)
            continue;
        fputs(separator, to);
        output_csv_text(to, grade_people_cell(people, row, column));
        separator = ",";
    }
    for (int lab = 0; lab < class->labs && !failed; lab++) {
        fputc(',', to);
        if (grade_lab_is_decided(student, lab)) {
            output_csv_number(to, grade_row_points(student, lab));
        } else {
            fputc('-', to); /* no grade, which is not 0 */
        }
        fputc(',', to);
        failed = put_feedback_cell(to, class, student, lab) != 0;
    }
    fputc('\n', to);
    return failed ? -1 : 0;
}

static void put_header(FILE *to, const struct lab_csv *csv,
                       const struct grade_class *class)
{
    const char *separator = "";

    for (int i = 0; i < (int)USERS; i++) {
        if (column_of(csv, i) < 0)
            continue;
        fprintf(to, "%s%s", separator, user[i].name);
        separator = ",";
    }
    for (int lab = 0; lab < class->labs; lab++) {
        fprintf(to, ",Lab %.2s,Lab %.2s feedback", class->lab[lab]->name,
                class->lab[lab]->name);
    }
    fputc('\n', to);
}

/* Returns how many students were written, or -1 without memory. */
static long put_table(FILE *to, struct grade_people *people,
                      const struct grade_class *class)
{
    long written = 0;

    put_header(to, &people->csv, class);
    for (size_t i = 0; i < people->csv.rows; i++) {
        if (people->row[i] != NULL && !is_usable(people, i))
            people->row[i] = NULL;
        if (people->row[i] == NULL)
            continue;
        if (put_moodle_row(to, people, i, class) != 0)
            return -1;
        written++;
    }
    return written;
}

int grade_export_moodle(const char *path, const char *list,
                        const struct grade_class *class, FILE *tell, char *why,
                        size_t size)
{
    struct grade_people people;
    struct output_replacement r;
    int result = -1;

    if (grade_people_read(list, names, class, &people, why, size) != 0)
        return -1;
    if (column_of(&people.csv, 0) < 0 && column_of(&people.csv, 1) < 0 &&
        column_of(&people.csv, 2) < 0) {
        snprintf(why, size,
                 "%s: has none of the columns username, 'ID number' and 'Email "
                 "address', between commas: is it a list of users as Moodle "
                 "writes it?",
                 list);
    } else if (output_replace_begin(&r, path, why, size) == 0) {
        const long written = put_table(r.file, &people, class);

        result = output_replace_end(&r, written >= 0, why, size);
        if (written < 0) {
            snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
            result = -1;
        }
        if (result == 0) {
            fprintf(tell, "  moodle: %s; %ld students\n", path, written);
            grade_people_tell_absent(tell, &people, class, "the list of users");
        }
    }
    grade_people_free(&people);
    return result;
}
