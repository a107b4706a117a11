/* What do the folders hold that a report is made of, and is each file as it
   should be? See report.h. */
#define _GNU_SOURCE
#include "report.h"

#include "base/file.h"
#include "base/memory.h"
#include "harness/counters.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int no_memory(char *why, size_t size)
{
    snprintf(why, size, "the report: %s", strerror(ENOMEM));
    return -1;
}

/* --- results -------------------------------------------------------------- */

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* What the file called name below the results folder is. -1: nothing for the
   report. counted/ and timed/ are parts of ladder.csv, solutions/ repeats
   single labs of it, and a map is single accesses, which its plot shows. */
static int kind_of(const char *name)
{
    if (starts(name, "counted/") || starts(name, "timed/") ||
        starts(name, "solutions/") || starts(name, "checks/solutions/") ||
        starts(name, "map_"))
        return -1;
    if (starts(name, "labs/"))
        return REPORT_LAB;
    if (starts(name, "checks/labs/"))
        return REPORT_CHECKS;
    if (strcmp(name, "ladder.csv") == 0)
        return REPORT_SOLUTION;
    return strcmp(name, "device.csv") == 0 ? REPORT_CARD : REPORT_OTHER;
}

static const char *missing_counter(const struct base_csv *csv)
{
    for (int i = 0; i < LAB_COUNTERS; i++) {
        if (base_csv_column(csv, lab_counters[i].name) < 0)
            return lab_counters[i].name;
    }
    return NULL;
}

/* Has the file the columns of its kind? What has those of results.csv is a
   file of runs, wherever it lies. Returns 0, or -1 with why. */
static int check_columns(struct report_file *f, char *why, size_t size)
{
    static const char *const run[] = {
        "lab",       "variant",     "device",     "device_name",
        "m",         "n",           "k",          "verdict",
        "max_error", "tolerance",   "kernel_ms",  "copies_ms",
        "gflops",    "peak_gflops", "measure_ok", NULL};
    static const char *const check[] = {"record", "check", "answer",
                                        "text",   "found", NULL};
    static const char *const card[] = {"what", "value", "unit", NULL};
    const char *column = base_csv_missing(&f->csv, run);
    const char *maker = "make what wrote it again, or remove it";

    if (column == NULL)
        column = missing_counter(&f->csv);
    if (f->kind == REPORT_OTHER) {
        if (column == NULL)
            f->kind = REPORT_RUNS;
        return 0;
    }
    if (f->kind == REPORT_CHECKS) {
        column = base_csv_missing(&f->csv, check);
    } else if (f->kind == REPORT_CARD) {
        column = base_csv_missing(&f->csv, card);
    }
    if (column == NULL)
        return 0;
    if (f->kind == REPORT_LAB || f->kind == REPORT_CHECKS)
        maker = "run that lab again";
    if (f->kind == REPORT_SOLUTION)
        maker = "make demo writes it anew";
    snprintf(why, size,
             "%s: no column '%s', so it is from another version of the course "
             "(%s)",
             f->path, column, maker);
    return -1;
}

/* Reads a file; lines with # in front of the header are kept as notes. */
static int read_report_file(struct report_file *f, char *why, size_t size)
{
    char *const text = base_read_file(f->path, why, size);
    const char *start = text;
    int result;

    if (text == NULL)
        return -1;
    while (*start == '#') {
        start = strchr(start, '\n');
        start = start != NULL ? start + 1 : text + strlen(text);
    }
    f->notes = strndup(text, (size_t)(start - text));
    result = f->notes == NULL
                 ? no_memory(why, size)
                 : base_csv_parse(f->path, start, &f->csv, why, size);
    free(text);
    if (result != 0)
        return -1;
    if (f->csv.rows == 0) {
        snprintf(why, size,
                 "%s: has no rows (make what wrote it again, or remove it)",
                 f->path);
        return -1;
    }
    return check_columns(f, why, size);
}

static int add_file(struct report *report, const char *path, const char *name,
                    char *why, size_t size)
{
    const int kind = kind_of(name);
    const char *const base = strrchr(path, '/') + 1;
    struct report_file *f;

    if (kind < 0)
        return 0;
    f = base_list_add(&report->file, &report->files, sizeof *f);
    if (f == NULL)
        return no_memory(why, size);
    f->kind = (enum report_kind)kind;
    f->path = strdup(path); /* report_free frees it from here on */
    f->lab = strndup(base, strlen(base) - strlen(".csv"));
    if (f->path == NULL || f->lab == NULL)
        return no_memory(why, size);
    return read_report_file(f, why, size);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds all CSV files of the folder, in the order of their names. */
static int add_files(struct report *report, const char *folder, char *why,
                     size_t size)
{
    static const char *const below[] = {"", "*/", "*/*/"};
    glob_t found = {0};
    int result = 0;

    for (size_t i = 0; i < sizeof below / sizeof *below && result == 0; i++) {
        char pattern[4096];

        snprintf(pattern, sizeof pattern, "%s/%s*.csv", folder, below[i]);
        if (glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found) ==
            GLOB_NOSPACE)
            result = no_memory(why, size);
    }
    if (found.gl_pathc > 0)
        qsort(found.gl_pathv, found.gl_pathc, sizeof(char *), compare_paths);
    for (size_t i = 0; i < found.gl_pathc && result == 0; i++) {
        const char *const path = found.gl_pathv[i];

        result = add_file(report, path, path + strlen(folder) + 1, why, size);
    }
    globfree(&found);
    return result;
}

const struct report_file *report_find(const struct report *report,
                                      enum report_kind kind, const char *lab)
{
    for (size_t i = 0; i < report->files; i++) {
        const struct report_file *const f = &report->file[i];

        if (f->kind == kind && (lab == NULL || strcmp(f->lab, lab) == 0))
            return f;
    }
    return NULL;
}

/* --- questions ------------------------------------------------------------ */

/* 3 of "03_tiling". */
static int number_of_lab(const char *lab)
{
    return 10 * (lab[0] - '0') + (lab[1] - '0');
}

/* Reads the questions of lab i, numbered from 1. A lab may have none. */
static int read_questions(struct report *report, int i, char *why, size_t size)
{
    const char *const name = report->index.lab[i].name;
    struct course_keyed *const q = &report->questions[i];
    char path[4096];

    snprintf(path, sizeof path, "%s/%s/questions.txt", report->labs, name);
    if (access(path, F_OK) != 0)
        return 0;
    if (course_keyed_read(path, q, why, size) != 0)
        return -1;
    for (size_t k = 0; k < q->count; k++) {
        const struct course_keyed_entry *const e = &q->entry[k];

        if (e->lab == number_of_lab(name) && e->number == (int)k + 1 &&
            e->text[0] != '\0')
            continue;
        snprintf(why, size, "%s:%d: question %.2s.%zu is expected here", path,
                 e->line, name, k + 1);
        return -1;
    }
    return 0;
}

/* Does each answer belong to a question? */
static int check_answers(const struct report *report, char *why, size_t size)
{
    for (size_t k = 0; k < report->answers.count; k++) {
        const struct course_keyed_entry *const e = &report->answers.entry[k];
        char hint[80] = "";
        int known = 0;

        for (int i = 0; i < report->index.labs; i++) {
            const char *const name = report->index.lab[i].name;
            const struct course_keyed *const q = &report->questions[i];

            known |= course_keyed_find(q, e->lab, e->number) != NULL;
            if (number_of_lab(name) == e->lab && q->count > 0) {
                snprintf(hint, sizeof hint, ": lab %.2s has %.2s.1 to %.2s.%zu",
                         name, name, name, q->count);
            }
        }
        if (!known) {
            snprintf(why, size, "%s:%d: there is no question %02d.%d%s",
                     report->answers_path, e->line, e->lab, e->number, hint);
            return -1;
        }
    }
    return 0;
}

static int read_answers(const struct report_paths *paths, struct report *report,
                        char *why, size_t size)
{
    if (!paths->answers_needed && access(paths->answers, F_OK) != 0)
        return 0;
    report->answers_path = paths->answers;
    if (course_keyed_read(paths->answers, &report->answers, why, size) != 0)
        return -1;
    return check_answers(report, why, size);
}

int report_takes_in(const struct report *report, int i)
{
    const struct course_lab *const lab = &report->index.lab[i];

    if (!lab->advanced || report_find(report, REPORT_LAB, lab->name) != NULL)
        return 1;
    for (size_t k = 0; k < report->answers.count; k++) {
        const struct course_keyed_entry *const e = &report->answers.entry[k];

        if (e->lab == number_of_lab(lab->name) && e->text[0] != '\0')
            return 1;
    }
    return 0;
}

/* --- all ------------------------------------------------------------------ */

int report_gather(const struct report_paths *paths, struct report *report,
                  char *why, size_t size)
{
    *report = (struct report){.labs = paths->labs,
                              .has_solutions = access("solutions", F_OK) == 0};
    if (course_index_read(paths->index, &report->index, why, size) != 0)
        return -1;
    for (int i = 0; i < report->index.labs; i++) {
        if (read_questions(report, i, why, size) != 0)
            goto bad;
    }
    if (read_answers(paths, report, why, size) == 0 &&
        plots_read(paths->captions, paths->plots, &report->plots, why, size) ==
            0 &&
        add_files(report, paths->results, why, size) == 0)
        return 0;
bad:
    report_free(report);
    return -1;
}

void report_free(struct report *report)
{
    for (size_t i = 0; i < report->files; i++) {
        struct report_file *const f = &report->file[i];

        free(f->path);
        free(f->lab);
        free(f->notes);
        base_csv_free(&f->csv);
    }
    free(report->file);
    for (int i = 0; i < COURSE_LABS; i++)
        course_keyed_free(&report->questions[i]);
    course_keyed_free(&report->answers);
    plots_free(&report->plots);
    course_index_free(&report->index);
    report->file = NULL;
    report->files = 0;
}
