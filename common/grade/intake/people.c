#define _POSIX_C_SOURCE 200809L
#include "grade/intake/people.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "grade/intake/names.h"

enum {
    MOST_TOGETHER = 20, /* of a group */
    MOST_DAYS = 1000
};

/* --- reading -------------------------------------------------------------- */

/* Reads "3", "excused" or nothing. Returns 0, or -1. */
static int read_days(const char *text, struct grade_grant *g)
{
    char *end;
    const long days = strtol(text, &end, 10);

    g->is_excused = strcmp(text, "excused") == 0;
    if (g->is_excused || *text == '\0')
        return 0;
    g->days = (int)days;
    return *end == '\0' && days >= 0 && days <= MOST_DAYS ? 0 : -1;
}

static int fill_grant(struct grade_people *people, size_t i,
                      const struct course_index *index)
{
    const struct grade_table *const t = &people->table;
    struct grade_grant *const g = &people->grant[people->grants++];
    const char *const lab = base_csv_text(&t->csv, i, "lab");
    const char *const days = base_csv_text(&t->csv, i, "days");

    *g = (struct grade_grant){.student = base_csv_text(&t->csv, i, "student"),
                              .with = base_csv_text(&t->csv, i, "with"),
                              .reason = base_csv_text(&t->csv, i, "reason"),
                              .lab = grade_lab_called(index, lab),
                              .row = (int)i + 2};
    if (*lab != '\0' && g->lab == NULL)
        return grade_table_refuse(t, i + 2, "there is no lab '%.100s'", lab);
    if (read_days(days, g) != 0) {
        return grade_table_refuse(
            t, i + 2, "days '%.100s' are no whole number, and not 'excused'",
            days);
    }
    if (*g->with == '\0' && *days == '\0') {
        return grade_table_refuse(
            t, i + 2, "says neither days nor with whom '%.100s' works",
            g->student);
    }
    return 0;
}

int grade_people_read(const char *path, const struct course_index *index,
                      struct grade_people *people, char *why, size_t size)
{
    struct grade_table *const t = &people->table;
    int result = 0;

    *people = (struct grade_people){.table = {path, why, size, {0}}};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    if (grade_table_read(t, path, why, size) != 0)
        return -1;
    if (base_csv_column(&t->csv, "student") < 0 ||
        (base_csv_column(&t->csv, "days") < 0 &&
         base_csv_column(&t->csv, "with") < 0)) {
        result = grade_table_refuse(
            t, 0, "its first row is not student,lab,days,with,reason");
    }
    people->grant = calloc(t->csv.rows + 1, sizeof *people->grant);
    if (people->grant == NULL)
        result = grade_table_refuse(t, 0, "%s", strerror(ENOMEM));
    for (size_t i = 0; people->grant != NULL && i < t->csv.rows && result == 0;
         i++)
        result = fill_grant(people, i, index);
    return result;
}

/* --- groups --------------------------------------------------------------- */

/* The id of somebody who is named; NULL: there is no such student. */
static const char *id_of(const char *name, const struct grade_roster *roster,
                         const struct grade_intake *intake)
{
    for (size_t i = 0; roster != NULL && i < roster->persons; i++) {
        if (strcmp(roster->person[i].id, name) == 0)
            return roster->person[i].id;
    }
    for (size_t i = 0; i < intake->students; i++) {
        if (strcmp(intake->parcel[i].student, name) == 0)
            return intake->parcel[i].student;
    }
    return roster == NULL ? name : NULL;
}

static int has_source(const struct grade_parcel *p)
{
    for (size_t i = 0; p != NULL && i < p->files; i++) {
        if (grade_item_is_source(p->file[i].path))
            return 1;
    }
    return 0;
}

/* The parcel of that name, which need not be sorted; NULL: there is none. */
static struct grade_parcel *find(struct grade_intake *intake, const char *id)
{
    for (size_t i = 0; i < intake->students; i++) {
        if (strcmp(intake->parcel[i].student, id) == 0)
            return &intake->parcel[i];
    }
    return NULL;
}

/* Gives what `from` handed in to `to` as well, who may have handed in
   something beside it. */
static void give(struct grade_intake *intake, const char *from, const char *to,
                 int is_listed)
{
    const struct grade_parcel *giver;
    struct grade_parcel *p = find(intake, to);

    if (p == NULL) {
        p = base_list_add(&intake->parcel, &intake->students, sizeof *p);
        if (p == NULL)
            return;
        *p = (struct grade_parcel){.student = base_text("%s", to),
                                   .name = base_text("%s", ""),
                                   .listed = is_listed};
        if (p->student == NULL || p->name == NULL) {
            intake->students--;
            return;
        }
    }
    giver = find(intake, from);
    p->from = giver->student;
    for (size_t i = 0; i < giver->files; i++) {
        struct grade_file *const file =
            base_list_add(&p->file, &p->files, sizeof *file);

        if (file == NULL)
            return;
        *file = giver->file[i];
        file->path = base_text("%s", giver->file[i].path);
        p->files -= file->path == NULL;
    }
}

/* Hands out what the first of a group with a source handed in. */
static void share(struct grade_intake *intake, const char *const *id,
                  size_t ids, const struct grade_roster *roster, int team)
{
    size_t giver = 0;

    while (giver < ids && !has_source(find(intake, id[giver])))
        giver++;
    for (size_t i = 0; i < ids && giver < ids; i++) {
        struct grade_parcel *p;

        if (!has_source(find(intake, id[i])))
            give(intake, id[giver], id[i], roster != NULL);
        p = find(intake, id[i]);
        if (p != NULL)
            p->team = team;
    }
}

static int share_grant(const struct grade_people *people,
                       const struct grade_grant *g,
                       const struct grade_roster *roster,
                       struct grade_intake *intake)
{
    const char *id[MOST_TOGETHER] = {g->student};
    char *const names = base_text("%s", g->with), *rest = NULL;
    size_t ids = 1;
    int result = 0;

    for (char *name = names != NULL ? strtok_r(names, " ;", &rest) : NULL;
         name != NULL && ids < MOST_TOGETHER;
         name = strtok_r(NULL, " ;", &rest))
        id[ids++] = name;
    for (size_t i = 0; i < ids && result == 0; i++) {
        if (id_of(id[i], roster, intake) == NULL) {
            result = grade_table_refuse(
                &people->table, (size_t)g->row,
                "there is no student '%.100s' (write the name as it stands in "
                "grades.csv)",
                id[i]);
        }
    }
    if (result == 0)
        share(intake, id, ids, roster, g->row);
    free(names);
    return result;
}

int grade_people_share(const struct grade_people *people,
                       const struct course_lab *lab,
                       const struct grade_roster *roster,
                       struct grade_intake *intake)
{
    for (size_t i = 0; i < people->grants; i++) {
        const struct grade_grant *const g = &people->grant[i];

        if (*g->with == '\0' ||
            (g->lab != NULL && lab != NULL && g->lab != lab))
            continue;
        if (g->lab != NULL && lab == NULL) {
            fprintf(stderr,
                    "grade: %s: row %d: a group for lab %.2s counts where that "
                    "lab alone is graded (LAB=%.2s)\n",
                    people->table.path, g->row, g->lab->name, g->lab->name);
        } else if (share_grant(people, g, roster, intake) != 0) {
            return -1;
        }
    }
    if (intake->students > 0) {
        qsort(intake->parcel, intake->students, sizeof *intake->parcel,
              grade_names_compare);
    }
    return 0;
}
