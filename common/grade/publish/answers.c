/* What did each student answer to a lab's questions? A page for each lab, for a
   person who reads them. */
#define _GNU_SOURCE
#include "grade/publish/papers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/html.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "course/keyed.h"
#include "grade/base/text.h"

/* The pages, while they are written. */
struct pages {
    int is_hidden, pages;
    const struct grade_row **row;  /* in the order of the pages */
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
    return strcmp((*(const struct grade_row *const *)a)->code,
                  (*(const struct grade_row *const *)b)->code);
}

/* What a row answers to a question, or NULL; two that differ are none.
   *second: the file of the other one of these, else NULL. */
static const char *find_answer(const struct grade_row *row, int lab, int number,
                               const struct grade_answers **first,
                               const struct grade_answers **second)
{
    const char *found = NULL;

    *first = *second = NULL;
    for (size_t i = 0; i < row->answers_files; i++) {
        const struct course_keyed_entry *const a =
            course_keyed_find(&row->answers[i].keyed, lab, number);

        if (a == NULL || *a->text == '\0')
            continue;
        if (found == NULL) {
            found = a->text;
            *first = &row->answers[i];
        } else if (strcmp(found, a->text) != 0) {
            *second = &row->answers[i];
            return NULL;
        }
    }
    return found;
}

/* Reads one file of a row's. */
static void read_file(FILE *wrong, struct grade_row *row, const char *path,
                      const struct grade_handed *handed)
{
    struct grade_answers *const a =
        base_list_add(&row->answers, &row->answers_files, sizeof *a);
    char reason[400] = "";

    if (a == NULL) {
        free(handed->source);
        return;
    }
    *a = (struct grade_answers){.path = path};
    if (handed->verdict != GRADE_PASS) {
        fprintf(wrong, "%s; ", handed->text);
    } else if (course_keyed_parse(path, handed->source, &a->keyed, reason,
                                  sizeof reason) != 0) {
        fprintf(wrong, "%s; ", reason);
    }
}

/* Names each question that two files answer in other words. */
static void put_twice(FILE *wrong, const struct grade_row *row)
{
    for (size_t i = 0; i < row->answers_files; i++) {
        const struct course_keyed *const keyed = &row->answers[i].keyed;

        for (size_t k = 0; k < keyed->count; k++) {
            const struct course_keyed_entry *const e = &keyed->entry[k];
            const struct grade_answers *first, *second;

            if (find_answer(row, e->lab, e->number, &first, &second) == NULL &&
                first == &row->answers[i]) {
                fprintf(wrong,
                        "%02d.%d has two answers, in %s and in %s, so neither "
                        "is taken; ",
                        e->lab, e->number, first->path, second->path);
            }
        }
    }
}

void grade_read_answers(struct grade_class *class,
                        const struct grade_intake *intake)
{
    for (size_t i = 0; i < class->rows; i++) {
        struct grade_row *const row = &class->row[i];
        struct base_memory memory;
        struct grade_handed handed;
        const char *path;

        if (base_memory_open(&memory) == NULL)
            return;
        for (size_t n = 0; (path = grade_intake_answers(intake, row->student, n,
                                                        &handed)) != NULL;
             n++)
            read_file(memory.file, row, path, &handed);
        put_twice(memory.file, row);
        row->answers_wrong = base_memory_close(&memory);
        if (row->answers_wrong != NULL && memory.length > 2)
            row->answers_wrong[memory.length - 2] = '\0';
    }
}

/* Tells whose answers are not taken. Returns whether there are any answers. */
static int tell_wrong(const struct grade_papers *papers)
{
    int any = 0;

    for (size_t i = 0; i < papers->class->rows; i++) {
        const struct grade_row *const row = &papers->class->row[i];

        any |= row->answers_files > 0;
        if (row->answers_wrong == NULL || *row->answers_wrong == '\0')
            continue;
        fputs("  answers that are not taken, of ", papers->tell);
        grade_text_name(papers->tell, row->student);
        fputs(": ", papers->tell);
        grade_text_name(papers->tell, row->answers_wrong);
        fputc('\n', papers->tell);
    }
    return any;
}

/* What a row answers to the page's question, or NULL. */
static const char *answer_of(const struct pages *p, size_t row)
{
    const struct grade_answers *first, *second;

    return find_answer(p->row[row], p->question->lab, p->question->number,
                       &first, &second);
}

/* --- a page --------------------------------------------------------------- */

static void put_who(FILE *to, const struct pages *p, size_t i)
{
    const struct grade_row *const row = p->row[i];
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
                        const struct course_index *index, int is_hidden)
{
    const size_t rows = papers->class->rows;
    struct pages p = {.is_hidden = is_hidden,
                      .row =
                          calloc(rows + 1, sizeof(const struct grade_row *))};
    int result = 0;

    if (p.row == NULL) {
        return base_refuse(papers->why, papers->size, "%s: %s", papers->out,
                           strerror(ENOMEM));
    }
    for (size_t i = 0; i < rows; i++)
        p.row[i] = &papers->class->row[i];
    if (is_hidden)
        qsort(p.row, rows, sizeof(void *), compare_codes);
    if (tell_wrong(papers)) {
        for (int i = 0; i < index->labs && result == 0; i++)
            result = write_lab(&p, papers, index->lab[i].name);
        if (result == 0) {
            fprintf(papers->tell, "  answers to %d question%s: %s/answers/\n",
                    p.pages, p.pages == 1 ? "" : "s", papers->out);
        }
    }
    free(p.row);
    return result;
}
