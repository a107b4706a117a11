/* What does the screen show of a graded class, or of one's own work? */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "grade/base/text.h"
#include "grade/intake/names.h"

enum {
    MOST_NAMES = 20 /* of students */
};

/* --- one's own labs ------------------------------------------------------- */

static void tell_points(FILE *to, const char *what, const char *verdict,
                        double points, double of)
{
    fprintf(to, "  %-19s  %-12s  %.10g of %.10g points\n", what, verdict,
            points, of);
}

void grade_tell_own(const struct grade_papers *papers, int is_whole)
{
    const struct grade_class *const class = papers->class;
    const struct grade_row *const row = &class->row[0];
    double of = 0.0;

    for (int k = 0; k < class->labs; k++) {
        of += class->of[k];
        if (is_whole || !grade_row_is_full(row, k)) {
            grade_feedback(papers->tell, row, k,
                           is_whole ? GRADE_WHOLE : GRADE_PLAIN);
        }
    }
    for (int k = 0; k < class->labs; k++) {
        tell_points(papers->tell, class->lab[k]->name,
                    grade_verdict_word[row->result[k].verdict],
                    grade_row_points(row, k), class->of[k]);
    }
    tell_points(papers->tell, "all", "", grade_row_total(row), of);
    if (class->isolation != GRADE_BOXED) {
        fprintf(papers->tell, "  isolation: %s\n",
                grade_isolation_name[class->isolation]);
    }
}

/* --- a class -------------------------------------------------------------- */

/* How many have each verdict, and the mean of what was decided. */
static void tell_lab(FILE *to, const struct grade_class *class, int lab)
{
    size_t count[GRADE_VERDICTS] = {0}, decided = 0;
    const char *separator = ": ";
    struct base_memory memory;
    double sum = 0.0;
    char *text;

    if (base_memory_open(&memory) == NULL)
        return;
    for (size_t i = 0; i < class->rows; i++) {
        const struct grade_row *const row = &class->row[i];

        count[row->result[lab].verdict]++;
        if (grade_row_is_settled(row, lab)) {
            sum += grade_row_points(row, lab);
            decided++;
        }
    }
    fprintf(memory.file, "%s", class->lab[lab]->name);
    for (int v = 0; v < GRADE_VERDICTS; v++) {
        if (count[v] == 0)
            continue;
        fprintf(memory.file, "%s%zu %s", separator, count[v],
                grade_verdict_word[v]);
        separator = ", ";
    }
    if (decided > 0)
        fprintf(memory.file, "; mean %.1f", sum / (double)decided);
    text = base_memory_close(&memory);
    grade_text_wrapped(to, text != NULL ? text : class->lab[lab]->name, "  ");
    free(text);
}

/* Points by hand that are more than there are: they count; it may be a slip. */
static void tell_too_many(FILE *to, const struct grade_class *class)
{
    for (size_t i = 0; i < class->rows; i++) {
        const struct grade_row *const row = &class->row[i];

        for (int k = 0; k < class->columns; k++) {
            if (grade_row_points(row, k) <= class->of[k])
                continue;
            fputs("  manual.csv gives ", to);
            grade_text_name(to, row->student);
            fprintf(to, " %.10g of %.10g points for %s\n",
                    grade_row_points(row, k), class->of[k], class->title[k]);
        }
    }
}

void grade_tell_class(const struct grade_papers *papers)
{
    const struct grade_class *const class = papers->class;
    FILE *const to = papers->tell;
    struct grade_names doubtful = {
        to,
        "  without points until you look at what they handed in: ", MOST_NAMES,
        0};
    size_t flagged = 0;

    fputc('\n', to);
    for (int i = 0; i < class->labs; i++)
        tell_lab(to, class, i);
    fputc('\n', to);
    for (size_t i = 0; i < class->rows; i++) {
        for (int k = 0; k < class->labs; k++) {
            flagged += (size_t)grade_row_wants_a_look(&class->row[i], k);
        }
    }
    if (flagged > 0) {
        fprintf(to, "  %zu for a person to look at: see the column look_at\n",
                flagged);
    }
    for (size_t i = 0; i < class->rows; i++) {
        int k = 0;

        while (k < class->labs && !grade_row_is_doubtful(&class->row[i], k))
            k++;
        if (k < class->labs)
            grade_names_tell(&doubtful, class->row[i].student);
    }
    grade_names_end(&doubtful, "\n");
    tell_too_many(to, class);
    fprintf(to, "  students: %zu; isolation: %s\n  grades: %s/grades.csv\n",
            class->rows, grade_isolation_name[class->isolation], papers->out);
}
