#define _GNU_SOURCE
#include "grade/base/rubric.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/record.h"
#include "base/refuse.h"
#include "base/values.h"
#include "base/words.h"

enum {
    MOST_POINTS = 100000
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

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

/* --- the paragraph of a lab ----------------------------------------------- */

/* A lab of the rubric, while its paragraph is read. */
struct paragraph {
    const struct course_index *index;
    const struct grade_rubric *rubric;
    const struct course_lab *lab;
    struct grade_rubric_lab own;
};

static int begin_paragraph(const struct base_records *file,
                           const struct base_field *field, void *member)
{
    struct paragraph *const paragraph = member;
    const struct course_index *const index = paragraph->index;

    paragraph->lab = course_index_find(index, field->value);
    if (paragraph->lab == NULL) {
        return base_records_wrong(
            file, field->line,
            "there is no lab '%.60s': labs/INDEX has them, from %s to %s",
            field->value, index->lab[0].name, index->lab[index->labs - 1].name);
    }
    if (base_records_find(file, field->value)->field != field) {
        return base_records_wrong(file, field->line,
                                  "%s stands here for the second time",
                                  field->value);
    }
    paragraph->own = paragraph->rubric->lab[paragraph->lab - index->lab];
    return 0;
}

/* The time that a text says, in a zone if it names none. */
static time_t read_in_zone(const char *text, const char *zone)
{
    const char *const old = getenv("TZ");
    char *const kept = old != NULL ? strdup(old) : NULL;
    time_t time = -1;

    if ((old == NULL || kept != NULL) && setenv("TZ", zone, 1) == 0) {
        time = grade_time_read(text);
        if (old != NULL) {
            setenv("TZ", kept, 1);
        } else {
            unsetenv("TZ");
        }
        tzset();
    }
    free(kept);
    return time;
}

/* What TZ wants for a zone of a rubric: an offset counts the other way there.
   Returns 0, or -1 if there is no such zone on this machine. */
static int make_tz(const char *zone, char tz[64])
{
    char path[100];
    struct stat status;
    struct tm at = {0};
    const char *end = NULL;

    if ((*zone == '+' || *zone == '-') && strlen(zone) == 6)
        end = strptime(zone + 1, "%H:%M", &at);
    if (end != NULL && *end == '\0' && at.tm_hour <= 14) {
        snprintf(tz, 64, "<%.3s>%c%d:%02d", zone, *zone == '+' ? '-' : '+',
                 at.tm_hour, at.tm_min);
        return 0;
    }
    snprintf(tz, 64, "%s", zone);
    snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", zone);
    return strcmp(zone, "UTC") == 0 ||
                   (isupper((unsigned char)*zone) &&
                    zone[strspn(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm"
                                      "nopqrstuvwxyz0123456789_+-/")] == '\0' &&
                    stat(path, &status) == 0 && S_ISREG(status.st_mode))
               ? 0
               : -1;
}

time_t grade_time_in(const struct grade_rubric *rubric, const char *text)
{
    char tz[64];

    return *rubric->zone != '\0' && make_tz(rubric->zone, tz) == 0
               ? read_in_zone(text, tz)
               : grade_time_read(text);
}

static int read_zone(const struct base_records *file,
                     const struct base_field *field, void *member)
{
    struct grade_rubric *const rubric = member;
    char tz[64];

    snprintf(rubric->zone, sizeof rubric->zone, "%s", field->value);
    if (strlen(field->value) < sizeof rubric->zone &&
        make_tz(field->value, tz) == 0)
        return 0;
    return base_records_wrong(
        file, field->line,
        "there is no zone '%.40s' here: write the name of one, as in 'zone: "
        "Europe/Berlin' (needs the package tzdata), or what it is ahead of "
        "UTC, as in 'zone: +01:00'",
        field->value);
}

static int read_language(const struct base_records *file,
                         const struct base_field *field, void *member)
{
    struct grade_rubric *const rubric = member;
    char path[100];

    snprintf(path, sizeof path, "labs/languages/%.19s/screen.po", field->value);
    snprintf(rubric->language, sizeof rubric->language, "%s",
             strcmp(field->value, "en") == 0 ? "" : field->value);
    if (*rubric->language == '\0' ||
        (strchr(field->value, '/') == NULL && access(path, R_OK) == 0))
        return 0;
    return base_records_wrong(file, field->line,
                              "there is no language '%.20s': write en, or the "
                              "name of a folder of labs/languages, as in "
                              "'language: es'",
                              field->value);
}

/* "2026-11-06" or "2026-11-06 18:00" */
static int read_due(const struct base_records *file,
                    const struct base_field *field, void *member)
{
    struct paragraph *const paragraph = member;
    const char *const time = strpbrk(field->value, " T");

    if (*paragraph->rubric->zone == '\0' &&
        (time == NULL || strpbrk(time, "+-ZU") == NULL)) {
        return base_records_wrong(
            file, field->line,
            "in which zone is that? Write it above the labs, as in 'zone: "
            "Europe/Berlin' or 'zone: +01:00'");
    }
    paragraph->own.due = grade_time_in(paragraph->rubric, field->value);
    if (paragraph->own.due > 0)
        return 0;
    return base_records_wrong(file, field->line,
                              "write a day, as in 'due: 2026-11-06', or with "
                              "a time, as in 'due: 2026-11-06 18:00'");
}

static int read_points(const struct base_records *file,
                       const struct base_field *field, void *member)
{
    struct paragraph *const paragraph = member;
    double *const points = paragraph->own.points;
    char *word[GRADE_PARTS];
    const int words = base_words(field->value, word, GRADE_PARTS);

    for (int i = 0; i < GRADE_PARTS; i++) {
        if (words != GRADE_PARTS || base_number(word[i], &points[i]) != 0 ||
            points[i] < 0.0 || points[i] > MOST_POINTS) {
            return base_records_wrong(
                file, field->line,
                "write the points for right, clean and the number, none below "
                "0, as in 'points: 60 20 20'");
        }
    }
    if (points[GRADE_NUMBER] <= 0.0 || paragraph->lab->measures > 0)
        return 0;
    return base_records_wrong(file, field->line,
                              "%s has no number to reach, so it has no points "
                              "for it: write 0 as the third",
                              paragraph->lab->name);
}

static int read_measure(const struct base_records *file,
                        const struct base_field *field, void *member)
{
    struct paragraph *const paragraph = member;
    struct course_measure measure;
    char known[300] = "";

    if (course_measure_read(file, field, &measure) != 0)
        return -1;
    for (int k = 0; k < paragraph->lab->measures; k++) {
        const char *const column = paragraph->lab->measure[k].column;

        if (strcmp(measure.column, column) == 0) {
            paragraph->own.full[k] = measure.full;
            paragraph->own.zero[k] = measure.zero;
            return 0;
        }
        base_append(known, sizeof known, "%s%s", k > 0 ? " or " : ": use ",
                    column);
    }
    return base_records_wrong(file, field->line, "%s has no measure '%.60s'%s",
                              paragraph->lab->name, measure.column, known);
}

static int read_paragraph(const struct base_records *file,
                          const struct base_record *record,
                          const struct course_index *index,
                          struct grade_rubric *rubric)
{
    static const struct base_key keys[] = {
        {"lab", .read = begin_paragraph},
        {"graded", offsetof(struct paragraph, own.graded), .choice = "no yes"},
        {"points", .read = read_points},
        {"due", .read = read_due},
        {"measure", .read = read_measure, .stands = BASE_REPEATS},
    };
    const struct base_field *const graded = base_record_find(record, "graded");
    struct paragraph paragraph = {.index = index, .rubric = rubric};

    if (base_record_fill(file, record, keys, COUNT(keys), &paragraph) != 0)
        return -1;
    if (graded != NULL && paragraph.own.graded &&
        paragraph.lab->needs.what != NULL) {
        return base_records_wrong(
            file, graded->line,
            "%s needs %s of a GPU, and labs are graded on the CPU device: "
            "write 'graded: no'",
            paragraph.lab->name, paragraph.lab->needs.what);
    }
    rubric->lab[paragraph.lab - index->lab] = paragraph.own;
    return 0;
}

/* --- a file --------------------------------------------------------------- */

/* Writes a line as record.h has it: without a comment behind it or blanks
   before it, and with a colon, which a rubric may leave out. There [03_tiling]
   begins the paragraph of a lab, and a measure's line with its column. */
static void put_line(FILE *to, char *line)
{
    char *const word = line + strspn(line, " \t");
    char *const rest = word + strcspn(word, " \t:#");
    char *bracket = NULL;

    line[strcspn(line, "#\r")] = '\0';
    if (*word == '[')
        bracket = strchr(word, ']');
    if (bracket != NULL) {
        *bracket = ' ';
        fprintf(to, "lab: %s\n", word + 1);
    } else if (*word == '\0' || *rest == ':') {
        fprintf(to, "%s\n", word);
    } else if (strncmp(rest + strspn(rest, " \t"), "full", 4) == 0) {
        fprintf(to, "measure: %s\n", word);
    } else {
        fprintf(to, "%.*s:%s\n", (int)(rest - word), word, rest);
    }
}

/* The text of a rubric as record.h has it, for free(), each line in its
   place. */
static char *as_records(const char *text)
{
    struct base_memory memory;
    FILE *const to = base_memory_open(&memory);
    char *const copy = strdup(text), *rest = copy, *line;

    while (to != NULL && (line = strsep(&rest, "\n")) != NULL)
        put_line(to, line);
    free(copy);
    return base_memory_close(&memory);
}

static int read_head(const struct base_records *file,
                     struct grade_rubric *rubric)
{
#define AT(member) offsetof(struct grade_rubric, member)
    static const struct base_key keys[] = {
        {"right", AT(right_by_share), .choice = "all_or_nothing by_share"},
        {"before", AT(before_earns), .choice = "nothing earns"},
        {"hidden", AT(hidden_cases), .most = 20},
        {"grace", AT(grace), .most = 365},
        {"late", AT(late_percent), .most = 100},
        {"report", AT(report_points), .most = MOST_POINTS},
        {"language", .read = read_language},
        {"zone", .read = read_zone},
        {"lab", .stands = 0}, /* begins the part of one */
    };
#undef AT

    return base_record_fill(file, &file->head, keys, COUNT(keys), rubric);
}

int grade_rubric_parse(const char *path, const char *text,
                       const struct course_index *index,
                       struct grade_rubric *rubric, char *why, size_t size)
{
    struct base_records file = {
        .path = path, .leader = "lab", .why = why, .why_size = size};
    struct grade_rubric changed = *rubric;
    int result, graded = 0;

    if (base_records_parse(&file, as_records(text)) != 0)
        return -1;
    result = read_head(&file, &changed);
    for (size_t i = 0; i < file.count && result == 0; i++)
        result = read_paragraph(&file, &file.record[i], index, &changed);
    for (int i = 0; i < changed.labs; i++)
        graded += changed.lab[i].graded;
    if (result == 0 && graded == 0) {
        result =
            base_refuse(why, size, "%s: no lab is left to be graded", path);
    }
    if (result == 0)
        *rubric = changed;
    base_records_free(&file);
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

    fprintf(to, "\n%slab: %s\n",
            lab->advanced ? "# of the advanced track\n" : "", own->lab);
    fprintf(to, "graded: %s\n", own->graded ? "yes" : "no");
    fputs("points:", to);
    for (int i = 0; i < GRADE_PARTS; i++) {
        fputc(' ', to);
        base_put_number(to, own->points[i]);
    }
    fputc('\n', to);
    if (own->due > 0 && gmtime_r(&own->due, &due) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S Z", &due) > 0)
        fprintf(to, "due: %s\n", text);
    for (int k = 0; k < lab->measures; k++) {
        fprintf(to, "measure: %s full ", lab->measure[k].column);
        base_put_number(to, own->full[k]);
        fputs(" zero ", to);
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
        "#   language of the feedback, as es (labs/languages); what students\n"
        "#           wrote and a few messages stay as they are\n"
        "#   zone    in which the dates of due are, as Europe/Berlin or +01:00:\n"
        "#           write it before you write a date\n"
        "#\n"
        "# For each lab:\n"
        "#   graded  yes, or no: then it has no column in the grades. The labs\n"
        "#           of the advanced track say no until you write yes, which\n"
        "#           takes one in\n"
        "#   points  for: right in all cases, clean (no race, no access out\n"
        "#           of bounds, ...), the lab's number\n"
        "#   due     the day, as 2026-11-06, or with a time, 2026-11-06 18:00\n"
        "#   measure a number's name, behind full its value that earns all of its\n"
        "#           points, and behind zero the one that earns none; between\n"
        "#           them the share of the way, of what should be little in its\n"
        "#           reciprocal. Where there are two numbers, each is half of\n"
        "#           the points. make lab-04 shows how they are counted.\n\n",
        to);
    fprintf(to, "right: %s\n",
            rubric->right_by_share ? "by_share" : "all_or_nothing");
    fprintf(to, "before: %s\n", rubric->before_earns ? "earns" : "nothing");
    fprintf(to, "hidden: %d\nlate: %d\ngrace: %d\nreport: %d\n",
            rubric->hidden_cases, rubric->late_percent, rubric->grace,
            rubric->report_points);
    fprintf(to, "language: %s\n",
            *rubric->language != '\0' ? rubric->language : "en");
    fprintf(to, *rubric->zone != '\0' ? "zone: %s\n" : "# zone: %s\n",
            *rubric->zone != '\0' ? rubric->zone : "Europe/Berlin");
    for (int i = 0; i < rubric->labs; i++)
        write_lab(to, &index->lab[i], &rubric->lab[i]);
}

/* --- late ----------------------------------------------------------------- */

enum {
    DAY = 24 * 3600
};

/* The month that a word begins with, from 0, or -1. */
static int month_of(const char *word)
{
    static const char names[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov "
                                "Dec Jan Feb M\xc3\xa4 Apr Mai Jun Jul Aug Sep "
                                "Okt Nov Dez";

    for (int i = 0; i < 24; i++) {
        if (strncmp(names + (size_t)i * 4, word, 3) == 0)
            return i % 12;
    }
    return -1;
}

/* "Friday, 6 November 2026, 5:59 PM" */
static time_t read_long(const char *text)
{
    const char *const day = strchr(text, ',');
    struct tm at = {.tm_isdst = -1}, given;
    const char *half;
    char *rest;
    time_t time;

    if (day == NULL)
        return -1;
    at.tm_mday = (int)strtol(day + 1, &rest, 10);
    rest += strspn(rest, ". ");
    at.tm_mon = month_of(rest);
    rest += strcspn(rest, " ");
    half = at.tm_mon < 0 ? NULL : strptime(rest, " %Y, %H:%M", &at);
    if (half == NULL)
        return -1;
    half += strspn(half, " ");
    if (*half != '\0')
        at.tm_hour = at.tm_hour % 12 + (*half == 'P' ? 12 : 0);
    given = at;
    time = mktime(&at);
    return at.tm_mday == given.tm_mday ? time : -1;
}

time_t grade_time_read(const char *text)
{
    struct tm at = {.tm_isdst = -1}, given;
    const char *rest = strptime(text, "%Y-%m-%d", &at);
    time_t time;

    if (rest == NULL)
        return read_long(text);
    if (*rest == '\0') {
        rest = strptime("23:59:59", "%H:%M:%S", &at);
    } else if (*rest == ' ' || *rest == 'T') {
        const char *const minutes = strptime(rest + 1, "%H:%M", &at);

        rest = minutes != NULL && *minutes == ':'
                   ? strptime(minutes, ":%S", &at)
                   : minutes;
    }
    if (rest == NULL)
        return -1;
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    rest += strspn(rest, " ");
    given = at;
    if (*rest == '\0') {
        time = mktime(&at);
    } else {
        const char *const end =
            strcmp(rest, "UTC") == 0 ? rest + 3 : strptime(rest, "%z", &given);

        if (end == NULL || *end != '\0')
            return -1;
        time = timegm(&at) - given.tm_gmtoff;
    }
    /* What is no day of the calendar, as 31 February, comes back as another. */
    return at.tm_mday == given.tm_mday ? time : -1;
}

int grade_days_late(time_t due, time_t handed)
{
    const long long late = (long long)handed - (long long)due;

    return late <= 0 ? 0 : (int)((late + DAY - 1) / DAY);
}

double grade_late_share(const struct grade_rubric *rubric, int days)
{
    const int paid = days - rubric->grace;
    const double share =
        1.0 - (paid > 0 ? paid : 0) * rubric->late_percent / 100.0;

    return share > 0.0 ? share : 0.0;
}
