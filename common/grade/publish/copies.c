/* Which two students' sources are alike, apart from what the skeleton gave
   both? */
#define _GNU_SOURCE
#include "grade/publish/papers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/lexer.h"
#include "base/memory.h"
#include "grade/intake/names.h"

enum {
    LARGEST = 32 * 1024, /* bytes of a source; a lab has about 5000 */
    MOST_NAMES = 5       /* of students who have the same */
};

/* --- what is a student's own ---------------------------------------------- */

/* A source as its words, numbers, strings and signs. Returns 0, or -1 with
   nothing to free: it is no C++. */
static int read_words(const char *text, struct base_tokens *w)
{
    char why[200];
    size_t kept = 0;

    if (base_lex(text, strlen(text), w, why, sizeof why) != 0) {
        base_tokens_free(w);
        return -1;
    }
    for (size_t i = 0; i < w->count; i++) {
        if (!base_token_is_blank(w, i))
            w->token[kept++] = w->token[i];
    }
    w->count = kept;
    return 0;
}

static int is_same(const struct base_tokens *w, size_t a, size_t b)
{
    const struct base_token *const first = &w->token[a], *second = &w->token[b];
    const size_t length = first->end - first->begin;

    return second->end - second->begin == length &&
           strncmp(w->text + first->begin, w->text + second->begin, length) ==
               0;
}

/* Writes words from `first` to before `end`, without blanks; names as the place
   of their first use among them. */
static void put_words(FILE *to, const struct base_tokens *w, size_t first,
                      size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct base_token *const t = &w->token[i];
        size_t same = first;

        if (t->kind == BASE_WORD &&
            !isdigit((unsigned char)w->text[t->begin])) {
            while (!is_same(w, same, i))
                same++;
            fprintf(to, "n%zu ", same - first);
            continue;
        }
        for (size_t k = t->begin; k < t->end; k++) {
            if (!isspace((unsigned char)w->text[k]))
                fputc(w->text[k], to);
        }
        fputc(' ', to);
    }
}

/* The end of the line that begins with a word. */
static size_t end_of_line(const struct base_tokens *w, size_t first)
{
    size_t end = first;

    while (end < w->count && w->token[end].line == w->token[first].line)
        end++;
    return end;
}

/* Lines, from the one that begins with `first` to before `end`: each with names
   of its own, and between line ends. For free(); NULL without memory. */
static char *put_lines(const struct base_tokens *w, size_t first, size_t end)
{
    struct base_memory memory;

    if (base_memory_open(&memory) == NULL)
        return NULL;
    fputc('\n', memory.file);
    for (; first < end; first = end_of_line(w, first)) {
        put_words(memory.file, w, first, end_of_line(w, first));
        fputc('\n', memory.file);
    }
    return base_memory_close(&memory);
}

/* Takes out the lines that are given, whatever their names are. */
static void take_out(struct base_tokens *w, const char *given)
{
    size_t kept = 0, end;

    for (size_t first = 0; first < w->count; first = end) {
        char *line;
        int is_given;

        end = end_of_line(w, first);
        line = put_lines(w, first, end);
        is_given = line != NULL && strstr(given, line) != NULL;
        for (; first < end && !is_given; first++)
            w->token[kept++] = w->token[first];
        free(line);
    }
    w->count = kept;
}

char *grade_own_text(const char *source, const char *skeleton, size_t *tokens)
{
    struct base_tokens own = {.count = 0}, skeletons = {.count = 0};
    struct base_memory memory;
    char *given = NULL;

    if (base_memory_open(&memory) != NULL && read_words(source, &own) == 0 &&
        read_words(skeleton, &skeletons) == 0) {
        given = put_lines(&skeletons, 0, skeletons.count);
        if (given != NULL)
            take_out(&own, given);
        put_words(memory.file, &own, 0, own.count);
    }
    *tokens = own.count;
    base_tokens_free(&own);
    base_tokens_free(&skeletons);
    free(given);
    return base_memory_close(&memory);
}

/* --- of a class ----------------------------------------------------------- */

struct source {
    struct grade_row *row; /* NULL: the course's solution */
    char *own;             /* NULL: it is not compared */
};

/* Did both hand in together? */
static int is_of_team(const struct source *a, const struct source *b)
{
    return a->row->team != 0 && b->row != NULL && a->row->team == b->row->team;
}

/* Notes with each what the others are called that have the same. */
static void note_alike(const struct source *s, size_t count, int lab)
{
    for (size_t i = 0; i < count; i++) {
        struct base_memory memory;
        struct grade_names same = {.before = "the same but for names as ",
                                   .most = MOST_NAMES};
        char *text;

        if (s[i].row == NULL || s[i].own == NULL)
            continue;
        same.to = base_memory_open(&memory);
        if (same.to == NULL)
            return;
        for (size_t k = 0; k < count; k++) {
            if (k == i || s[k].own == NULL || strcmp(s[i].own, s[k].own) != 0 ||
                is_of_team(&s[i], &s[k]))
                continue;
            grade_names_tell(&same, s[k].row == NULL ? "the course's solution"
                                                     : s[k].row->student);
        }
        grade_names_end(&same, "");
        text = base_memory_close(&memory);
        if (same.names > 0) {
            s[i].row->alike[lab] = text;
        } else {
            free(text);
        }
    }
}

/* Takes what there is to compare of a source. Returns whether that is enough to
   say something. */
static int take_own(struct source *s, const char *source, const char *skeleton)
{
    size_t tokens = 0;

    if (strlen(source) <= LARGEST)
        s->own = grade_own_text(source, skeleton, &tokens);
    if (tokens >= GRADE_OWN_LEAST)
        return 1;
    free(s->own);
    s->own = NULL;
    return 0;
}

static void compare_lab(struct grade_class *class, struct grade_intake *intake,
                        int lab)
{
    const char *const name = class->lab[lab]->name;
    struct source *const s = calloc(class->rows + 1, sizeof *s);
    char path[200], why[300], *skeleton, *solution;
    int is_compared = 1;

    if (s == NULL) {
        base_memory_fail();
        return;
    }

    snprintf(path, sizeof path, "labs/%.80s/%.80s.cu", name, name + 3);
    skeleton = base_read_file(path, why, sizeof why);
    snprintf(path, sizeof path, "solutions/%.80s/%.80s.cu", name, name + 3);
    solution = base_read_file(path, why, sizeof why);
    if (skeleton != NULL && solution != NULL)
        is_compared = take_own(&s[class->rows], solution, skeleton);
    for (size_t i = 0; i < class->rows; i++) {
        struct grade_handed handed;

        s[i].row = &class->row[i];
        grade_intake_take(intake, s[i].row->student, name, &handed);
        if (handed.verdict == GRADE_PASS && *handed.text != '\0')
            s[i].row->beside[lab] = base_text("%s", handed.text);
        if (handed.verdict == GRADE_PASS && skeleton != NULL && is_compared)
            take_own(&s[i], handed.source, skeleton);
        free(handed.source);
    }
    note_alike(s, class->rows + 1, lab);
    for (size_t i = 0; i <= class->rows; i++)
        free(s[i].own);
    free(s);
    free(skeleton);
    free(solution);
}

void grade_class_compare(struct grade_class *class, struct grade_intake *intake)
{
    for (int k = 0; k < class->labs; k++)
        compare_lab(class, intake, k);
}
