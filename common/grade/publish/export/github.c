#define _POSIX_C_SOURCE 200809L
#include "grade/publish/export/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/base/digest.h"
#include "grade/base/text.h"
#include "base/replace_file.h"
#include "base/values.h"

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

    *rest = message;
    if (strncmp(message, file, length) != 0 || message[length] != ':' ||
        !isdigit((unsigned char)message[length + 1]))
        return 0;
    line = strtol(message + length + 1, &end, 10);
    if (*end != ':')
        return 0;
    *rest = end + 1 + strspn(end + 1, " ");
    return line;
}

static void annotate(FILE *to, const struct grade_row *row, const char *lab,
                     int own, long line, const char *message, size_t length)
{
    fputs("::error ", to);
    if (own) {
        fprintf(to, "file=labs/%s/%s.cu,", lab, lab + 3);
        if (line > 0)
            fprintf(to, "line=%ld,", line);
    }
    fprintf(to, "title=%s", lab);
    if (!own) {
        fputs("%3A ", to);
        put_shown_name(to, row->student, 1);
    }
    fputs("::", to);
    put_escaped(to, message, length, 0);
    fputc('\n', to);
}

/* One for each line of the student's that the findings name. Returns how
   many. */
static int annotate_lines(FILE *to, const struct grade_row *row,
                          const char *lab, const char *text, int most)
{
    char file[80];
    int written = 0;
    char *const clean = grade_text_clean(text, 1 << 16);

    snprintf(file, sizeof file, "%s.cu", lab + 3);
    for (const char *s = clean; s != NULL && *s != '\0' && written < most;) {
        const size_t length = strcspn(s, "\n");
        const char *rest;
        const long line = line_of_message(s, file, &rest);

        if (line > 0) {
            annotate(to, row, lab, 1, line, rest, length - (size_t)(rest - s));
            written++;
        }
        s += length + (s[length] == '\n');
    }
    free(clean);
    return written;
}

static void annotate_row(FILE *to, const struct grade_class *class,
                         const struct grade_row *row, int own, int *left)
{
    for (int i = 0; i<class->labs && * left> 0; i++) {
        const struct grade_result *const result = &row->result[i];
        const char *const lab = class->lab[i]->name;
        char message[160];
        int lines = 0;

        if (grade_row_is_settled(class, row, i) &&
            (grade_row_points(class, row, i) >= class->of[i] ||
             result->verdict == GRADE_MISSING))
            continue;
        if (own && result->findings != NULL)
            lines = annotate_lines(to, row, lab, result->findings, *left);
        if (own && lines == 0 && result->verdict == GRADE_COMPILE)
            lines = annotate_lines(to, row, lab, result->text, *left);
        *left -= lines;
        if (lines > 0)
            continue;
        snprintf(message, sizeof message,
                 grade_row_is_settled(class, row, i)
                     ? "%s, %g of %g points"
                     : "%s, no points were decided",
                 grade_verdict_word[result->verdict],
                 grade_row_points(class, row, i), class->of[i]);
        annotate(to, row, lab, own, 0, message, strlen(message));
        *left -= 1;
    }
}

/* --- the log -------------------------------------------------------------- */

/*
 * A student's words are no commands: between the two lines with the token none
 * is obeyed. The token is the digest of these words, which cannot hold it.
 */
static int put_feedback_log(FILE *to, const struct grade_class *class,
                            const struct grade_row *row)
{
    char *const feedback = grade_feedback_text(class, row, -1);
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

static void put_points(FILE *to, const struct grade_class *class,
                       const struct grade_row *row, int lab)
{
    if (grade_row_is_settled(class, row, lab)) {
        base_put_number(to, grade_row_points(class, row, lab));
        fprintf(to, " %s", grade_verdict_word[row->result[lab].verdict]);
    } else {
        fputs("not decided", to);
    }
}

static void put_summary(FILE *to, const struct grade_class *class)
{
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
        for (int i = 0; i < class->labs; i++) {
            fputc(' ', to);
            put_points(to, class, row, i);
            fputs(" |", to);
        }
        fputc(' ', to);
        if (grade_row_is_decided(class, row)) {
            base_put_number(to, grade_row_total(class, row));
        } else {
            fputs("not decided", to);
        }
        fputs(" |\n", to);
    }
}

int grade_export_github(const char *commands, const char *summary,
                        const struct grade_class *class, int own, char *why,
                        size_t size)
{
    struct base_replacement r;
    int left = ANNOTATIONS, failed = 0;

    if (base_replace_begin(&r, commands, why, size) != 0)
        return -1;
    for (size_t i = 0; i < class->rows && !failed; i++)
        failed = put_feedback_log(r.file, class, &class->row[i]) != 0;
    for (size_t i = 0; i < class->rows; i++)
        annotate_row(r.file, class, &class->row[i], own, &left);
    if (base_replace_end(&r, failed ? -1 : 1, why, size) != 0 ||
        base_replace_begin(&r, summary, why, size) != 0)
        return -1;
    put_summary(r.file, class);
    return base_replace_end(&r, 1, why, size);
}
