#define _POSIX_C_SOURCE 200809L
#include "course/todo.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/lexer.h"
#include "base/memory.h"
#include "base/words.h"
#include "course/own.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- code ----------------------------------------------------------------- */

/* The hash of code up to somewhere. */
struct code_hash {
    uint64_t value;
    int last, blank; /* the last character, and is there a blank behind it? */
};

static int is_word_character(int c)
{
    return isalnum(c) || c == '_';
}

/* Adds a character. White space counts only where it keeps words apart. */
static void hash_character(struct code_hash *hash, int c)
{
    if (isspace(c)) {
        hash->blank = 1;
        return;
    }
    if (hash->blank && is_word_character(hash->last) && is_word_character(c))
        hash->value = base_hash_add(hash->value, ' ');
    hash->value = base_hash_add(hash->value, (unsigned char)c);
    hash->last = c;
    hash->blank = 0;
}

/* Adds a token, up to where the hash is that of `until`, if it becomes that.
   Returns 1 then. */
static int hash_token(struct code_hash *hash, const char *text,
                      const struct base_token *token, const uint64_t *until)
{
    for (size_t at = token->begin; at < token->end; at++) {
        const int c = (unsigned char)text[at];

        if (until != NULL && hash->value == *until && !isspace(c))
            return 1;
        hash_character(hash, c);
    }
    return 0;
}

/* The hash of the code in [from, to), where a comment is white space; of less
   of it, if that has the hash of `until`. */
static uint64_t hash_code(const char *from, const char *to,
                          const uint64_t *until)
{
    struct code_hash hash = {BASE_HASH_OF_NOTHING, ' ', 0};
    struct base_tokens tokens;
    char why[100]; /* an unclosed comment is a token, too */
    int is_found = 0;

    base_lex(from, (size_t)(to - from), &tokens, why, sizeof why);
    for (size_t i = 0; i < tokens.count && !is_found; i++) {
        if (tokens.token[i].kind == BASE_COMMENT) {
            hash.blank = 1;
        } else {
            is_found = hash_token(&hash, from, &tokens.token[i], until);
        }
    }
    base_tokens_free(&tokens);
    return hash.value;
}

/* --- comments ------------------------------------------------------------- */

/* The comment's words from text to its end, on one line, without the stars that
   adorn further lines. */
static char *one_line(const char *text, const char *end)
{
    char *const line = strndup(text, (size_t)(end - text));
    char *at = line;

    if (line == NULL)
        return NULL;
    if (end - text >= 2 && memcmp(end - 2, "*/", 2) == 0)
        line[end - text - 2] = '\0';
    while ((at = strchr(at, '\n')) != NULL) {
        at += strspn(at, " \t\r\n");
        if (*at == '*')
            *at = ' ';
    }
    base_one_line(line);
    return line;
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
    const char *text = comment + 2, *behind = NULL;
    int number[2], lines;

    text += strspn(text, " \t");
    if (!read_word(&text, "TODO "))
        return 0;
    text = base_read_numbers(text, 2, number);
    if (text == NULL)
        return 0;
    *todo = (struct course_todo){.lab = number[0], .number = number[1]};
    if (read_word(&text, " ("))
        behind = base_read_numbers(text, 1, &lines);
    if (behind != NULL) {
        todo->lines = lines;
        text = behind;
        text += strcspn(text, "):\n"); /* "lines", in any language */
    }
    text += strspn(text, "): ");
    todo->text = one_line(text, end);
    todo->comment = comment;
    todo->code = end;
    return todo->text != NULL ? 1 : -1;
}

/* Adds the TODO of a comment, if it is one. Returns 0, or -1. */
static int take_comment(const struct base_tokens *tokens,
                        const struct base_token *comment,
                        struct course_todos *todos)
{
    struct course_todo found, *added;
    const int is_todo = read_todo(tokens->text + comment->begin,
                                  tokens->text + comment->end, &found);

    if (is_todo <= 0)
        return is_todo;
    added = base_list_add(&todos->todo, &todos->count, sizeof *added);
    if (added == NULL) {
        free(found.text);
        return -1;
    }
    *added = found;
    added->line = comment->line;
    return 0;
}

int course_todos_find(const char *source, struct course_todos *todos)
{
    const size_t size = strlen(source);
    struct base_tokens tokens;
    char why[100];
    int result = 0;

    *todos = (struct course_todos){.todo = NULL, .count = 0};
    base_lex(source, size, &tokens, why, sizeof why);
    for (size_t i = 0; i < tokens.count && result == 0; i++) {
        if (tokens.token[i].kind == BASE_COMMENT)
            result = take_comment(&tokens, &tokens.token[i], todos);
    }
    base_tokens_free(&tokens);
    for (size_t i = 0; i < todos->count; i++) {
        struct course_todo *const todo = &todos->todo[i];

        todo->end = source + size;
        if (i + 1 < todos->count) {
            todo->end = todo[1].comment;
            todo->next[0] = todo[1].lab;
            todo->next[1] = todo[1].number;
        }
        todo->hash = hash_code(todo->code, todo->end, NULL);
    }
    if (result != 0) {
        course_todos_free(todos);
        errno = ENOMEM;
    }
    return result;
}

void course_todos_free(struct course_todos *todos)
{
    for (size_t i = 0; i < todos->count; i++)
        free(todos->todo[i].text);
    free(todos->todo);
    *todos = (struct course_todos){.todo = NULL, .count = 0};
}

/* --- labs/TODOS ----------------------------------------------------------- */

char *course_todos_list(const char *lab, const char *source,
                        const char *solution, const struct course_todos *todos)
{
    struct base_memory list;
    char *const lines = course_lines_hashed(source, solution);
    FILE *const out = lines != NULL ? base_memory_open(&list) : NULL;

    if (out == NULL) {
        free(lines);
        return NULL;
    }
    fprintf(out, "\nlab: %s\nlines: %s\n", lab, lines);
    free(lines);
    for (size_t i = 0; i < todos->count; i++) {
        fprintf(out, "%d.%d: %016" PRIx64 "\n", todos->todo[i].lab,
                todos->todo[i].number, todos->todo[i].hash);
    }
    return base_memory_close(&list);
}

int course_todos_read_list(const char *path, struct base_records *list,
                           char *why, size_t size)
{
    *list = (struct base_records){
        .path = path, .leader = "lab", .why = why, .why_size = size};
    return base_records_read(list);
}

size_t course_todos_listed(const struct base_records *list, const char *lab)
{
    const struct base_record *const record = base_records_find(list, lab);

    return record == NULL ? 0
                          : record->fields - 1 -
                                (base_record_find(record, "lines") != NULL);
}

const char *course_todos_lines(const struct base_records *list, const char *lab)
{
    const struct base_record *const record = base_records_find(list, lab);
    const struct base_field *const lines =
        record != NULL ? base_record_find(record, "lines") : NULL;

    return lines != NULL ? lines->value : "";
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

/* Is the TODO's code as the field of the record has it? If the comment of the
   TODO that comes next in the list is deleted, its code goes on behind this
   one's. Does that begin as the skeleton has it? */
static int is_as_listed(const struct base_record *record,
                        const struct base_field *field,
                        const struct course_todo *todo)
{
    const struct base_field *const next = field + 1;
    const uint64_t hash = strtoull(field->value, NULL, 16);
    char key[32];

    if (todo->hash == hash)
        return 1;
    snprintf(key, sizeof key, "%d.%d", todo->next[0], todo->next[1]);
    if (next == record->field + record->fields || strcmp(next->key, key) == 0)
        return 0;
    if (hash == BASE_HASH_OF_NOTHING) /* which any code begins with */
        return has_gap(todo->code);
    return hash_code(todo->code, todo->end, &hash) == hash;
}

int course_todo_is_open(const struct base_records *list, const char *lab,
                        const struct course_todo *todo)
{
    const struct base_record *const record = base_records_find(list, lab);
    char key[32];
    int is_open = 0;

    snprintf(key, sizeof key, "%d.%d", todo->lab, todo->number);
    for (size_t i = 1; record != NULL && i < record->fields; i++) {
        is_open |= strcmp(record->field[i].key, key) == 0 &&
                   is_as_listed(record, &record->field[i], todo);
    }
    return is_open;
}

void course_todos_keep_open(const struct base_records *list, const char *lab,
                            struct course_todos *todos)
{
    size_t open = 0;

    for (size_t i = 0; i < todos->count; i++) {
        const struct course_todo todo = todos->todo[i];

        if (course_todo_is_open(list, lab, &todo)) {
            todos->todo[i] = todos->todo[open];
            todos->todo[open++] = todo;
        }
    }
    while (todos->count > open)
        free(todos->todo[--todos->count].text);
}

static int has_number(const struct course_todos *todos, size_t number)
{
    for (size_t i = 0; i < todos->count; i++) {
        if ((size_t)todos->todo[i].number == number)
            return 1;
    }
    return 0;
}

const struct course_todo *course_todos_next(const struct course_todos *open,
                                            size_t all)
{
    size_t last = all, i = 0;

    while (last > 0 && has_number(open, last))
        last--;
    while (i < open->count && (size_t)open->todo[i].number < last)
        i++;
    return open->count == 0 ? NULL : &open->todo[i < open->count ? i : 0];
}
