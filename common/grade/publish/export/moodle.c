#define _POSIX_C_SOURCE 200809L
#include "grade/publish/export/export.h"

#include <stdlib.h>

#include "grade/publish/export/people.h"
#include "grade/base/text.h"
#include "base/replace_file.h"
#include "base/html.h"
#include "base/memory.h"
#include "base/values.h"

/* How the importer calls a column, and how lists of users do. */
static const struct grade_identity user[] = {
    {"username", {"username", "Username"}},
    {"idnumber", {"idnumber", "ID number", "ID Number"}},
    {"email", {"email", "Email address", "Email"}},
    {NULL, {NULL}}};
static const char *const names[] = {"username",      "Username",  "idnumber",
                                    "ID number",     "ID Number", "email",
                                    "Email address", "Email",     NULL};

/* A name that the importer must find as it is: no formula of it can be changed,
   so that it is left out. */
static int is_usable(const struct grade_people *people, size_t row)
{
    for (int i = 0; i < people->identities; i++) {
        if (grade_text_is_formula(
                grade_people_cell(people, row, people->column[i])))
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
    struct base_memory memory;
    char *cell;

    if (plain != NULL && base_memory_open(&memory) != NULL)
        base_put_html(memory.file, plain);
    cell = plain != NULL ? base_memory_close(&memory) : NULL;
    if (cell != NULL)
        base_put_csv_text(to, cell);
    free(plain);
    free(cell);
    return cell != NULL ? 0 : -1;
}

static int put_moodle_row(FILE *to, const struct grade_people *people,
                          size_t row, const struct grade_class *class)
{
    const struct grade_row *const student = people->row[row];
    int failed = 0;

    grade_people_put(to, people, row);
    for (int lab = 0; lab < class->columns && !failed; lab++) {
        if (class->withheld[lab])
            continue;
        fputc(',', to);
        if (grade_row_is_settled(class, student, lab)) {
            base_put_csv_number(to, grade_row_points(class, student, lab));
        } else {
            fputc('-', to); /* no grade, which is not 0 */
        }
        fputc(',', to);
        failed = put_feedback_cell(to, class, student, lab) != 0;
    }
    fputc('\n', to);
    return failed ? -1 : 0;
}

static void put_header(FILE *to, const struct grade_people *people,
                       const struct grade_class *class)
{
    grade_people_put_titles(to, people);
    for (int lab = 0; lab < class->columns; lab++) {
        char title[16];

        if (class->withheld[lab])
            continue;
        grade_column_title(class, lab, title);
        fprintf(to, ",%s,%s feedback", title, title);
    }
    fputc('\n', to);
}

/* Returns how many students were written, or -1 without memory. */
static long put_table(FILE *to, struct grade_people *people,
                      const struct grade_class *class)
{
    long written = 0;

    put_header(to, people, class);
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
    struct base_replacement r;
    int result = -1;

    if (grade_people_read(list, names, user, class, &people, why, size) != 0)
        return -1;
    if (people.identities == 0) {
        snprintf(why, size,
                 "%s: has none of the columns username, 'ID number' and 'Email "
                 "address': is it a list of users as Moodle "
                 "writes it?",
                 list);
    } else if (base_replace_begin(&r, path, why, size) == 0) {
        const long written = put_table(r.file, &people, class);

        result = base_replace_end(&r, written >= 0 ? 1 : -1, why, size);
        if (result == 0) {
            fprintf(tell, "  moodle: %s; %ld students\n", path, written);
            grade_people_tell_absent(tell, &people, class, "the list of users");
        }
    }
    grade_people_free(&people);
    return result;
}
