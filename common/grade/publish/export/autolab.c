#define _GNU_SOURCE
#include "grade/publish/export/export.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grade/publish/exports.h"

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
static char *make_line(const struct grade_class *class,
                       const struct grade_row *row)
{
    cJSON *const whole = cJSON_CreateObject();
    cJSON *const scores = cJSON_AddObjectToObject(whole, "scores");
    char *line = NULL;
    int failed = scores == NULL, full = 0;

    for (int i = 0; i < class->labs && !failed; i++) {
        char problem[16];

        if (!grade_lab_is_decided(row, i))
            continue;
        snprintf(problem, sizeof problem, "Lab%.2s", class->lab[i]->name);
        failed = cJSON_AddNumberToObject(scores, problem,
                                         grade_row_points(row, i)) == NULL;
        full += grade_row_points(row, i) >= class->of[i];
    }
    if (!failed && grade_row_is_decided(class, row)) {
        cJSON *const board = cJSON_AddArrayToObject(whole, "scoreboard");

        failed = board == NULL ||
                 !cJSON_AddItemToArray(
                     board, cJSON_CreateNumber(grade_row_total(class, row))) ||
                 !cJSON_AddItemToArray(board, cJSON_CreateNumber(full));
    }
    if (!failed)
        line = cJSON_PrintUnformatted(whole);
    cJSON_Delete(whole);
    return line;
}

int grade_export_autolab(const char *folder, const struct grade_class *class,
                         char *why, size_t size)
{
    int result = grade_numbered_sweep(folder, class, ".txt", why, size);

    for (size_t i = 0; i < class->rows && result == 0; i++) {
        char *const feedback = grade_export_feedback(class, &class->row[i], -1);
        char *const line = make_line(class, &class->row[i]);
        char *text = NULL;

        if (feedback == NULL || line == NULL ||
            asprintf(&text, "%s%s\n", feedback, line) < 0) {
            snprintf(why, size, "%s: %s", folder, strerror(ENOMEM));
            result = -1;
        } else {
            result =
                grade_numbered_write(folder, class, i, ".txt", text, why, size);
            free(text);
        }
        free(feedback);
        free(line);
    }
    return result;
}
