#define _GNU_SOURCE
#include "grade/publish/copies.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "course/todo.h"
#include "grade/base/text.h"

enum {
    LARGEST = 32 * 1024, /* bytes of a source; a lab has about 5000 */
    MOST_NAMES = 5       /* of students who have the same */
};

/* --- what is a student's own ---------------------------------------------- */

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80) != 0;
}

/* The source without comments, without blanks but one between two words, and
   without empty lines; NULL without memory. */
static char *strip(const char *source)
{
    char *const text = malloc(strlen(source) + 2), *to = text;
    const char *end;
    int is_apart = 0;

    for (const char *c = source; text != NULL && *c != '\0'; c = end) {
        const char *const comment = course_comment(c, &end);

        for (; c < comment; c++) {
            if (*c == '\n') {
                if (to > text && to[-1] != '\n')
                    *to++ = '\n';
            } else if (isspace((unsigned char)*c)) {
                is_apart = 1;
                continue;
            } else {
                if (is_apart && to > text && is_word(to[-1]) && is_word(*c))
                    *to++ = ' ';
                *to++ = *c;
            }
            is_apart = 0;
        }
        is_apart = 1;
    }
    if (text != NULL)
        *to = '\0';
    return text;
}

/* Is it one of the lines? */
static int has_line(const char *lines, const char *line, size_t length)
{
    for (; *lines != '\0';
         lines += strcspn(lines, "\n"), lines += *lines == '\n') {
        if (strcspn(lines, "\n") == length && strncmp(lines, line, length) == 0)
            return 1;
    }
    return 0;
}

/* How many tokens stand before a name's first use, and one. */
static size_t number_of(const char *text, const char *name, size_t length)
{
    size_t number = 1;

    for (const char *c = text; c < name;) {
        const size_t own = strcspn(c, "\n ");
        size_t word = 0;

        while (word < own && is_word(c[word]))
            word++;
        if (word == length && strncmp(c, name, length) == 0)
            return number;
        number += *c != ' ' && *c != '\n';
        c += word > 0 ? word : 1;
    }
    return number;
}

/* Writes a line token by token; names as the place of their first use. */
static size_t put_tokens(FILE *to, const char *text, const char *line,
                         size_t length)
{
    size_t tokens = 0;

    for (const char *c = line; c < line + length; tokens++) {
        size_t word = 0;

        while (c + word < line + length && is_word(c[word]))
            word++;
        if (word == 0) {
            tokens -= *c == ' ';
            fputc(*c++, to);
        } else if (isdigit((unsigned char)*c)) {
            fprintf(to, "%.*s ", (int)word, c);
        } else {
            fprintf(to, "n%zu ", number_of(text, c, word));
        }
        c += word;
    }
    return tokens;
}

/* The lines of a text, each with the names numbered by their first use in it;
   NULL without memory. */
static char *number_lines(const char *text)
{
    struct base_memory memory;

    if (base_memory_open(&memory) == NULL)
        return NULL;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        put_tokens(memory.file, line, line, length);
        fputc('\n', memory.file);
        line += length + (line[length] == '\n');
    }
    return base_memory_close(&memory);
}

/* The lines that the skeleton has not, whatever their names are; NULL without
   memory. */
static char *own_lines(const char *source, const char *skeleton)
{
    char *const text = strip(source), *const stripped = strip(skeleton);
    char *const numbered = text != NULL ? number_lines(text) : NULL;
    char *const given = stripped != NULL ? number_lines(stripped) : NULL;
    const char *same = numbered;
    char *to = text;

    free(stripped);
    if (numbered == NULL || given == NULL) {
        free(text);
        to = NULL;
    }
    for (const char *line = text; to != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const size_t all = length + (line[length] == '\n');
        const size_t own = strcspn(same, "\n");

        if (!has_line(given, same, own)) {
            memmove(to, line, all);
            to += all;
        }
        line += all;
        same += own + 1;
    }
    if (to != NULL)
        *to = '\0';
    free(numbered);
    free(given);
    return to != NULL ? text : NULL;
}

char *grade_own_text(const char *source, const char *skeleton, size_t *tokens)
{
    char *const own = own_lines(source, skeleton);
    struct base_memory memory;

    *tokens = 0;
    if (own == NULL || base_memory_open(&memory) == NULL) {
        free(own);
        return NULL;
    }
    for (const char *line = own; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        *tokens += put_tokens(memory.file, own, line, length);
        line += length + (line[length] == '\n');
    }
    free(own);
    return base_memory_close(&memory);
}

/* --- of a class ----------------------------------------------------------- */

struct source {
    struct grade_row *row; /* NULL: the course's solution */
    char *own;             /* NULL: it is not compared */
};

static int compare_own(const void *a, const void *b)
{
    const char *const first = ((const struct source *)a)->own;
    const char *const second = ((const struct source *)b)->own;

    if (first == NULL || second == NULL)
        return (first == NULL) - (second == NULL);
    return strcmp(first, second);
}

/* Notes with each of the same what the others are called. */
static int note_same(struct source *s, size_t count, int lab)
{
    for (size_t i = 0; i < count; i++) {
        struct base_memory memory;
        size_t told = 0;

        if (s[i].row == NULL)
            continue;
        if (base_memory_open(&memory) == NULL)
            return -1;
        for (size_t k = 0; k < count; k++) {
            if (k == i || told++ >= MOST_NAMES)
                continue;
            fputs(told == 1 ? "the same but for names as " : ", ", memory.file);
            grade_text_name(memory.file, s[k].row == NULL
                                             ? "the course's solution"
                                             : s[k].row->student);
        }
        if (told > MOST_NAMES)
            fprintf(memory.file, " and %zu more", told - MOST_NAMES);
        s[i].row->alike[lab] = base_memory_close(&memory);
        if (s[i].row->alike[lab] == NULL)
            return -1;
    }
    return 0;
}

static int note_alike(struct source *s, size_t count, int lab)
{
    size_t same = 0;

    qsort(s, count, sizeof *s, compare_own);
    for (size_t i = 0; i < count && s[i].own != NULL; i += same) {
        for (same = 1; i + same < count && s[i + same].own != NULL &&
                       strcmp(s[i].own, s[i + same].own) == 0;)
            same++;
        if (same > 1 && note_same(&s[i], same, lab) != 0)
            return -1;
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
