/* What does GitHub's classroom show of results? Lines that its runner reads,
   and a summary. */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"

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
