#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "grade/base/digest.h"
#include "grade/base/text.h"

/* GitHub shows ten annotations of each kind for a step. */
enum {
    ANNOTATIONS = 10
};

/*
 * Writes a text into a workflow command: % and what ends a line are escaped,
 * and in a property also what ends that (actions/toolkit, command.ts).
 */
static void put_escaped(FILE *to, const char *text, size_t length,
                        int is_property)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];

        if (c == '%' || c == '\r' || c == '\n' ||
            (is_property && (c == ':' || c == ','))) {
            fprintf(to, "%%%02X", c);
        } else {
            fputc(c, to);
        }
    }
}

/* A name as it may be shown. */
static void put_shown_name(FILE *to, const char *name, int is_property)
{
    char *const shown = grade_text_shown(name);

    if (shown != NULL)
        put_escaped(to, shown, strlen(shown), is_property);
    free(shown);
}

/* --- annotations ---------------------------------------------------------- */

/* The line that a message is about, as in "tiling.cu:48: ..."; 0: none. */
static long line_of_message(const char *message, const char *file,
                            const char **rest)
{
    const size_t length = strlen(file);
    char *end;
    long line;

    if (strncmp(message, file, length) != 0 || message[length] != ':' ||
        !isdigit((unsigned char)message[length + 1]))
        return 0;
    line = strtol(message + length + 1, &end, 10);
    *rest = end + strspn(end, ": ");
    return *end == ':' ? line : 0;
}

static void annotate(FILE *to, const struct grade_papers *papers,
                     const struct grade_row *row, const char *lab, long line,
                     const char *message)
{
    fputs("::error ", to);
    if (papers->is_own)
        fprintf(to, "file=labs/%s/%s.cu,", lab, lab + 3);
    if (line > 0)
        fprintf(to, "line=%ld,", line);
    fprintf(to, "title=%s", lab);
    if (!papers->is_own) {
        fputs("%3A ", to);
        put_shown_name(to, row->student, 1);
    }
    fputs("::", to);
    put_escaped(to, message, strcspn(message, "\n"), 0);
    fputc('\n', to);
}

/* One for each line of the student's that the findings name. Returns how
   many. */
static int annotate_lines(FILE *to, const struct grade_papers *papers,
                          const struct grade_row *row, const char *lab,
                          const char *text, int most)
{
    char file[80];
    int written = 0;
    char *const clean = grade_text_clean(text != NULL ? text : "", 1 << 16);

    snprintf(file, sizeof file, "%s.cu", lab + 3);
    for (const char *s = clean; s != NULL && *s != '\0' && written < most;
         s += strcspn(s, "\n"), s += *s == '\n') {
        const char *rest = s;
        const long line = line_of_message(s, file, &rest);

        if (line > 0) {
            annotate(to, papers, row, lab, line, rest);
            written++;
        }
    }
    free(clean);
    return written;
}

/* Returns how many are left. */
static int annotate_row(FILE *to, const struct grade_papers *papers,
                        const struct grade_row *row, int left)
{
    const struct grade_class *const class = papers->class;

    for (int i = 0; i < class->labs && left > 0; i++) {
        const struct grade_result *const result = &row->result[i];
        const char *const lab = class->lab[i]->name;
        const int is_settled = grade_row_is_settled(row, i);
        const double points = grade_row_points(row, i);
        char message[160];
        int lines = 0;

        if (is_settled &&
            (points >= class->of[i] || result->verdict == GRADE_MISSING))
            continue;
        if (papers->is_own) {
            lines =
                annotate_lines(to, papers, row, lab, result->findings, left);
        }
        if (papers->is_own && lines == 0 && result->verdict == GRADE_COMPILE)
            lines = annotate_lines(to, papers, row, lab, result->text, left);
        left -= lines > 0 ? lines : 1;
        if (lines > 0)
            continue;
        snprintf(message, sizeof message,
                 is_settled ? "%s, %g of %g points"
                            : "%s, no points were decided",
                 grade_verdict_word[result->verdict], points, class->of[i]);
        annotate(to, papers, row, lab, 0, message);
    }
    return left;
}

/* --- the log -------------------------------------------------------------- */

/*
 * A student's words are no commands: between the two lines with the token none
 * is obeyed. The token is the digest of these words, which cannot hold it.
 */
static int put_feedback_log(FILE *to, const struct grade_row *row)
{
    char *const feedback = grade_feedback_text(row, GRADE_ALL);
    char token[GRADE_DIGEST_TEXT];
    struct grade_digest digest;

    if (feedback == NULL)
        return -1;
    grade_digest_begin(&digest);
    grade_digest_string(&digest, feedback);
    grade_digest_end(&digest, token);
    fputs("::group::", to);
    put_shown_name(to, row->student, 0);
    fprintf(to, "\n::stop-commands::%s\n%s\n::%s::\n::endgroup::\n", token,
            feedback, token);
    free(feedback);
    return 0;
}

/* --- the summary ---------------------------------------------------------- */

/* A lab's points with its verdict, or the sum of all. */
static void put_points_cell(FILE *to, const struct grade_row *row, int lab)
{
    if (lab == GRADE_ALL ? !grade_row_is_decided(row)
                         : !grade_row_is_settled(row, lab)) {
        fputs(" not decided |", to);
        return;
    }
    fputc(' ', to);
    base_put_number(to, lab == GRADE_ALL ? grade_row_total(row)
                                         : grade_row_points(row, lab));
    if (lab != GRADE_ALL)
        fprintf(to, " %s", grade_verdict_word[row->result[lab].verdict]);
    fputs(" |", to);
}

static int put_summary(FILE *to, const struct grade_papers *papers,
                       const void *what)
{
    const struct grade_class *const class = papers->class;

    (void)what;
    fputs("| student |", to);
    for (int i = 0; i < class->labs; i++)
        fprintf(to, " %s |", class->lab[i]->name);
    fputs(" total |\n| --- |", to);
    for (int i = 0; i <= class->labs; i++)
        fputs(" --- |", to);
    fputc('\n', to);
    for (size_t r = 0; r < class->rows; r++) {
        const struct grade_row *const row = &class->row[r];

        fputs("| ", to);
        grade_text_markdown(to, row->student);
        fputs(" |", to);
        for (int i = 0; i < class->labs; i++)
            put_points_cell(to, row, i);
        put_points_cell(to, row, GRADE_ALL);
        fputc('\n', to);
    }
    return 0;
}

static int put_commands(FILE *to, const struct grade_papers *papers,
                        const void *what)
{
    const struct grade_class *const class = papers->class;
    int left = ANNOTATIONS, failed = 0;

    (void)what;
    for (size_t i = 0; i < class->rows && !failed; i++)
        failed = put_feedback_log(to, &class->row[i]) != 0;
    for (size_t i = 0; i < class->rows; i++)
        left = annotate_row(to, papers, &class->row[i], left);
    return failed;
}

int grade_export_github(const struct grade_papers *papers, const char *given)
{
    (void)given;
    if (grade_papers_write(papers, "export/github.txt", put_commands, NULL) !=
            0 ||
        grade_papers_write(papers, "export/github.md", put_summary, NULL) != 0)
        return -1;
    fprintf(papers->tell, "  github: %s/export/github.txt\n", papers->out);
    return 0;
}
