#define _POSIX_C_SOURCE 200809L
#include "grade/publish/class.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grade/base/digest.h"
#include "grade/base/text.h"
#include "grade/intake/names.h"

/* --- rows ----------------------------------------------------------------- */

void grade_class_add_column(struct grade_class *class,
                            const struct course_lab *lab, double of)
{
    char *const title = class->title[class->columns];

    if (lab != NULL) {
        class->lab[class->labs++] = lab;
        snprintf(title, sizeof *class->title, "Lab %.2s", lab->name);
    } else {
        snprintf(title, sizeof *class->title, "Report");
    }
    class->of[class->columns++] = of;
}

static void choose_labs(struct grade_class *class,
                        const struct course_index *index,
                        const struct grade_rubric *rubric)
{
    for (int i = 0; i < index->labs; i++) {
        const struct course_lab *const lab = &index->lab[i];
        const struct grade_rubric_lab *const own =
            grade_rubric_find(rubric, lab->name);
        double of = 0.0;

        if (own == NULL || !own->graded)
            continue;
        for (int k = 0; k < GRADE_PARTS; k++)
            of += own->points[k];
        grade_class_add_column(class, lab, of);
    }
    if (rubric->report_points > 0)
        grade_class_add_column(class, NULL, rubric->report_points);
}

/* All who handed in under this person's name, and could be more than one of the
   roster, as a text for free(); NULL: nobody. */
static char *find_namesakes(const struct grade_intake *intake, const char *name)
{
    char own[GRADE_NAME], other[GRADE_NAME];
    char *all = NULL;

    grade_name_folded(name, own);
    for (size_t i = 0; i < intake->students && *own != '\0'; i++) {
        const struct grade_parcel *const p = &intake->parcel[i];

        grade_name_folded(*p->name != '\0' ? p->name : p->student, other);
        if (!p->listed && strcmp(own, other) == 0) {
            char *const more =
                base_text("%s%s%s", all != NULL ? all : "",
                          all != NULL ? " and " : "", p->student);

            free(all);
            all = more;
        }
    }
    return all;
}

static void add_student(struct grade_class *class,
                        const struct course_index *index,
                        const struct grade_intake *intake, const char *student,
                        const char *name, int listed)
{
    struct grade_row *const row = &class->row[class->rows++];
    const struct grade_parcel *const p = grade_intake_parcel(intake, student);

    *row = (struct grade_row){
        .class = class,
        .student = student,
        .name = name,
        .handed = "",
        .listed = listed,
        .team = p != NULL ? p->team : 0,
        .unknown = grade_intake_unknown(intake, student, index),
        .has_files =
            p != NULL && (p->files > 0 || p->is_passed_over) && !intake->is_own,
        .namesakes = p == NULL ? find_namesakes(intake, name) : NULL};
    if (p != NULL && grade_intake_is_clone(intake, p))
        row->has_files = row->unknown != NULL && *row->unknown != '\0';
    for (int i = 0; i < class->labs; i++) {
        struct grade_result *const r = &row->result[i];

        r->verdict = GRADE_MISSING;
        row->late[i].share = 1.0;
        snprintf(r->lab, sizeof r->lab, "%s", class->lab[i]->name);
    }
}

int grade_class_make(struct grade_class *class,
                     const struct course_index *index,
                     const struct grade_rubric *rubric,
                     const struct grade_roster *roster,
                     const struct grade_intake *intake)
{
    const size_t persons = roster != NULL ? roster->persons : 0;
    const unsigned before = base_memory_failures();

    *class = (struct grade_class){.labs = 0};
    choose_labs(class, index, rubric);
    class->row = calloc(persons + intake->students + 1, sizeof *class->row);
    if (class->row == NULL)
        return -1;
    for (size_t i = 0; i < persons; i++) {
        const struct grade_person *const p = &roster->person[i];

        add_student(class, index, intake, p->id, p->name, 1);
        class->row[i].handed = p->handed;
    }
    for (size_t i = 0; i < intake->students; i++) {
        const struct grade_parcel *const p = &intake->parcel[i];

        if (roster == NULL || !p->listed) {
            add_student(class, index, intake, p->student, p->name,
                        roster == NULL);
        }
    }
    if (base_memory_failures() == before)
        return 0;
    grade_class_free(class);
    return -1;
}

void grade_class_free(struct grade_class *class)
{
    for (size_t i = 0; class->row != NULL && i < class->rows; i++) {
        struct grade_row *const row = &class->row[i];

        for (int k = 0; k < class->labs; k++) {
            grade_result_free(&row->result[k]);
            free(row->alike[k]);
            free(row->beside[k]);
        }
        for (size_t k = 0; k < row->answers_files; k++)
            course_keyed_free(&row->answers[k].keyed);
        free(row->answers);
        free(row->answers_wrong);
        free(row->report);
        free(row->unknown);
        free(row->namesakes);
    }
    free(class->row);
    free(class->decisions);
    *class = (struct grade_class){.labs = 0};
}

void grade_class_code(struct grade_class *class, unsigned long long seed)
{
    for (size_t i = 0; i < class->rows; i++) {
        struct grade_row *const row = &class->row[i];
        struct sha256_ctx digest;
        char text[GRADE_DIGEST_TEXT];

        sha256_init(&digest);
        grade_digest_item(&digest, &seed, sizeof seed);
        grade_digest_string(&digest, row->student);
        grade_digest_end(&digest, text);
        snprintf(row->code, sizeof row->code, "%.8s", text);
    }
}

/* --- decisions ------------------------------------------------------------ */

/* Is this the row's student, by the folder's name or by the name as shown? */
static int is_called(const struct grade_row *row, const char *name)
{
    char *shown;
    int same;

    if (strcmp(row->student, name) == 0 ||
        (*row->code != '\0' && strcmp(row->code, name) == 0))
        return 1;
    shown = grade_text_shown(row->student);
    same = shown != NULL && (strcmp(shown, name) == 0 ||
                             (name[0] == '\'' && strcmp(shown, name + 1) == 0));
    free(shown);
    return same;
}

struct grade_row *grade_class_find(const struct grade_class *class,
                                   const char *name)
{
    for (size_t r = 0; r < class->rows; r++) {
        if (is_called(&class->row[r], name))
            return &class->row[r];
    }
    return NULL;
}

/* The row that a decision is about; NULL with why. */
static struct grade_row *find_row(const struct grade_class *class,
                                  const struct grade_decision *d,
                                  const struct grade_table *table)
{
    struct grade_row *const row = grade_class_find(class, d->student);

    if (row != NULL)
        return row;
    grade_table_refuse(table, (size_t)d->row,
                       "there is no student '%.100s' (write the name as it "
                       "stands in grades.csv)",
                       d->student);
    return NULL;
}

/* The column of a lab, or of the report; -1: it is not graded. */
static int find_column(const struct grade_class *class,
                       const struct course_lab *lab)
{
    for (int k = 0; k < class->labs; k++) {
        if (class->lab[k] == lab)
            return k;
    }
    return lab == NULL && class->columns > class->labs ? class->labs : -1;
}

static int add_to_report(struct grade_row *row, const struct grade_decision *d)
{
    const struct grade_decision **const part = base_list_add(
        &row->report, &row->report_parts, sizeof(struct grade_decision *));

    if (part == NULL)
        return -1;
    *part = d;
    return 0;
}

int grade_class_decide(struct grade_class *class, struct grade_manual *manual)
{
    for (size_t i = 0; i < manual->decisions; i++) {
        struct grade_decision *const d = &manual->decision[i];
        struct grade_row *const row = find_row(class, d, &manual->table);
        const int column = find_column(class, d->lab);

        if (row == NULL)
            return -1;
        if (d->lab == NULL && column < 0) {
            return grade_table_refuse(&manual->table, (size_t)d->row,
                                      "the report has no points: write "
                                      "'report: 20' into the rubric (RUBRIC=)");
        }
        if (column < 0)
            continue;
        if (d->is_percent) {
            d->points *= class->of[column] / 100.0;
            d->is_percent = 0;
        }
        if (d->lab != NULL) {
            row->decision[column] = d;
        } else if (add_to_report(row, d) != 0) {
            return grade_table_refuse(&manual->table, 0,
                                      "there is no memory left");
        }
    }
    return 0;
}

/* --- what was agreed ------------------------------------------------------ */

int grade_class_grant(struct grade_class *class,
                      const struct grade_people *people, int has_roster)
{
    for (size_t i = 0; i < people->grants; i++) {
        const struct grade_grant *const g = &people->grant[i];
        struct grade_row *const row = grade_class_find(class, g->student);

        if (row == NULL && has_roster) {
            return grade_table_refuse(&people->table, (size_t)g->row,
                                      "there is no student '%.100s' (write the "
                                      "name as it stands in grades.csv)",
                                      g->student);
        }
        for (int k = 0; k < class->labs && row != NULL; k++) {
            if ((g->lab == NULL || g->lab == class->lab[k]) &&
                (g->days > 0 || g->is_excused))
                row->grant[k] = g;
        }
    }
    return 0;
}

/* --- late ----------------------------------------------------------------- */

/* When something of a row came, by the roster; 0: it does not say. */
static time_t when_by_roster(const struct grade_row *row,
                             const struct grade_rubric *rubric)
{
    time_t when;

    if (!row->has_files || strpbrk(row->handed, "0123456789") == NULL)
        return 0;
    when = grade_time_in(rubric, row->handed);
    if (when <= 0) {
        fprintf(stderr,
                "grade: the roster says '%.60s', which is no date in English "
                "or German: write late.csv\n",
                row->handed);
    }
    return when > 0 ? when : 0;
}

/* The same by the clock of the system that gave the download. */
static time_t when_by_layout(const struct grade_intake *intake,
                             const struct grade_row *row,
                             const struct grade_rubric *rubric)
{
    const struct grade_parcel *const p =
        grade_intake_parcel(intake, row->student);
    const time_t when =
        p != NULL && p->said[0] != '\0' ? grade_time_in(rubric, p->said) : 0;

    return when > 0 ? when : 0;
}

/* Who handed in for a row: mostly itself. */
static const struct grade_row *giver_of(const struct grade_class *class,
                                        const struct grade_intake *intake,
                                        const struct grade_row *row)
{
    const struct grade_parcel *const p =
        grade_intake_parcel(intake, row->student);
    const struct grade_row *const giver =
        p != NULL && p->from != NULL ? grade_class_find(class, p->from) : NULL;

    return giver != NULL ? giver : row;
}

/* Takes the days off that somebody has more. How late it was that the system
   only marks as late nobody knows: such a mark is taken to be within them. */
static void take_off(struct grade_lateness *late, const struct grade_grant *g)
{
    if (g == NULL || g->days == 0)
        return;
    late->days =
        late->at_least || late->days < g->days ? 0 : late->days - g->days;
    late->at_least = 0;
}

int grade_class_find_late(struct grade_class *class,
                          const struct grade_rubric *rubric,
                          struct grade_intake *intake,
                          const struct grade_manual *days)
{
    for (size_t i = 0; i < class->rows && rubric->late_percent > 0; i++) {
        const struct grade_row *const giver =
            giver_of(class, intake, &class->row[i]);

        for (int k = 0; k < class->labs; k++) {
            struct grade_lateness *const l = &class->row[i].late[k];
            const char *const lab = class->lab[k]->name;
            const time_t due = grade_rubric_find(rubric, lab)->due;
            time_t when;

            grade_intake_when(intake, giver->student, lab, &when, &l->at_least);
            if (when == 0)
                when = when_by_layout(intake, giver, rubric);
            if (when == 0)
                when = when_by_roster(giver, rubric);
            if (when > 0 && due > 0) {
                l->days = grade_days_late(due, when);
                l->at_least = 0;
            } else if (l->at_least) {
                l->days = 1;
            }
            take_off(l, class->row[i].grant[k]);
        }
    }
    for (size_t i = 0; i < days->decisions; i++) {
        const struct grade_decision *const d = &days->decision[i];
        struct grade_row *const row = find_row(class, d, &days->table);
        const int column = find_column(class, d->lab);

        if (row == NULL)
            return -1;
        if (column >= 0) {
            row->late[column] = (struct grade_lateness){.days = (int)d->points};
        }
    }
    for (size_t i = 0; i < class->rows; i++) {
        for (int k = 0; k < class->labs; k++) {
            struct grade_lateness *const l = &class->row[i].late[k];

            l->share = grade_late_share(rubric, l->days);
        }
    }
    return 0;
}

int grade_class_is_missing(const struct grade_class *class)
{
    size_t missing = 0;

    for (size_t i = 0; i < class->rows; i++) {
        int there = 0;

        for (int k = 0; k <= class->labs; k++)
            there |= grade_row_is_there(&class->row[i], k);
        missing += !there;
    }
    return 2 * missing > class->rows;
}

int grade_class_withhold(struct grade_class *class)
{
    int left = 0;

    for (int k = 0; k < class->columns; k++) {
        size_t there = 0;

        for (size_t i = 0; i < class->rows; i++) {
            there += (size_t)grade_row_is_there(&class->row[i], k);
        }
        class->withheld[k] = 2 * there < class->rows;
        left += !class->withheld[k];
    }
    return left;
}

/* --- sums ----------------------------------------------------------------- */

double grade_row_points(const struct grade_row *row, int column)
{
    double points = 0.0;

    if (column == row->class->labs) {
        for (size_t i = 0; i < row->report_parts; i++)
            points += row->report[i]->points;
    } else if (row->decision[column] != NULL) {
        points = row->decision[column]->points;
    } else {
        points =
            grade_result_points(&row->result[column]) * row->late[column].share;
    }
    return round(points * 100.0) / 100.0;
}

int grade_row_is_there(const struct grade_row *row, int column)
{
    return column == row->class->labs
               ? row->answers_files > 0 || row->report_parts > 0
               : row->result[column].verdict != GRADE_MISSING ||
                     row->decision[column] != NULL;
}

int grade_row_is_full(const struct grade_row *row, int lab)
{
    return row->result[lab].verdict == GRADE_PASS &&
           grade_row_points(row, lab) >= row->class->of[lab];
}

/* Is anything there of a lab or of the report? Answers are none where one lab
   is graded, and nothing else. */
static int has_anything(const struct grade_row *row)
{
    for (int k = 0; k < row->class->labs; k++) {
        if (row->result[k].verdict != GRADE_MISSING)
            return 1;
    }
    return row->class->labs != 1 && row->answers_files > 0;
}

int grade_row_is_excused(const struct grade_row *row, int lab)
{
    return row->decision[lab] == NULL && row->grant[lab] != NULL &&
           row->grant[lab]->is_excused;
}

int grade_row_is_doubtful(const struct grade_row *row, int lab)
{
    const struct grade_result *const r = &row->result[lab];

    if (row->decision[lab] != NULL || grade_row_is_excused(row, lab))
        return 0;
    if (r->verdict == GRADE_UNFINISHED)
        return row->beside[lab] != NULL;
    /* What clang does not take has not been run. */
    return row->is_unread[lab] ||
           (r->verdict == GRADE_FLAG && r->case_count == 0) ||
           (r->verdict == GRADE_MISSING &&
            (row->namesakes != NULL ||
             (row->has_files &&
              ((r->text != NULL && *r->text != '\0') || !has_anything(row)))));
}

int grade_row_is_settled(const struct grade_row *row, int column)
{
    return column == row->class->labs
               ? row->report_parts > 0
               : row->decision[column] != NULL ||
                     (row->result[column].verdict != GRADE_GRADER_ERROR &&
                      !grade_row_is_excused(row, column) &&
                      !grade_row_is_doubtful(row, column));
}

int grade_row_days_late(const struct grade_row *row, int lab)
{
    return row->decision[lab] != NULL ||
                   row->result[lab].verdict == GRADE_MISSING
               ? 0
               : row->late[lab].days;
}

double grade_row_total(const struct grade_row *row)
{
    double sum = 0.0;

    for (int i = 0; i < row->class->columns; i++) {
        if (i == row->class->labs || !grade_row_is_excused(row, i))
            sum += grade_row_points(row, i);
    }
    return round(sum * 100.0) / 100.0;
}

int grade_row_wants_a_look(const struct grade_row *row, int lab)
{
    const enum grade_verdict verdict = row->result[lab].verdict;

    return row->decision[lab] == NULL &&
           (verdict == GRADE_GRADER_ERROR || verdict == GRADE_REJECTED ||
            row->result[lab].flag_count > 0 || row->alike[lab] != NULL ||
            row->beside[lab] != NULL || grade_row_is_doubtful(row, lab) ||
            (row->late[lab].at_least && grade_row_days_late(row, lab) > 0));
}

int grade_row_has_failed(const struct grade_row *row)
{
    for (int i = 0; i < row->class->labs; i++) {
        if (row->decision[i] == NULL &&
            row->result[i].verdict == GRADE_GRADER_ERROR)
            return 1;
    }
    return 0;
}

int grade_row_is_decided(const struct grade_row *row)
{
    for (int i = 0; i < row->class->labs; i++) {
        if (!grade_row_is_settled(row, i) && !grade_row_is_excused(row, i))
            return 0;
    }
    return 1;
}

/* --- together ------------------------------------------------------------- */

size_t grade_tell_team(FILE *to, const struct grade_row *row,
                       const char *before, const char *behind)
{
    struct grade_names names = {to, before, 20, 0};

    for (size_t i = 0; row->team != 0 && i < row->class->rows; i++) {
        const struct grade_row *const other = &row->class->row[i];

        if (other != row && other->team == row->team)
            grade_names_tell(&names, other->student);
    }
    grade_names_end(&names, behind);
    return names.names;
}
