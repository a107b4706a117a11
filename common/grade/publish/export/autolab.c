#include "grade/publish/export/export.h"

#include "grade/publish/exports.h"
#include "grade/publish/feedback.h"
#include "base/values.h"

/*
 * The last line of what an autograder prints is
 *
 *     {"scores":{"Lab04":78.5},"scoreboard":[78.5,1]}
 *
 * with a score for each problem of the assessment. No score is given where
 * nobody decided one; with one missing there is no sum for the scoreboard,
 * which has the sum and the number of labs with all points. In no string a
 * letter or digit may stand directly before a colon, so none of a student's
 * words are in this line.
 */
static void put_line(FILE *to, const struct grade_class *class,
                     const struct grade_row *row)
{
    const char *separator = "";
    int full = 0;

    fputs("{\"scores\":{", to);
    for (int i = 0; i < class->labs; i++) {
        if (!grade_lab_is_decided(row, i))
            continue;
        fprintf(to, "%s\"Lab%.2s\":", separator, class->lab[i]->name);
        output_number(to, grade_row_points(row, i));
        full += grade_row_points(row, i) >= class->of[i];
        separator = ",";
    }
    fputc('}', to);
    if (grade_row_is_decided(class, row)) {
        fputs(",\"scoreboard\":[", to);
        output_number(to, grade_row_total(class, row));
        fprintf(to, ",%d]", full);
    }
    fputs("}\n", to);
}

static int put_autolab_row(FILE *to, const struct grade_class *class,
                           const struct grade_row *row)
{
    grade_feedback_row(to, class, row, GRADE_PLAIN, 0);
    put_line(to, class, row);
    return 0;
}

int grade_export_autolab(const char *folder, const struct grade_class *class,
                         char *why, size_t size)
{
    return grade_numbered_write(folder, class, ".txt", put_autolab_row, why,
                                size);
}
