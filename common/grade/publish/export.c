/* Which learning systems are results written for, and with which files? */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/refuse.h"
#include "base/values.h"
#include "base/words.h"
#include "grade/base/text.h"

/* --- Gradescope ----------------------------------------------------------- */

/* What stands before all tests, or in the place of them, where points are
   missing; for free(). NULL without memory. */
static char *head_text(const struct grade_row *row)
{
    struct base_memory text;

    if (base_memory_open(&text) == NULL)
        return NULL;
    if (grade_row_has_failed(row)) {
        fputs("The grader failed, not you: your points were not decided, and a "
              "person will look at it.\n\n",
              text.file);
        for (int i = 0; i < row->class->labs; i++)
            grade_feedback(text.file, row, i, GRADE_PLAIN);
    }
    if (*row->unknown != '\0') {
        fprintf(text.file, "Not graded, since no lab has such a name: %s\n",
                row->unknown);
    }
    return base_memory_close(&text);
}

/* Puts a text and how it is shown, and frees it. */
static void put_output(struct base_json *json, char *text)
{
    base_json_text(json, "output", text);
    base_json_text(json, "output_format", "text");
    base_json_text(json, "visibility", "visible");
    free(text);
}

static void put_test(struct base_json *json, const struct grade_row *row,
                     int lab)
{
    const struct grade_class *const class = row->class;
    const double points = grade_row_points(row, lab);

    base_json_open(json, NULL, '{');
    base_json_number(json, "score", points);
    base_json_number(json, "max_score", class->of[lab]);
    base_json_text(json, "status",
                   points >= class->of[lab] ? "passed" : "failed");
    base_json_text(json, "name",
                   lab < class->labs ? class->lab[lab]->name
                                     : class->title[lab]);
    if (lab < class->labs)
        base_json_text(json, "number", class->title[lab] + strlen("Lab "));
    put_output(json, grade_feedback_text(row, lab));
    base_json_close(json, '}');
}

void grade_gradescope(FILE *to, const struct grade_papers *papers,
                      const void *what)
{
    const struct grade_class *const class = papers->class;
    const struct grade_row *const row = what;
    struct base_json json = {.file = to};
    double seconds = 0.0;

    for (int i = 0; i < class->labs; i++)
        seconds += row->seconds[i];
    base_json_open(&json, NULL, '{');
    base_json_number(&json, "execution_time", round(seconds * 1e3) / 1e3);
    base_json_text(&json, "stdout_visibility", "hidden");
    put_output(&json, head_text(row));
    if (!grade_row_has_failed(row)) {
        base_json_number(&json, "score", grade_row_total(row));
        base_json_open(&json, "tests", '[');
        for (int i = 0; i < class->columns; i++) {
            /* What is doubtful is told, and nobody is there to decide. */
            if (i < class->labs || grade_row_is_settled(row, i))
                put_test(&json, row, i);
        }
        base_json_close(&json, ']');
    }
    base_json_open(&json, "extra_data", '{');
    base_json_open(&json, "verdicts", '{');
    for (int i = 0; i < class->labs; i++) {
        base_json_text(&json, class->lab[i]->name,
                       grade_verdict_word[row->result[i].verdict]);
    }
    base_json_close(&json, '}');
    base_json_text(&json, "isolation", grade_isolation_name[class->isolation]);
    base_json_close(&json, '}');
    base_json_close(&json, '}');
}

/* A file of JSON for each row. */
static int export_rows(const struct grade_papers *papers, const char *name,
                       grade_put *put)
{
    char folder[40];

    snprintf(folder, sizeof folder, "export/%s", name);
    if (grade_papers_rows(papers, folder, ".json", put) != 0)
        return -1;
    fprintf(papers->tell, "  %s: %s/%s\n", name, papers->out, folder);
    return 0;
}

static int export_gradescope(const struct grade_papers *papers,
                             const char *given)
{
    (void)given;
    return export_rows(papers, "gradescope", grade_gradescope);
}

/* --- Classroom 50 --------------------------------------------------------- */

/* Its result.json of a row, whose points are whole numbers. What it calls the
   submission is in the environment, in which a review may be missing: then it
   is the commit's page, since no text may be empty. Without tests, which it
   refuses, where the grader failed. */
static void put_classroom50(FILE *to, const struct grade_papers *papers,
                            const void *what)
{
    static const char *const named[][2] = {
        {"classroom", "CLASSROOM"},       {"assignment", "ASSIGNMENT"},
        {"submission", "SUBMISSION_TAG"}, {"commit", "COMMIT_URL"},
        {"release", "RELEASE_URL"},       {"review", "REVIEW_URL"}};
    const struct grade_class *const class = papers->class;
    const struct grade_row *const row = what;
    const time_t now = time(NULL);
    struct base_json json = {.file = to};
    double score = 0.0, most = 0.0;
    char date[40];
    struct tm utc;

    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    base_json_open(&json, NULL, '{');
    base_json_text(&json, "schema", "classroom50/result/v1");
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const char *value = getenv(named[i][1]);

        if (i == 5 && (value == NULL || *value == '\0'))
            value = getenv("COMMIT_URL");
        base_json_text(&json, named[i][0], value != NULL ? value : "");
    }
    base_json_text(&json, "datetime", date);
    if (!grade_row_has_failed(row)) {
        base_json_open(&json, "tests", '[');
        for (int i = 0; i < class->labs; i++) {
            const double points = round(grade_row_points(row, i));
            const double full = round(class->of[i]);

            base_json_open(&json, NULL, '{');
            base_json_text(&json, "test-name", class->lab[i]->name);
            base_json_truth(&json, "passed", points >= full);
            base_json_number(&json, "score", points);
            base_json_number(&json, "max-score", full);
            base_json_close(&json, '}');
            score += points;
            most += full;
        }
        base_json_close(&json, ']');
        base_json_number(&json, "score", score);
        base_json_number(&json, "max-score", most);
    }
    base_json_close(&json, '}');
}

static int export_classroom50(const struct grade_papers *papers,
                              const char *given)
{
    (void)given;
    return export_rows(papers, "classroom50", put_classroom50);
}

/* --- GitHub Actions ------------------------------------------------------- */

/* GitHub shows ten annotations of each kind for a step. */
enum {
    ANNOTATIONS = 10
};

/* Writes an error, up to its line's end. What would end a command or begin
   another one is escaped (actions/toolkit, command.ts). */
static void annotate(FILE *to, const char *lab, long line, const char *message)
{
    fprintf(to, "::error file=labs/%s/%s.cu,", lab, lab + 3);
    if (line > 0)
        fprintf(to, "line=%ld,", line);
    fprintf(to, "title=%s::", lab);
    for (; *message != '\0' && *message != '\n'; message++)
        fprintf(to, *message == '%' ? "%%25" : "%c", *message);
    fputc('\n', to);
}

/* The line that a message is about, as in "tiling.cu:48: ..."; 0: none. */
static long line_of_message(const char *message, const char *lab,
                            const char **rest)
{
    char file[80], *end;
    const int length = snprintf(file, sizeof file, "%.60s.cu:", lab + 3);
    long line;

    if (strncmp(message, file, (size_t)length) != 0 ||
        !isdigit((unsigned char)message[length]))
        return 0;
    line = strtol(message + length, &end, 10);
    *rest = end + strspn(end, ": ");
    return *end == ':' ? line : 0;
}

/* One for each line of the student's that the text names. Returns how many. */
static int annotate_lines(FILE *to, const char *lab, const char *text, int most)
{
    char *const clean = grade_text_clean(text != NULL ? text : "", 1 << 16);
    int written = 0;

    for (const char *s = clean; s != NULL && *s != '\0' && written < most;
         s += strcspn(s, "\n"), s += *s == '\n') {
        const char *rest = s;
        const long line = line_of_message(s, lab, &rest);

        if (line > 0) {
            annotate(to, lab, line, rest);
            written++;
        }
    }
    free(clean);
    return written;
}

static void put_commands(FILE *to, const struct grade_papers *papers,
                         const void *what)
{
    const struct grade_class *const class = papers->class;
    const struct grade_row *const row = what;
    int left = ANNOTATIONS;

    for (int i = 0; i < class->labs && left > 0; i++) {
        const struct grade_result *const result = &row->result[i];
        const char *const lab = class->lab[i]->name;
        const int is_settled = grade_row_is_settled(row, i);
        const double points = grade_row_points(row, i);
        char message[160];
        int lines;

        if (is_settled &&
            (points >= class->of[i] || result->verdict == GRADE_MISSING))
            continue;
        lines = annotate_lines(to, lab, result->findings, left);
        if (lines == 0 && result->verdict == GRADE_COMPILE)
            lines = annotate_lines(to, lab, result->text, left);
        left -= lines > 0 ? lines : 1;
        if (lines > 0)
            continue;
        snprintf(message, sizeof message,
                 is_settled ? "%s, %g of %g points"
                            : "%s, no points were decided",
                 grade_verdict_word[result->verdict], points, class->of[i]);
        annotate(to, lab, 0, message);
    }
}

static void put_summary(FILE *to, const struct grade_papers *papers,
                        const void *what)
{
    const struct grade_class *const class = papers->class;
    const struct grade_row *const row = what;

    fputs("| lab | verdict | points |\n| --- | --- | --- |\n", to);
    for (int i = 0; i < class->labs; i++) {
        fprintf(to, "| %s | %s | ", class->lab[i]->name,
                grade_verdict_word[row->result[i].verdict]);
        if (grade_row_is_settled(row, i)) {
            fprintf(to, "%.10g of %.10g |\n", grade_row_points(row, i),
                    class->of[i]);
        } else {
            fputs("not decided |\n", to);
        }
    }
}

int grade_export_github(const struct grade_papers *papers, const char *given)
{
    const struct grade_row *const own = papers->class->row;

    (void)given;
    if (grade_papers_write(papers, "export/github.txt", put_commands, own) !=
            0 ||
        grade_papers_write(papers, "export/github.md", put_summary, own) != 0)
        return -1;
    fprintf(papers->tell, "  github: %s/export/github.txt\n", papers->out);
    return 0;
}

/* --- which there are ------------------------------------------------------ */

static const struct {
    const char *word;
    grade_export_one *write;
    const char *setting, *needs; /* the table that it needs, or NULL */
} known[GRADE_EXPORTS] = {
    {"canvas", grade_export_canvas, "CANVAS=FILE",
     "the gradebook as Canvas exports it"},
    {"moodle", grade_export_moodle, "MOODLE=FILE",
     "the list of the course's users"},
    {"gradescope", export_gradescope, NULL, NULL},
    {"github", grade_export_github, NULL, NULL},
    {"classroom50", export_classroom50, NULL, NULL},
    {"blackboard", grade_export_blackboard, "BLACKBOARD=FILE",
     "the gradebook as Blackboard downloads it"},
    {"brightspace", grade_export_brightspace, "BRIGHTSPACE=FILE",
     "the gradebook as Brightspace exports it"}};

int grade_export_read(const char *words, void *to, char *why, size_t size)
{
    struct grade_export_wanted *const wanted = to;
    char copy[200], *rest = NULL;

    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ,", &rest); word != NULL;
         word = strtok_r(NULL, " ,", &rest)) {
        const int which =
            base_find_word(word, "canvas moodle gradescope github classroom50 "
                                 "blackboard brightspace");

        if (which < 0) {
            return base_refuse(
                why, size,
                "--export: '%.40s' is not known: use canvas, moodle, "
                "gradescope, github, classroom50, blackboard and brightspace",
                word);
        }
        wanted->is_wanted[which] = wanted->is_any = 1;
    }
    return 0;
}

int grade_export_check(const struct grade_export_wanted *wanted, char *why,
                       size_t size)
{
    struct grade_table table;

    for (int i = 0; i < GRADE_EXPORTS; i++) {
        const char *const given = wanted->given[i];

        if (known[i].needs != NULL && wanted->is_wanted[i] && given == NULL) {
            return base_refuse(why, size, "--export: %s needs %s, %s",
                               known[i].word, known[i].setting, known[i].needs);
        }
        if (given != NULL && !wanted->is_wanted[i]) {
            return base_refuse(why, size, "%s goes with EXPORT=%s",
                               known[i].setting, known[i].word);
        }
        if (given != NULL && grade_table_read(&table, given, why, size) != 0)
            return -1;
        if (given != NULL)
            base_csv_free(&table.csv);
    }
    return 0;
}

int grade_export(const struct grade_papers *papers,
                 const struct grade_export_wanted *wanted)
{
    for (int i = 0; i < GRADE_EXPORTS; i++) {
        if (wanted->is_wanted[i] &&
            known[i].write(papers, wanted->given[i]) != 0)
            return -1;
    }
    return 0;
}
