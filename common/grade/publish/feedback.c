/* What is a student told about each lab? */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/memory.h"
#include "grade/base/text.h"
#include "simt/report_message.h"

static const char *const part_name[GRADE_PARTS] = {
    N_("right in every case"), N_("clean"), N_("the lab's number")};

/* What a verdict means, and what to do about it; # is the lab's number. */
static const struct {
    const char *means, *next;
} about[GRADE_VERDICTS] = {
    [GRADE_PASS] = {N_("Right in every case, and clean."), ""},
    [GRADE_FLAG] = {N_("Right in every case. A person has to look at it before "
                       "the lab's number counts."),
                    ""},
    [GRADE_UNCLEAN] = {N_("The results are right, but a check found what makes "
                          "that luck."),
                       N_("`make lab-#` runs the same checks: begin with the "
                          "first line that it names.")},
    [GRADE_FAIL] = {N_("Not right in every case."),
                    N_("`make lab-#` tries the sizes that are not hidden and "
                       "says what a pattern of wrong elements suggests.")},
    [GRADE_UNFINISHED] =
        {N_("Not right yet: TODOs are open."),
         N_("`make lab-#` lists the open TODOs; write one at a "
            "time.")},
    [GRADE_CRASH] = {N_("It was ended by an error."),
                     N_("`make lab-#` names the line: look at each index there "
                        "for the last row and column, and at which memory a "
                        "pointer points to.")},
    [GRADE_MEMORY] =
        {N_("It wanted more memory than there is for it."),
         N_("Three matrices are all that a lab needs: look at each "
            "allocation's size, and whether it is freed.")},
    [GRADE_TIME] =
        {N_("It took too long."),
         N_("`make lab-#` with a small size, as M=16 N=16 K=16: does "
            "a loop never end, or does a thread wait at a barrier "
            "that another never reaches?")},
    [GRADE_COMPILE] =
        {N_("It does not compile."),
         N_("`make lab-#` shows the same messages; begin with the "
            "first.")},
    [GRADE_REJECTED] = {N_("It was not run."),
                        N_("Hand in the lab's file with the kernel and its "
                           "launch, and nothing that a lab does not need.")},
    [GRADE_MISSING] = {N_("Nothing was handed in."), ""},
    [GRADE_GRADER_ERROR] = {N_("The grader failed, not you: no points were "
                               "decided, and a person will look at it."),
                            ""}};

/* The same where all is there but a point of the lab's number. */
static const char *const slow =
    N_("`make lab-# VERBOSE=1` counts line by line, and `make map-#` draws "
       "which lane asks for what.");

/* --- pieces --------------------------------------------------------------- */

/* Points with at most two places: 12.5, 60. */
static double rounded(double points)
{
    return round(points * 100.0) / 100.0;
}

/* A text of many lines, indented: code in Markdown, whatever stands in it. */
static void put_indented_text(FILE *to, const char *title, const char *text)
{
    if (text == NULL || *text == '\0')
        return;
    fprintf(to, *title != '\0' ? "%s\n\n" : "%s", title);
    grade_text_wrapped(to, text, "    ");
    fputc('\n', to);
}

static void put_points_lines(FILE *to, const struct grade_result *result)
{
    for (int i = 0; i < GRADE_PARTS; i++) {
        if (result->of[i] <= 0.0)
            continue;
        fprintf(to, _("    %.10g of %.10g points: %s\n"),
                rounded(result->points[i]), rounded(result->of[i]),
                _(part_name[i]));
    }
    fputc('\n', to);
}

static void put_cases(FILE *to, const struct grade_result *result, int all)
{
    size_t right = 0;

    for (size_t i = 0; i < result->case_count; i++) {
        const enum grade_verdict v = result->cases[i].verdict;

        right += v == GRADE_PASS || v == GRADE_UNCLEAN || v == GRADE_FLAG;
    }
    if (result->case_count == 0)
        return;
    fprintf(to, _("%zu of %zu cases are right:\n\n"), right,
            result->case_count);
    for (size_t i = 0; i < result->case_count; i++) {
        const struct grade_case *const c = &result->cases[i];

        fprintf(to, "    %-10s ", grade_verdict_word[c->verdict]);
        grade_text_name(to, c->name);
        fputc('\n', to);
        if ((!c->hidden || all) && c->text != NULL && *c->text != '\0')
            grade_text_wrapped(to, c->text, "               ");
    }
    fputc('\n', to);
}

static void put_measures(FILE *to, const struct grade_result *result)
{
    if (result->measure_count > 0)
        fputs(_("The lab's number:\n\n"), to);
    for (size_t i = 0; i < result->measure_count; i++) {
        const struct grade_measure *const m = &result->measures[i];

        fputs("    ", to);
        grade_text_name(to, m->column);
        fprintf(to, isfinite(m->value) ? ": %.10g\n" : _(": not counted\n"),
                m->value);
        fprintf(to,
                m->full < m->zero
                    ? _("        all points at %.10g or less, none at %.10g; "
                        "here %.10g of %.10g points\n")
                    : _("        all points at %.10g or more, none at %.10g; "
                        "here %.10g of %.10g points\n"),
                m->full, m->zero, rounded(m->points), rounded(m->of));
    }
    if (result->measure_count > 0)
        fputc('\n', to);
}

/* What to do next: by the verdict, and, where all is there but a point of the
   number, about that. */
static void put_next(FILE *to, const struct course_lab *lab,
                     const struct grade_result *result)
{
    const int is_slow = result->verdict == GRADE_PASS &&
                        result->points[GRADE_NUMBER] < result->of[GRADE_NUMBER];
    const char *const next = is_slow ? _(slow) : _(about[result->verdict].next);
    struct base_memory memory;
    char *text;

    if (*next == '\0' || base_memory_open(&memory) == NULL)
        return;
    fputs(_("Next: "), memory.file);
    for (const char *c = next; *c != '\0'; c++) {
        if (*c == '#') {
            fprintf(memory.file, "%.2s", lab->name);
        } else {
            fputc(*c, memory.file);
        }
    }
    fprintf(memory.file,
            _(" Read Idea and Advice at the head of `labs/%s/%s.cu` again."),
            lab->name, lab->name + 3);
    text = base_memory_close(&memory);
    grade_text_wrapped(to, text != NULL ? text : next, "");
    fputc('\n', to);
    free(text);
}

/* --- a lab, the report, a row --------------------------------------------- */

static void put_decision(FILE *to, const char *what,
                         const struct grade_decision *d)
{
    fprintf(to, _("%s: %.10g points.\n\n"), what, rounded(d->points));
    put_indented_text(to, "", d->reason);
}

/* What is wrong with the answers: with the report, if that has points. */
static void put_answers_wrong(FILE *to, const struct grade_row *row)
{
    put_indented_text(to, _("Of your answers, these are not taken:"),
                      row->answers_wrong);
}

static void put_report(FILE *to, const struct grade_row *row)
{
    fputs(_("report: "), to);
    if (row->report_parts == 0) {
        fputs(_("not read yet\n\n"), to);
        put_answers_wrong(to, row);
        return;
    }
    fprintf(to, _("%.10g of %.10g points\n\n"),
            grade_row_points(row, row->class->labs),
            rounded(row->class->of[row->class->labs]));
    put_answers_wrong(to, row);
    for (size_t i = 0; i < row->report_parts; i++)
        put_decision(to, row->report[i]->what, row->report[i]);
}

/* Above the cases: what the verdict means, or was decided by a person. */
static void put_verdict(FILE *to, const struct grade_row *row, int lab)
{
    const struct grade_result *const result = &row->result[lab];
    const struct grade_lateness *const late = &row->late[lab];

    /* A kernel that is right and yet fails has a text that says why. */
    if (grade_row_is_doubtful(row, lab)) {
        fputs(_("What was handed in may be this lab: a person will look at "
                "it, and decide.\n"),
              to);
    } else if (result->verdict == GRADE_MISSING && *row->unknown != '\0') {
        fputs(_("No file of this lab's name was handed in.\n"), to);
    } else if (result->verdict != GRADE_FAIL || result->text == NULL ||
               *result->text == '\0') {
        grade_text_wrapped(to, _(about[result->verdict].means), "");
    }
    fputc('\n', to);
    if (row->decision[lab] != NULL) {
        put_decision(to, _("A person decided"), row->decision[lab]);
    } else if (grade_row_days_late(row, lab) > 0) {
        fprintf(to,
                _("Handed in late, by %s%d day%s: it keeps %.0f %% of its "
                  "points.\n\n"),
                late->at_least ? _("at least ") : "", late->days,
                late->days == 1 ? "" : "s", 100.0 * late->share);
    }
}

/* What the device said, message by message: a further line is indented. */
static void put_findings(FILE *to, const char *findings)
{
    struct base_memory memory;
    char message[3000], said[6000], *text;

    if (findings == NULL || base_memory_open(&memory) == NULL)
        return;
    while (*findings != '\0') {
        const char *end = findings;

        do {
            end += strcspn(end, "\n");
            end += *end == '\n';
        } while (*end == ' ');
        snprintf(message, sizeof message, "%.*s", (int)(end - findings),
                 findings);
        simt_message_say(said, sizeof said, message);
        fputs(said, memory.file);
        findings = end;
    }
    text = base_memory_close(&memory);
    put_indented_text(to, _("What the checks found:"), text);
    free(text);
}

static void put_lab(FILE *to, const struct grade_row *row, int lab, int all)
{
    const struct course_lab *const l = row->class->lab[lab];
    const struct grade_result *const result = &row->result[lab];
    const int is_fault = result->verdict == GRADE_GRADER_ERROR;

    fprintf(to, "%s: %s, ", l->name, grade_verdict_word[result->verdict]);
    if (grade_row_is_settled(row, lab)) {
        fprintf(to, _("%.10g of %.10g points\n\n"), grade_row_points(row, lab),
                rounded(row->class->of[lab]));
    } else if (grade_row_is_excused(row, lab)) {
        fputs(_("excused\n\n"), to);
    } else {
        fputs(_("no points were decided\n\n"), to);
    }
    put_verdict(to, row, lab);
    if (result->verdict != GRADE_MISSING && !is_fault)
        put_points_lines(to, result);
    if (!is_fault || all)
        put_indented_text(to, "", result->text);
    /* Not for students: it would say how to stay below what is noticed. */
    for (size_t i = 0; i < result->flag_count && all; i++) {
        put_indented_text(to, i == 0 ? "For a person to look at:" : "",
                          result->flags[i]);
    }
    put_cases(to, result, all);
    put_findings(to, result->findings);
    put_measures(to, result);
    put_indented_text(to, _("What it costs:"), result->costs);
    put_next(to, l, result);
}

/* Is a column told of? Not a lab that most of the class has not handed in yet,
   if there is nothing of it here either. */
static int is_told(const struct grade_row *row, int column)
{
    const struct grade_result *const r = &row->result[column];

    return column == row->class->labs || !row->class->withheld[column] ||
           grade_row_is_there(row, column) ||
           (r->text != NULL && *r->text != '\0');
}

/* The points of what is decided, and what is not. */
static void put_sum(FILE *to, const struct grade_row *row)
{
    const struct grade_class *const class = row->class;
    const char *separator = _(" Not decided yet: ");
    double of = 0.0;

    for (int i = 0; i < class->columns; i++) {
        if (is_told(row, i) && grade_row_is_settled(row, i))
            of += class->of[i];
    }
    fprintf(to, _("%.10g of %.10g points."), grade_row_total(row), rounded(of));
    for (int i = 0; i < class->columns; i++) {
        if (!is_told(row, i) || grade_row_is_settled(row, i) ||
            (i < class->labs && grade_row_is_excused(row, i)))
            continue;
        fprintf(to, "%s%s", separator, class->title[i]);
        separator = ", ";
    }
    fputs(*separator == ',' ? "." : "", to);
}

static void put_head(FILE *to, const struct grade_row *row,
                     enum grade_form form)
{
    void (*const put_name)(FILE *, const char *) =
        form == GRADE_MARKDOWN ? grade_text_markdown : grade_text_name;

    fputs(form == GRADE_MARKDOWN ? "# " : "", to);
    put_name(to, *row->name != '\0' ? row->name : row->student);
    if (*row->name != '\0') {
        fputs(" (", to);
        put_name(to, row->student);
        fputc(')', to);
    }
    fputs("\n\n", to);
    put_sum(to, row);
    fprintf(to, _(" Isolation: %s.\n\n"),
            grade_isolation_name[row->class->isolation]);
    grade_tell_team(to, row, _("Handed in together with "), ".\n\n");
    if (!row->listed)
        fputs(_("This name is not on the course's roster.\n\n"), to);
    put_indented_text(
        to,
        _("These were handed in and not graded, since no lab has such a name:"),
        row->unknown);
    if (row->class->columns == row->class->labs)
        put_answers_wrong(to, row);
}

void grade_feedback(FILE *to, const struct grade_row *row, int column,
                    enum grade_form form)
{
    if (column == GRADE_ALL)
        put_head(to, row, form);
    for (int i = 0; i < row->class->columns; i++) {
        if (column == GRADE_ALL ? !is_told(row, i) : column != i)
            continue;
        fputs(form == GRADE_MARKDOWN ? "## " : "", to);
        if (i == row->class->labs) {
            put_report(to, row);
        } else {
            put_lab(to, row, i, form == GRADE_WHOLE);
        }
    }
}

char *grade_feedback_text(const struct grade_row *row, int column)
{
    struct base_memory text;

    if (base_memory_open(&text) == NULL)
        return NULL;
    grade_feedback(text.file, row, column, GRADE_PLAIN);
    return base_memory_close(&text);
}
