#include "grade/publish/tell.h"

#include <stdio.h>
#include <string.h>

#include "grade/publish/exports.h"
#include "grade/publish/feedback.h"
#include "base/values.h"

static int is_full(const struct grade_class *class, size_t row, int lab)
{
    return class->row[row].result[lab].verdict == GRADE_PASS &&
           grade_row_points(class, &class->row[row], lab) >= class->of[lab];
}

int grade_row_is_full(const struct grade_class *class, size_t row)
{
    for (int k = 0; k < class->labs; k++) {
        if (!is_full(class, row, k))
            return 0;
    }
    return 1;
}

/* --- one's own labs ------------------------------------------------------- */

static void tell_points(double points, double of)
{
    base_put_number(stdout, points);
    fputs(" of ", stdout);
    base_put_number(stdout, of);
    fputs(" points\n", stdout);
}

void grade_tell_own(const struct grade_class *class, int all)
{
    const struct grade_row *const row = &class->row[0];
    double of = 0.0;

    for (int k = 0; k < class->labs; k++) {
        of += class->of[k];
        if (all || !is_full(class, 0, k))
            grade_feedback_lab(stdout, class, row, k, GRADE_PLAIN, all);
    }
    for (int k = 0; k < class->labs; k++) {
        printf("  %-19s  %-12s  ", class->lab[k]->name,
               grade_verdict_word[row->result[k].verdict]);
        tell_points(grade_row_points(class, row, k), class->of[k]);
    }
    printf("  %-19s  %-12s  ", "all", "");
    tell_points(grade_row_total(class, row), of);
    if (class->isolation != GRADE_BOXED)
        printf("  isolation: %s\n", grade_isolation_name[class->isolation]);
}

/* --- a class -------------------------------------------------------------- */

void grade_tell_rows(const struct grade_class *class, const char *one, int all)
{
    for (size_t i = 0; i < class->rows; i++) {
        const struct grade_row *const row = &class->row[i];

        if (one == NULL || strcmp(one, row->student) == 0)
            grade_feedback_row(stdout, class, row, GRADE_PLAIN, all);
    }
}

void grade_tell_class(const struct grade_class *class, const char *out)
{
    size_t flagged = 0;

    for (size_t i = 0; i < class->rows; i++) {
        for (int k = 0; k < class->labs; k++) {
            flagged += class->row[i].result[k].flag_count > 0 &&
                       class->row[i].decision[k] == NULL;
        }
    }
    grade_summary(stdout, class);
    putchar('\n');
    if (flagged > 0) {
        printf("  %zu for a person to look at: see the column look_at\n",
               flagged);
    }
    printf("  students: %zu; isolation: %s\n  grades: %s/grades.csv\n",
           class->rows, grade_isolation_name[class->isolation], out);
}
