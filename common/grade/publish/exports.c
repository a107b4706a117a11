#define _GNU_SOURCE
#include "grade/publish/exports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grade/publish/feedback.h"

int grade_feedback_markdown(FILE *to, const struct grade_class *class,
                            const struct grade_row *row)
{
    grade_feedback_row(to, class, row, GRADE_MARKDOWN, 0);
    return 0;
}

int grade_exports_write(const char *out, const struct grade_class *class,
                        char *why, size_t size)
{
    char *csv = NULL, *feedback = NULL;
    int result = -1;

    if (asprintf(&csv, "%s/grades.csv", out) < 0 ||
        asprintf(&feedback, "%s/feedback", out) < 0) {
        snprintf(why, size, "%s: %s", out, strerror(ENOMEM));
    } else if (grade_numbered_write(feedback, class, ".md",
                                    grade_feedback_markdown, why, size) == 0 &&
               grade_csv_write(csv, class, why, size) == 0) {
        result = 0;
    }
    free(csv);
    free(feedback);
    return result;
}
