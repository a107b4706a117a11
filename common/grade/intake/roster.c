#define _GNU_SOURCE
#include "grade/intake/roster.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/refuse.h"
#include "base/utf8.h"
#include "grade/base/text.h"
#include "grade/intake/names.h"

/* --- a table -------------------------------------------------------------- */

int grade_table_refuse(const struct grade_table *table, size_t row,
                       const char *format, ...)
{
    char said[500], where[40] = "", *shown;
    va_list ap;

    va_start(ap, format);
    vsnprintf(said, sizeof said, format, ap);
    va_end(ap);
    shown = grade_text_shown(said);
    if (row > 0)
        snprintf(where, sizeof where, "row %zu: ", row);
    base_refuse(table->why, table->size, "%s: %s%s", table->path, where,
                shown != NULL ? shown : strerror(ENOMEM));
    free(shown);
    return -1;
}

int grade_table_read(struct grade_table *table, const char *path, char *why,
                     size_t size)
{
    struct stat status;

    *table = (struct grade_table){.path = path, .why = why, .size = size};
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode)
               ? grade_table_refuse(table, 0, "is no file: give a CSV file")
               : base_csv_read(path, &table->csv, why, size);
}

const char *grade_table_cell(const struct grade_table *table, size_t row,
                             int column)
{
    return column < 0
               ? ""
               : table->csv
                     .cell[(row + 1) * table->csv.columns + (size_t)column];
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

/* --- the roster ----------------------------------------------------------- */

enum {
    NAME = GRADE_ALIASES,
    FIRST_NAME,
    LAST_NAME,
    HANDED,
    MEANINGS,
    TITLES = 9 /* of one meaning */
};

/* What the systems call their columns, in English and German, the one to prefer
   first. */
static const char *const titles[MEANINGS][TITLES] = {
    [GRADE_LOGIN] = {"SIS Login ID", "username", "Anmeldename"},
    [GRADE_GITHUB_NAME] = {"github_username"},
    [GRADE_MATRICULATION] = {"SIS User ID", "ID number", "idnumber",
                             "ID-Nummer", "Matrikelnummer", "SID",
                             "Integration ID", "Student ID", "OrgDefinedId"},
    [GRADE_EMAIL] = {"Email address", "Email", "E-Mail-Adresse", "E-Mail"},
    [GRADE_SYSTEM] = {"ID", "Identifier"},
    [NAME] = {"Student", "name", "Full name", "Vollst\xc3\xa4ndiger Name"},
    [FIRST_NAME] = {"First name", "FirstName", "Vorname", "first_name"},
    [LAST_NAME] = {"Last name", "LastName", "Surname", "Nachname", "last_name"},
    [HANDED] = {"Last modified (submission)",
                "Zuletzt ge\xc3\xa4ndert (Abgabe)"}};

int grade_alias_column(const struct base_csv *csv, int alias)
{
    const char *const *const title = titles[alias];

    for (int t = 0; t < TITLES && title[t] != NULL; t++) {
        for (size_t c = 0; c < csv->columns; c++) {
            if (strcasecmp(csv->cell[c], title[t]) == 0 &&
                strcmp(csv->cell[c], "id") != 0)
                return (int)c;
        }
    }
    return -1;
}

/* Is the row a person's who may hand in? */
static int is_of_student(const struct grade_table *t, size_t row,
                         const int column[MEANINGS])
{
    const int is_split = column[NAME] < 0; /* Canvas's LastName, FirstName */
    const char *const first = grade_table_cell(t, row, column[FIRST_NAME]);
    const char *const name =
        grade_table_cell(t, row, column[is_split ? LAST_NAME : NAME]);
    const char *const role = base_csv_text(&t->csv, row, "Role");
    int said = *first != '\0';

    for (int a = 0; a < GRADE_ALIASES; a++)
        said |= *grade_table_cell(t, row, column[a]) != '\0';
    return said && strcmp(name + strspn(name, " "), "Points Possible") != 0 &&
           strcmp(name, "Student, Test") != 0 &&
           (!is_split || strcmp(name, "Student") != 0 ||
            strcmp(first, "Test") != 0) &&
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

static int fill_person(const struct grade_table *t, size_t row,
                       const int column[MEANINGS], struct grade_person *p)
{
    const char *const first = grade_table_cell(t, row, column[FIRST_NAME]);
    const char *const last = grade_table_cell(t, row, column[LAST_NAME]);

    const int is_brightspaces =
        base_csv_column(&t->csv, "End-of-Line Indicator") >= 0;

    /* Brightspace puts a # before all that says who somebody is. */
    for (int a = 0; a < GRADE_ALIASES; a++) {
        p->alias[a] = grade_table_cell(t, row, column[a]);
        p->alias[a] += is_brightspaces && *p->alias[a] == '#';
    }
    p->alias[GRADE_SYSTEM] = behind_blank(p->alias[GRADE_SYSTEM]);
    p->handed = grade_table_cell(t, row, column[HANDED]);
    p->name = column[NAME] >= 0 || (*first == '\0' && *last == '\0')
                  ? base_text("%s", grade_table_cell(t, row, column[NAME]))
                  : base_text("%s %s", first, last);
    return p->name != NULL ? 0 : -1;
}

/* May this be what rows are called by: has everybody one? */
static int names_all(const struct grade_roster *roster, int alias)
{
    for (size_t i = 0; i < roster->persons; i++) {
        if (*roster->person[i].alias[alias] == '\0')
            return 0;
    }
    return 1;
}

/* Has the table one column id, or one that a system writes? */
static int check_columns(const struct grade_table *t, int own,
                         const int column[MEANINGS])
{
    int key = 0;

    for (size_t c = (size_t)own + 1; own >= 0 && c < t->csv.columns; c++) {
        if (strcmp(t->csv.cell[c], "id") == 0) {
            return grade_table_refuse(
                t, 0,
                "has two columns 'id' (%d and %zu): rename the one that does "
                "not name the folders",
                own + 1, c + 1);
        }
    }
    while (key < GRADE_ALIASES && column[key] < 0)
        key++;
    return own >= 0 || key < GRADE_ALIASES
               ? 0
               : grade_table_refuse(
                     t, 0,
                     "no column 'id' in its first row (id,name,email; id is "
                     "the name of a student's folder), and none that a list of "
                     "Canvas, Moodle or Gradescope has (ID, username, Email "
                     "address)");
}

/* Names each person: by the column id, or by what everybody has. */
static int name_persons(const struct grade_table *t, int own,
                        struct grade_roster *roster)
{
    int key = 0;

    while (own < 0 && key < GRADE_SYSTEM && !names_all(roster, key))
        key++;
    for (size_t i = 0; i < roster->persons; i++) {
        struct grade_person *const p = &roster->person[i];

        p->id = own >= 0             ? grade_table_cell(t, i, own)
                : key < GRADE_SYSTEM ? p->alias[key]
                                     : "";
        if (*p->id == '\0')
            return grade_table_refuse(t, i + 2, "the id is empty");
        for (size_t k = 0; k < i; k++) {
            if (strcmp(roster->person[k].id, p->id) == 0) {
                return grade_table_refuse(
                    t, i + 2, "the id '%.100s' is there twice", p->id);
            }
        }
    }
    return roster->persons > 0
               ? 0
               : grade_table_refuse(t, 0,
                                    "has no rows, so nobody is in the course");
}

static int is_utf8(const char *text)
{
    while (*text != '\0') {
        unsigned code;
        const size_t length = base_utf8_character(text, &code);

        if (length == 0)
            return 0;
        text += length;
    }
    return 1;
}

static int fill_roster(const struct grade_table *t, struct grade_roster *roster)
{
    const int own = base_csv_column(&t->csv, "id");
    int column[MEANINGS];

    for (int m = 0; m < MEANINGS; m++)
        column[m] = grade_alias_column(&t->csv, m);
    if (check_columns(t, own, column) != 0)
        return -1;
    roster->person = calloc(t->csv.rows + 1, sizeof *roster->person);
    for (size_t i = 0; i < t->csv.rows && roster->person != NULL; i++) {
        if (own < 0 && !is_of_student(t, i, column))
            continue;
        if (fill_person(t, i, column, &roster->person[roster->persons]) != 0)
            return grade_table_refuse(t, 0, "%s", strerror(ENOMEM));
        if (!is_utf8(roster->person[roster->persons].name)) {
            roster->persons++;
            return grade_table_refuse(
                t, i + 2,
                "'%.100s' is not in UTF-8: save the list as 'CSV UTF-8', or "
                "type iconv -f latin1 -t utf8 LIST >NEW",
                roster->person[roster->persons - 1].name);
        }
        roster->persons++;
    }
    return roster->person != NULL
               ? name_persons(t, own, roster)
               : grade_table_refuse(t, 0, "%s", strerror(ENOMEM));
}

int grade_roster_read(const char *path, struct grade_roster *roster, char *why,
                      size_t size)
{
    struct grade_table t;
    int result;

    *roster = (struct grade_roster){.persons = 0};
    if (grade_table_read(&t, path, why, size) != 0)
        return -1;
    result = fill_roster(&t, roster);
    roster->csv = t.csv;
    if (result != 0)
        grade_roster_free(roster);
    return result;
}

void grade_roster_free(struct grade_roster *roster)
{
    for (size_t i = 0; i < roster->persons; i++)
        free(roster->person[i].name);
    free(roster->person);
    base_csv_free(&roster->csv);
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

/* How surely is this the person, by the aliases, by `any` and by the name as it
   is folded? 0: it is not; a smaller number is surer. */
static int surely(const struct grade_person *p, char *const *alias,
                  const char *any, const char *folded)
{
    char name[GRADE_NAME];

    if (strcmp(p->id, any) == 0)
        return 1;
    for (int a = 0; a < GRADE_ALIASES; a++) {
        if (alias[a] != NULL && *alias[a] != '\0' &&
            strcasecmp(p->alias[a], alias[a]) == 0)
            return 2;
    }
    if (is_same(p->id, any))
        return 3;
    for (int a = 0; a < GRADE_ALIASES; a++) {
        if (is_same(p->alias[a], any))
            return 3;
    }
    if (*folded == '\0')
        return 0;
    grade_name_folded(p->name, name);
    return strcmp(name, folded) == 0 ? 4 : 0;
}

int grade_roster_has_name(const struct grade_roster *roster, const char *name)
{
    char own[GRADE_NAME], other[GRADE_NAME];

    grade_name_folded(name, own);
    for (size_t i = 0; i < roster->persons; i++) {
        grade_name_folded(roster->person[i].name, other);
        if (strcmp(own, other) == 0)
            return 1;
    }
    return 0;
}

const struct grade_person *grade_roster_find(const struct grade_roster *roster,
                                             const struct grade_owner *owner)
{
    const char *any = owner->any != NULL ? owner->any : "";
    const char *name = owner->name != NULL ? owner->name : "";
    const struct grade_person *found = NULL;

    do {
        char folded[GRADE_NAME] = "";
        int best = 5;

        grade_name_folded(name, folded);
        for (size_t i = 0; i < roster->persons; i++) {
            const struct grade_person *const p = &roster->person[i];
            const int sure = surely(p, owner->alias, any, folded);

            if (sure == 0 || sure > best)
                continue;
            /* Two of whom each may be meant: nobody is. */
            found = sure == best ? NULL : p;
            best = sure;
        }
        any = strchr(any, '-');
        name = any = any != NULL ? any + 1 : "";
    } while (found == NULL && *any != '\0');
    return found;
}

/* --- labs and decisions --------------------------------------------------- */

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
                      int is_called[COURSE_LABS], char *why, size_t size)
{
    char copy[400], *rest = NULL;

    for (int i = 0; i < index->labs; i++)
        is_called[i] = words == NULL;
    snprintf(copy, sizeof copy, "%s", words != NULL ? words : "");
    for (char *word = strtok_r(copy, " ,", &rest); word != NULL;
         word = strtok_r(NULL, " ,", &rest)) {
        const struct course_lab *const lab = grade_lab_called(index, word);

        if (lab == NULL) {
            return base_refuse(
                why, size,
                "there is no lab '%.40s': use a number from %.2s to %.2s", word,
                index->lab[0].name, index->lab[index->labs - 1].name);
        }
        is_called[lab - index->lab] = 1;
    }
    return 0;
}

/* Is it "report" or the number of a question, as "03.2" or "3.2"? */
static int read_report_part(const char *text, char what[8])
{
    char lab[3], question[3];
    int end = 0;

    if (sscanf(text, "%2[0-9].%2[0-9]%n", lab, question, &end) == 2 &&
        text[end] == '\0') {
        snprintf(what, 8, "%s%s", lab[1] == '\0' ? "0" : "", text);
        return 1;
    }
    snprintf(what, 8, "report");
    return strcmp(text, what) == 0;
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

static int fill_decision(struct grade_manual *manual, size_t i,
                         const struct course_index *index, int is_days)
{
    const struct grade_table *const t = &manual->table;
    struct grade_decision *const d = &manual->decision[manual->decisions++];
    const char *const lab = base_csv_text(&t->csv, i, "lab");
    const char *const value =
        base_csv_text(&t->csv, i, is_days ? "days" : "points");

    d->row = (int)i + 2;
    d->student = base_csv_text(&t->csv, i, "student");
    d->reason = base_csv_text(&t->csv, i, "reason");
    d->by = base_csv_text(&t->csv, i, "by");
    d->lab = grade_lab_called(index, lab);
    if (d->lab != NULL) {
        snprintf(d->what, sizeof d->what, "%.2s", d->lab->name);
    } else if (is_days || !read_report_part(lab, d->what)) {
        return grade_table_refuse(t, i + 2, "there is no lab '%.100s'", lab);
    }
    if (!read_value(value, is_days, d)) {
        return grade_table_refuse(t, i + 2,
                                  "%s '%.100s' are no %snumber from "
                                  "0 up",
                                  is_days ? "days" : "points", value,
                                  is_days ? "whole " : "");
    }
    if (d->is_percent && strchr(d->what, '.') != NULL) {
        return grade_table_refuse(t, i + 2,
                                  "a question has points, not '%.100s'", value);
    }
    for (size_t k = 0; k < i; k++) {
        if (strcmp(manual->decision[k].what, d->what) == 0 &&
            strcmp(manual->decision[k].student, d->student) == 0) {
            return grade_table_refuse(
                t, i + 2, "student '%.100s' has a row for this lab already",
                d->student);
        }
    }
    return 0;
}

int grade_manual_read(const char *path, const struct course_index *index,
                      int is_days, struct grade_manual *manual, char *why,
                      size_t size)
{
    static const char *const column[][4] = {
        {"student", "lab", "points", "reason"}, {"student", "lab", "days"}};
    struct grade_table *const t = &manual->table;
    int result = 0;

    *manual = (struct grade_manual){.table.path = path};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    if (grade_table_read(t, path, why, size) != 0)
        return -1;
    for (int k = 0; k < (is_days ? 3 : 4) && result == 0; k++) {
        if (base_csv_column(&t->csv, column[is_days][k]) < 0) {
            result = grade_table_refuse(
                t, 0, "no column '%s' in its first row (%s)",
                column[is_days][k],
                is_days ? "student,lab,days" : "student,lab,points,reason");
        }
    }
    manual->decision = calloc(t->csv.rows + 1, sizeof *manual->decision);
    if (manual->decision == NULL)
        result = grade_table_refuse(t, 0, "%s", strerror(ENOMEM));
    for (size_t i = 0; i < t->csv.rows && manual->decision != NULL; i++) {
        if (result == 0)
            result = fill_decision(manual, i, index, is_days);
    }
    if (result != 0)
        grade_manual_free(manual);
    return result;
}

void grade_manual_free(struct grade_manual *manual)
{
    free(manual->decision);
    base_csv_free(&manual->table.csv);
    *manual = (struct grade_manual){.decisions = 0};
}
