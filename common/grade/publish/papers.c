#define _GNU_SOURCE
#include "grade/publish/papers.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/refuse.h"
#include "base/replace_file.h"
#include "base/values.h"
#include "grade/base/text.h"

/* --- files ---------------------------------------------------------------- */

int grade_papers_write(const struct grade_papers *papers, const char *name,
                       grade_put *put, const void *what)
{
    char *const path = base_text("%s/%s", papers->out, name);
    struct base_replacement r;
    int result = -1;

    if (path == NULL) {
        return base_refuse(papers->why, papers->size,
                           "there is no memory left");
    }
    for (char *slash = path + strlen(papers->out) + 1;
         (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700); /* what is wrong is told below */
        *slash = '/';
    }
    if (base_replace_begin(&r, path, papers->why, papers->size) == 0) {
        put(r.file, papers, what);
        result = base_replace_end(&r, 1, papers->why, papers->size);
    }
    free(path);
    return result;
}

/* --- a file for each row -------------------------------------------------- */

enum {
    NUMBERED = 80 /* bytes of a name */
};

static void name_row(const struct grade_class *class, size_t row,
                     const char *ending, char name[NUMBERED])
{
    char harmless[GRADE_FILE_NAME];

    grade_text_file_name(class->row[row].student, harmless);
    snprintf(name, NUMBERED, "%04zu_%s%s", row + 1, harmless, ending);
}

/* Is it a file of an earlier run, or the half of one, that no row has now? */
static int is_old(const struct grade_class *class, const char *name,
                  const char *ending)
{
    const size_t digits = strspn(name, "0123456789");
    const size_t row = strtoul(name, NULL, 10);
    char now[NUMBERED] = "";

    if (digits < 4 || name[digits] != '_' || strstr(name, ending) == NULL)
        return 0;
    if (row > 0 && row <= class->rows)
        name_row(class, row - 1, ending, now);
    return strcmp(name, now) != 0;
}

static void remove_old(const struct grade_papers *papers, const char *folder,
                       const char *ending)
{
    char *const path = base_text("%s/%s", papers->out, folder);
    DIR *const listing = path != NULL ? opendir(path) : NULL;
    const struct dirent *entry;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        if (is_old(papers->class, entry->d_name, ending))
            unlinkat(dirfd(listing), entry->d_name, 0);
    }
    if (listing != NULL)
        closedir(listing);
    free(path);
}

/* Has one of the signals come that the grader holds back (engine.h)? */
static int is_asked_to_end(void)
{
    sigset_t pending;

    return sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) == 1 ||
                                         sigismember(&pending, SIGTERM) == 1 ||
                                         sigismember(&pending, SIGHUP) == 1);
}

int grade_papers_rows(const struct grade_papers *papers, const char *folder,
                      const char *ending, grade_put *put)
{
    const struct grade_class *const class = papers->class;
    int result = 0;

    remove_old(papers, folder, ending);
    for (size_t i = 0; i < class->rows && result == 0; i++) {
        char name[NUMBERED], path[2 * NUMBERED];

        if (is_asked_to_end()) {
            return base_refuse(
                papers->why, papers->size,
                "%s/%s: ended by a signal; the same command goes on from "
                "there",
                papers->out, folder);
        }
        name_row(class, i, ending, name);
        snprintf(path, sizeof path, "%.60s/%s", folder, name);
        result = grade_papers_write(papers, path, put, &class->row[i]);
    }
    return result;
}

/* --- grades.csv ----------------------------------------------------------- */

static void put_titles(FILE *to, const struct grade_class *class)
{
    fputs("student,name,total", to);
    for (int i = 0; i < class->labs; i++)
        fprintf(to, ",%s", class->lab[i]->name);
    if (class->columns > class->labs)
        fputs(",report", to);
    for (int i = 0; i < class->labs; i++)
        fprintf(to, ",%s_verdict", class->lab[i]->name);
    fputs(",isolation,look_at,note\n", to);
}

/* Why a person must look at a lab; of what is doubtful put_doubt says it. */
static void put_look_at(FILE *to, const struct grade_row *row, int lab)
{
    const struct grade_result *const r = &row->result[lab];

    if (!grade_row_wants_a_look(row, lab))
        return;
    if (r->verdict == GRADE_GRADER_ERROR || r->verdict == GRADE_REJECTED)
        fprintf(to, "%.2s: %s; ", r->lab, r->text);
    for (size_t k = 0; k < r->flag_count; k++)
        fprintf(to, "%.2s: %s; ", r->lab, r->flags[k]);
    if (row->beside[lab] != NULL)
        fprintf(to, "%.2s: %s; ", r->lab, row->beside[lab]);
    if (row->alike[lab] != NULL)
        fprintf(to, "%.2s: %s; ", r->lab, row->alike[lab]);
    if (row->late[lab].at_least && grade_row_days_late(row, lab) > 0) {
        fprintf(to,
                "%.2s: marked as late, taken for 1 day (late.csv has the "
                "days); ",
                r->lab);
    }
}

static void put_note(FILE *to, const struct grade_row *row, int lab)
{
    const struct grade_result *const r = &row->result[lab];

    if (row->decision[lab] != NULL) {
        fprintf(to, "%.2s by hand: %s; ", r->lab, row->decision[lab]->reason);
    } else if (grade_row_is_excused(row, lab)) {
        fprintf(to, "%.2s excused: %s; ", r->lab, row->grant[lab]->reason);
    } else if (grade_row_days_late(row, lab) > 0) {
        fprintf(to, "%.2s late by %d day%s, %.0f %% of the points; ", r->lab,
                row->late[lab].days, row->late[lab].days == 1 ? "" : "s",
                100.0 * row->late[lab].share);
    }
    if (row->decision[lab] == NULL && row->grant[lab] != NULL &&
        row->grant[lab]->days > 0) {
        fprintf(to, "%.2s has %d day%s more: %s; ", r->lab,
                row->grant[lab]->days, row->grant[lab]->days == 1 ? "" : "s",
                row->grant[lab]->reason);
    }
}

/* Labs without points until a person decides, and why. */
static void put_doubt(FILE *to, const struct grade_row *row)
{
    const char *separator = "";

    for (int i = 0; i < row->class->labs; i++) {
        if (!grade_row_is_doubtful(row, i))
            continue;
        fprintf(to, "%s%.2s", separator, row->result[i].lab);
        separator = ", ";
    }
    if (*separator == '\0')
        return;
    fputs(": no points until you decide in manual.csv, since ", to);
    if (row->namesakes != NULL) {
        fprintf(to, "%s handed in, and more than one has this name; ",
                row->namesakes);
    } else {
        fputs("what was handed in may be it; ", to);
    }
}

/* What is to be said of a row as a whole. */
static void put_row_note(FILE *to, const struct grade_row *row)
{
    grade_tell_team(to, row, "handed in with ", "; ");
    if (row->answers_wrong != NULL && *row->answers_wrong != '\0')
        fprintf(to, "answers: %s; ", row->answers_wrong);
    if (*row->unknown != '\0')
        fprintf(to, "not graded: %s; ", row->unknown);
}

/* A cell of pieces with "; " behind each: first, of each lab, of the row. */
static void put_pieces(FILE *to, const struct grade_row *row, const char *first,
                       void (*put)(FILE *, const struct grade_row *, int),
                       void (*put_last)(FILE *, const struct grade_row *))
{
    struct base_memory memory;
    char *text;

    if (base_memory_open(&memory) == NULL)
        return;
    fputs(first, memory.file);
    for (int i = 0; i < row->class->labs; i++)
        put(memory.file, row, i);
    put_last(memory.file, row);
    text = base_memory_close(&memory);
    if (text == NULL)
        return;
    if (memory.length > 2)
        text[memory.length - 2] = '\0';
    fputc(',', to);
    grade_text_cell(to, text);
    free(text);
}

static void put_grades_row(FILE *to, const struct grade_row *row)
{
    grade_text_cell(to, row->student);
    fputc(',', to);
    grade_text_cell(to, row->name);
    fputc(',', to);
    /* What nobody decided is no 0. */
    if (grade_row_is_decided(row))
        base_put_csv_number(to, grade_row_total(row));
    for (int i = 0; i < row->class->columns; i++) {
        fputc(',', to);
        if (grade_row_is_settled(row, i))
            base_put_csv_number(to, grade_row_points(row, i));
    }
    for (int i = 0; i < row->class->labs; i++)
        fprintf(to, ",%s", grade_verdict_word[row->result[i].verdict]);
    fprintf(to, ",%s", grade_isolation_name[row->class->isolation]);
    put_pieces(to, row, "", put_look_at, put_doubt);
    put_pieces(to, row, row->listed ? "" : "not on the roster; ", put_note,
               put_row_note);
    fputc('\n', to);
}

static void put_grades(FILE *to, const struct grade_papers *papers,
                       const void *what)
{
    const struct grade_class *const class = papers->class;

    (void)what;
    put_titles(to, class);
    for (size_t i = 0; i < class->rows; i++)
        put_grades_row(to, &class->row[i]);
}

static void put_feedback(FILE *to, const struct grade_papers *papers,
                         const void *row)
{
    (void)papers;
    grade_feedback(to, row, GRADE_ALL, GRADE_MARKDOWN);
}

int grade_write_grades(const struct grade_papers *papers)
{
    return grade_papers_rows(papers, "feedback", ".md", put_feedback) == 0
               ? grade_papers_write(papers, "grades.csv", put_grades, NULL)
               : -1;
}
