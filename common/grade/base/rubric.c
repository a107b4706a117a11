#define _GNU_SOURCE
#include "grade/base/rubric.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/refuse.h"
#include "base/values.h"
#include "grade/base/late.h"

enum {
    WORDS = 8,                   /* of a line; no line needs more */
    LINES = 8 + COURSE_MEASURES, /* of a part; none has as many */
    MOST_POINTS = 100000
};

struct reading {
    const char *path;
    const struct course_index *index;
    struct grade_rubric *rubric;
    const struct course_lab *lab; /* whose part this is; NULL: the head */
    struct grade_rubric_lab *own; /* its place in rubric */
    int line;
    const char *seen[LINES], **next_seen; /* the first words of this part */
    int begun[COURSE_LABS];               /* 1: this lab had its part */
    char *why;
    size_t size;
};

/* Writes "path:line: " and the message. Returns -1. */
__attribute__((format(printf, 2, 3))) static int
bad_line(const struct reading *at, const char *format, ...)
{
    char message[400];
    va_list values;

    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return base_refuse(at->why, at->size, "%s:%d: %s", at->path, at->line,
                       message);
}

void grade_rubric_default(const struct course_index *index,
                          struct grade_rubric *rubric)
{
    *rubric = (struct grade_rubric){
        .labs = index->labs, .right_by_share = 1, .hidden_cases = 2};
    for (int i = 0; i < index->labs; i++) {
        const struct course_lab *const lab = &index->lab[i];
        struct grade_rubric_lab *const own = &rubric->lab[i];

        snprintf(own->lab, sizeof own->lab, "%s", lab->name);
        own->points[GRADE_RIGHT] = lab->points.right;
        own->points[GRADE_CLEAN] = lab->points.clean;
        own->points[GRADE_NUMBER] = lab->points.measure;
        own->graded = !lab->advanced;
        for (int k = 0; k < lab->measures; k++) {
            own->full[k] = lab->measure[k].full;
            own->zero[k] = lab->measure[k].zero;
        }
    }
}

const struct grade_rubric_lab *
grade_rubric_find(const struct grade_rubric *rubric, const char *lab)
{
    for (int i = 0; i < rubric->labs; i++) {
        if (strcmp(rubric->lab[i].lab, lab) == 0)
            return &rubric->lab[i];
    }
    return NULL;
}

static int read_finite_number(const char *word, double *number)
{
    char *end;

    *number = strtod(word, &end);
    return end == word || *end != '\0' || !isfinite(*number) ? -1 : 0;
}

/* A line of two words, the second one or the other: 1 or 0 in *value. */
static int read_choice(const struct reading *at, char **word, int words,
                       const char *yes, const char *no, int *value)
{
    if (words != 2 || (strcmp(word[1], yes) != 0 && strcmp(word[1], no) != 0)) {
        return bad_line(at, "write '%s %s' or '%s %s'", word[0], yes, word[0],
                        no);
    }
    *value = strcmp(word[1], yes) == 0;
    return 0;
}

/* A line of a word and a whole number from 0 to most. */
static int read_whole(const struct reading *at, char **word, int words,
                      int most, int *value)
{
    double number;

    if (words != 2 || read_finite_number(word[1], &number) != 0 || number < 0 ||
        number > most || number != floor(number)) {
        return bad_line(at, "write '%s' and a whole number from 0 to %d",
                        word[0], most);
    }
    *value = (int)number;
    return 0;
}

static int read_head(const struct reading *at, char **word, int words)
{
    const struct {
        const char *word;
        int most, *value;
    } whole[] = {{"hidden", 20, &at->rubric->hidden_cases},
                 {"grace", 365, &at->rubric->grace},
                 {"late", 100, &at->rubric->late_percent},
                 {"report", MOST_POINTS, &at->rubric->report_points}};

    if (strcmp(word[0], "right") == 0) {
        return read_choice(at, word, words, "by_share", "all_or_nothing",
                           &at->rubric->right_by_share);
    }
    if (strcmp(word[0], "before") == 0) {
        return read_choice(at, word, words, "earns", "nothing",
                           &at->rubric->before_earns);
    }
    for (int i = 0; i < (int)(sizeof whole / sizeof *whole); i++) {
        if (strcmp(word[0], whole[i].word) == 0) {
            return read_whole(at, word, words, whole[i].most, whole[i].value);
        }
    }
    return bad_line(
        at,
        "'%.60s' is not known here: use right, before, hidden, grace, late or "
        "report, or begin a lab's part with its name, as in [%s]",
        word[0], at->index->lab[0].name);
}

/* "due 2026-11-06" or "due 2026-11-06 18:00" */
static int read_due(const struct reading *at, char **word, int words)
{
    char text[80] = "";

    if (words == 2 || words == 3) {
        snprintf(text, sizeof text, "%.20s%s%.20s", word[1],
                 words == 3 ? " " : "", words == 3 ? word[2] : "");
    }
    at->own->due = grade_time_read(text);
    if (at->own->due <= 0) {
        return bad_line(at, "write a day, as in 'due 2026-11-06', or with a "
                            "time, as in 'due 2026-11-06 18:00'");
    }
    return 0;
}

static int read_points(const struct reading *at, char **word, int words)
{
    double points[GRADE_PARTS];

    for (int i = 0; i < GRADE_PARTS; i++) {
        if (words != 1 + GRADE_PARTS ||
            read_finite_number(word[1 + i], &points[i]) != 0 ||
            points[i] < 0.0 || points[i] > MOST_POINTS) {
            return bad_line(at, "write the points for right, clean and the "
                                "number, none below 0, as in 'points 60 20 "
                                "20'");
        }
    }
    if (points[GRADE_NUMBER] > 0.0 && at->lab->measures == 0) {
        return bad_line(at,
                        "%s has no number to reach, so it has no points "
                        "for it: write 0 as the third",
                        at->lab->name);
    }
    memcpy(at->own->points, points, sizeof points);
    return 0;
}

/* "COLUMN full 1 zero 0.25" */
static int read_measure(const struct reading *at, int k, char **word, int words)
{
    double full, zero;

    if (words != 5 || strcmp(word[1], "full") != 0 ||
        read_finite_number(word[2], &full) != 0 ||
        strcmp(word[3], "zero") != 0 ||
        read_finite_number(word[4], &zero) != 0) {
        return bad_line(at, "write '%s full F zero Z' with two numbers",
                        word[0]);
    }
    if (!(full < zero || full > zero)) {
        return bad_line(at,
                        "%s: full and zero are the same, so there is "
                        "nothing between them",
                        word[0]);
    }
    at->own->full[k] = full;
    at->own->zero[k] = zero;
    return 0;
}

static int read_own(const struct reading *at, char **word, int words)
{
    char known[300] = "";

    if (strcmp(word[0], "graded") == 0) {
        if (words == 2 && strcmp(word[1], "yes") == 0 &&
            at->lab->needs.what != NULL) {
            return bad_line(at,
                            "%s needs %s of a GPU, and labs are graded on the "
                            "CPU device: write 'graded no'",
                            at->lab->name, at->lab->needs.what);
        }
        return read_choice(at, word, words, "yes", "no", &at->own->graded);
    }
    if (strcmp(word[0], "points") == 0)
        return read_points(at, word, words);
    if (strcmp(word[0], "due") == 0)
        return read_due(at, word, words);
    for (int k = 0; k < at->lab->measures; k++) {
        const size_t length = strlen(known);

        if (strcmp(word[0], at->lab->measure[k].column) == 0)
            return read_measure(at, k, word, words);
        snprintf(known + length, sizeof known - length, ", %s",
                 at->lab->measure[k].column);
    }
    return bad_line(at, "'%.60s' is not known of %s: use graded, points, due%s",
                    word[0], at->lab->name, known);
}

/* "[04_coalescing]" */
static int begin_lab(struct reading *at, char *word, int words)
{
    const size_t length = strlen(word);

    if (words != 1 || length < 3 || word[length - 1] != ']') {
        return bad_line(at, "write a lab's name as in [%s], and nothing else",
                        at->index->lab[0].name);
    }
    word[length - 1] = '\0';
    for (int i = 0; i < at->index->labs; i++) {
        if (strcmp(at->index->lab[i].name, word + 1) != 0)
            continue;
        if (at->begun[i]) {
            return bad_line(at, "[%s] stands here for the second time",
                            word + 1);
        }
        at->begun[i] = 1;
        at->lab = &at->index->lab[i];
        at->own = &at->rubric->lab[i];
        at->next_seen = at->seen;
        return 0;
    }
    return bad_line(at,
                    "there is no lab '%.60s': labs/INDEX has them, from %s "
                    "to %s",
                    word + 1, at->index->lab[0].name,
                    at->index->lab[at->index->labs - 1].name);
}

static int read_rubric_line(struct reading *at, char *line)
{
    char *word[WORDS], *rest = NULL;
    int words = 0, result;

    line[strcspn(line, "#")] = '\0';
    for (char *w = strtok_r(line, " \t\r", &rest); w != NULL && words < WORDS;
         w = strtok_r(NULL, " \t\r", &rest))
        word[words++] = w;
    if (words == 0)
        return 0;
    if (word[0][0] == '[')
        return begin_lab(at, word[0], words);
    result = at->lab == NULL ? read_head(at, word, words)
                             : read_own(at, word, words);
    for (const char **seen = at->seen; seen < at->next_seen; seen++) {
        if (result == 0 && strcmp(*seen, word[0]) == 0) {
            return bad_line(at, "'%s' stands here for the second time",
                            word[0]);
        }
    }
    *at->next_seen++ = word[0];
    return result;
}

int grade_rubric_parse(const char *path, const char *text,
                       const struct course_index *index,
                       struct grade_rubric *rubric, char *why, size_t size)
{
    struct grade_rubric changed = *rubric;
    struct reading at = {.path = path, .index = index, .size = size};
    char *const copy = strdup(text), *rest = copy, *line;
    int result = 0, graded = 0;

    at.why = why;
    at.rubric = &changed;
    at.next_seen = at.seen;
    if (copy == NULL)
        return base_refuse(why, size, "%s: there is no memory left", path);
    while (result == 0 && (line = strsep(&rest, "\n")) != NULL) {
        at.line++;
        result = read_rubric_line(&at, line);
    }
    free(copy);
    for (int i = 0; i < changed.labs; i++)
        graded += changed.lab[i].graded;
    if (result == 0 && graded == 0)
        result = bad_line(&at, "no lab is left to be graded");
    if (result == 0)
        *rubric = changed;
    return result;
}

int grade_rubric_read(const char *path, const struct course_index *index,
                      struct grade_rubric *rubric, char *why, size_t size)
{
    char *const text = base_read_file(path, why, size);
    int result;

    if (text == NULL)
        return -1;
    result = grade_rubric_parse(path, text, index, rubric, why, size);
    free(text);
    return result;
}

/* --- writing -------------------------------------------------------------- */

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
