#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include "base/values.h"

/* --- one's own labs ------------------------------------------------------- */

static void tell_points(FILE *to, const char *what, const char *verdict,
                        double points, double of)
{
    fprintf(to, "  %-19s  %-12s  ", what, verdict);
    base_put_number(to, points);
    fputs(" of ", to);
    base_put_number(to, of);
    fputs(" points\n", to);
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

/* The verdicts by what one does about them. */
enum {
    FULL_OR_NOT, /* PASS */
    LOOK,        /* FLAG */
    UNCLEAN,
    WRONG,   /* FAIL, UNFINISHED */
    ENDED,   /* CRASH, MEMORY, TIME */
    NOT_RUN, /* COMPILE, REJECTED */
    MISSING,
    ERROR,
    GROUPS
};

static const int group_of[GRADE_VERDICTS] = {
    [GRADE_PASS] = FULL_OR_NOT, [GRADE_FLAG] = LOOK,
    [GRADE_UNCLEAN] = UNCLEAN,  [GRADE_FAIL] = WRONG,
    [GRADE_UNFINISHED] = WRONG, [GRADE_CRASH] = ENDED,
    [GRADE_MEMORY] = ENDED,     [GRADE_TIME] = ENDED,
    [GRADE_COMPILE] = NOT_RUN,  [GRADE_REJECTED] = NOT_RUN,
    [GRADE_MISSING] = MISSING,  [GRADE_GRADER_ERROR] = ERROR};

static void tell_lab(FILE *to, const struct grade_class *class, int lab)
{
    int count[GROUPS] = {0};
    double sum = 0.0, decided = 0.0;

    for (size_t i = 0; i < class->rows; i++) {
        const struct grade_row *const row = &class->row[i];

        count[group_of[row->result[lab].verdict]]++;
        if (grade_row_is_settled(row, lab)) {
            sum += grade_row_points(row, lab);
            decided += 1.0;
        }
    }
    fprintf(to, "  %-19.19s", class->lab[lab]->name);
    for (int g = 0; g < GROUPS; g++)
        fprintf(to, count[g] > 0 ? " %5d" : "     .", count[g]);
    fprintf(to, decided > 0.0 ? "  %6.1f\n" : "       -\n", sum / decided);
}

void grade_tell_class(const struct grade_papers *papers)
{
    const struct grade_class *const class = papers->class;
    FILE *const to = papers->tell;
    size_t flagged = 0;

    fprintf(to, "\n  %-19s %5s %5s %5s %5s %5s %5s %5s %5s  %6s\n", "", "pass",
            "flag", "uncl.", "wrong", "ended", "build", "none", "error",
            "mean");
    for (int i = 0; i < class->labs; i++)
        tell_lab(to, class, i);
    fputs("\n  flag: a person must look; uncl.: right, with a race or the "
          "like; wrong: FAIL\n  or UNFINISHED; ended: CRASH, MEMORY or TIME; "
          "build: COMPILE or REJECTED;\n  none: MISSING; error: "
          "the grader's own\n\n",
          to);
    for (size_t i = 0; i < class->rows; i++) {
        for (int k = 0; k < class->labs; k++) {
            flagged += class->row[i].result[k].flag_count > 0 &&
                       class->row[i].decision[k] == NULL;
        }
    }
    if (flagged > 0) {
        fprintf(to, "  %zu for a person to look at: see the column look_at\n",
                flagged);
    }
    fprintf(to, "  students: %zu; isolation: %s\n  grades: %s/grades.csv\n",
            class->rows, grade_isolation_name[class->isolation], papers->out);
}
