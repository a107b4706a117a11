/* Grades that a person decided: one for a student and lab, of points that are a
   number. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "grade/intake/roster.h"

#include <math.h>
#include <string.h>

void fuzz_manual(const uint8_t *bytes, size_t size)
{
    char why[700] = "";
    struct grade_manual manual;

    if (grade_manual_read(fuzz_file(bytes, size), fuzz_course(), 0, &manual,
                          why, sizeof why) != 0) {
        fuzz_message(why, sizeof why);
        fuzz_must(manual.decision == NULL && manual.decisions == 0);
        return;
    }
    for (size_t i = 0; i < manual.decisions; i++) {
        const struct grade_decision *const d = &manual.decision[i];

        fuzz_must(isfinite(d->points) && d->points >= 0.0);
        fuzz_must(d->row == (int)i + 2);
        fuzz_must(course_index_find(fuzz_course(), d->lab->name) == d->lab);
        for (size_t k = 0; k < i; k++) {
            fuzz_must(manual.decision[k].lab != d->lab ||
                      strcmp(manual.decision[k].student, d->student) != 0);
        }
    }
    grade_manual_free(&manual);
}
