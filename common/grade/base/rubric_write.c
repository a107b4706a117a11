#define _POSIX_C_SOURCE 200809L
#include "grade/base/rubric.h"

#include "base/values.h"

static void write_lab(FILE *to, const struct course_lab *lab,
                      const struct grade_rubric_lab *own)
{
    char text[40];
    struct tm due;

    fprintf(to, "\n[%s]%s\n", own->lab,
            lab->advanced ? "   # of the advanced track" : "");
    fprintf(to, "graded  %s\n", own->graded ? "yes" : "no");
    fputs("points ", to);
    for (int i = 0; i < GRADE_PARTS; i++) {
        fputc(' ', to);
        base_put_number(to, own->points[i]);
    }
    fputc('\n', to);
    if (own->due > 0 && localtime_r(&own->due, &due) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &due) > 0)
        fprintf(to, "due     %s\n", text);
    for (int k = 0; k < lab->measures; k++) {
        fprintf(to, "%s  full ", lab->measure[k].column);
        base_put_number(to, own->full[k]);
        fputs("  zero ", to);
        base_put_number(to, own->zero[k]);
        fputc('\n', to);
    }
}

void grade_rubric_write(FILE *to, const struct course_index *index,
                        const struct grade_rubric *rubric)
{
    fputs(
        "# What is worth how many points. What this file leaves out is as\n"
        "# labs/INDEX has it. make grade RUBRIC=FILE reads it; a changed\n"
        "# rubric grades anew.\n"
        "#\n"
        "#   right   by_share: points for right in proportion to the cases\n"
        "#           that are right; all_or_nothing: only if all are\n"
        "#   before  nothing: a kernel whose number is no better than before the\n"
        "#           lab earns nothing for being right and clean, which is the\n"
        "#           work of the labs before; earns: it does\n"
        "#   hidden  cases of each kernel whose sizes students do not see\n"
        "#   late    per cent of its points that a lab loses for each day that\n"
        "#           has begun since it was due; 0: nothing\n"
        "#   grace   days late that cost nothing. With grace 2 and late 10, a\n"
        "#           lab of 80 points has 72 when it comes 3 days late\n"
        "#   report  points that a person gives for the report and its answers,\n"
        "#           in manual.csv; 0: the grades have no column for it\n"
        "#\n"
        "# For each lab:\n"
        "#   graded  yes, or no: then it has no column in the grades. The labs\n"
        "#           of the advanced track say no until you write yes, which\n"
        "#           takes one in\n"
        "#   points  for: right in all cases, clean (no race, no access out\n"
        "#           of bounds, ...), the lab's number\n"
        "#   due     the day, as 2026-11-06, or with a time, 2026-11-06 18:00\n"
        "#   a number's name, then its value that earns all of its points\n"
        "#           and the one that earns none; between them the share of\n"
        "#           the way, of what should be little in its reciprocal. Where\n"
        "#           there are two numbers, each is half of the points.\n"
        "#           make lab-04 shows how they are counted.\n\n",
        to);
    fprintf(to, "right   %s\n",
            rubric->right_by_share ? "by_share" : "all_or_nothing");
    fprintf(to, "before  %s\n", rubric->before_earns ? "earns" : "nothing");
    fprintf(to, "hidden  %d\nlate    %d\ngrace   %d\nreport  %d\n",
            rubric->hidden_cases, rubric->late_percent, rubric->grace,
            rubric->report_points);
    for (int i = 0; i < rubric->labs; i++)
        write_lab(to, &index->lab[i], &rubric->lab[i]);
}
