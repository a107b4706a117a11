#define _GNU_SOURCE
#include "grade/publish/papers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "course/todo.h"
#include "grade/intake/names.h"

enum {
    LARGEST = 32 * 1024, /* bytes of a source; a lab has about 5000 */
    MOST_NAMES = 5       /* of students who have the same */
};

/* --- what is a student's own ---------------------------------------------- */

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80) != 0;
}

static size_t word_length(const char *c, const char *end)
{
    size_t length = 0;

    while (c + length < end && is_word(c[length]))
        length++;
    return length;
}

/* The source without comments, without blanks but one between two words, and
   without empty lines; NULL without memory. */
static char *strip(const char *source)
{
    char *const text = calloc(strlen(source) + 2, 1), *to = text;
    const char *end;
    int is_apart = 0;

    for (const char *c = source; text != NULL && *c != '\0'; c = end) {
        const char *const comment = course_comment(c, &end);

        for (; c < comment; c++) {
            if (*c != '\n' && isspace((unsigned char)*c)) {
                is_apart = 1;
                continue;
            }
            if (is_apart && to > text && is_word(to[-1]) && is_word(*c))
                *to++ = ' ';
            if (*c != '\n' || (to > text && to[-1] != '\n'))
                *to++ = *c;
            is_apart = 0;
        }
        is_apart = 1;
    }
    return text;
}

/* How many tokens stand before a name's first use, and one. */
static size_t number_of(const char *text, const char *name, size_t length)
{
    size_t number = 1, own;

    for (const char *c = text; c < name; c += own) {
        own = word_length(c, name + length);
        if (own == length && strncmp(c, name, length) == 0)
            break;
        number += *c != ' ' && *c != '\n';
        own += own == 0;
    }
    return number;
}

/* Writes a text token by token; names as the place of their first use. Returns
   how many tokens there are. */
static size_t put_tokens(FILE *to, const char *text, size_t length)
{
    const char *const end = text + length;
    size_t tokens = 0, word;

    for (const char *c = text; c < end; c += word) {
        word = word_length(c, end);
        tokens += *c != ' ' && *c != '\n';
        if (word == 0) {
            fwrite(c, *c != '\n', 1, to);
            word = 1;
        } else if (isdigit((unsigned char)*c)) {
            fprintf(to, "%.*s ", (int)word, c);
        } else {
            fprintf(to, "n%zu ", number_of(text, c, word));
        }
    }
    return tokens;
}

/* Lines with the names numbered by their first use in each, and a line's end
   before and behind each; NULL without memory. */
static char *number_lines(const char *text, size_t length)
{
    const char *const end = text + length;
    struct base_memory memory;

    if (base_memory_open(&memory) == NULL)
        return NULL;
    fputc('\n', memory.file);
    for (const char *line = text; line < end;) {
        const size_t own = strcspn(line, "\n");

        put_tokens(memory.file, line, own);
        fputc('\n', memory.file);
        line += own + 1;
    }
    return base_memory_close(&memory);
}

/* Takes the lines out of the text that are given, whatever their names are.
   Returns 0, or -1 without memory. */
static int take_out(char *text, const char *given)
{
    char *to = text;

    for (const char *line = text; *line != '\0';) {
        const size_t own = strcspn(line, "\n"), all = own + (line[own] != '\0');
        char *const form = number_lines(line, own);

        if (form == NULL)
            return -1;
        if (strstr(given, form) == NULL) {
            memmove(to, line, all);
            to += all;
        }
        free(form);
        line += all;
    }
    *to = '\0';
    return 0;
}

char *grade_own_text(const char *source, const char *skeleton, size_t *tokens)
{
    char *const text = strip(source), *const stripped = strip(skeleton);
    char *const given =
        stripped != NULL ? number_lines(stripped, strlen(stripped)) : NULL;
    struct base_memory memory = {.file = NULL};

    *tokens = 0;
    if (text != NULL && given != NULL && take_out(text, given) == 0 &&
        base_memory_open(&memory) != NULL)
        *tokens = put_tokens(memory.file, text, strlen(text));
    free(text);
    free(stripped);
    free(given);
    return base_memory_close(&memory);
}

/* --- of a class ----------------------------------------------------------- */

struct source {
    struct grade_row *row; /* NULL: the course's solution */
    char *own;             /* NULL: it is not compared */
};

/* Notes with each what the others are called that have the same. Returns 0, or
   -1 without memory. */
static int note_alike(const struct source *s, size_t count, int lab)
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
            return -1;
        for (size_t k = 0; k < count; k++) {
            if (k == i || s[k].own == NULL || strcmp(s[i].own, s[k].own) != 0)
                continue;
            grade_names_tell(&same, s[k].row == NULL ? "the course's solution"
                                                     : s[k].row->student);
        }
        grade_names_end(&same, "");
        text = base_memory_close(&memory);
        if (text == NULL)
            return -1;
        if (same.names > 0) {
            s[i].row->alike[lab] = text;
        } else {
            free(text);
        }
    }
    return 0;
}

/* What there is to compare of a source. Returns 0, or -1 without memory. */
static int take_own(struct source *s, const char *source, const char *skeleton)
{
    size_t tokens = 0;

    if (strlen(source) > LARGEST)
        return 0;
    s->own = grade_own_text(source, skeleton, &tokens);
    if (s->own == NULL)
        return -1;
    if (tokens < GRADE_OWN_LEAST) {
        free(s->own);
        s->own = NULL;
    }
    return 0;
}

static int compare_lab(struct grade_class *class, struct grade_intake *intake,
                       int lab)
{
    const char *const name = class->lab[lab]->name;
    struct source *const s = calloc(class->rows + 1, sizeof *s);
    char path[200], why[300], *skeleton, *solution;
    int failed = s == NULL;

    snprintf(path, sizeof path, "labs/%.80s/%.80s.cu", name, name + 3);
    skeleton = base_read_file(path, why, sizeof why);
    snprintf(path, sizeof path, "solutions/%.80s/%.80s.cu", name, name + 3);
    solution = base_read_file(path, why, sizeof why);
    if (skeleton != NULL && solution != NULL && !failed)
        failed = take_own(&s[class->rows], solution, skeleton);
    for (size_t i = 0; i < class->rows && skeleton != NULL && !failed; i++) {
        struct grade_handed handed;

        s[i].row = &class->row[i];
        grade_intake_take(intake, s[i].row->student, name, &handed);
        if (handed.verdict == GRADE_PASS)
            failed = take_own(&s[i], handed.source, skeleton);
        free(handed.source);
    }
    if (!failed)
        failed = note_alike(s, class->rows + 1, lab);
    for (size_t i = 0; s != NULL && i <= class->rows; i++)
        free(s[i].own);
    free(s);
    free(skeleton);
    free(solution);
    return failed;
}

int grade_class_compare(struct grade_class *class, struct grade_intake *intake)
{
    for (int k = 0; k < class->labs; k++) {
        if (compare_lab(class, intake, k) != 0)
            return -1;
    }
    return 0;
}
