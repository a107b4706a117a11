#define _GNU_SOURCE
#include "grade/publish/exports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grade/publish/feedback.h"

int grade_exports_write(const char *out, const struct grade_class *class,
                        char *why, size_t size)
{
    char *csv = NULL, *feedback = NULL, *gradescope = NULL;
    int result = -1;

    if (asprintf(&csv, "%s/grades.csv", out) < 0 ||
        asprintf(&feedback, "%s/feedback", out) < 0 ||
        asprintf(&gradescope, "%s/gradescope", out) < 0) {
        snprintf(why, size, "%s: %s", out, strerror(ENOMEM));
    } else if (grade_feedback_write(feedback, class, why, size) == 0 &&
               grade_gradescope_write(gradescope, class, why, size) == 0 &&
               grade_csv_write(csv, class, why, size) == 0) {
        result = 0;
    }
    free(csv);
    free(feedback);
    free(gradescope);
    return result;
}
