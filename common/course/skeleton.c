#define _POSIX_C_SOURCE 200809L
#include "course/skeleton.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lexer.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "course/todo.h"

/* The state of one cut. */
struct cut {
    const char *path;
    struct base_tokens tokens; /* of the solution */
    struct course_todos todos;
    FILE *out;
    const char *copied;                    /* all before it is copied or cut */
    const struct course_todo *open, *next; /* whose lines are cut, or NULL; and
                                              the first that has not begun */
    int lines, last_line; /* lines with code that were cut of the open one, and
                             the number of the last */
    char *why;
    size_t size;
};

/* A comment of the solution. */
struct remark {
    const char *text, *end; /* from its slash on, and behind its last one */
    const char *begin;      /* of its first line */
    const char *behind;     /* its last line */
    int line;
    int is_alone; /* nothing else stands on its lines */
};

/* Tells of a line of the solution. Returns -1. */
__attribute__((format(printf, 3, 4))) static int
bad_cut(const struct cut *cut, int line, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    base_refuse_line(cut->why, cut->size, cut->path, line, format, values);
    va_end(values);
    return -1;
}

static struct remark remark_of(const struct base_tokens *t, size_t i)
{
    const char *const text = t->text + t->token[i].begin;
    struct remark r = {.text = text,
                       .end = t->text + t->token[i].end,
                       .begin = text,
                       .line = t->token[i].line};

    while (r.begin > t->text && r.begin[-1] != '\n')
        r.begin--;
    r.behind = r.end + strcspn(r.end, "\n");
    r.is_alone = r.begin + strspn(r.begin, " \t") == text &&
                 r.end + strspn(r.end, " \t\r") == r.behind;
    r.behind += *r.behind == '\n';
    return r;
}

/* What stands behind word, if the comment begins with it, or NULL. */
static const char *behind_word(const struct remark *r, const char *word)
{
    const char *const at = r->text + 2 + strspn(r->text + 2, " \t");

    return strncmp(at, word, strlen(word)) == 0 ? at + strlen(word) : NULL;
}

/* Is the comment exactly "TODO 3.1 (2 lines): verb"? */
static int has_form(const struct course_todo *todo)
{
    char head[64];

    snprintf(head, sizeof head, "/* TODO %d.%d (%d line%s): ", todo->lab,
             todo->number, todo->lines, todo->lines == 1 ? "" : "s");
    return todo->lines > 0 && strncmp(todo->comment, head, strlen(head)) == 0 &&
           islower((unsigned char)todo->comment[strlen(head)]);
}

static int begin_todo(struct cut *cut, const struct remark *r)
{
    const struct course_todo *const todo = cut->next;
    const struct course_todo *const last =
        todo > cut->todos.todo ? todo - 1 : NULL;

    if (todo == cut->todos.todo + cut->todos.count ||
        todo->comment != r->text || !has_form(todo)) {
        return bad_cut(cut, r->line,
                       "write it as in /* TODO 3.1 (2 lines): verb ... */");
    }
    if (cut->open != NULL) {
        return bad_cut(cut, r->line, "TODO %d.%d begins before /* end %d.%d */",
                       todo->lab, todo->number, cut->open->lab,
                       cut->open->number);
    }
    if (todo->number != (last != NULL ? last->number + 1 : 1) ||
        (last != NULL && todo->lab != last->lab)) {
        return bad_cut(cut, r->line,
                       "TODO %d.%d is out of order: count up from 1", todo->lab,
                       todo->number);
    }
    if (!r->is_alone)
        return bad_cut(cut, r->line, "a TODO needs its own lines");
    fwrite(cut->copied, 1, (size_t)(r->behind - cut->copied), cut->out);
    cut->open = cut->next++;
    cut->lines = cut->last_line = 0;
    return 0;
}

/* Writes the comment's text behind "skeleton:" as one line of code. */
static int stand_in(const struct cut *cut, const struct remark *r,
                    const char *text)
{
    const char *end = r->end - 2;

    if (cut->open == NULL)
        return bad_cut(cut, r->line, "\"skeleton:\" outside of a TODO");
    if (!r->is_alone)
        return bad_cut(cut, r->line, "\"skeleton:\" needs its own lines");
    text += *text == ' ';
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    if (*text != '#')
        fwrite(r->begin, 1, (size_t)(r->text - r->begin), cut->out);
    for (; text < end; text++) {
        fputc(*text == '\n' ? ' ' : *text, cut->out);
        if (*text == '\n') {
            text += 1 + strspn(text + 1, " \t");
            text += *text == '*';
            text += strspn(text, " \t") - 1;
        }
    }
    fputc('\n', cut->out);
    return 0;
}

static int end_todo(struct cut *cut, const struct remark *r, const char *number)
{
    const struct course_todo *const todo = cut->open;
    char wanted[32];

    if (todo == NULL)
        return bad_cut(cut, r->line, "\"end\" without a TODO before it");
    snprintf(wanted, sizeof wanted, "%d.%d */", todo->lab, todo->number);
    if (strncmp(number, wanted, strlen(wanted)) != 0) {
        return bad_cut(cut, r->line, "\"end\" does not name TODO %d.%d",
                       todo->lab, todo->number);
    }
    if (!r->is_alone)
        return bad_cut(cut, r->line, "\"end\" needs its own line");
    if (cut->lines != todo->lines) {
        return bad_cut(cut, todo->line,
                       "TODO %d.%d says %d lines, the solution has %d",
                       todo->lab, todo->number, todo->lines, cut->lines);
    }
    cut->open = NULL;
    cut->copied = r->behind;
    return 0;
}

/* Handles one comment. One that is none of ours is copied, or cut. */
static int take_comment(struct cut *cut, const struct remark *r)
{
    const char *rest;

    if (behind_word(r, "TODO") != NULL)
        return begin_todo(cut, r);
    if (r->text[1] != '*')
        return 0;
    rest = behind_word(r, "skeleton:");
    if (rest != NULL)
        return stand_in(cut, r, rest);
    rest = behind_word(r, "end ");
    return rest != NULL ? end_todo(cut, r, rest) : 0;
}

/* Counts the lines of a token of code. */
static void count_lines(struct cut *cut, const struct base_token *token)
{
    cut->lines += token->line > cut->last_line;
    cut->last_line = token->line;
    for (size_t at = token->begin; at < token->end; at++) {
        cut->lines += cut->tokens.text[at] == '\n';
        cut->last_line += cut->tokens.text[at] == '\n';
    }
}

/* Writes the skeleton to cut->out. Returns 0, or -1 with a message. */
static int write_skeleton(struct cut *cut)
{
    for (size_t i = 0; i < cut->tokens.count; i++) {
        const struct base_token *const token = &cut->tokens.token[i];

        if (token->kind == BASE_COMMENT) {
            const struct remark r = remark_of(&cut->tokens, i);

            if (take_comment(cut, &r) != 0)
                return -1;
        } else if (cut->open != NULL && token->kind != BASE_SPACE) {
            count_lines(cut, token);
        }
    }
    if (cut->open != NULL) {
        return bad_cut(cut, cut->open->line,
                       "TODO %d.%d has no /* end %d.%d */", cut->open->lab,
                       cut->open->number, cut->open->lab, cut->open->number);
    }
    if (cut->todos.count == 0)
        return bad_cut(cut, 1, "the solution has no TODO");
    fputs(cut->copied, cut->out);
    return 0;
}

char *course_skeleton(const char *path, const char *solution, char *why,
                      size_t size)
{
    struct cut cut = {
        .path = path, .copied = solution, .why = why, .size = size};
    struct base_memory memory;
    char *skeleton, said[100];
    int result = -1;

    cut.out = base_memory_open(&memory);
    if (base_lex(solution, strlen(solution), &cut.tokens, said, sizeof said) !=
        0) {
        base_refuse(why, size, "%s: %s", path, said);
    } else if (cut.out == NULL ||
               course_todos_find(solution, &cut.todos) != 0) {
        base_refuse(why, size, "%s: %s", path, strerror(ENOMEM));
    } else {
        cut.next = cut.todos.todo;
        result = write_skeleton(&cut);
    }
    skeleton = base_memory_close(&memory);
    if (result != 0) {
        free(skeleton);
        skeleton = NULL;
    }
    course_todos_free(&cut.todos);
    base_tokens_free(&cut.tokens);
    return skeleton;
}
