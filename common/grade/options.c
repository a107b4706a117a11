#define _GNU_SOURCE
#include "grade/options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "grade/batch/engine.h"

enum {
    KEY_ROSTER = 256,
    KEY_OUT,
    KEY_RUBRIC,
    KEY_ISOLATION,
    KEY_ONE,
    KEY_LAB,
    KEY_EXPLAIN,
    KEY_WRITE_RUBRIC,
    KEY_SEED_FILE,
    KEY_EXPORT,
    KEY_CANVAS,
    KEY_MOODLE,
    KEY_SHARE
};

static const struct argp_option known[] = {
    {"roster", KEY_ROSTER, "FILE", 0,
     "CSV with a column id, the names of the students' folders: each gets a "
     "row",
     0},
    {"rubric", KEY_RUBRIC, "FILE", 0,
     "Points and thresholds (those of labs/INDEX)", 0},
    {"out", KEY_OUT, "FOLDER", 0,
     "Where the grades go (beside SUBMISSIONS, with .grades behind its name)",
     0},
    {"jobs", 'j', "N", 0, "Work on N labs at a time (one for each core)", 0},
    {"isolation", KEY_ISOLATION, "HOW", 0,
     "boxed, the default; container, if all of this runs in a container that "
     "is thrown away; unsafe, for code that you trust",
     0},
    {"one", KEY_ONE, "STUDENT", 0, "Grade this student alone", 0},
    {"lab", KEY_LAB, "LABS", 0,
     "Grade these labs alone, as in '04' or '4 6'; of your own labs also "
     "those of the advanced track",
     0},
    {"explain", KEY_EXPLAIN, 0, 0,
     "Print all that is known, hidden cases too: not for students", 0},
    {"write-rubric", KEY_WRITE_RUBRIC, "FILE", 0,
     "Write the default rubric to FILE, to be edited, and end", 0},
    {"seed-file", KEY_SEED_FILE, "FILE", 0,
     "Keep the secret seed of the inputs there (OUT/seed)", 0},
    {"export", KEY_EXPORT, "WORDS", 0,
     "Write OUT/export/ for other systems: canvas, moodle, autolab, junit, "
     "github",
     0},
    {"canvas", KEY_CANVAS, "FILE", 0,
     "For --export canvas: the gradebook as Canvas exports it", 0},
    {"moodle", KEY_MOODLE, "FILE", 0,
     "For --export moodle: the list of the course's users", 0},
    {"share", KEY_SHARE, "I/N", 0,
     "Grade the share I of N of the class, for a run without it that collects",
     0},
    {"help", 'h', 0, 0, "Show this list", 0},
    {"version", 'V', 0, 0, "Show the course's version", 0},
    {0, 0, 0, 0, 0, 0}};

struct reading {
    struct grade_options *options;
    char *why;
    size_t size;
    int help;
};

/* Reads a whole number within these bounds. */
static error_t read_number(const struct reading *r, const char *name,
                           const char *text, long least, long most, int *number)
{
    char *end;
    const long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < least || value > most) {
        snprintf(r->why, r->size,
                 "--%s: '%.40s' is not a whole number from %ld to %ld", name,
                 text, least, most);
        return EINVAL;
    }
    *number = (int)value;
    return 0;
}

static error_t read_share(const struct reading *r, const char *text)
{
    if (grade_share_read(&r->options->share, text) == 0)
        return 0;
    snprintf(r->why, r->size,
             "--share: '%.40s' is no share: use 2/8 for the second of eight",
             text);
    return EINVAL;
}

static error_t read_isolation(const struct reading *r, const char *text)
{
    for (int i = GRADE_BOXED; i <= GRADE_UNSAFE; i++) {
        if (strcmp(text, grade_isolation_name[i]) == 0) {
            r->options->isolation = (enum grade_isolation)i;
            return 0;
        }
    }
    snprintf(r->why, r->size,
             "--isolation: '%.40s' is not known: use boxed, container or "
             "unsafe",
             text);
    return EINVAL;
}

static error_t read_text(const struct reading *r, const char *name,
                         const char *text, const char **value)
{
    if (*text == '\0') {
        snprintf(r->why, r->size, "--%s: is empty", name);
        return EINVAL;
    }
    *value = text;
    return 0;
}

static error_t read_option(int key, char *text, struct argp_state *state)
{
    struct reading *const r = state->input;
    struct grade_options *const o = r->options;

    switch (key) {
    case KEY_ROSTER:
        return read_text(r, "roster", text, &o->roster);
    case KEY_OUT:
        return read_text(r, "out", text, &o->out);
    case KEY_RUBRIC:
        return read_text(r, "rubric", text, &o->rubric);
    case KEY_ONE:
        return read_text(r, "one", text, &o->one);
    case KEY_LAB:
        return read_text(r, "lab", text, &o->labs);
    case KEY_WRITE_RUBRIC:
        return read_text(r, "write-rubric", text, &o->write_rubric);
    case KEY_SEED_FILE:
        return read_text(r, "seed-file", text, &o->seed_file);
    case KEY_EXPORT:
        return read_text(r, "export", text, &o->export.words);
    case KEY_CANVAS:
        return read_text(r, "canvas", text, &o->export.canvas);
    case KEY_MOODLE:
        return read_text(r, "moodle", text, &o->export.moodle);
    case KEY_ISOLATION:
        return read_isolation(r, text);
    case 'j':
        return read_number(r, "jobs", text, 1, GRADE_JOBS, &o->jobs);
    case KEY_SHARE:
        return read_share(r, text);
    case KEY_EXPLAIN:
        o->explain = 1;
        return 0;
    case 'h':
        r->help = 1;
        return 0;
    case 'V':
        course_version_show();
    case ARGP_KEY_ARG:
        if (o->submissions != NULL) {
            snprintf(r->why, r->size,
                     "there is one folder of submissions, not two: '%.40s' is "
                     "too much",
                     text);
            return EINVAL;
        }
        return read_text(r, "SUBMISSIONS", text, &o->submissions);
    case ARGP_KEY_ERROR:
        if (r->why[0] == '\0') {
            snprintf(r->why, r->size,
                     "'%.40s': there is no such option, or its value is "
                     "missing (--help lists them)",
                     state->argv[state->next - 1]);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    known,
    read_option,
    "[SUBMISSIONS]",
    "Grades the folder SUBMISSIONS, which has a folder for each student with "
    "any of the labs in it; without it, your own labs/."
    "\vA source is STUDENT/04_coalescing/coalescing.cu, "
    "STUDENT/04_coalescing.cu, STUDENT/coalescing.cu or "
    "STUDENT/labs/04_coalescing/coalescing.cu. In OUT, grades.csv, feedback/ "
    "gradescope/ and class.svg are written; OUT/manual.csv (student,lab,points,reason), "
    "if you write it, wins over what was graded. A run that was ended goes on "
    "where it was.\n\n"
    "Exit status: 0 all are graded; 1 your own labs are not all right; 2 the "
    "command line or a file is wrong; 3 the grader itself failed somewhere; "
    "78 there is no isolation to be had.",
    0,
    0,
    0};

/* Options that have no sense without submissions. */
static int check_together(const struct grade_options *o, char *why, size_t size)
{
    const char *alone = NULL;

    if (o->submissions == NULL) {
        alone = o->roster != NULL ? "roster"
                : o->out != NULL  ? "out"
                : o->one != NULL  ? "one"
                : o->share.of > 0 ? "share"
                                  : NULL;
    }
    if (o->one != NULL && o->export.words != NULL) {
        snprintf(why, size,
                 "--export is about the class, and does not go with --one");
        return -1;
    }
    if (o->share.of > 0 && (o->one != NULL || o->export.words != NULL)) {
        snprintf(why, size,
                 "--share goes with neither --one nor --export: the run that "
                 "collects writes what there is for people");
        return -1;
    }
    if (alone == NULL)
        return 0;
    snprintf(why, size, "--%s goes with a folder of submissions (SUBMISSIONS=)",
             alone);
    return -1;
}

int grade_options_read(struct grade_options *options, int argc, char **argv,
                       char *why, size_t size)
{
    struct reading r = {.options = options, .size = size};

    r.why = why;
    why[0] = '\0';
    *options = (struct grade_options){.isolation = GRADE_BOXED};
    if (argp_parse(&parser, argc, argv,
                   ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &r) != 0) {
        if (why[0] == '\0')
            snprintf(why, size, "the options cannot be read (see --help)");
        return -1;
    }
    if (r.help) {
        argp_help(&parser, stdout,
                  ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, argv[0]);
        return 1;
    }
    if (grade_export_check(&options->export, why, size) != 0)
        return -1;
    return check_together(options, why, size);
}
