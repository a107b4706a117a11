/* What did each student answer to a lab's questions? A page for each lab, for a
   person who reads them. */
#define _GNU_SOURCE
#include "grade/publish/papers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/html.h"
#include "base/refuse.h"
#include "course/keyed.h"
#include "grade/base/text.h"

/* The pages, while they are written. */
struct pages {
    int is_hidden, pages;
    struct sheet {
        struct grade_row *row;
        struct course_keyed answers;
    } * sheet;                     /* of each row, in the order of the pages */
    struct course_keyed questions; /* of one lab */
    struct course_keyed key;
    const struct course_keyed_entry *question; /* of one page */
};

static const char head[] =
    "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Answers to ";
static const char style[] =
    "</title>\n<style>body { max-width: 44em; margin: 2em auto; font: 1em/1.4 "
    "sans-serif }\np { white-space: pre-wrap } .key { background: #eef }\n"
    "h2 { font-size: 1em; border-top: 1px solid #999; padding-top: .5em }\n"
    "</style>\n";

/* --- what there is -------------------------------------------------------- */

static int compare_codes(const void *a, const void *b)
{
    return strcmp(((const struct sheet *)a)->row->code,
                  ((const struct sheet *)b)->row->code);
}

/* Reads everybody's answers; what cannot be read is told, and is none. Returns
   whether there are any. */
static int read_all(struct pages *p, const struct grade_papers *papers,
                    struct grade_intake *intake)
{
    int any = 0;

    for (size_t i = 0; i < papers->class->rows; i++) {
        struct grade_handed handed;
        char reason[400] = "";

        grade_intake_take(intake, p->sheet[i].row->student, NULL, &handed);
        if (handed.verdict == GRADE_PASS) {
            course_keyed_parse("answers.txt", handed.source,
                               &p->sheet[i].answers, reason, sizeof reason);
        } else {
            snprintf(reason, sizeof reason, "%s", handed.text);
        }
        p->sheet[i].row->has_answered = handed.verdict != GRADE_MISSING;
        any |= p->sheet[i].row->has_answered;
        if (*reason == '\0')
            continue;
        fputs("  answers that cannot be read, of ", papers->tell);
        grade_text_name(papers->tell, p->sheet[i].row->student);
        fputs(": ", papers->tell);
        grade_text_name(papers->tell, reason);
        fputc('\n', papers->tell);
    }
    return any;
}

/* What a row answers to the page's question, or NULL. */
static const char *answer_of(const struct pages *p, size_t row)
{
    const struct course_keyed_entry *const a = course_keyed_find(
        &p->sheet[row].answers, p->question->lab, p->question->number);

    return a != NULL && *a->text != '\0' ? a->text : NULL;
}

/* --- a page --------------------------------------------------------------- */

static void put_who(FILE *to, const struct pages *p, size_t i)
{
    const struct grade_row *const row = p->sheet[i].row;
    char *const shown = grade_text_shown(row->student);

    if (p->is_hidden) {
        fputs(row->code, to);
    } else {
        base_put_html(to, row->name);
        fputs(*row->name != '\0' ? ", " : "", to);
        base_put_html(to, shown != NULL ? shown : "?");
    }
    free(shown);
}

static void put_page(FILE *to, const struct grade_papers *papers,
                     const void *what)
{
    const struct pages *const p = what;
    const struct course_keyed_entry *const q = p->question;
    const struct course_keyed_entry *const key =
        course_keyed_find(&p->key, q->lab, q->number);
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
            p->is_hidden ? "CODE" : "STUDENT", q->lab, q->number);
    for (size_t i = 0; i < papers->class->rows; i++) {
        if (answer_of(p, i) == NULL)
            continue;
        fputs("<h2>", to);
        put_who(to, p, i);
        fputs("</h2>\n<p dir=\"auto\">", to);
        base_put_html(to, answer_of(p, i));
        fputs("</p>\n", to);
    }
    for (size_t i = 0; i < papers->class->rows; i++) {
        if (answer_of(p, i) != NULL)
            continue;
        fputs(separator, to);
        put_who(to, p, i);
        separator = "; ";
    }
    fputs("</p>\n", to);
}

/* Reads a file of questions or answers, if there is one. */
static int read_there(const struct grade_papers *papers, const char *folder,
                      const char *lab, const char *name,
                      struct course_keyed *keyed)
{
    char path[300];

    *keyed = (struct course_keyed){.count = 0};
    snprintf(path, sizeof path, "%s/%.80s/%s", folder, lab, name);
    return access(path, F_OK) != 0
               ? 0
               : course_keyed_read(path, keyed, papers->why, papers->size);
}

/* The pages of a lab, each with an answer at least. */
static int write_lab(struct pages *p, const struct grade_papers *papers,
                     const char *lab)
{
    int result =
        read_there(papers, "labs", lab, "questions.txt", &p->questions) != 0 ||
                read_there(papers, "solutions", lab, "answers.txt", &p->key) !=
                    0
            ? -1
            : 0;

    for (size_t k = 0; k < p->questions.count && result == 0; k++) {
        char name[60];
        size_t row = 0;

        p->question = &p->questions.entry[k];
        while (row < papers->class->rows && answer_of(p, row) == NULL)
            row++;
        if (row == papers->class->rows)
            continue;
        snprintf(name, sizeof name, "answers/%02d.%d.html", p->question->lab,
                 p->question->number);
        result = grade_papers_write(papers, name, put_page, p);
        p->pages++;
    }
    course_keyed_free(&p->questions);
    course_keyed_free(&p->key);
    return result;
}

int grade_write_answers(const struct grade_papers *papers,
                        const struct course_index *index,
                        struct grade_intake *intake, int is_hidden)
{
    const size_t rows = papers->class->rows;
    struct pages p = {.is_hidden = is_hidden,
                      .sheet = calloc(rows + 1, sizeof *p.sheet)};
    int result = 0;

    if (p.sheet == NULL) {
        return base_refuse(papers->why, papers->size, "%s: %s", papers->out,
                           strerror(ENOMEM));
    }
    for (size_t i = 0; i < rows; i++)
        p.sheet[i].row = &papers->class->row[i];
    if (is_hidden)
        qsort(p.sheet, rows, sizeof *p.sheet, compare_codes);
    if (read_all(&p, papers, intake)) {
        for (int i = 0; i < index->labs && result == 0; i++)
            result = write_lab(&p, papers, index->lab[i].name);
        if (result == 0) {
            fprintf(papers->tell, "  answers to %d question%s: %s/answers/\n",
                    p.pages, p.pages == 1 ? "" : "s", papers->out);
        }
    }
    for (size_t i = 0; i < rows; i++)
        course_keyed_free(&p.sheet[i].answers);
    free(p.sheet);
    return result;
}
