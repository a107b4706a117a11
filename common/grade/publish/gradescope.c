/* What does Gradescope read of a result? Its results.json. */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/values.h"

/* What stands before all tests, or in the place of them, where points are
   missing; for free(). NULL without memory. */
static char *head_text(const struct grade_row *row)
{
    struct base_memory text;

    if (base_memory_open(&text) == NULL)
        return NULL;
    if (!grade_row_is_decided(row)) {
        fputs("The grader failed, not you: your points were not decided, and a "
              "person will look at it.\n\n",
              text.file);
        for (int i = 0; i < row->class->labs; i++)
            grade_feedback(text.file, row, i, GRADE_PLAIN);
    }
    if (*row->unknown != '\0') {
        fprintf(text.file, "Not graded, since no lab has such a name: %s\n",
                row->unknown);
    }
    return base_memory_close(&text);
}

/* Puts a text and how it is shown, and frees it. */
static void put_output(struct base_json *json, char *text)
{
    base_json_text(json, "output", text);
    base_json_text(json, "output_format", "text");
    base_json_text(json, "visibility", "visible");
    free(text);
}

static void put_test(struct base_json *json, const struct grade_row *row,
                     int lab)
{
    const struct grade_class *const class = row->class;
    const double points = grade_row_points(row, lab);

    base_json_open(json, NULL, '{');
    base_json_number(json, "score", points);
    base_json_number(json, "max_score", class->of[lab]);
    base_json_text(json, "status",
                   points >= class->of[lab] ? "passed" : "failed");
    base_json_text(json, "name",
                   lab < class->labs ? class->lab[lab]->name
                                     : class->title[lab]);
    if (lab < class->labs)
        base_json_text(json, "number", class->title[lab] + strlen("Lab "));
    put_output(json, grade_feedback_text(row, lab));
    base_json_close(json, '}');
}

void grade_gradescope(FILE *to, const struct grade_papers *papers,
                      const void *what)
{
    const struct grade_class *const class = papers->class;
    const struct grade_row *const row = what;
    struct base_json json = {.file = to};
    double seconds = 0.0;

    for (int i = 0; i < class->labs; i++)
        seconds += row->seconds[i];
    base_json_open(&json, NULL, '{');
    base_json_number(&json, "execution_time", round(seconds * 1e3) / 1e3);
    base_json_text(&json, "stdout_visibility", "hidden");
    put_output(&json, head_text(row));
    if (grade_row_is_decided(row)) {
        base_json_number(&json, "score", grade_row_total(row));
        base_json_open(&json, "tests", '[');
        for (int i = 0; i < class->columns; i++) {
            if (grade_row_is_settled(row, i))
                put_test(&json, row, i);
        }
        base_json_close(&json, ']');
    }
    base_json_open(&json, "extra_data", '{');
    base_json_open(&json, "verdicts", '{');
    for (int i = 0; i < class->labs; i++) {
        base_json_text(&json, class->lab[i]->name,
                       grade_verdict_word[row->result[i].verdict]);
    }
    base_json_close(&json, '}');
    base_json_text(&json, "isolation", grade_isolation_name[class->isolation]);
    base_json_close(&json, '}');
    base_json_close(&json, '}');
}

int grade_export_gradescope(const struct grade_papers *papers,
                            const char *given)
{
    (void)given;
    if (grade_papers_rows(papers, "export/gradescope", ".json",
                          grade_gradescope) != 0)
        return -1;
    fprintf(papers->tell, "  gradescope: %s/export/gradescope\n", papers->out);
    return 0;
}
