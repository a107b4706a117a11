#include "measure.h"

#include "base/language.h"
#include "base/wrap.h"

#include <math.h>
#include <string.h>

enum { /* columns, with a blank before a number */
    LABEL = 31,
    NUMBER = 11
};

/* Counts are divided: the quotient may be off by a rounding error. */
static const double rounding = 1e-9;

const char *lab_measure_label(const struct course_lab *lab, const char *column,
                              char text[LAB_LABEL_TEXT])
{
    const int i = lab_counter_find(column);
    const char *const label = i >= 0 ? lab_counters[i].label : column;
    const char *const fma = strstr(label, "multiply-add");

    if (lab->problem == NULL || fma == NULL) {
        snprintf(text, LAB_LABEL_TEXT, "%s", label);
    } else {
        snprintf(text, LAB_LABEL_TEXT, "%.*selement", (int)(fma - label),
                 label);
    }
    return text;
}

struct lab_score lab_measure_score(const struct course_measure *measure,
                                   const double counter[LAB_COUNTERS])
{
    const int i = lab_counter_find(measure->column);
    const double full = measure->full;
    struct lab_score score = {.value = i >= 0 ? counter[i] : (double)NAN};

    /* No measure of any lab can rightly be 0, but for a share of which nothing
       is there yet: a 0 says that nothing was seen. */
    score.seen = i >= 0 && lab_counters[i].unit == LAB_UNIT_SHARE
                     ? score.value >= 0.0
                     : score.value > 0.0;
    if (!score.seen)
        return score;
    if (full < measure->zero) {
        score.reached = score.value <= full * (1.0 + rounding);
    } else {
        score.reached = score.value >= full * (1.0 - rounding);
    }
    return score;
}

int lab_measures_reached(const struct course_lab *lab,
                         const double counter[LAB_COUNTERS])
{
    return lab->measures == 0 ? -1 : lab_measure_missed(lab, counter) == NULL;
}

const struct course_measure *
lab_measure_missed(const struct course_lab *lab,
                   const double counter[LAB_COUNTERS])
{
    for (int i = 0; i < lab->measures; i++) {
        if (!lab_measure_score(&lab->measure[i], counter).reached)
            return &lab->measure[i];
    }
    return NULL;
}

int lab_measure_entry(const struct course_lab *lab)
{
    for (int i = 0; i < lab->entries; i++) {
        if (lab->entry[i].kind != COURSE_HOST)
            return i;
    }
    return -1;
}

void lab_measure_value(char *text, size_t size, const char *column,
                       double value)
{
    const int i = lab_counter_find(column);
    const enum lab_unit unit = i >= 0 ? lab_counters[i].unit : LAB_UNIT_NUMBER;

    if (unit == LAB_UNIT_PERCENT || unit == LAB_UNIT_SHARE) {
        snprintf(text, size, "%.3g %%", 100.0 * value);
    } else if (unit == LAB_UNIT_COUNT) {
        snprintf(text, size, "%.0f", value);
    } else if (value >= 10.0) {
        snprintf(text, size, "%.4g", value);
    } else {
        snprintf(text, size, "%.*f", value < 0.1 ? 4 : 3, value);
    }
}

/* A label that is too long for its column goes on into the blanks of the number
   behind it, or has a line of its own. */
static void print_label(FILE *stream, const char *label, const char *number)
{
    const int columns = (int)base_columns(label, strlen(label));
    const int room =
        LABEL + NUMBER - 1 - (int)base_columns(number, strlen(number));
    const int width = columns > LABEL && columns <= room ? columns : LABEL;

    if (columns > width)
        fprintf(stream, "  %s\n", label);
    fputs("  ", stream);
    base_cell(stream, -width, columns > width ? "" : label);
    base_cell(stream, LABEL + NUMBER - width, number);
}

void lab_measures_print(FILE *stream, const char *title,
                        const struct course_lab *lab,
                        const double counter[LAB_COUNTERS], const char *no_goal)
{
    if (lab->measures > 0) {
        fputs("  ", stream);
        base_cell(stream, -LABEL, title);
        base_cell(stream, NUMBER, _("before"));
        base_cell(stream, NUMBER, _("now"));
        base_cell(stream, no_goal == NULL ? NUMBER : 0,
                  no_goal == NULL ? _("goal") : "");
        fputc('\n', stream);
    }
    for (int i = 0; i < lab->measures; i++) {
        const struct course_measure *measure = &lab->measure[i];
        const struct lab_score score = lab_measure_score(measure, counter);
        const char *const column = measure->column;
        char label[LAB_LABEL_TEXT];
        char before[32] = "-", value[32] = "", goal[32];

        if (measure->before >= 0.0)
            lab_measure_value(before, sizeof before, column, measure->before);
        if (score.seen)
            lab_measure_value(value, sizeof value, column, score.value);
        lab_measure_value(goal, sizeof goal, column, measure->full);
        print_label(stream, _(lab_measure_label(lab, column, label)), before);
        base_cell(stream, NUMBER, score.seen ? value : _("none seen"));
        if (no_goal != NULL) {
            fputc('\n', stream);
        } else {
            fprintf(stream, " %10s  %s\n", goal,
                    score.reached ? _("reached") : _("not yet"));
        }
    }
    if (lab->measures > 0 && no_goal != NULL && no_goal[0] != '\0')
        fprintf(stream, _("  (no goal: %s)\n"), no_goal);
}
