#define _POSIX_C_SOURCE 200809L
#include "grade/intake/roster.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grade/base/text.h"
#include "base/csv_read.h"

static int no_memory(const char *path, char *why, size_t size)
{
    snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
    return -1;
}

/* Writes "path: row N: " and the message with a name in it. Returns -1. */
static int complain_of_row(const char *path, size_t row, char *why, size_t size,
                           const char *before, const char *name,
                           const char *behind)
{
    char *const shown = grade_text_shown(name);

    snprintf(why, size, "%s: row %zu: %s%.100s%s", path, row, before,
             shown != NULL ? shown : "?", behind);
    free(shown);
    return -1;
}

/* --- the roster ----------------------------------------------------------- */

static int fill_roster(const char *path, const struct lab_csv *csv,
                       struct grade_roster *roster, char *why, size_t size)
{
    if (lab_csv_column(csv, "id") < 0) {
        snprintf(why, size,
                 "%s: no column 'id' in its first row (id,name,email; id is "
                 "the name of a student's folder)",
                 path);
        return -1;
    }
    roster->person = calloc(csv->rows + 1, sizeof *roster->person);
    if (roster->person == NULL)
        return no_memory(path, why, size);
    for (size_t i = 0; i < csv->rows; i++) {
        struct grade_person *const p = &roster->person[roster->persons++];
        const char *const id = lab_csv_text(csv, i, "id");

        if (*id == '\0') {
            return complain_of_row(path, i + 2, why, size, "the id is empty",
                                   "", "");
        }
        for (size_t k = 0; k < i; k++) {
            if (strcmp(roster->person[k].id, id) == 0) {
                return complain_of_row(path, i + 2, why, size, "the id '", id,
                                       "' is there twice");
            }
        }
        p->id = strdup(id);
        p->name = strdup(lab_csv_text(csv, i, "name"));
        if (p->id == NULL || p->name == NULL)
            return no_memory(path, why, size);
    }
    if (csv->rows == 0) {
        snprintf(why, size, "%s: has no rows, so nobody is in the course",
                 path);
        return -1;
    }
    return 0;
}

int grade_roster_read(const char *path, struct grade_roster *roster, char *why,
                      size_t size)
{
    struct lab_csv csv;
    int result;

    *roster = (struct grade_roster){.persons = 0};
    if (lab_csv_read(path, &csv, why, size) != 0)
        return -1;
    result = fill_roster(path, &csv, roster, why, size);
    lab_csv_free(&csv);
    if (result != 0)
        grade_roster_free(roster);
    return result;
}

void grade_roster_free(struct grade_roster *roster)
{
    for (size_t i = 0; i < roster->persons; i++) {
        free(roster->person[i].id);
        free(roster->person[i].name);
    }
    free(roster->person);
    *roster = (struct grade_roster){.persons = 0};
}

/* --- manual grades -------------------------------------------------------- */

const struct course_lab *grade_lab_called(const struct course_index *index,
                                          const char *name)
{
    for (int i = 0; i < index->labs; i++) {
        const char *const full = index->lab[i].name;

        if (strcmp(name, full) == 0 || strcmp(name, full + 3) == 0 ||
            (strlen(name) == 2 && strncmp(name, full, 2) == 0) ||
            (full[0] == '0' && name[0] == full[1] && name[1] == '\0'))
            return &index->lab[i];
    }
    return NULL;
}

static int fill_manual(const char *path, const struct lab_csv *csv,
                       const struct course_index *index,
                       struct grade_manual *manual, char *why, size_t size)
{
    static const char *const column[] = {"student", "lab", "points", "reason"};

    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        if (lab_csv_column(csv, column[i]) < 0) {
            snprintf(why, size,
                     "%s: no column '%s' in its first row "
                     "(student,lab,points,reason)",
                     path, column[i]);
            return -1;
        }
    }
    manual->decision = calloc(csv->rows + 1, sizeof *manual->decision);
    if (manual->decision == NULL)
        return no_memory(path, why, size);
    for (size_t i = 0; i < csv->rows; i++) {
        struct grade_decision *const d = &manual->decision[manual->decisions++];
        const char *const student = lab_csv_text(csv, i, "student");
        const char *const lab = lab_csv_text(csv, i, "lab");

        d->row = (int)i + 2;
        d->lab = grade_lab_called(index, lab);
        d->points = lab_csv_number(csv, i, "points");
        if (d->lab == NULL) {
            return complain_of_row(path, i + 2, why, size, "there is no lab '",
                                   lab, "'");
        }
        if (!(d->points >= 0.0) || !isfinite(d->points)) {
            return complain_of_row(path, i + 2, why, size, "points '",
                                   lab_csv_text(csv, i, "points"),
                                   "' are no number from 0 up");
        }
        for (size_t k = 0; k < i; k++) {
            if (manual->decision[k].lab == d->lab &&
                strcmp(manual->decision[k].student, student) == 0) {
                return complain_of_row(path, i + 2, why, size, "student '",
                                       student,
                                       "' has a row for this lab already");
            }
        }
        d->student = strdup(student);
        d->reason = strdup(lab_csv_text(csv, i, "reason"));
        if (d->student == NULL || d->reason == NULL)
            return no_memory(path, why, size);
    }
    return 0;
}

int grade_manual_read(const char *path, const struct course_index *index,
                      struct grade_manual *manual, char *why, size_t size)
{
    struct lab_csv csv;
    int result;

    *manual = (struct grade_manual){.decisions = 0};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    if (lab_csv_read(path, &csv, why, size) != 0)
        return -1;
    result = fill_manual(path, &csv, index, manual, why, size);
    lab_csv_free(&csv);
    if (result != 0)
        grade_manual_free(manual);
    return result;
}

void grade_manual_free(struct grade_manual *manual)
{
    for (size_t i = 0; i < manual->decisions; i++) {
        free(manual->decision[i].student);
        free(manual->decision[i].reason);
    }
    free(manual->decision);
    *manual = (struct grade_manual){.decisions = 0};
}

const struct grade_decision *
grade_manual_find(const struct grade_manual *manual, const char *student,
                  const char *lab)
{
    for (size_t i = 0; i < manual->decisions; i++) {
        const struct grade_decision *const d = &manual->decision[i];

        if (strcmp(d->lab->name, lab) == 0 && strcmp(d->student, student) == 0)
            return d;
    }
    return NULL;
}
