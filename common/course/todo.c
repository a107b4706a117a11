#define _POSIX_C_SOURCE 200809L
#include "course/todo.h"

#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325) /* FNV offset basis */

/* Skips a string or character constant that begins at text. One that is not
   closed ends with its line. */
static const char *skip_literal(const char *text)
{
    const char quote = *text++;

    while (*text != '\0' && *text != '\n' && *text != quote)
        text += *text == '\\' && text[1] != '\0' ? 2 : 1;
    return *text == quote ? text + 1 : text;
}

const char *course_comment(const char *text, const char **end)
{
    const char *begin = text;
    const char *close;

    while (*begin != '\0') {
        if (begin[0] == '/' && begin[1] == '*') {
            close = strstr(begin + 2, "*/");
            *end = close != NULL ? close + 2 : begin + strlen(begin);
            return begin;
        }
        if (begin[0] == '/' && begin[1] == '/') {
            *end = begin + strcspn(begin, "\n");
            return begin;
        }
        /* The mark in 1'000 opens no constant. */
        if (*begin == '"' ||
            (*begin == '\'' &&
             (begin == text || !isalnum((unsigned char)begin[-1])))) {
            begin = skip_literal(begin);
        } else {
            begin++;
        }
    }
    *end = begin;
    return begin;
}

static int is_word_character(int c)
{
    return isalnum(c) || c == '_';
}

/* The hash of the code in [from, to), where a comment is white space, and
   white space counts only where it keeps two words apart. Ends where it becomes
   that of `until`, if it does. */
static uint64_t hash_code(const char *from, const char *to,
                          const uint64_t *until)
{
    uint64_t hash = HASH_OF_NOTHING;
    int last = ' ', blank = 0;

    while (from < to) {
        const char *end;
        const char *const comment = course_comment(from, &end);

        for (; from < comment && from < to; from++) {
            const int c = (unsigned char)*from;

            if (isspace(c)) {
                blank = 1;
                continue;
            }
            if (until != NULL && hash == *until)
                return hash;
            if (blank && is_word_character(last) && is_word_character(c))
                hash = (hash ^ ' ') * UINT64_C(0x100000001b3);
            hash = (hash ^ (uint64_t)c) * UINT64_C(0x100000001b3);
            last = c;
            blank = 0;
        }
        blank = 1;
        from = end;
    }
    return hash;
}

/* The comment's words from text to its end, on one line. */
static char *one_line(const char *text, const char *end)
{
    char *const line = malloc((size_t)(end - text) + 1);
    size_t length = 0;
    int line_begins = 0;

    if (line == NULL)
        return NULL;
    if (end - text >= 2 && memcmp(end - 2, "*/", 2) == 0)
        end -= 2;
    for (; text < end; text++) {
        if (isspace((unsigned char)*text)) {
            line_begins |= *text == '\n';
            if (length > 0 && line[length - 1] != ' ')
                line[length++] = ' ';
        } else if (line_begins && *text == '*') {
            line_begins = 0; /* the star that adorns each line */
        } else {
            line_begins = 0;
            line[length++] = *text;
        }
    }
    while (length > 0 && line[length - 1] == ' ')
        length--;
    line[length] = '\0';
    return line;
}

/* Reads a number of at most three digits and moves *text behind it. Returns 1,
   or 0 if there is none. */
static int read_todo_number(const char **text, int *number)
{
    const size_t digits = strspn(*text, "0123456789");

    if (digits < 1 || digits > 3)
        return 0;
    *number = 0;
    for (size_t i = 0; i < digits; i++)
        *number = *number * 10 + (*text)[i] - '0';
    *text += digits;
    return 1;
}

/* Moves *text behind word if it begins with it. Returns 1, or 0 if not. */
static int read_word(const char **text, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(*text, word, length) != 0)
        return 0;
    *text += length;
    return 1;
}

/*
 * Reads the comment [comment, end) if it is a TODO. Returns 1 if it is one, 0
 * if not, -1 with errno ENOMEM.
 */
static int read_todo(const char *comment, const char *end,
                     struct course_todo *todo)
{
    const char *text = comment + 2;

    text += strspn(text, " \t");
    if (!read_word(&text, "TODO ") || !read_todo_number(&text, &todo->lab) ||
        !read_word(&text, ".") || !read_todo_number(&text, &todo->number))
        return 0;

    if (!read_word(&text, " (") || !read_todo_number(&text, &todo->lines)) {
        todo->lines = 0;
    } else if (read_word(&text, " line")) {
        text += *text == 's';
    }
    text += strspn(text, "): ");
    todo->text = one_line(text, end);
    if (todo->text == NULL)
        return -1;
    todo->comment = comment;
    todo->code = end;
    return 1;
}

int course_todos_find(const char *source, struct course_todos *todos)
{
    const char *counted = source, *end;
    int line = 1;

    *todos = (struct course_todos){.todo = NULL, .count = 0};
    for (const char *comment = course_comment(source, &end); *comment != '\0';
         comment = course_comment(end, &end)) {
        struct course_todo found = {.line = 0};
        struct course_todo *grown;
        const int is_todo = read_todo(comment, end, &found);

        if (is_todo < 0)
            goto bad;
        if (is_todo == 0)
            continue;
        for (; counted < comment; counted++)
            line += *counted == '\n';
        found.line = line;
        grown = realloc(todos->todo,
                        ((size_t)todos->count + 1) * sizeof todos->todo[0]);
        if (grown == NULL) {
            free(found.text);
            goto bad;
        }
        grown[todos->count++] = found;
        todos->todo = grown;
    }
    for (int i = 0; i < todos->count; i++) {
        struct course_todo *const todo = &todos->todo[i];

        todo->end = source + strlen(source);
        if (i + 1 < todos->count) {
            todo->end = todo[1].comment;
            todo->next[0] = todo[1].lab;
            todo->next[1] = todo[1].number;
        }
        todo->hash = hash_code(todo->code, todo->end, NULL);
    }
    return 0;

bad:
    course_todos_free(todos);
    return -1;
}

void course_todos_free(struct course_todos *todos)
{
    for (int i = 0; i < todos->count; i++)
        free(todos->todo[i].text);
    free(todos->todo);
    *todos = (struct course_todos){.todo = NULL, .count = 0};
}

char *course_todos_list(const char *lab, const struct course_todos *todos)
{
    struct base_memory list;
    FILE *const out = base_memory_open(&list);

    if (out == NULL)
        return NULL;
    for (int i = 0; i < todos->count; i++) {
        fprintf(out, "%s %d.%d %016" PRIx64 "\n", lab, todos->todo[i].lab,
                todos->todo[i].number, todos->todo[i].hash);
    }
    return base_memory_close(&list);
}

/* The line of the list that says this of the TODO, as a whole or to its hash;
   NULL: none. */
static const char *find_line(const char *list, const char *line)
{
    const char *at = strstr(list, line);

    while (at != NULL && at != list && at[-1] != '\n')
        at = strstr(at + 1, line);
    return at;
}

/* Is there an empty line between the comment and what follows? What a student
   writes for a TODO stands right below its comment. */
static int has_gap(const char *code)
{
    int lines = 0;

    for (; isspace((unsigned char)*code); code++)
        lines += *code == '\n';
    return lines > 1;
}

/* The comment of the TODO that follows in the list is deleted, so that its code
   goes on behind the todo's. Does that begin as the skeleton has it? */
static int is_begin_as_it_was(const char *list, const char *lab,
                              const struct course_todo *todo)
{
    char words[128];
    const int length = snprintf(words, sizeof words, "%s %d.%d ", lab,
                                todo->lab, todo->number);
    const char *line = find_line(list, words), *next;
    uint64_t hash;

    if (line == NULL || length < 0 || (size_t)length >= sizeof words)
        return 0;
    hash = strtoull(line + length, NULL, 16);
    snprintf(words, sizeof words, "%s %d.%d ", lab, todo->next[0],
             todo->next[1]);
    next = strchr(line, '\n');
    if (next == NULL || strncmp(next + 1, lab, strlen(lab)) != 0 ||
        next[1 + strlen(lab)] != ' ' ||
        strncmp(next + 1, words, strlen(words)) == 0)
        return 0;
    if (hash == HASH_OF_NOTHING) /* which any code begins with */
        return has_gap(todo->code);
    return hash_code(todo->code, todo->end, &hash) == hash;
}

int course_todo_is_open(const char *list, const char *lab,
                        const struct course_todo *todo)
{
    char line[128];
    const int length = snprintf(line, sizeof line, "%s %d.%d %016" PRIx64 "\n",
                                lab, todo->lab, todo->number, todo->hash);

    if (length < 0 || (size_t)length >= sizeof line)
        return 0;
    return find_line(list, line) != NULL || is_begin_as_it_was(list, lab, todo);
}
