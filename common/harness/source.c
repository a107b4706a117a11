#include "source.h"

#include "base/file.h"
#include "base/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((size_t)-1)

enum {
    LEVELS = 3 /* from a name to what its value is made of */
};

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

/* The first token of the statement that token i stands in. */
static size_t statement_of(const struct base_tokens *t, size_t i)
{
    while (i > 0 && (base_mark(t, i - 1) == '\0' ||
                     strchr(";{}", base_mark(t, i - 1)) == NULL))
        i--;
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

int lab_source_condition(const char *path, int line)
{
    const struct base_tokens *t = read_source(path);
    size_t i = begin_of(t, line);

    while (i > 1 && i < t->count) {
        size_t head = i - 1; /* behind for (...) or if (...) */

        if (base_mark(t, head) != ')') {
            while (head > 0 && base_mark(t, head) != '{') {
                if (base_mark(t, head) == '}')
                    head = matching(t, head, -1);
                head -= head > 0;
            }
            if (head > 0)
                head--;
        }
        if (base_mark(t, head) != ')')
            return 0;
        i = matching(t, head, -1);
        if (i > 0 && base_token_is(t, i - 1, "if"))
            return t->token[i - 1].line;
        if (i == 0 || !is_loop(t, i - 1))
            return 0;
        i--;
        while (i > 0 && t->token[i - 1].kind == BASE_DIRECTIVE)
            i--; /* #pragma unroll */
    }
    return 0;
}

/* The += of the statement that ends in the line, or goes on behind it; or NONE.
 */
static size_t adds(const struct base_tokens *t, int line)
{
    const size_t end = begin_of(t, line + 1);

    for (size_t i = statement_of(t, begin_of(t, line)); i < end; i++) {
        if (is_loop(t, i)) {
            i = body_of(t, i) - 1;
        } else if (base_mark(t, i) == '+' && base_mark(t, i + 1) == '=') {
            return i;
        }
    }
    return NONE;
}

int lab_source_adds(const char *path, int line)
{
    return adds(read_source(path), line) != NONE;
}

int lab_source_set(const char *path, int line)
{
    const struct base_tokens *t = read_source(path);
    const size_t function = function_of(t, begin_of(t, line));
    const size_t plus = adds(t, line);
    size_t left = plus - 1; /* the name on its left side */
    char word[80];

    if (plus == NONE || function == NONE)
        return 0;
    while (base_mark(t, left) == ']')
        left = matching(t, left, -1) - 1;
    for (size_t i = function; i < closing(t, function); i++) {
        size_t n = 0;

        while (left + n < plus) {
            base_token_copy(t, left + n, word, sizeof word);
            if (!base_token_is(t, i + n, word))
                break;
            n++;
        }
        if (left + n == plus && base_mark(t, i + n) == '=' &&
            base_mark(t, i + n + 1) != '=' && base_mark(t, i + n + 2) != ';')
            return t->token[i].line;
    }
    return 0;
}

int lab_source_use(const char *path, int line, const char *array, int from,
                   int *first, int *last)
{
    const struct base_tokens *t = read_source(path);
    const size_t body = function_of(t, begin_of(t, line));

    for (size_t i = body; i < (body != NONE ? closing(t, body) : 0); i++) {
        if (t->token[i].line <= from || !base_token_is(t, i, array) ||
            base_mark(t, i + 1) != '[')
            continue;
        *first = t->token[statement_of(t, i)].line;
        while (base_mark(t, i) != ';' && i + 1 < t->count)
            i++;
        *last = t->token[i].line;
        return *last;
    }
    return 0;
}

int lab_source_product(const char *path)
{
    const struct base_tokens *t = read_source(path);
    int line = 0;

    for (size_t i = 3; i + 2 < t->count; i++) {
        size_t left; /* the one before the product */

        if (base_mark(t, i) != '*' || base_mark(t, i - 1) != ']' ||
            base_mark(t, i + 2) != '[')
            continue;
        left = matching(t, i - 1, -1) - 2;
        if (base_mark(t, left) != '=')
            continue;
        if (line != 0 && line != t->token[i].line)
            return 0;
        line = t->token[i].line;
    }
    return line;
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
                        size_t size, int *last,
                        int (*has_code)(const char *path, int from, int to))
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
        if (end == t->count || strstr(condition, "__CUDA_ARCH__") == NULL ||
            base_token_is(t, statement_of(t, end - 1), "return"))
            continue; /* with a return at its end: others follow for it */
        for (size_t j = i + 1; j < end; j++) {
            uses |= name == NULL ? base_mark(t, j) == ';'
                                 : base_token_is(t, j, name) &&
                                       base_mark(t, j + 1) == '[';
        }
        *last = t->token[end].line - 1;
        if (uses && !has_code(path, t->token[i].line + 1, *last))
            return t->token[i].line;
    }
    return 0;
}

/* --- lines beside the one that is told of --------------------------------- */

/* A name that is neither a number nor called, nor a member of another. */
static int is_name(const struct base_tokens *t, size_t i)
{
    const char first = i < t->count ? t->text[t->token[i].begin] : '0';

    return i < t->count && t->token[i].kind == BASE_WORD &&
           (first < '0' || first > '9') && base_mark(t, i + 1) != '(' &&
           (i == 0 || base_mark(t, i - 1) != '.');
}

/* Does that name stand between the two tokens? Returns where, or NONE. */
static size_t find_name(const struct base_tokens *t, size_t from, size_t to,
                        const char *word)
{
    while (from < to && (!is_name(t, from) || !base_token_is(t, from, word)))
        from++;
    return from < to ? from : NONE;
}

/* Do the two parts of the file have a name in common? */
static int share_name(const struct base_tokens *t, size_t from, size_t to,
                      size_t other, size_t end)
{
    char word[80];

    for (; from < to; from++) {
        base_token_copy(t, from, word, sizeof word);
        if (is_name(t, from) && find_name(t, other, end, word) != NONE)
            return 1;
    }
    return 0;
}

/* The last token of the line's statement, or of its head. */
static size_t end_of_line(const struct base_tokens *t, size_t at)
{
    while (at < t->count && base_mark(t, at) != ';' && base_mark(t, at) != '{')
        at = closing(t, at) + 1;
    return at;
}

/* The brace of the innermost block around token i. */
static size_t block_of(const struct base_tokens *t, size_t i)
{
    while (i-- > 0) {
        if (base_mark(t, i) == '{')
            return i;
        if (base_mark(t, i) == '}')
            i = matching(t, i, -1);
    }
    return 0;
}

/* Is it a loop or a condition that has token `at` in its body? */
static int is_around(const struct base_tokens *t, size_t i, size_t at)
{
    return (is_loop(t, i) || base_token_is(t, i, "if")) &&
           body_of(t, i) <= at && end_of(t, i) >= at;
}

/* Is it a condition, before token `at` and in a block around it, that leaves a
   loop or the function? */
static int is_way_out(const struct base_tokens *t, size_t i, size_t at)
{
    const size_t body = body_of(t, i),
                 first = body + (base_mark(t, body) == '{');

    return base_token_is(t, i, "if") && end_of(t, i) < at &&
           closing(t, block_of(t, i)) > at &&
           (base_token_is(t, first, "break") ||
            base_token_is(t, first, "continue") ||
            base_token_is(t, first, "return"));
}

/* Does what is declared at token i reach token `at`? */
static int reaches(const struct base_tokens *t, size_t i, size_t at)
{
    size_t head = i;

    while (head > 0 && base_mark(t, head) != ';' && base_mark(t, head) != '{' &&
           base_mark(t, head) != '}' && base_mark(t, head) != '(')
        head--;
    if (head > 0 && base_mark(t, head) == '(' && is_loop(t, head - 1))
        return end_of(t, head - 1) >= at;
    return closing(t, block_of(t, i)) >= at;
}

/* Where the name gets the value that token `at` meets: the name there, in the
   same function or else outside of all; NONE: nowhere, as a parameter. */
static size_t definition_of(const struct base_tokens *t, size_t at,
                            const char *word)
{
    const size_t body = function_of(t, at);

    for (size_t i = at; body != NONE && i-- > body;) {
        if (!base_token_is(t, i, word) || base_mark(t, i + 1) != '=' ||
            base_mark(t, i + 2) == '=')
            continue;
        /* One that is declared in another block is another. */
        if (t->token[i - 1].kind != BASE_WORD || reaches(t, i, at))
            return i;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (base_is_directive(t, i, "define", word))
            return i;
        if (base_token_is(t, i, word) && base_mark(t, i + 1) == '=' &&
            function_of(t, i) == NONE)
            return i;
    }
    return NONE;
}

/* Does the token stand in the body of the function of that name? A template's
   may have its arguments behind it. */
static int is_in(const struct base_tokens *t, size_t i, const char *function)
{
    const size_t body = function_of(t, i);
    char name[80];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(function, "<"), function);
    return body != NONE &&
           base_token_is(t, matching(t, body - 1, -1) - 1, name);
}

/* The bracket of the call whose name is token i, in a function; NONE: it is no
   call, or a launch. */
static size_t call_at(const struct base_tokens *t, size_t i)
{
    size_t open = i + 1;

    if (base_mark(t, open) == '<') {
        while (base_mark(t, open) != '>' && open < t->count &&
               base_mark(t, open) != ';')
            open++;
        open++;
    }
    return base_mark(t, open) == '(' && function_of(t, i) != NONE ? open : NONE;
}

/* The return of the function whose name is token i, if it is called there with
   nothing: it makes a number. NONE: it is not, or stands elsewhere. */
static size_t return_of(const struct base_tokens *t, size_t i)
{
    char word[80];

    if (base_mark(t, i + 1) != '(' || base_mark(t, i + 2) != ')')
        return NONE;
    base_token_copy(t, i, word, sizeof word);
    for (size_t at = 0; at < t->count; at++) {
        size_t end = closing(t, at + 1);

        if (!base_token_is(t, at, word) || base_mark(t, at + 1) != '(' ||
            base_mark(t, end + 1) != '{')
            continue;
        for (at = end, end = closing(t, end + 1); at < end; at++) {
            if (base_token_is(t, at, "return"))
                return at;
        }
        return NONE;
    }
    return NONE;
}

/* The last call of the function whose body begins at that token, rather one
   that names the array; NONE: it is a kernel, or not called. */
static size_t call_of(const struct base_tokens *t, size_t body,
                      const char *array)
{
    const size_t name = body != NONE ? matching(t, body - 1, -1) - 1 : t->count;
    char word[80];
    size_t found = NONE;
    int is_named = 0;

    if (name >= t->count)
        return NONE;
    base_token_copy(t, name, word, sizeof word);
    for (size_t i = 0; i < t->count; i++) {
        size_t open;
        int names = 0;

        if (i == name || !base_token_is(t, i, word) ||
            (open = call_at(t, i)) == NONE)
            continue;
        for (size_t j = open; j < closing(t, open); j++)
            names |= base_token_is(t, j, array);
        if (names >= is_named)
            found = i;
        is_named |= names;
    }
    return found;
}

/* What is shown first: variables and functions, then what else has to do with
   them. */
enum kind {
    VARIABLE,
    CONDITION,
    LOOP,
    CALL,
    CONSTANT,
    NUMBER,
    KINDS
};

/* Where values come from: lines still to be shown, and the part of each whose
   names are then followed; the nearest first. */
struct trail {
    const struct base_tokens *t;
    const char *kernel;
    struct lab_lines *lines;
    size_t known; /* the body of the function whose call is known; or 0 */
    struct {
        size_t shown, from, to; /* shown: a token of the line; or NONE */
        enum kind kind;
        int level;
    } part[80];
    int parts, levels;
};

/* The names from one token to another, at that level; before them the line of
   token `shown`. */
static void add_part(struct trail *s, enum kind kind, size_t shown, size_t from,
                     size_t to, int level)
{
    if (s->parts == (int)(sizeof s->part / sizeof s->part[0]))
        return;
    s->part[s->parts].kind = kind;
    s->part[s->parts].shown = shown;
    s->part[s->parts].from = from;
    s->part[s->parts].to = to;
    s->part[s->parts++].level = level;
}

/* The condition right above the statement at token i, and what it is made of.
 */
static void add_condition(struct trail *s, const char *path, size_t i,
                          int level)
{
    const int line = lab_source_condition(path, s->t->token[i].line);

    i = begin_of(s->t, line);
    if (line > 0)
        add_part(s, CONDITION, i, i + 1, body_of(s->t, i), level);
}

/* The calls, in the kernel or else in any function, of the function whose
   parameter the name is for token `at`. One that hands on a variable of the
   same name says nothing. */
static void add_calls(struct trail *s, size_t at, const char *word, int level)
{
    const struct base_tokens *t = s->t;
    const size_t body = function_of(t, at);
    const size_t open = body != NONE ? matching(t, body - 1, -1) : 0;
    const size_t parameter = open > 0 ? find_name(t, open, body, word) : NONE;
    int number = 0, found = 0;
    char name[80];

    if (parameter == NONE || body == s->known)
        return;
    for (size_t i = open; i < parameter; i++)
        number += base_mark(t, i) == ',';
    base_token_copy(t, open - 1, name, sizeof name);
    for (int pass = s->kernel == NULL; pass < 2 && !found; pass++) {
        for (size_t i = 0; i < t->count; i++) {
            size_t from, to, end;

            if (!base_token_is(t, i, name) || (from = call_at(t, i)) == NONE ||
                (pass == 0 && !is_in(t, i, s->kernel)))
                continue;
            end = closing(t, from++);
            found = 1;
            for (int n = 0; n < number && from < end; from++) {
                from = closing(t, from);
                n += base_mark(t, from) == ',';
            }
            for (to = from; to < end && base_mark(t, to) != ','; to++)
                to = closing(t, to);
            if (to == from + 1 && base_token_is(t, from, word)) {
                add_part(s, CALL, NONE, from, to, level);
            } else {
                add_part(s, level == 0 ? VARIABLE : CALL, i, from, to,
                         level + 1);
            }
        }
    }
}

/* Is it a member of a structure, and not of a vector? */
static int is_member(const struct base_tokens *t, size_t i)
{
    const int is_arrow =
        i > 1 && base_mark(t, i - 1) == '>' && base_mark(t, i - 2) == '-';

    return t->token[i].kind == BASE_WORD && base_mark(t, i + 1) != '(' &&
           (is_arrow || (i > 0 && base_mark(t, i - 1) == '.' &&
                         !(t->token[i].end - t->token[i].begin == 1 &&
                           strchr("xyzw", t->text[t->token[i].begin]))));
}

/* Where the member is set, or moved on. */
static void add_members(struct trail *s, const char *word, int level)
{
    const struct base_tokens *t = s->t;

    for (size_t i = 0; i < t->count; i++) {
        size_t end = i + 1;

        if (!base_token_is(t, i, word) || !is_member(t, i))
            continue;
        while (base_mark(t, end) == '[')
            end = closing(t, end) + 1;
        end += base_mark(t, end) == '+' || base_mark(t, end) == '-';
        if (base_mark(t, end) == '=' && base_mark(t, end + 1) != '=')
            add_part(s, VARIABLE, i, end + 1, end_of_line(t, end), level + 1);
    }
}

/* What gives the name at token i its value. */
static void add_name(struct trail *s, size_t i, int level)
{
    const struct base_tokens *t = s->t;
    const size_t value = return_of(t, i);
    enum kind kind = VARIABLE;
    size_t found, end;
    char word[80];

    base_token_copy(t, i, word, sizeof word);
    if (value != NONE) {
        add_part(s, VARIABLE, value, value + 1, end_of_line(t, value),
                 level + 1);
        return;
    }
    if (is_member(t, i)) {
        if (s->levels > 1)
            add_members(s, word, level);
        return;
    }
    if (!is_name(t, i))
        return;
    found = definition_of(t, i, word);
    if (found == NONE) {
        add_calls(s, i, word, level);
        return;
    }
    end = end_of_line(t, found);
    if (t->token[found].kind == BASE_DIRECTIVE) {
        kind = CONSTANT;
        end = begin_of(t, t->token[found].line + 1);
        if (end <= found + 2)
            kind = NUMBER;
        if (level > 0 && kind == NUMBER)
            return; /* far away */
    } else if (is_loop(t, begin_of(t, t->token[found].line))) {
        kind = LOOP;
    }
    add_part(s, level == 0 && kind != NUMBER ? VARIABLE : kind, found,
             found + 1, end, level + 1);
}

static void follow(struct trail *s)
{
    for (int kind = VARIABLE; kind < KINDS; kind++) {
        for (int n = 0; n < s->parts; n++) {
            if ((int)s->part[n].kind != kind)
                continue;
            s->part[n].kind = KINDS;
            if (s->part[n].shown != NONE)
                lab_lines_add(s->lines, s->t->token[s->part[n].shown].line);
            for (size_t i = s->part[n].from;
                 i < s->part[n].to && s->part[n].level < s->levels; i++) {
                add_name(s, i, s->part[n].level);
            }
            kind = VARIABLE; /* of what was added */
            n = -1;
        }
    }
}

/* Adds the lines that give the names between two tokens their values. */
static void add_values(const struct base_tokens *t, size_t from, size_t to,
                       struct lab_lines *lines)
{
    struct trail s = {.t = t, .lines = lines, .levels = 1};

    add_part(&s, VARIABLE, NONE, from, to, 0);
    follow(&s);
}

void lab_source_conditions(const char *path, int line, struct lab_lines *lines)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line), end = end_of_line(t, at);
    size_t head[LAB_LINES], heads = 0;

    for (size_t i = at;
         function_of(t, at) != NONE && i-- > function_of(t, at);) {
        if ((is_around(t, i, at) || is_way_out(t, i, at)) &&
            heads < LAB_LINES && share_name(t, i + 1, body_of(t, i), at, end)) {
            head[heads++] = i;
            lab_lines_add(lines, t->token[i].line);
        }
    }
    for (size_t i = 0; i < heads; i++)
        add_values(t, head[i], body_of(t, head[i]), lines);
}

/* Where the array of that name is declared for token `at`: in its function, or
   as its parameter. NONE: nowhere. */
static size_t declared(const struct base_tokens *t, size_t at,
                       const char *array)
{
    const size_t body = function_of(t, at);

    if (body == NONE)
        return NONE;
    for (size_t i = matching(t, body - 1, -1); i < at; i++) {
        if (base_token_is(t, i, array) &&
            ((base_mark(t, i + 1) == '[' &&
              t->token[i - 1].kind == BASE_WORD) ||
             (base_mark(t, i + 1) == ')' && base_mark(t, i + 2) == '[' &&
              base_mark(t, i - 1) == '*'))) {
            return i;
        }
    }
    return NONE;
}

/* Adds where the array is declared for that token, and what says how long it
   is in the dimension that has `rows` from it to the last. */
static void add_declared(const struct base_tokens *t, size_t at,
                         const char *array, int rows, struct lab_lines *lines)
{
    const size_t name = declared(t, at, array);
    int number = 0;
    size_t from;

    if (name == NONE)
        return;
    lab_lines_add(lines, t->token[name].line);
    from = name + 1 + (base_mark(t, name + 1) == ')');
    for (size_t i = from; base_mark(t, i) == '['; i = closing(t, i) + 1)
        number++;
    for (size_t i = from; number > 0; number--, i = closing(t, i) + 1) {
        if (number == rows)
            add_values(t, i, closing(t, i), lines);
    }
}

/* Is the declaration at that token one of shared memory? */
static int is_shared(const struct base_tokens *t, size_t i)
{
    while (i > 0 && base_mark(t, i) != ';' && base_mark(t, i) != '{' &&
           base_mark(t, i) != '}')
        i--;
    for (; base_mark(t, i) != '['; i++) {
        if (base_token_is(t, i, "__shared__"))
            return 1;
    }
    return 0;
}

/* Is what stands between the two tokens made of threadIdx? */
static int is_of_thread(const struct base_tokens *t, size_t from, size_t to,
                        int depth)
{
    char word[80];

    for (size_t i = from; i < to; i++) {
        size_t value;

        if (base_token_is(t, i, "threadIdx"))
            return 1;
        base_token_copy(t, i, word, sizeof word);
        value =
            is_name(t, i) && depth > 0 ? definition_of(t, from, word) : NONE;
        if (value != NONE && value < from &&
            is_of_thread(t, value + 2, end_of_line(t, value), depth - 1))
            return 1;
    }
    return 0;
}

void lab_source_kept_away(const char *path, int line, struct lab_lines *lines,
                          char *text, size_t size)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line), function = function_of(t, at);
    int found = 0;

    text[0] = '\0';
    for (size_t i = at; function != NONE && i-- > function;) {
        const int leaves = is_way_out(t, i, at);
        size_t way = body_of(t, i);
        char word[20];

        if ((!leaves && !is_around(t, i, at)) ||
            !is_of_thread(t, i + 1, way, 4))
            continue;
        way += base_mark(t, way) == '{';
        base_token_copy(t, way, word, sizeof word);
        lab_lines_add(lines, t->token[i].line);
        if (leaves) {
            lab_lines_add(lines, t->token[way].line);
            snprintf(text, size,
                     "The %s in line %d is for some threads alone: those that "
                     "meet the condition in line %d do not come to line %d.",
                     word, t->token[way].line, t->token[i].line, line);
        } else if (is_loop(t, i)) {
            snprintf(text, size,
                     "The loop in line %d goes round more often for some "
                     "threads than for others, and line %d is in it.",
                     t->token[i].line, line);
        } else {
            snprintf(text, size,
                     "Line %d is for some threads alone: those that meet the "
                     "condition in line %d.",
                     line, t->token[i].line);
        }
        found++;
    }
    if (found != 1)
        text[0] = '\0';
}

int lab_source_declared(const char *path, int line, const char *array,
                        int *shared)
{
    const struct base_tokens *t = read_source(path);
    const size_t i = declared(t, begin_of(t, line), array);

    *shared = i != NONE && is_shared(t, i);
    return i != NONE ? t->token[i].line : 0;
}

int lab_source_is_of_thread(const char *path, int line, const char *array)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line);
    size_t i = find_name(t, at, end_of_line(t, at), array), end;

    if (i == NONE)
        return -1;
    for (end = i + 1; base_mark(t, end) == '['; end = closing(t, end) + 1)
        ;
    return is_of_thread(t, i + 1, end, 4);
}

int lab_source_own_array(const char *path, const char *kernel, char *name,
                         size_t size)
{
    const struct base_tokens *t = read_source(path);

    for (size_t i = 1; i < t->count; i++) {
        size_t end = i + 1, array;

        if (t->token[i].kind != BASE_WORD || base_mark(t, i + 1) != '[' ||
            !is_in(t, i, kernel))
            continue;
        while (base_mark(t, end) == '[')
            end = closing(t, end) + 1;
        if (base_mark(t, end) != '=' || base_mark(t, end + 1) == '=' ||
            !is_of_thread(t, i + 1, end, 4))
            continue;
        base_token_copy(t, i, name, size);
        array = declared(t, i, name);
        if (array != NONE && array != i && array > function_of(t, i) &&
            !is_shared(t, array))
            return t->token[array].line;
    }
    return 0;
}

void lab_source_index(const char *path, int line, const char *index,
                      const char *type, struct lab_lines *lines, int *is_thread)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line);
    char array[80];
    struct trail s = {.t = t, .lines = lines, .levels = LEVELS};
    int number = 0, rows = 0;
    size_t i, name, from;

    *is_thread = 0;
    snprintf(array, sizeof array, "%.*s", (int)strcspn(index, "["), index);
    for (i = 0; index[i] != '\0' && index[i] != ','; i++)
        number += index[i] == '[';
    for (i = 0; type[i] != '\0' && type[i] != '\n'; i++)
        rows += type[i] == '[';
    name = find_name(t, at, end_of_line(t, at), array);
    if (name == NONE || number == 0)
        return;
    for (from = name + 1; number > 1 && base_mark(t, from) == '['; number--)
        from = closing(t, from) + 1;
    /* Its loops, or where else it is set. */
    for (i = from + 1; i < closing(t, from); i++) {
        char word[80];
        size_t set;
        int in_loop = 0;

        base_token_copy(t, i, word, sizeof word);
        if (!is_name(t, i))
            continue;
        for (size_t j = function_of(t, at); j < name; j++) {
            if (is_loop(t, j) && is_around(t, j, name) &&
                find_name(t, j + 1, body_of(t, j), word) != NONE) {
                in_loop = 1;
                lab_lines_add(lines, t->token[j].line);
                add_part(&s, VARIABLE, NONE, j, body_of(t, j), 0);
            }
        }
        set = in_loop ? NONE : definition_of(t, name, word);
        if (set == NONE)
            continue;
        *is_thread |= base_token_is(t, set + 2, "threadIdx");
    }
    /* How long it is. */
    add_declared(t, at, array, rows, lines);
    add_part(&s, VARIABLE, NONE, from + 1, closing(t, from), 0);
    follow(&s);
}

void lab_source_stores(const char *path, int line, const char *array,
                       struct lab_lines *lines, int *condition)
{
    const struct base_tokens *t = read_source(path);
    const size_t body = function_of(t, begin_of(t, line));
    int always = 0;

    *condition = 0;
    for (size_t i = body; body != NONE && i < closing(t, body); i++) {
        size_t end = i + 1;
        int inside = 0;

        if (!base_token_is(t, i, array))
            continue;
        while (base_mark(t, end) == '[')
            end = closing(t, end) + 1;
        if (end == i + 1 || base_mark(t, end) != '=')
            continue;
        for (size_t j = body; j < i; j++) {
            if (!base_token_is(t, j, "if") || !is_around(t, j, i))
                continue;
            inside = t->token[j].line;
            lab_lines_add(lines, inside);
            if (body_of(t, j) == j + 4) /* of a variable */
                add_values(t, j, body_of(t, j), lines);
        }
        lab_lines_add(lines, t->token[i].line);
        always |= inside == 0;
        *condition = inside;
    }
    if (always)
        *condition = 0;
}

void lab_source_value(const char *path, int line, struct lab_lines *lines)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line), body = function_of(t, at);
    size_t i = at;
    char word[80];

    while (i < end_of_line(t, at) && base_mark(t, i) != '=')
        i++;
    base_token_copy(t, i + 1, word, sizeof word);
    for (size_t j = body; body != NONE && is_name(t, i + 1) && j < at; j++) {
        if (base_token_is(t, j, word) && base_mark(t, j + 1) == '=' &&
            base_mark(t, j + 2) != '=')
            lab_lines_add(lines, t->token[j].line);
    }
}

/* What the kernel's first launch is given between <<< and >>>: the first token
   of that number, from 0; NONE: it is not given. */
static size_t launch_of(const struct base_tokens *t, const char *kernel,
                        int number)
{
    char name[80];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(kernel, "<"), kernel);
    for (size_t i = 0; i < t->count; i++) {
        size_t at = i + 1;

        if (!base_token_is(t, i, name))
            continue;
        /* A template's arguments stand before it. */
        if (base_mark(t, at) == '<' && base_mark(t, at + 1) != '<')
            at += 3;
        if (base_mark(t, at) != '<' || base_mark(t, at + 1) != '<' ||
            base_mark(t, at + 2) != '<')
            continue;
        for (at += 3; number > 0; number--) {
            while (base_mark(t, at) != ',' && base_mark(t, at) != ';' &&
                   base_mark(t, at) != '>')
                at = closing(t, at) + 1;
            if (base_mark(t, at++) != ',')
                return NONE;
        }
        return at;
    }
    return NONE;
}

int lab_source_block(const char *path, const char *kernel)
{
    const struct base_tokens *t = read_source(path);
    const size_t i = launch_of(t, kernel, 1);
    const int line = i != NONE ? declaration(t, i, "dim3", i) : 0;

    return line > 0 || i == NONE ? line : t->token[i].line;
}

void lab_source_dynamic(const char *path, const char *kernel,
                        struct lab_lines *lines)
{
    const struct base_tokens *t = read_source(path);
    const size_t i = launch_of(t, kernel, 2);
    const int before = lines->count;

    if (i == NONE)
        return;
    add_values(t, i, i + 1, lines);
    if (lines->count == before)
        lab_lines_add(lines, t->token[i].line);
}

int lab_source_uses(const char *path, const char *function, const char *name,
                    char part)
{
    const struct base_tokens *t = read_source(path);
    const char member[] = {part, '\0'};

    for (size_t i = 0; i < t->count; i++) {
        if (base_token_is(t, i, name) && base_token_is(t, i + 2, member) &&
            is_in(t, i, function))
            return 1;
    }
    return 0;
}

/* The part of the statement that says where the access to the array is: of an
   asynchronous copy its target, or its source, and else all. */
static void find_pointer(const struct base_tokens *t, const char *array,
                         size_t *from, size_t *to)
{
    size_t i = *from, number = strstr(array, "shared") == NULL;

    while (i < *to && !base_token_is(t, i, "__pipeline_memcpy_async"))
        i++;
    if (i == *to)
        return;
    for (*from = i += 2; base_mark(t, i) != ';' && i < t->count; i++) {
        i = closing(t, i);
        if (base_mark(t, i) != ',')
            continue;
        *to = i;
        if (number-- == 0)
            return;
        *from = i + 1;
    }
}

/* Is a parameter of the function among the names between the two tokens? */
static int has_parameter(const struct base_tokens *t, size_t from, size_t to)
{
    const size_t body = function_of(t, from);

    return body != NONE &&
           share_name(t, from, to, matching(t, body - 1, -1), body);
}

void lab_source_made(const char *path, int line, const char *array,
                     const char *kernel, struct lab_lines *lines)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line);
    size_t call = call_of(t, function_of(t, at), array);
    size_t from = at, to = end_of_line(t, at);
    struct trail s = {
        .t = t, .kernel = kernel, .lines = lines, .levels = LEVELS};
    size_t i = find_name(t, at, to, array);

    if (i == NONE) {
        find_pointer(t, array, &from, &to);
        if (!has_parameter(t, from, to))
            call = NONE;
        s.known = call != NONE ? function_of(t, at) : 0;
        add_part(&s, VARIABLE, NONE, from, to, 0);
    }
    for (i = i == NONE ? i : i + 1; base_mark(t, i) == '[';
         i = closing(t, i) + 1)
        add_part(&s, VARIABLE, NONE, i, closing(t, i), 0);
    if (call != NONE) {
        const size_t open = call_at(t, call);

        /* Its arguments name a row and a column, and these what they are of. */
        s.levels += 2;
        add_part(&s, VARIABLE, call, open + 1, closing(t, open), 1);
        add_condition(&s, path, call, 1);
    }
    follow(&s);
}

void lab_source_called(const char *path, int line, const char *array,
                       struct lab_lines *lines)
{
    const struct base_tokens *t = read_source(path);
    const size_t call = call_of(t, function_of(t, begin_of(t, line)), array);

    if (call == NONE)
        return;
    lab_lines_add(lines, t->token[call].line);
    lab_lines_add(lines, lab_source_condition(path, t->token[call].line));
}

void lab_source_row(const char *path, int line, const char *array,
                    struct lab_lines *lines)
{
    const struct base_tokens *t = read_source(path);

    add_declared(t, begin_of(t, line), array, 1, lines);
}

int lab_source_tile(const char *path, int line, const char *array, char *index,
                    size_t size, struct lab_lines *lines)
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
        add_values(t, i + 2, tile, lines);
        i = t->token[i + 2].begin;
        snprintf(index, size, "%.*s", (int)(t->token[tile].begin - i),
                 t->text + i);
        return 1;
    }
    return 0;
}

void lab_source_ints(const char *path, char matrix, struct lab_lines *lines)
{
    const struct base_tokens *t = read_source(path);
    const char word[] = {matrix, '\0'};

    for (size_t i = 0; i < t->count; i++) {
        if (base_token_is(t, i, "int") && base_mark(t, i + 2) == '=' &&
            base_token_is(t, i + 3, word) && base_mark(t, i + 4) == '[')
            lab_lines_add(lines, t->token[i].line);
    }
}

int lab_source_unroll(const char *path, int line, int *begin)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line);
    const char *number;
    char text[80];
    size_t loop = NONE;

    for (size_t i = 1; i < at; i++) {
        if (is_loop(t, i) && is_around(t, i, at))
            loop = i;
    }
    *begin = loop != NONE ? t->token[loop].line : 0;
    if (loop == NONE || !base_is_directive(t, loop - 1, "pragma", NULL))
        return -1;
    base_token_copy(t, loop - 1, text, sizeof text);
    number = strstr(text, "unroll");
    if (number == NULL)
        return -1;
    *begin = t->token[loop - 1].line;
    return (int)strtol(number + strlen("unroll"), NULL, 10);
}

/* How many tokens stand between = and ; behind token i; *from is the first. */
static size_t right_side(const struct base_tokens *t, size_t i, size_t *from)
{
    const size_t end = end_of_line(t, i);

    while (i < end && base_mark(t, i) != '=')
        i++;
    *from = i + 1;
    return i < end ? end - i - 1 : 0;
}

int lab_source_same(const char *path, int line)
{
    const struct base_tokens *t = read_source(path);
    const size_t at = begin_of(t, line), body = function_of(t, at);
    const size_t end = body != NONE ? closing(t, body) : 0;
    size_t from, other;
    const size_t count = right_side(t, at, &from);
    int found = 0;

    for (size_t i = end_of_line(t, at); count > 1 && i < end; i++) {
        size_t same = 0;
        char word[80];

        if (base_mark(t, i) != '=' || right_side(t, i, &other) != count)
            continue;
        for (; same < count; same++) {
            base_token_copy(t, from + same, word, sizeof word);
            if (!base_token_is(t, other + same, word))
                break;
        }
        if (same < count)
            continue;
        if (found > 0)
            return 0;
        found = t->token[i].line;
    }
    return found;
}
