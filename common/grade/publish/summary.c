#include "grade/publish/exports.h"

#include "grade/base/text.h"

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

static void write_lab(FILE *to, const struct grade_class *class, int lab)
{
    int count[GROUPS] = {0};
    double sum = 0.0, decided = 0.0;

    for (size_t i = 0; i < class->rows; i++) {
        const struct grade_row *const row = &class->row[i];
        const int group = group_of[row->result[lab].verdict];

        count[group]++;
        if (group == ERROR && row->decision[lab] == NULL)
            continue;
        sum += grade_row_points(class, row, lab);
        decided += 1.0;
    }
    fprintf(to, "  %-19.19s", class->lab[lab]->name);
    for (int g = 0; g < GROUPS; g++) {
        if (count[g] > 0) {
            fprintf(to, " %5d", count[g]);
        } else {
            fprintf(to, " %5s", ".");
        }
    }
    if (decided > 0.0) {
        fprintf(to, "  %6.1f\n", sum / decided);
    } else {
        fprintf(to, "  %6s\n", "-");
    }
}

void grade_summary(FILE *to, const struct grade_class *class)
{
    if (class->rows == 0)
        return;
    fprintf(to, "\n  %-19s %5s %5s %5s %5s %5s %5s %5s %5s  %6s\n", "", "pass",
            "flag", "uncl.", "wrong", "ended", "build", "none", "error",
            "mean");
    for (int i = 0; i < class->labs; i++)
        write_lab(to, class, i);
    fputs("\n  flag: a person must look; uncl.: right, with a race or the "
          "like; wrong: FAIL\n  or UNFINISHED; ended: CRASH, MEMORY or TIME; "
          "build: COMPILE or REJECTED;\n  none: MISSING; error: "
          "the grader's own\n",
          to);
}
