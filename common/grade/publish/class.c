#define _POSIX_C_SOURCE 200809L
#include "grade/publish/class.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"

/* --- rows ----------------------------------------------------------------- */

static void choose_labs(struct grade_class *class,
                        const struct course_index *index,
                        const struct grade_rubric *rubric,
                        const struct course_lab *const *chosen, int choices)
{
    for (int i = 0; i < index->labs; i++) {
        const struct course_lab *const lab = &index->lab[i];
        const struct grade_rubric_lab *const own =
            grade_rubric_find(rubric, lab->name);
        int wanted = chosen == NULL;

        for (int k = 0; chosen != NULL && k < choices; k++)
            wanted |= chosen[k] == lab;
        if (!wanted || own == NULL || !own->graded)
            continue;
        class->lab[class->labs] = lab;
        for (int k = 0; k < GRADE_PARTS; k++)
            class->of[class->labs] += own->points[k];
        class->labs++;
    }
}

static int add_student(struct grade_class *class, const char *student,
                       const char *name, int handed_in, int listed)
{
    struct grade_row *const row = &class->row[class->rows++];
    const size_t labs = (size_t) class->labs;

    *row = (struct grade_row){.student = student,
                              .name = name,
                              .handed_in = handed_in,
                              .listed = listed,
                              .unknown = strdup(""),
                              .result = calloc(labs, sizeof *row->result),
                              .decision =
                                  calloc(labs, sizeof(struct grade_decision *)),
                              .seconds = calloc(labs, sizeof *row->seconds)};
    if (row->unknown == NULL || row->result == NULL || row->decision == NULL ||
        row->seconds == NULL)
        return -1;
    for (size_t i = 0; i < labs; i++) {
        struct grade_result *const r = &row->result[i];

        grade_result_init(r);
        r->verdict = GRADE_MISSING;
        snprintf(r->lab, sizeof r->lab, "%s", class->lab[i]->name);
    }
    return 0;
}

static int compare_name(const void *name, const void *member)
{
    return strcmp(name, *(char *const *)member);
}

static int has_folder(const struct grade_intake *intake, const char *student)
{
    return intake->students > 0 &&
           bsearch(student, intake->student, intake->students,
                   sizeof *intake->student, compare_name) != NULL;
}

static int is_listed(const struct grade_roster *roster, const char *student)
{
    for (size_t i = 0; i < roster->persons; i++) {
        if (strcmp(roster->person[i].id, student) == 0)
            return 1;
    }
    return 0;
}

int grade_class_make(struct grade_class *class,
                     const struct course_index *index,
                     const struct grade_rubric *rubric,
                     const struct course_lab *const *chosen, int choices,
                     const struct grade_roster *roster,
                     const struct grade_intake *intake)
{
    const size_t persons = roster != NULL ? roster->persons : 0;
    int failed;

    *class = (struct grade_class){.labs = 0};
    choose_labs(class, index, rubric, chosen, choices);
    class->row = calloc(persons + intake->students + 1, sizeof *class->row);
    failed = class->row == NULL;
    for (size_t i = 0; i < persons && !failed; i++) {
        const struct grade_person *const p = &roster->person[i];

        failed = add_student(class, p->id, p->name, has_folder(intake, p->id),
                             1) != 0;
    }
    for (size_t i = 0; i < intake->students && !failed; i++) {
        if (roster == NULL) {
            failed = add_student(class, intake->student[i], "", 1, 1) != 0;
        } else if (!is_listed(roster, intake->student[i])) {
            failed = add_student(class, intake->student[i], "", 1, 0) != 0;
        }
    }
    if (!failed)
        return 0;
    grade_class_free(class);
    return -1;
}

void grade_class_free(struct grade_class *class)
{
    for (size_t i = 0; class->row != NULL && i < class->rows; i++) {
        struct grade_row *const row = &class->row[i];

        for (int k = 0; row->result != NULL && k < class->labs; k++)
            grade_result_free(&row->result[k]);
        free(row->result);
        free(row->decision);
        free(row->seconds);
        free(row->unknown);
    }
    free(class->row);
    *class = (struct grade_class){.labs = 0};
}

/* --- decisions ------------------------------------------------------------ */

/* Is this the row's student, by the folder's name or by the name as shown? */
static int is_called(const struct grade_row *row, const char *name)
{
    char *shown;
    int same;

    if (strcmp(row->student, name) == 0)
        return 1;
    shown = grade_text_shown(row->student);
    same = shown != NULL && (strcmp(shown, name) == 0 ||
                             (name[0] == '\'' && strcmp(shown, name + 1) == 0));
    free(shown);
    return same;
}

int grade_class_decide(struct grade_class *class,
                       const struct grade_manual *manual, const char *path,
                       char *why, size_t size)
{
    for (size_t i = 0; i < manual->decisions; i++) {
        const struct grade_decision *const d = &manual->decision[i];
        int found = 0;

        for (size_t r = 0; r < class->rows && !found; r++) {
            if (!is_called(&class->row[r], d->student))
                continue;
            found = 1;
            for (int k = 0; k < class->labs; k++) {
                if (class->lab[k] == d->lab)
                    class->row[r].decision[k] = d;
            }
        }
        if (!found) {
            char *const shown = grade_text_shown(d->student);

            snprintf(why, size,
                     "%s: row %d: there is no student '%.100s' (write the name "
                     "as it stands in grades.csv)",
                     path, d->row, shown != NULL ? shown : "?");
            free(shown);
            return -1;
        }
    }
    return 0;
}

/* --- sums ----------------------------------------------------------------- */

double grade_row_points(const struct grade_row *row, int lab)
{
    const struct grade_decision *const d = row->decision[lab];
    const double points =
        d != NULL ? d->points : grade_result_points(&row->result[lab]);

    return round(points * 100.0) / 100.0;
}

double grade_row_total(const struct grade_class *class,
                       const struct grade_row *row)
{
    double sum = 0.0;

    for (int i = 0; i < class->labs; i++)
        sum += grade_row_points(row, i);
    return round(sum * 100.0) / 100.0;
}

double grade_row_seconds(const struct grade_class *class,
                         const struct grade_row *row)
{
    double sum = 0.0;

    for (int i = 0; i < class->labs; i++)
        sum += row->seconds[i];
    return sum;
}

int grade_row_is_decided(const struct grade_class *class,
                         const struct grade_row *row)
{
    for (int i = 0; i < class->labs; i++) {
        if (row->result[i].verdict == GRADE_GRADER_ERROR &&
            row->decision[i] == NULL)
            return 0;
    }
    return 1;
}
