/*
 * people.h: what was agreed with whom, for a whole term?
 *
 * people.csv in the folder of the class (CLASS=), in any order of columns:
 *
 *     student,lab,days,with,reason
 *     bob,03,3,,ill                 three days more for lab 03
 *     erin,05,excused,,hospital     lab 05 does not count
 *     carol,,,dave,                 one hands in for both, in all labs
 *
 * No lab means all of them. Several students in `with` stand between blanks or
 * semicolons.
 */
#ifndef GRADE_PEOPLE_H
#define GRADE_PEOPLE_H

#include "grade/intake/intake.h"
#include "grade/intake/roster.h"

struct grade_people {
    struct grade_grant {
        const char *student, *with, *reason;
        const struct course_lab *lab; /* NULL: all */
        int days;                     /* more than the others have */
        int is_excused;
        int row; /* of the file, the header being 1 */
    } * grant;
    size_t grants;
    struct grade_table table; /* has the texts */
};

/* Reads it; nothing is agreed if there is no file. Returns 0, or -1 with a line
   in why. path and why must outlive what is read. */
int grade_people_read(const char *path, const struct course_index *index,
                      struct grade_people *people, char *why, size_t size);

/*
 * Gives what one of a group handed in to those of it who handed in no source;
 * all of a group have the same parcel->team then. lab: the only one that is
 * graded; NULL: there are several, and a group for one of them is told and left
 * out. Returns 0, or -1 with a line in people->table.why.
 */
int grade_people_share(const struct grade_people *people,
                       const struct course_lab *lab,
                       const struct grade_roster *roster,
                       struct grade_intake *intake);

#endif /* GRADE_PEOPLE_H */
