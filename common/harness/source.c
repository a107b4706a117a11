#include "source.h"

#include "base/file.h"
#include "base/lexer.h"
#include "simt/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((size_t)-1)

/* --- tokens --------------------------------------------------------------- */

/* The words and marks of the file, without blanks and comments. An empty list
   if it cannot be read. */
static const struct base_tokens *read_source(const char *path)
{
    static char known[300];
    static struct base_tokens t;
    char *text, why[200];
    size_t kept = 0;

    if (strcmp(path, known) == 0)
        return &t;
    free((void *)(size_t)t.text);
    base_tokens_free(&t);
    t = (struct base_tokens){0};
    snprintf(known, sizeof known, "%s", path);
    text = path[0] != '\0' ? base_read_file(path, why, sizeof why) : NULL;
    if (text == NULL)
        return &t;
    base_lex(text, strlen(text), &t, why, sizeof why);
    for (size_t i = 0; i < t.count; i++) {
        if (!base_token_is_blank(&t, i))
            t.token[kept++] = t.token[i];
    }
    t.count = kept;
    return &t;
}

/* The first token behind those before that line. */
static size_t begin_of(const struct base_tokens *t, int line)
{
    size_t i = 0;

    while (i < t->count && t->token[i].line < line)
        i++;
    return i;
}

/* The bracket that belongs to the one at i, in steps of 1 or -1; an end of the
   file if none does. */
static size_t matching(const struct base_tokens *t, size_t i, int step)
{
    int depth = 0;

    for (; i + 1 < t->count && i > 0; i += (size_t)step) {
        const char c = base_mark(t, i);

        depth += (c == '(' || c == '[' || c == '{') -
                 (c == ')' || c == ']' || c == '}');
        if (depth == 0)
            break;
    }
    return i;
}

static size_t closing(const struct base_tokens *t, size_t i)
{
    return matching(t, i, 1);
}

/* The brace that begins the body of the function around token i; NONE: it
   stands outside of all. */
static size_t function_of(const struct base_tokens *t, size_t i)
{
    for (size_t at = 1; at < i; at++) {
        if (base_mark(t, at) != '{' || base_mark(t, at - 1) != ')')
            continue;
        if (closing(t, at) >= i)
            return at;
        at = closing(t, at);
    }
    return NONE;
}

static int is_loop(const struct base_tokens *t, size_t i)
{
    return base_token_is(t, i, "for") || base_token_is(t, i, "while") ||
           base_token_is(t, i, "do");
}

/* What stands behind the head of the loop at i. */
static size_t body_of(const struct base_tokens *t, size_t i)
{
    return base_mark(t, i + 1) == '(' ? closing(t, i + 1) + 1 : i + 1;
}

/* The last token of the statement at i. */
static size_t end_of(const struct base_tokens *t, size_t i)
{
    while (i < t->count && (t->token[i].kind == BASE_DIRECTIVE ||
                            is_loop(t, i) || base_token_is(t, i, "if")))
        i = body_of(t, i);
    if (base_mark(t, i) == '{')
        return closing(t, i);
    while (i < t->count && base_mark(t, i) != ';' && base_mark(t, i) != '}')
        i = closing(t, i) + 1;
    return i;
}

/* The line of the name's last declaration before token `end`, as a variable of
   that type. */
static int declaration(const struct base_tokens *t, size_t end,
                       const char *type, size_t name)
{
    char word[80];
    int line = 0;

    base_token_copy(t, name, word, sizeof word);
    for (size_t i = 0; i < end; i++) {
        if (!base_token_is(t, i, type))
            continue;
        for (size_t j = i + 1; j < end && base_mark(t, j) != ';'; j++) {
            if (base_token_is(t, j, word) && base_mark(t, j + 1) != '\0' &&
                strchr("=({;,", base_mark(t, j + 1)) != NULL)
                line = t->token[j].line;
        }
    }
    return line;
}

/* --- questions ------------------------------------------------------------ */

int lab_source_grid(const char *path, int launch)
{
    const struct base_tokens *t = read_source(path);

    for (size_t i = begin_of(t, launch); i < begin_of(t, launch + 1); i++) {
        if (base_mark(t, i) == '<' && base_mark(t, i + 1) == '<' &&
            base_mark(t, i + 2) == '<')
            return declaration(t, i, "dim3", i + 3);
    }
    return 0;
}

int lab_source_handed(const char *path, const char *function)
{
    const struct base_tokens *t = read_source(path);
    size_t call = NONE;
    int line;

    for (size_t i = 0; i + 1 < t->count; i++) {
        if (base_token_is(t, i, function) && base_mark(t, i + 1) == '(' &&
            base_mark(t, closing(t, i + 1) + 1) == ';')
            call = i;
    }
    if (call == NONE)
        return 0;
    line = declaration(t, call, "lab_matmul",
                       call + 2 + (base_mark(t, call + 2) == '&'));
    return line > 0 ? line : t->token[call].line;
}

int lab_source_return(const char *path, int line)
{
    const struct base_tokens *t = read_source(path);
    const size_t end = begin_of(t, line), function = function_of(t, end);
    size_t found = NONE;

    for (size_t i = function; i < end; i++) {
        if (base_token_is(t, i, "return"))
            found = i;
    }
    if (found == NONE)
        return 0;
    line = t->token[found].line;
    if (base_mark(t, found - 1) == '{')
        found--;
    if (base_mark(t, found - 1) == ')') {
        const size_t condition = matching(t, found - 1, -1);

        if (condition > 0 && base_token_is(t, condition - 1, "if"))
            line = t->token[condition - 1].line;
    }
    return line;
}

int lab_source_empty_loop(const char *path, int line)
{
    const struct base_tokens *t = read_source(path);
    const size_t end = begin_of(t, line);
    int found = 0;

    for (size_t i = function_of(t, end); i < end; i++) {
        if (base_token_is(t, i, "for") && base_mark(t, body_of(t, i)) == ';')
            found = t->token[i].line;
    }
    return found;
}

int lab_source_loop(const char *path, int line, int itself)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line);
    int found = 0;

    if (itself && base_token_is(t, at, "for"))
        return line;
    for (size_t i = 0; i < at; i++) {
        if (is_loop(t, i) && end_of(t, i) >= at)
            found = t->token[i].line;
    }
    return found;
}

int lab_source_store(const char *path, const char *kernel, const char *name)
{
    const struct base_tokens *t = read_source(path);

    for (size_t i = 0; i < t->count; i++) {
        size_t body;

        if (!base_token_is(t, i, name) || base_mark(t, i + 1) != '[')
            continue;
        body = function_of(t, i);
        if (body == NONE ||
            !base_token_is(t, matching(t, body - 1, -1) - 1, kernel))
            continue;
        for (size_t j = closing(t, i + 1); base_mark(t, j) != ';'; j++) {
            if (base_mark(t, j) == '=' && base_mark(t, j + 1) != '=')
                return t->token[i].line;
        }
    }
    return 0;
}

int lab_source_adds(const char *path, int line)
{
    const struct base_tokens *t = read_source(path);
    size_t i = begin_of(t, line), end = begin_of(t, line + 1);

    while (i > 0 && (base_mark(t, i - 1) == '\0' ||
                     strchr(";{}", base_mark(t, i - 1)) == NULL))
        i--;
    for (; i < end; i++) {
        if (is_loop(t, i)) {
            i = body_of(t, i) - 1;
        } else if (base_mark(t, i) == '+' && base_mark(t, i + 1) == '=') {
            return 1;
        }
    }
    return 0;
}

int lab_source_has(const char *path, int line, const char *word)
{
    const struct base_tokens *t = read_source(path);
    const size_t length = strlen(word);

    for (size_t i = 0; i < t->count; i++) {
        const struct base_token *x = &t->token[i];

        if ((line == 0 || x->line == line) && x->kind == BASE_WORD &&
            x->end - x->begin >= length &&
            memcmp(t->text + x->end - length, word, length) == 0)
            return 1;
    }
    return 0;
}

int lab_source_tile(const char *path, int line, const char *array, char *index,
                    size_t size)
{
    const struct base_tokens *t = read_source(path);
    const size_t end = begin_of(t, line + 1);

    for (size_t i = begin_of(t, line); i + 2 < end; i++) {
        const size_t tile = closing(t, i + 1); /* then rows, and columns */

        if (!base_token_is(t, i, array) || base_mark(t, i + 1) != '[')
            continue;
        if (base_mark(t, tile + 1) != '[' ||
            base_mark(t, closing(t, tile + 1) + 1) != '[')
            return 0;
        i = t->token[i + 2].begin;
        snprintf(index, size, "%.*s", (int)(t->token[tile].begin - i),
                 t->text + i);
        return 1;
    }
    return 0;
}

/* The directive that ends the branch that the one at i begins. */
static size_t end_of_branch(const struct base_tokens *t, size_t i)
{
    int depth = 0;

    for (i++; i < t->count; i++) {
        if (depth == 0 && (base_is_directive(t, i, "el", NULL) ||
                           base_is_directive(t, i, "endif", NULL)))
            break;
        depth += base_is_directive(t, i, "if", NULL) -
                 base_is_directive(t, i, "endif", NULL);
    }
    return i;
}

int lab_source_left_out(const char *path, const char *name, char *condition,
                        size_t size, int *last)
{
    const struct base_tokens *t = read_source(path);

    for (size_t i = 0; i < t->count; i++) {
        const char *text = t->text + t->token[i].begin;
        int uses = 0;
        size_t end;

        if (!base_is_directive(t, i, "if", NULL) &&
            !base_is_directive(t, i, "elif", NULL))
            continue;
        snprintf(condition, size, "%.*s", (int)strcspn(text, "\r\n"), text);
        end = end_of_branch(t, i);
        if (end == t->count || strstr(condition, "__CUDA_ARCH__") == NULL)
            continue;
        for (size_t j = i + 1; j < end; j++) {
            uses |= name == NULL ? base_mark(t, j) == ';'
                                 : base_token_is(t, j, name) &&
                                       base_mark(t, j + 1) == '[';
        }
        *last = t->token[end].line - 1;
        if (uses && !simt_lines_have_code(path, t->token[i].line + 1, *last))
            return t->token[i].line;
    }
    return 0;
}
