#define _POSIX_C_SOURCE 200809L
#include "grade/publish/feedback.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"
#include "base/memory.h"
#include "base/values.h"

static const char *const part_name[GRADE_PARTS] = {"right in every case",
                                                   "clean", "the lab's number"};

/* What a verdict means, and what to do about it; %s is the lab's number. */
static const struct {
    const char *means, *next;
} about[GRADE_VERDICTS] = {
    [GRADE_PASS] = {"Right in every case, and clean.", ""},
    [GRADE_FLAG] = {"Right in every case. A person has to look at it before "
                    "the lab's number counts.",
                    ""},
    [GRADE_UNCLEAN] = {"The results are right, but a check found what makes "
                       "that luck.",
                       "`make lab-%s` runs the same checks: begin with the "
                       "first line that it names."},
    [GRADE_FAIL] = {"Not right in every case.",
                    "`make lab-%s` tries the sizes that are not hidden and "
                    "says what a pattern of wrong elements suggests."},
    [GRADE_UNFINISHED] = {"Not right yet: TODOs are open.",
                          "`make lab-%s` lists the open TODOs; write one at a "
                          "time."},
    [GRADE_CRASH] = {"It was ended by an error.",
                     "`make lab-%s` names the line: look at each index there "
                     "for the last row and column, and at which memory a "
                     "pointer points to."},
    [GRADE_MEMORY] = {"It wanted more memory than there is for it.",
                      "Three matrices are all that a lab needs: look at each "
                      "allocation's size, and whether it is freed."},
    [GRADE_TIME] = {"It took too long.",
                    "`make lab-%s` with a small size, as M=16 N=16 K=16: does "
                    "a loop never end, or does a thread wait at a barrier "
                    "that another never reaches?"},
    [GRADE_COMPILE] = {"It does not compile.",
                       "`make lab-%s` shows the same messages; begin with the "
                       "first."},
    [GRADE_REJECTED] = {"It was not run.",
                        "Hand in the lab's file with the kernel and its "
                        "launch, and nothing that a lab does not need."},
    [GRADE_MISSING] = {"Nothing was handed in.", ""},
    [GRADE_GRADER_ERROR] = {"The grader failed, not you: no points were "
                            "decided, and a person will look at it.",
                            ""}};

/* --- pieces --------------------------------------------------------------- */

/* Points with at most two places: 12.5, 60. */
static void put_points(FILE *to, double points)
{
    base_put_number(to, round(points * 100.0) / 100.0);
}

/* A name on one line. */
static void put_name_line(FILE *to, const char *name, enum grade_form form)
{
    if (form == GRADE_MARKDOWN) {
        grade_text_markdown(to, name);
    } else {
        grade_text_name(to, name);
    }
}

/* A text of many lines, indented: code in Markdown, whatever stands in it. */
static void put_indented_text(FILE *to, const char *title, const char *text)
{
    if (text == NULL || *text == '\0')
        return;
    if (title != NULL)
        fprintf(to, "%s\n\n", title);
    grade_text_wrapped(to, text, "    ");
    fputc('\n', to);
}

static void put_points_lines(FILE *to, const struct grade_result *result)
{
    for (int i = 0; i < GRADE_PARTS; i++) {
        if (result->of[i] <= 0.0)
            continue;
        fputs("    ", to);
        put_points(to, result->points[i]);
        fputs(" of ", to);
        put_points(to, result->of[i]);
        fprintf(to, " points: %s\n", part_name[i]);
    }
    fputc('\n', to);
}

static void put_cases(FILE *to, const struct grade_result *result, int all)
{
    int right = 0;

    for (int i = 0; i < result->case_count; i++) {
        const enum grade_verdict v = result->cases[i].verdict;

        right += v == GRADE_PASS || v == GRADE_UNCLEAN || v == GRADE_FLAG;
    }
    if (result->case_count == 0)
        return;
    fprintf(to, "%d of %d cases are right:\n\n", right, result->case_count);
    for (int i = 0; i < result->case_count; i++) {
        const struct grade_case *const c = &result->cases[i];

        fprintf(to, "    %-10s ", grade_verdict_word[c->verdict]);
        grade_text_name(to, c->name);
        fputc('\n', to);
        if ((!c->hidden || all) && c->text != NULL && *c->text != '\0')
            grade_text_wrapped(to, c->text, "               ");
    }
    fputc('\n', to);
}

/* --- numbers -------------------------------------------------------------- */

static void put_measure(FILE *to, const struct grade_measure *m)
{
    fputs("    ", to);
    grade_text_name(to, m->column);
    if (!isfinite(m->value)) {
        fputs(": not counted", to);
    } else {
        fputs(": ", to);
        base_put_number(to, m->value);
    }
    fputs("\n        all points at ", to);
    base_put_number(to, m->full);
    fputs(m->full < m->zero ? " or less" : " or more", to);
    fputs(", none at ", to);
    base_put_number(to, m->zero);
    fputs("; here ", to);
    put_points(to, m->points);
    fputs(" of ", to);
    put_points(to, m->of);
    fputs(" points\n", to);
}

static void put_measures(FILE *to, const struct grade_result *result)
{
    if (result->measure_count == 0)
        return;
    fputs("The lab's number:\n\n", to);
    for (int i = 0; i < result->measure_count; i++)
        put_measure(to, &result->measures[i]);
    fputc('\n', to);
}

/* Is a point of the number missing, although all else is there? */
static int is_slow(const struct grade_result *result)
{
    return result->verdict == GRADE_PASS &&
           result->points[GRADE_NUMBER] < result->of[GRADE_NUMBER];
}

static void put_next(FILE *to, const struct course_lab *lab,
                     const struct grade_result *result)
{
    const char *const next = about[result->verdict].next;
    const char *const number = strstr(next, "%s");
    char text[600];
    int length = 0;

    if (*next == '\0' && !is_slow(result))
        return;
    if (number != NULL) {
        length = snprintf(text, sizeof text, "Next: %.*s%.2s%s",
                          (int)(number - next), next, lab->name, number + 2);
    } else {
        length = snprintf(text, sizeof text, "Next: %s", next);
    }
    if (is_slow(result)) {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "`make lab-%.2s VERBOSE=1` counts line by line, and "
                           "`make map-%.2s` draws which lane asks for what.",
                           lab->name, lab->name);
    }
    snprintf(text + length, sizeof text - (size_t)length,
             " Read Idea and Advice at the head of `labs/%s/%s.cu` again.",
             lab->name, lab->name + 3);
    grade_text_wrapped(to, text, "");
    fputc('\n', to);
}

/* --- a lab, a row --------------------------------------------------------- */

static void put_decision(FILE *to, const char *what,
                         const struct grade_decision *d)
{
    fprintf(to, "%s: ", what);
    put_points(to, d->points);
    fputs(" points.\n\n", to);
    put_indented_text(to, NULL, d->reason);
}

static void put_lateness(FILE *to, const struct grade_lateness *late)
{
    fprintf(
        to,
        "Handed in late, by %s%d day%s: it keeps %.0f %% of its points.\n\n",
        late->at_least ? "at least " : "", late->days,
        late->days == 1 ? "" : "s", 100.0 * late->share);
}

static void put_report(FILE *to, const struct grade_class *class,
                       const struct grade_row *row, enum grade_form form)
{
    if (class->columns == class->labs)
        return;
    fprintf(to, "%sreport: ", form == GRADE_MARKDOWN ? "## " : "");
    if (row->report_parts == 0) {
        fputs("not read yet\n\n", to);
        return;
    }
    put_points(to, grade_row_points(class, row, class->labs));
    fputs(" of ", to);
    put_points(to, class->of[class->labs]);
    fputs(" points\n\n", to);
    for (size_t i = 0; i < row->report_parts; i++)
        put_decision(to, row->report[i]->what, row->report[i]);
}

/* Not for students: it would say how to stay below what is noticed. */
static void put_flags(FILE *to, const struct grade_result *result)
{
    for (int i = 0; i < result->flag_count; i++) {
        put_indented_text(to, i == 0 ? "For a person to look at:" : NULL,
                          result->flags[i].text);
    }
}

void grade_feedback_lab(FILE *to, const struct grade_class *class,
                        const struct grade_row *row, int lab,
                        enum grade_form form, int all)
{
    const struct course_lab *const l = class->lab[lab];
    const struct grade_result *const result = &row->result[lab];

    fprintf(to, "%s%s: %s, ", form == GRADE_MARKDOWN ? "## " : "", l->name,
            grade_verdict_word[result->verdict]);
    put_points(to, grade_row_points(class, row, lab));
    fputs(" of ", to);
    put_points(to, class->of[lab]);
    fputs(" points\n\n", to);
    /* A kernel that is right and yet fails has a text that says why. */
    if (result->verdict == GRADE_MISSING && *row->unknown != '\0') {
        grade_text_wrapped(to, "No file of this lab's name was handed in.", "");
    } else if (result->verdict != GRADE_FAIL || result->text == NULL ||
               *result->text == '\0') {
        grade_text_wrapped(to, about[result->verdict].means, "");
    }
    fputc('\n', to);
    if (row->decision[lab] != NULL) {
        put_decision(to, "A person decided", row->decision[lab]);
    } else if (grade_row_days_late(row, lab) > 0) {
        put_lateness(to, &row->late[lab]);
    }
    if (result->verdict != GRADE_MISSING &&
        result->verdict != GRADE_GRADER_ERROR)
        put_points_lines(to, result);
    if (result->verdict != GRADE_GRADER_ERROR || all)
        put_indented_text(to, NULL, result->text);
    if (all)
        put_flags(to, result);
    put_cases(to, result, all);
    put_indented_text(to, "What the checks found:", result->findings);
    put_measures(to, result);
    put_indented_text(to, "What it costs:", result->costs);
    put_next(to, l, result);
}

void grade_feedback_row(FILE *to, const struct grade_class *class,
                        const struct grade_row *row, enum grade_form form,
                        int all)
{
    double of = 0.0;

    for (int i = 0; i < class->columns; i++)
        of += class->of[i];
    fputs(form == GRADE_MARKDOWN ? "# " : "", to);
    put_name_line(to, *row->name != '\0' ? row->name : row->student, form);
    if (*row->name != '\0') {
        fputs(" (", to);
        put_name_line(to, row->student, form);
        fputc(')', to);
    }
    fputs("\n\n", to);
    put_points(to, grade_row_total(class, row));
    fputs(" of ", to);
    put_points(to, of);
    fprintf(to, " points%s. Isolation: %s.\n\n",
            grade_row_is_decided(class, row) ? "" : ", which is not all yet",
            grade_isolation_name[class->isolation]);
    if (!row->listed)
        fputs("This name is not on the course's roster.\n\n", to);
    put_indented_text(
        to,
        "These were handed in and not graded, since no lab has such a "
        "name:",
        row->unknown);
    for (int i = 0; i < class->labs; i++)
        grade_feedback_lab(to, class, row, i, form, all);
    put_report(to, class, row, form);
}

char *grade_feedback_text(const struct grade_class *class,
                          const struct grade_row *row, int lab)
{
    struct base_memory text;

    if (base_memory_open(&text) == NULL)
        return NULL;
    if (lab == class->labs) {
        put_report(text.file, class, row, GRADE_PLAIN);
    } else if (lab >= 0) {
        grade_feedback_lab(text.file, class, row, lab, GRADE_PLAIN, 0);
    } else {
        grade_feedback_row(text.file, class, row, GRADE_PLAIN, 0);
    }
    return base_memory_close(&text);
}
