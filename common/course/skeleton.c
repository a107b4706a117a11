#define _POSIX_C_SOURCE 200809L
#include "course/skeleton.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/todo.h"

/* The state of one cut. */
struct cut {
    const char *path, *solution;
    FILE *out;
    const struct course_todo *open; /* the TODO whose lines are cut, or NULL */
    int lines;                      /* code lines cut of it so far */
    char *why;
    size_t size;
};

/* Writes "path:line: " and the message for the line of at. Returns -1. */
static int bad_cut(const struct cut *cut, const char *at, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));

static int bad_cut(const struct cut *cut, const char *at, const char *format,
                   ...)
{
    char message[160];
    va_list values;
    int line = 1;

    for (const char *c = cut->solution; c < at; c++)
        line += *c == '\n';
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    snprintf(cut->why, cut->size, "%s:%d: %s", cut->path, line, message);
    return -1;
}

/* The first character of the line that at stands in. */
static const char *line_begin(const char *solution, const char *at)
{
    while (at > solution && at[-1] != '\n')
        at--;
    return at;
}

/* The first character behind the line that at stands in. */
static const char *line_end(const char *at)
{
    at += strcspn(at, "\n");
    return *at == '\n' ? at + 1 : at;
}

/* Is there nothing but this comment on its lines? */
static int stands_alone(const struct cut *cut, const char *comment,
                        const char *end)
{
    const char *const begin = line_begin(cut->solution, comment);

    return begin + strspn(begin, " \t") == comment &&
           end + strspn(end, " \t\r") + 1 >= line_end(end);
}

/* Does the comment's text begin with word? Then *rest is what follows. */
static int begins_with(const char *comment, const char *word, const char **rest)
{
    comment += 2;
    comment += strspn(comment, " \t");
    if (strncmp(comment, word, strlen(word)) != 0)
        return 0;
    *rest = comment + strlen(word);
    return 1;
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

static int begin_todo(struct cut *cut, const struct course_todo *todo,
                      const struct course_todo *last)
{
    if (cut->open != NULL) {
        return bad_cut(cut, todo->comment,
                       "TODO %d.%d begins before /* end %d.%d */", todo->lab,
                       todo->number, cut->open->lab, cut->open->number);
    }
    if (!has_form(todo)) {
        return bad_cut(cut, todo->comment,
                       "write it as in /* TODO 3.1 (2 lines): verb ... */");
    }
    if (todo->number != (last != NULL ? last->number + 1 : 1) ||
        (last != NULL && todo->lab != last->lab)) {
        return bad_cut(cut, todo->comment,
                       "TODO %d.%d is out of order: count up from 1", todo->lab,
                       todo->number);
    }
    if (!stands_alone(cut, todo->comment, todo->code))
        return bad_cut(cut, todo->comment, "a TODO needs its own lines");
    cut->open = todo;
    cut->lines = 0;
    return 0;
}

/* Writes the comment's text behind "skeleton:" as one line of code. */
static int stand_in(const struct cut *cut, const char *comment, const char *end,
                    const char *text)
{
    const char *const begin = line_begin(cut->solution, comment);

    if (cut->open == NULL)
        return bad_cut(cut, comment, "\"skeleton:\" outside of a TODO");
    if (!stands_alone(cut, comment, end))
        return bad_cut(cut, comment, "\"skeleton:\" needs its own lines");
    text += *text == ' ';
    end -= 2;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    if (*text != '#')
        fwrite(begin, 1, (size_t)(comment - begin), cut->out);
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

static int end_todo(struct cut *cut, const char *comment, const char *end,
                    const char *number)
{
    char wanted[32];

    if (cut->open == NULL)
        return bad_cut(cut, comment, "\"end\" without a TODO before it");
    snprintf(wanted, sizeof wanted, " %d.%d */", cut->open->lab,
             cut->open->number);
    if (strncmp(number, wanted, strlen(wanted)) != 0) {
        return bad_cut(cut, comment, "\"end\" does not name TODO %d.%d",
                       cut->open->lab, cut->open->number);
    }
    if (!stands_alone(cut, comment, end))
        return bad_cut(cut, comment, "\"end\" needs its own line");
    if (cut->lines != cut->open->lines) {
        return bad_cut(cut, cut->open->comment,
                       "TODO %d.%d says %d lines, the solution has %d",
                       cut->open->lab, cut->open->number, cut->open->lines,
                       cut->lines);
    }
    cut->open = NULL;
    return 0;
}

/* Counts the lines in [from, to) that hold code. There is no comment in it; a
   line that a comment cuts in two counts where its code is. */
static int code_lines(const char *from, const char *to)
{
    int lines = 0, code = 0;

    for (; from < to; from++) {
        if (*from == '\n') {
            lines += code;
            code = 0;
        } else if (!isspace((unsigned char)*from)) {
            code = 1;
        }
    }
    return lines + code;
}

/* Handles one comment. A comment that is none of ours is copied, or cut. */
static int take_comment(struct cut *cut, const char *comment, const char *end,
                        const struct course_todo *todo,
                        const struct course_todo *last)
{
    const char *rest;

    if (begins_with(comment, "TODO", &rest)) {
        if (todo == NULL || todo->comment != comment) {
            return bad_cut(cut, comment,
                           "write it as in /* TODO 3.1 (2 lines): verb ... */");
        }
        return begin_todo(cut, todo, last);
    }
    if (comment[1] != '*')
        return 0;
    if (begins_with(comment, "skeleton:", &rest))
        return stand_in(cut, comment, end, rest);
    if (begins_with(comment, "end ", &rest))
        return end_todo(cut, comment, end, rest - 1);
    return 0;
}

/* Writes the skeleton to cut->out. Returns 0, or -1 with a message. */
static int write_skeleton(struct cut *cut, const struct course_todos *todos)
{
    const char *copied = cut->solution; /* all before it is copied or cut */
    const char *code = cut->solution;   /* the code before the next comment */
    const char *comment, *end;
    int next = 0;

    for (comment = course_comment(code, &end); *comment != '\0';
         comment = course_comment(code, &end)) {
        const struct course_todo *const todo =
            next < todos->count ? &todos->todo[next] : NULL;
        const int was_open = cut->open != NULL;

        if (was_open)
            cut->lines += code_lines(code, comment);
        if (take_comment(cut, comment, end, todo,
                         next > 0 ? &todos->todo[next - 1] : NULL) != 0)
            return -1;
        if (!was_open && cut->open != NULL) {
            fwrite(copied, 1, (size_t)(line_end(end) - copied), cut->out);
            next++;
        }
        if (was_open && cut->open == NULL)
            copied = line_end(end);
        code = end;
    }
    if (cut->open != NULL) {
        return bad_cut(cut, cut->open->comment,
                       "TODO %d.%d has no /* end %d.%d */", cut->open->lab,
                       cut->open->number, cut->open->lab, cut->open->number);
    }
    if (next == 0)
        return bad_cut(cut, cut->solution, "the solution has no TODO");
    fputs(copied, cut->out);
    return 0;
}

char *course_skeleton(const char *path, const char *solution, char *why,
                      size_t size)
{
    struct cut cut = {
        .path = path, .solution = solution, .why = why, .size = size};
    struct course_todos todos;
    char *skeleton = NULL;
    size_t length;
    int bad;

    if (course_todos_find(solution, &todos) != 0) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        return NULL;
    }
    cut.out = open_memstream(&skeleton, &length);
    if (cut.out == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        course_todos_free(&todos);
        return NULL;
    }
    bad = write_skeleton(&cut, &todos);
    if (fclose(cut.out) != 0 && bad == 0) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        bad = -1;
    }
    course_todos_free(&todos);
    if (bad != 0) {
        free(skeleton);
        return NULL;
    }
    return skeleton;
}
