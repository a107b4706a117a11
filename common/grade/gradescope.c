#define _POSIX_C_SOURCE 200809L
#include "grade/exports.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grade/feedback.h"

/* Each adder returns 0, or -1 without memory. */
static int add_text(cJSON *to, const char *name, const char *text)
{
    return cJSON_AddStringToObject(to, name, text) != NULL ? 0 : -1;
}

static int add_number(cJSON *to, const char *name, double number)
{
    return cJSON_AddNumberToObject(to, name, number) != NULL ? 0 : -1;
}

/* What stands instead of the tests where points are missing. */
static void put_undecided(FILE *to, const struct grade_class *class,
                          const struct grade_row *row)
{
    fputs("The grader failed, not you: your points were not decided, and a "
          "person will look at it.\n\n",
          to);
    for (int i = 0; i < class->labs; i++)
        grade_feedback_lab(to, class, row, i, GRADE_PLAIN, 0);
}

/* The feedback of a lab, or of no lab the head of all; NULL without memory. */
static char *feedback_text(const struct grade_class *class,
                           const struct grade_row *row, int lab)
{
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);

    if (file == NULL)
        return NULL;
    if (lab >= 0) {
        grade_feedback_lab(file, class, row, lab, GRADE_PLAIN, 0);
    } else {
        if (!grade_row_is_decided(class, row))
            put_undecided(file, class, row);
        if (*row->unknown != '\0') {
            fprintf(file, "Not graded, since no lab has such a name: %s\n",
                    row->unknown);
        }
    }
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

static int add_test(cJSON *tests, const struct grade_class *class,
                    const struct grade_row *row, int lab)
{
    const double points = grade_row_points(row, lab);
    cJSON *const test = cJSON_CreateObject();
    char *const output = feedback_text(class, row, lab);
    char number[4];
    int bad;

    if (test == NULL || !cJSON_AddItemToArray(tests, test)) {
        cJSON_Delete(test);
        free(output);
        return -1;
    }
    snprintf(number, sizeof number, "%.2s", class->lab[lab]->name);
    bad = output == NULL || add_number(test, "score", points) != 0 ||
          add_number(test, "max_score", class->of[lab]) != 0 ||
          add_text(test, "status",
                   points >= class->of[lab] ? "passed" : "failed") != 0 ||
          add_text(test, "name", class->lab[lab]->name) != 0 ||
          add_text(test, "number", number) != 0 ||
          add_text(test, "output", output) != 0 ||
          add_text(test, "output_format", "text") != 0 ||
          add_text(test, "visibility", "visible") != 0;
    free(output);
    return bad ? -1 : 0;
}

static int add_extra(cJSON *to, const struct grade_class *class,
                     const struct grade_row *row)
{
    cJSON *const extra = cJSON_AddObjectToObject(to, "extra_data");
    cJSON *const verdicts =
        extra != NULL ? cJSON_AddObjectToObject(extra, "verdicts") : NULL;

    if (verdicts == NULL ||
        add_text(extra, "isolation", grade_isolation_name[class->isolation]) !=
            0)
        return -1;
    for (int i = 0; i < class->labs; i++) {
        if (add_text(verdicts, class->lab[i]->name,
                     grade_verdict_word[row->result[i].verdict]) != 0)
            return -1;
    }
    return 0;
}

/* The score and what it is made of. Returns 0, or -1 without memory. */
static int add_points(cJSON *whole, const struct grade_class *class,
                      const struct grade_row *row)
{
    cJSON *tests;

    if (add_number(whole, "score", grade_row_total(class, row)) != 0 ||
        (tests = cJSON_AddArrayToObject(whole, "tests")) == NULL)
        return -1;
    for (int i = 0; i < class->labs; i++) {
        if (add_test(tests, class, row, i) != 0)
            return -1;
    }
    return 0;
}

int grade_gradescope(const struct grade_class *class,
                     const struct grade_row *row, char **text)
{
    const double seconds = grade_row_seconds(class, row);
    cJSON *const whole = cJSON_CreateObject();
    char *const head = feedback_text(class, row, -1);

    *text = NULL;
    if (head != NULL &&
        add_number(whole, "execution_time", round(seconds * 1e3) / 1e3) == 0 &&
        add_text(whole, "output", head) == 0 &&
        add_text(whole, "output_format", "text") == 0 &&
        add_text(whole, "visibility", "visible") == 0 &&
        add_text(whole, "stdout_visibility", "hidden") == 0 &&
        (!grade_row_is_decided(class, row) ||
         add_points(whole, class, row) == 0) &&
        add_extra(whole, class, row) == 0)
        *text = cJSON_Print(whole);
    cJSON_Delete(whole);
    free(head);
    if (*text != NULL)
        return 0;
    errno = ENOMEM;
    return -1;
}
