#define _POSIX_C_SOURCE 200809L
#include "grade/publish/exports.h"

#include <math.h>
#include <stdlib.h>

#include "grade/publish/feedback.h"
#include "base/values.h"

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

/* What stands before all tests; for free(). NULL without memory. */
static char *head_text(const struct grade_class *class,
                       const struct grade_row *row)
{
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);

    if (file == NULL)
        return NULL;
    if (!grade_row_is_decided(class, row))
        put_undecided(file, class, row);
    if (*row->unknown != '\0') {
        fprintf(file, "Not graded, since no lab has such a name: %s\n",
                row->unknown);
    }
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

/* Puts a text and how it is shown, and frees it. Returns 0, or -1 if it's NULL.
 */
static int put_output(struct output_json *json, char *text)
{
    if (text == NULL)
        return -1;
    output_json_text(json, "output", text);
    output_json_text(json, "output_format", "text");
    output_json_text(json, "visibility", "visible");
    free(text);
    return 0;
}

static int put_test(struct output_json *json, const struct grade_class *class,
                    const struct grade_row *row, int lab)
{
    const double points = grade_row_points(row, lab);
    const char *const name = class->lab[lab]->name;
    const char number[] = {name[0], name[1], '\0'};
    int failed;

    output_json_open(json, NULL, '{');
    output_json_number(json, "score", points);
    output_json_number(json, "max_score", class->of[lab]);
    output_json_text(json, "status",
                     points >= class->of[lab] ? "passed" : "failed");
    output_json_text(json, "name", name);
    output_json_text(json, "number", number);
    failed = put_output(json, grade_feedback_text(class, row, lab));
    output_json_close(json, '}');
    return failed;
}

static void put_extra(struct output_json *json, const struct grade_class *class,
                      const struct grade_row *row)
{
    output_json_open(json, "extra_data", '{');
    output_json_open(json, "verdicts", '{');
    for (int i = 0; i < class->labs; i++) {
        output_json_text(json, class->lab[i]->name,
                         grade_verdict_word[row->result[i].verdict]);
    }
    output_json_close(json, '}');
    output_json_text(json, "isolation", grade_isolation_name[class->isolation]);
    output_json_close(json, '}');
}

int grade_gradescope(FILE *to, const struct grade_class *class,
                     const struct grade_row *row)
{
    const double seconds = grade_row_seconds(class, row);
    struct output_json json = {.file = to};
    int failed;

    output_json_open(&json, NULL, '{');
    output_json_number(&json, "execution_time", round(seconds * 1e3) / 1e3);
    output_json_text(&json, "stdout_visibility", "hidden");
    failed = put_output(&json, head_text(class, row));
    if (grade_row_is_decided(class, row)) {
        output_json_number(&json, "score", grade_row_total(class, row));
        output_json_open(&json, "tests", '[');
        for (int i = 0; i < class->labs && !failed; i++)
            failed = put_test(&json, class, row, i);
        output_json_close(&json, ']');
    }
    put_extra(&json, class, row);
    output_json_close(&json, '}');
    return failed;
}
