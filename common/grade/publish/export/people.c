#define _POSIX_C_SOURCE 200809L
#include "grade/publish/export/people.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "grade/base/text.h"

enum {
    MOST_NAMES = 20 /* in a message */
};

/* Is the cell this name, or is what stands before its @? */
static int is_called(const char *cell, const char *name, int before_at)
{
    const char *const at = before_at ? strchr(cell, '@') : NULL;

    if (!before_at)
        return strcmp(cell, name) == 0;
    return at != NULL && strlen(name) == (size_t)(at - cell) &&
           strncmp(cell, name, (size_t)(at - cell)) == 0;
}

/* Finds the students in one column. Returns how many rows have one. */
static size_t look_in(const struct grade_people *people, int column,
                      int before_at, const struct grade_class *class,
                      const struct grade_row **row)
{
    size_t found = 0;

    for (size_t i = 0; i < people->csv.rows; i++) {
        row[i] = NULL;
        for (size_t k = 0; k < class->rows && row[i] == NULL; k++) {
            if (is_called(grade_people_cell(people, i, column),
                          class->row[k].student, before_at))
                row[i] = &class->row[k];
        }
        found += row[i] != NULL;
    }
    return found;
}

/* Returns 0, or -1 with why if a student stands in two rows. */
static int check_once(const char *path, const struct grade_people *people,
                      const struct grade_class *class, char *why, size_t size)
{
    for (size_t k = 0; k < class->rows; k++) {
        size_t first = 0;

        for (size_t i = 0; i < people->csv.rows; i++) {
            const struct grade_row *const row = people->row[i];

            if (row == NULL || row != &class->row[k])
                continue;
            if (first > 0) {
                char *const shown = grade_text_shown(row->student);

                snprintf(why, size,
                         "%s: rows %zu and %zu are both '%.100s': take one "
                         "out, since nobody can say which is meant",
                         path, first, i + 2, shown != NULL ? shown : "?");
                free(shown);
                return -1;
            }
            first = i + 2;
        }
    }
    return 0;
}

static int find_people(const char *const *columns,
                       const struct grade_class *class,
                       struct grade_people *people)
{
    const size_t room = people->csv.rows + 1;
    const struct grade_row **tried =
        calloc(room, sizeof(const struct grade_row *));

    people->row = calloc(room, sizeof(const struct grade_row *));
    if (people->row == NULL || tried == NULL) {
        free(tried);
        return -1;
    }
    for (int before_at = 0; before_at <= 1; before_at++) {
        for (const char *const *name = columns; *name != NULL; name++) {
            const int column = base_csv_column(&people->csv, *name);
            const size_t found =
                column < 0 ? 0
                           : look_in(people, column, before_at, class, tried);

            if (found > people->found) {
                memcpy(people->row, tried,
                       people->csv.rows * sizeof(const struct grade_row *));
                people->found = found;
            }
        }
    }
    free(tried);
    return 0;
}

static void find_identities(const struct grade_identity *identity,
                            struct grade_people *people)
{
    for (; identity->title != NULL; identity++) {
        int column = -1;

        for (int i = 0; i < 3 && column < 0 && identity->called[i] != NULL; i++)
            column = base_csv_column(&people->csv, identity->called[i]);
        if (column < 0)
            continue;
        people->identity[people->identities] = identity;
        people->column[people->identities++] = column;
    }
}

int grade_people_read(const char *path, const char *const *columns,
                      const struct grade_identity *identity,
                      const struct grade_class *class,
                      struct grade_people *people, char *why, size_t size)
{
    int result;

    *people = (struct grade_people){.found = 0};
    if (base_csv_read(path, &people->csv, why, size) != 0)
        return -1;
    find_identities(identity, people);
    if (find_people(columns, class, people) != 0) {
        snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
        result = -1;
    } else {
        result = check_once(path, people, class, why, size);
    }
    if (result != 0)
        grade_people_free(people);
    return result;
}

void grade_people_free(struct grade_people *people)
{
    base_csv_free(&people->csv);
    free(people->row);
    *people = (struct grade_people){.found = 0};
}

const char *grade_people_cell(const struct grade_people *people, size_t row,
                              int column)
{
    return people->csv.cell[(row + 1) * people->csv.columns + (size_t)column];
}

void grade_people_put(FILE *to, const struct grade_people *people, size_t row)
{
    for (int i = 0; i < people->identities; i++) {
        fputs(i > 0 ? "," : "", to);
        grade_people_put_cell(
            to, grade_people_cell(people, row, people->column[i]));
    }
}

void grade_people_put_titles(FILE *to, const struct grade_people *people)
{
    for (int i = 0; i < people->identities; i++)
        fprintf(to, "%s%s", i > 0 ? "," : "", people->identity[i]->title);
}

void grade_people_put_cell(FILE *to, const char *cell)
{
    char *end;

    (void)strtod(cell, &end);
    if (end != cell && *end == '\0') {
        base_put_csv_text(to, cell);
    } else {
        grade_text_guarded(to, cell);
    }
}

void grade_people_tell_absent(FILE *to, const struct grade_people *people,
                              const struct grade_class *class,
                              const char *table)
{
    size_t absent = 0;

    for (size_t k = 0; k < class->rows; k++) {
        int there = 0;

        for (size_t i = 0; i < people->csv.rows && !there; i++)
            there = people->row[i] == &class->row[k];
        if (there)
            continue;
        if (absent < MOST_NAMES) {
            fprintf(to, absent == 0 ? "  not in %s, so left out: " : ", ",
                    table);
            grade_text_name(to, class->row[k].student);
        }
        absent++;
    }
    if (absent > MOST_NAMES)
        fprintf(to, " and %zu more", absent - MOST_NAMES);
    if (absent > 0)
        fputc('\n', to);
}
