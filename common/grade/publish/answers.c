#define _GNU_SOURCE
#include "grade/publish/answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/html.h"
#include "base/replace_file.h"
#include "course/keyed.h"
#include "grade/base/digest.h"
#include "grade/base/text.h"

struct reader {
    struct grade_class *class;
    int is_hidden;
    struct grade_row **row;        /* in the order of the pages */
    struct course_keyed *answers;  /* of these rows */
    struct course_keyed questions; /* of one lab */
    struct course_keyed key;
    char *folder;
    int pages;
    char *why;
    size_t size;
};

static const char head[] =
    "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Answers to ";
static const char style[] =
    "</title>\n<style>body { max-width: 44em; margin: 2em auto; font: 1em/1.4 "
    "sans-serif }\np { white-space: pre-wrap } .key { background: #eef }\n"
    "h2 { font-size: 1em; border-top: 1px solid #999; padding-top: .5em }\n"
    "</style>\n";

void grade_class_code(struct grade_class *class, unsigned long long seed)
{
    for (size_t i = 0; i < class->rows; i++) {
        struct grade_row *const row = &class->row[i];
        struct grade_digest digest;
        char text[GRADE_DIGEST_TEXT];

        grade_digest_begin(&digest);
        grade_digest_item(&digest, &seed, sizeof seed);
        grade_digest_string(&digest, row->student);
        grade_digest_end(&digest, text);
        snprintf(row->code, sizeof row->code, "%.8s", text);
    }
}

/* --- what there is -------------------------------------------------------- */

static int compare_codes(const void *a, const void *b)
{
    return strcmp((*(struct grade_row *const *)a)->code,
                  (*(struct grade_row *const *)b)->code);
}

static void put_who(FILE *to, const struct reader *r, size_t i)
{
    const struct grade_row *const row = r->row[i];

    if (r->is_hidden) {
        fputs(row->code, to);
    } else {
        char *const shown = grade_text_shown(row->student);

        base_put_html(to, *row->name != '\0' ? row->name : "");
        fputs(*row->name != '\0' ? ", " : "", to);
        base_put_html(to, shown != NULL ? shown : "?");
        free(shown);
    }
}

/* Reads everybody's answers; what cannot be read is told, and is none. */
static int read_all(struct reader *r, struct grade_intake *intake, FILE *tell)
{
    int any = 0;

    for (size_t i = 0; i < r->class->rows; i++) {
        struct grade_handed handed;
        char reason[400] = "";

        grade_intake_take(intake, r->row[i]->student, NULL, &handed);
        if (handed.verdict == GRADE_PASS) {
            course_keyed_parse("answers.txt", handed.source, &r->answers[i],
                               reason, sizeof reason);
        } else {
            snprintf(reason, sizeof reason, "%s", handed.text);
        }
        r->row[i]->has_answered = handed.verdict != GRADE_MISSING;
        any |= r->row[i]->has_answered;
        if (*reason == '\0')
            continue;
        fputs("  answers that cannot be read, of ", tell);
        grade_text_name(tell, r->row[i]->student);
        fputs(": ", tell);
        grade_text_name(tell, reason);
        fputc('\n', tell);
    }
    return any;
}

/* --- a page --------------------------------------------------------------- */

static void put_page(FILE *to, const struct reader *r,
                     const struct course_keyed_entry *q)
{
    const struct course_keyed_entry *const key =
        course_keyed_find(&r->key, q->lab, q->number);
    const char *separator = "<h2>No answer</h2>\n<p>";

    fprintf(to, "%s%02d.%d%s<h1>%02d.%d</h1>\n<p>", head, q->lab, q->number,
            style, q->lab, q->number);
    base_put_html(to, q->text);
    if (key != NULL) {
        fputs("</p>\n<p class=\"key\">", to);
        base_put_html(to, key->text);
    }
    fprintf(to,
            "</p>\n<p>Points: a line in manual.csv, as %s,%02d.%d,4,\n</p>\n",
            r->is_hidden ? "CODE" : "STUDENT", q->lab, q->number);
    for (size_t i = 0; i < r->class->rows; i++) {
        const struct course_keyed_entry *const a =
            course_keyed_find(&r->answers[i], q->lab, q->number);

        if (a == NULL || *a->text == '\0')
            continue;
        fputs("<h2>", to);
        put_who(to, r, i);
        fputs("</h2>\n<p dir=\"auto\">", to);
        base_put_html(to, a->text);
        fputs("</p>\n", to);
    }
    for (size_t i = 0; i < r->class->rows; i++) {
        const struct course_keyed_entry *const a =
            course_keyed_find(&r->answers[i], q->lab, q->number);

        if (a != NULL && *a->text != '\0')
            continue;
        fputs(separator, to);
        put_who(to, r, i);
        separator = "; ";
    }
    fputs("</p>\n", to);
}

static int write_page(struct reader *r, const struct course_keyed_entry *q)
{
    struct base_replacement page;
    char *path;
    int result;

    if (asprintf(&path, "%s/%02d.%d.html", r->folder, q->lab, q->number) < 0) {
        snprintf(r->why, r->size, "%s: %s", r->folder, strerror(ENOMEM));
        return -1;
    }
    result = base_replace_begin(&page, path, r->why, r->size);
    if (result == 0) {
        put_page(page.file, r, q);
        result = base_replace_end(&page, 1, r->why, r->size);
        r->pages++;
    }
    free(path);
    return result;
}

static int is_answered(const struct reader *r,
                       const struct course_keyed_entry *q)
{
    for (size_t i = 0; i < r->class->rows; i++) {
        if (course_keyed_find(&r->answers[i], q->lab, q->number) != NULL)
            return 1;
    }
    return 0;
}

/* --- all of them ---------------------------------------------------------- */

/* Reads a file of questions or answers, if there is one. */
static int read_there(const char *folder, const char *lab, const char *name,
                      struct course_keyed *keyed, char *why, size_t size)
{
    char path[300];

    *keyed = (struct course_keyed){.file = NULL};
    snprintf(path, sizeof path, "%s/%.80s/%s", folder, lab, name);
    return access(path, F_OK) != 0 ? 0
                                   : course_keyed_read(path, keyed, why, size);
}

static int write_lab(struct reader *r, const char *lab)
{
    int result = read_there("labs", lab, "questions.txt", &r->questions, r->why,
                            r->size);

    if (result == 0) {
        result = read_there("solutions", lab, "answers.txt", &r->key, r->why,
                            r->size);
    }
    for (size_t k = 0; k < r->questions.count && result == 0; k++) {
        if (is_answered(r, &r->questions.entry[k]))
            result = write_page(r, &r->questions.entry[k]);
    }
    course_keyed_free(&r->questions);
    course_keyed_free(&r->key);
    return result;
}

static int write_all(struct reader *r, const struct course_index *index,
                     FILE *tell)
{
    if (mkdir(r->folder, 0700) != 0 && errno != EEXIST) {
        snprintf(r->why, r->size, "%s: %s", r->folder, strerror(errno));
        return -1;
    }
    for (int i = 0; i < index->labs; i++) {
        if (write_lab(r, index->lab[i].name) != 0)
            return -1;
    }
    fprintf(tell, "  answers to %d question%s: %s/\n", r->pages,
            r->pages == 1 ? "" : "s", r->folder);
    return 0;
}

int grade_answers_write(const char *out, struct grade_class *class,
                        const struct course_index *index,
                        struct grade_intake *intake, int is_hidden, FILE *tell,
                        char *why, size_t size)
{
    struct reader r = {.class = class,
                       .is_hidden = is_hidden,
                       .row =
                           calloc(class->rows + 1, sizeof(struct grade_row *)),
                       .answers = calloc(class->rows + 1, sizeof *r.answers),
                       .size = size};
    int result = -1;

    r.why = why;
    if (r.row == NULL || r.answers == NULL ||
        asprintf(&r.folder, "%s/answers", out) < 0) {
        snprintf(why, size, "%s: %s", out, strerror(ENOMEM));
        r.folder = NULL;
    } else {
        for (size_t i = 0; i < class->rows; i++)
            r.row[i] = &class->row[i];
        if (is_hidden) {
            qsort(r.row, class->rows, sizeof(struct grade_row *),
                  compare_codes);
        }
        result = read_all(&r, intake, tell) ? write_all(&r, index, tell) : 0;
    }
    for (size_t i = 0; r.answers != NULL && i < class->rows; i++)
        course_keyed_free(&r.answers[i]);
    free(r.row);
    free(r.answers);
    free(r.folder);
    return result;
}
