#define _GNU_SOURCE
#include "grade/intake/roster.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/base/text.h"
#include "grade/intake/names.h"
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

/* What the systems call their columns, in English and German; a column of one
   meaning that comes first here is preferred. */
enum meaning {
    NAME = GRADE_ALIASES,
    FIRST_NAME,
    LAST_NAME,
    MEANINGS
};
static const struct {
    const char *title;
    int meaning; /* grade_alias, or as above */
} column_of[] = {{"SIS Login ID", GRADE_LOGIN},
                 {"username", GRADE_LOGIN},
                 {"Anmeldename", GRADE_LOGIN},
                 {"github_username", GRADE_LOGIN},
                 {"SIS User ID", GRADE_MATRICULATION},
                 {"ID number", GRADE_MATRICULATION},
                 {"idnumber", GRADE_MATRICULATION},
                 {"ID-Nummer", GRADE_MATRICULATION},
                 {"Matrikelnummer", GRADE_MATRICULATION},
                 {"SID", GRADE_MATRICULATION},
                 {"Integration ID", GRADE_MATRICULATION},
                 {"Email address", GRADE_EMAIL},
                 {"Email", GRADE_EMAIL},
                 {"E-Mail-Adresse", GRADE_EMAIL},
                 {"E-Mail", GRADE_EMAIL},
                 {"ID", GRADE_SYSTEM},
                 {"Identifier", GRADE_SYSTEM},
                 {"Student", NAME},
                 {"name", NAME},
                 {"Full name", NAME},
                 {"Vollst\xc3\xa4ndiger Name", NAME},
                 {"First name", FIRST_NAME},
                 {"Vorname", FIRST_NAME},
                 {"Last name", LAST_NAME},
                 {"Surname", LAST_NAME},
                 {"Nachname", LAST_NAME}};

enum {
    TITLES = sizeof column_of / sizeof *column_of
};

/* The column of each meaning; -1: none. "id" is the course's own. */
static void find_meanings(const struct base_csv *csv, int column[MEANINGS])
{
    for (int m = 0; m < MEANINGS; m++)
        column[m] = -1;
    for (int t = 0; t < TITLES; t++) {
        for (size_t c = 0; c < csv->columns; c++) {
            if (strcasecmp(csv->cell[c], column_of[t].title) == 0 &&
                strcmp(csv->cell[c], "id") != 0 &&
                column[column_of[t].meaning] < 0)
                column[column_of[t].meaning] = (int)c;
        }
    }
}

static const char *cell_of(const struct base_csv *csv, size_t row, int column)
{
    return column < 0 ? ""
                      : csv->cell[(row + 1) * csv->columns + (size_t)column];
}

/* Is the row a person's who may hand in? */
static int is_of_student(const struct base_csv *csv, size_t row,
                         const int column[MEANINGS])
{
    const char *const name = cell_of(csv, row, column[NAME]);
    const char *const role = base_csv_text(csv, row, "Role");
    int said = *cell_of(csv, row, column[FIRST_NAME]) != '\0';

    for (int a = 0; a < GRADE_ALIASES; a++)
        said |= *cell_of(csv, row, column[a]) != '\0';
    return said && strcmp(name + strspn(name, " "), "Points Possible") != 0 &&
           strcmp(name, "Student, Test") != 0 &&
           (*role == '\0' || strcasecmp(role, "student") == 0);
}

/* Moodle's "Participant 12345" is the number that it gives to files. */
static const char *behind_blank(const char *text)
{
    const char *const digits = text + strcspn(text, "0123456789");

    return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0'
               ? digits
               : text;
}

static int fill_person(const struct base_csv *csv, size_t row,
                       const int column[MEANINGS], struct grade_person *p)
{
    const char *const first = cell_of(csv, row, column[FIRST_NAME]);
    const char *const last = cell_of(csv, row, column[LAST_NAME]);
    int failed;

    failed = column[NAME] >= 0 || (*first == '\0' && *last == '\0')
                 ? (p->name = strdup(cell_of(csv, row, column[NAME]))) == NULL
                 : asprintf(&p->name, "%s %s", first, last) < 0;
    if (failed)
        p->name = NULL;
    for (int a = 0; a < GRADE_ALIASES; a++) {
        const char *const cell = cell_of(csv, row, column[a]);

        p->alias[a] = strdup(a == GRADE_SYSTEM ? behind_blank(cell) : cell);
        failed |= p->alias[a] == NULL;
    }
    return failed ? -1 : 0;
}

static const char *alias_of(const struct grade_person *p, int alias)
{
    return p->alias[alias] != NULL ? p->alias[alias] : "";
}

/* May this be what rows are called by: has everybody one? */
static int names_all(const struct grade_roster *roster, int alias)
{
    for (size_t i = 0; i < roster->persons; i++) {
        if (*alias_of(&roster->person[i], alias) == '\0')
            return 0;
    }
    return roster->persons > 0;
}

static int check_id(const char *path, const struct grade_roster *roster,
                    size_t i, size_t row, char *why, size_t size)
{
    const char *const id = roster->person[i].id;

    if (*id == '\0')
        return complain_of_row(path, row, why, size, "the id is empty", "", "");
    for (size_t k = 0; k < i; k++) {
        if (strcmp(roster->person[k].id, id) == 0) {
            return complain_of_row(path, row, why, size, "the id '", id,
                                   "' is there twice");
        }
    }
    return 0;
}

int grade_table_check(const char *path, char *why, size_t size)
{
    struct stat status;

    if (stat(path, &status) != 0 || access(path, R_OK) != 0) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        snprintf(why, size, "%s: is no file: give a CSV file", path);
    } else {
        return 0;
    }
    return -1;
}

static int fill_roster(const char *path, const struct base_csv *csv,
                       struct grade_roster *roster, char *why, size_t size)
{
    const int own = base_csv_column(csv, "id");
    int column[MEANINGS], key = 0;

    find_meanings(csv, column);
    for (size_t c = own < 0 ? csv->columns : (size_t)own + 1; c < csv->columns;
         c++) {
        if (strcmp(csv->cell[c], "id") != 0)
            continue;
        snprintf(why, size,
                 "%s: has two columns 'id' (%d and %zu): rename the one that "
                 "does not name the folders",
                 path, own + 1, c + 1);
        return -1;
    }
    while (key < GRADE_ALIASES && column[key] < 0)
        key++;
    if (own < 0 && key == GRADE_ALIASES) {
        snprintf(why, size,
                 "%s: no column 'id' in its first row (id,name,email; id is "
                 "the name of a student's folder), and none that a list of "
                 "Canvas, Moodle or Gradescope has (ID, username, Email "
                 "address)",
                 path);
        return -1;
    }
    roster->person = calloc(csv->rows + 1, sizeof *roster->person);
    if (roster->person == NULL)
        return no_memory(path, why, size);
    for (size_t i = 0; i < csv->rows; i++) {
        if (own < 0 && !is_of_student(csv, i, column))
            continue;
        if (fill_person(csv, i, column, &roster->person[roster->persons++]) !=
            0)
            return no_memory(path, why, size);
    }
    for (key = 0; own < 0 && key < GRADE_SYSTEM && !names_all(roster, key);)
        key++;
    for (size_t i = 0; i < roster->persons; i++) {
        struct grade_person *const p = &roster->person[i];

        const char *const id = own >= 0             ? cell_of(csv, i, own)
                               : key < GRADE_SYSTEM ? p->alias[key]
                                                    : NULL;

        p->id = strdup(id != NULL ? id : "");
        if (p->id == NULL)
            return no_memory(path, why, size);
        if (check_id(path, roster, i, i + 2, why, size) != 0)
            return -1;
    }
    if (roster->persons == 0) {
        snprintf(why, size, "%s: has no rows, so nobody is in the course",
                 path);
        return -1;
    }
    return 0;
}

int grade_roster_read(const char *path, struct grade_roster *roster, char *why,
                      size_t size)
{
    struct base_csv csv;
    int result;

    *roster = (struct grade_roster){.persons = 0};
    if (grade_table_check(path, why, size) != 0 ||
        base_csv_read(path, &csv, why, size) != 0)
        return -1;
    result = fill_roster(path, &csv, roster, why, size);
    base_csv_free(&csv);
    if (result != 0)
        grade_roster_free(roster);
    return result;
}

void grade_roster_free(struct grade_roster *roster)
{
    for (size_t i = 0; i < roster->persons; i++) {
        free(roster->person[i].id);
        free(roster->person[i].name);
        for (int a = 0; a < GRADE_ALIASES; a++)
            free(roster->person[i].alias[a]);
    }
    free(roster->person);
    *roster = (struct grade_roster){.persons = 0};
}

/* --- who is meant --------------------------------------------------------- */

/* Is it the whole of the cell, or of an address what stands before the @? */
static int is_same(const char *cell, const char *text)
{
    const size_t length = strlen(text);

    return *text != '\0' && strncasecmp(cell, text, length) == 0 &&
           (cell[length] == '\0' || cell[length] == '@');
}

/* How surely is this the person? 0: it is not; a smaller number is surer. */
static int surely(const struct grade_person *p, const struct grade_label *label,
                  const char *folded)
{
    char name[GRADE_NAME];

    if (label->any != NULL && strcmp(p->id, label->any) == 0)
        return 1;
    for (int a = 0; a < GRADE_ALIASES; a++) {
        if (label->alias[a] != NULL && *label->alias[a] != '\0' &&
            strcasecmp(alias_of(p, a), label->alias[a]) == 0)
            return 2;
    }
    if (label->any != NULL && is_same(p->id, label->any))
        return 3;
    for (int a = 0; label->any != NULL && a < GRADE_ALIASES; a++) {
        if (is_same(alias_of(p, a), label->any))
            return 3;
    }
    if (*folded == '\0')
        return 0;
    grade_name_folded(p->name, name);
    return strcmp(name, folded) == 0 ? 4 : 0;
}

const struct grade_person *grade_roster_find(const struct grade_roster *roster,
                                             const struct grade_label *label)
{
    const struct grade_person *found = NULL;
    char folded[GRADE_NAME] = "";
    int best = 5;

    if (label->name != NULL)
        grade_name_folded(label->name, folded);
    for (size_t i = 0; i < roster->persons; i++) {
        const int sure = surely(&roster->person[i], label, folded);

        if (sure == 0 || sure > best)
            continue;
        /* Two of whom each may be meant: nobody is. */
        found = sure == best ? NULL : &roster->person[i];
        best = sure;
    }
    return found;
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

int grade_labs_called(const struct course_index *index, const char *words,
                      const struct course_lab *chosen[COURSE_LABS],
                      int *choices, char *why, size_t size)
{
    char *rest = NULL, *const copy = strdup(words != NULL ? words : "");
    int result = 0;

    *choices = 0;
    if (copy == NULL)
        return no_memory("--lab", why, size);
    for (char *word = strtok_r(copy, " ,", &rest); word != NULL && result == 0;
         word = strtok_r(NULL, " ,", &rest)) {
        const struct course_lab *const lab = grade_lab_called(index, word);

        if (lab != NULL && *choices < COURSE_LABS) {
            chosen[(*choices)++] = lab;
            continue;
        }
        snprintf(why, size,
                 "there is no lab '%.40s': use a number from %.2s to %.2s",
                 word, index->lab[0].name, index->lab[index->labs - 1].name);
        result = -1;
    }
    free(copy);
    return result;
}

/* Is it "report" or the number of a question, as "03.2" or "3.2"? */
static int read_report_part(const char *text, char what[8])
{
    static const char digits[] = "0123456789";
    const size_t lab = strspn(text, digits);
    const size_t question =
        text[lab] == '.' ? strspn(text + lab + 1, digits) : 0;

    if (strcmp(text, "report") == 0) {
        snprintf(what, 8, "report");
        return 1;
    }
    if (lab < 1 || lab > 2 || question < 1 || question > 2 ||
        text[lab + 1 + question] != '\0')
        return 0;
    snprintf(what, 8, "%s%s", lab == 1 ? "0" : "", text);
    return 1;
}

double grade_table_number(const char *text, const char **end)
{
    char copy[40], *comma, *behind;
    double number;

    snprintf(copy, sizeof copy, "%s", text);
    comma = strchr(copy, ',');
    if (comma != NULL)
        *comma = '.';
    number = strtod(copy, &behind);
    *end = text + (behind - copy);
    return number;
}

/* Reads the number of a row: points, points with a per cent sign, or days. */
static int read_value(const char *text, int is_days, struct grade_decision *d)
{
    const char *end;

    d->points = grade_table_number(text, &end);
    d->is_percent = !is_days && strcmp(end + strspn(end, " "), "%") == 0;
    return end != text && (*end == '\0' || d->is_percent) &&
           isfinite(d->points) && d->points >= 0.0 &&
           (!is_days || (d->points <= 1000.0 && d->points == floor(d->points)));
}

static int fill_decision(const char *path, const struct base_csv *csv, size_t i,
                         const struct course_index *index, const char *column,
                         struct grade_manual *manual, char *why, size_t size)
{
    struct grade_decision *const d = &manual->decision[manual->decisions++];
    const char *const student = base_csv_text(csv, i, "student");
    const char *const lab = base_csv_text(csv, i, "lab");
    const char *const value = base_csv_text(csv, i, column);
    const int is_days = strcmp(column, "days") == 0;

    d->row = (int)i + 2;
    d->lab = grade_lab_called(index, lab);
    if (d->lab != NULL) {
        snprintf(d->what, sizeof d->what, "%.2s", d->lab->name);
    } else if (is_days || !read_report_part(lab, d->what)) {
        return complain_of_row(path, i + 2, why, size, "there is no lab '", lab,
                               "'");
    }
    if (!read_value(value, is_days, d)) {
        return complain_of_row(path, i + 2, why, size,
                               is_days ? "days '" : "points '", value,
                               is_days ? "' are no whole number from 0 up"
                                       : "' are no number from 0 up");
    }
    if (d->is_percent && strchr(d->what, '.') != NULL) {
        return complain_of_row(path, i + 2, why, size,
                               "a question has points, "
                               "not '",
                               value, "'");
    }
    for (size_t k = 0; k < i; k++) {
        if (strcmp(manual->decision[k].what, d->what) == 0 &&
            strcmp(manual->decision[k].student, student) == 0) {
            return complain_of_row(path, i + 2, why, size, "student '", student,
                                   "' has a row for this lab already");
        }
    }
    d->student = strdup(student);
    d->reason = strdup(base_csv_text(csv, i, "reason"));
    return d->student != NULL && d->reason != NULL ? 0
                                                   : no_memory(path, why, size);
}

/* Reads a table with these columns, of which the third has the numbers. */
static int read_decisions(const char *path, const struct course_index *index,
                          const char *const *column, int columns,
                          struct grade_manual *manual, char *why, size_t size)
{
    struct base_csv csv;
    int result = 0;

    *manual = (struct grade_manual){.decisions = 0};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    if (grade_table_check(path, why, size) != 0 ||
        base_csv_read(path, &csv, why, size) != 0)
        return -1;
    for (int k = 0; k < columns && result == 0; k++) {
        if (base_csv_column(&csv, column[k]) >= 0)
            continue;
        snprintf(why, size, "%s: no column '%s' in its first row (%s)", path,
                 column[k],
                 columns == 3 ? "student,lab,days"
                              : "student,lab,points,reason");
        result = -1;
    }
    if (result == 0) {
        manual->decision = calloc(csv.rows + 1, sizeof *manual->decision);
        if (manual->decision == NULL)
            result = no_memory(path, why, size);
    }
    for (size_t i = 0; i < csv.rows && result == 0; i++) {
        result =
            fill_decision(path, &csv, i, index, column[2], manual, why, size);
    }
    base_csv_free(&csv);
    if (result != 0)
        grade_manual_free(manual);
    return result;
}

int grade_manual_read(const char *path, const struct course_index *index,
                      struct grade_manual *manual, char *why, size_t size)
{
    static const char *const column[] = {"student", "lab", "points", "reason"};

    return read_decisions(path, index, column, 4, manual, why, size);
}

int grade_days_read(const char *path, const struct course_index *index,
                    struct grade_manual *days, char *why, size_t size)
{
    static const char *const column[] = {"student", "lab", "days"};

    return read_decisions(path, index, column, 3, days, why, size);
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
