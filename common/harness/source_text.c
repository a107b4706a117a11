/* What a source file is made of: see source_text.h. */
#include "source_text.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct base_tokens *lab_text_read(const char *path)
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

size_t lab_text_begin(const struct base_tokens *t, int line)
{
    size_t i = 0;

    while (i < t->count && t->token[i].line < line)
        i++;
    return i;
}

size_t lab_text_matching(const struct base_tokens *t, size_t i, int step)
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

size_t lab_text_closing(const struct base_tokens *t, size_t i)
{
    return lab_text_matching(t, i, 1);
}

size_t lab_text_behind_index(const struct base_tokens *t, size_t i)
{
    for (i++; base_mark(t, i) == '['; i = lab_text_closing(t, i) + 1)
        ;
    return i;
}

size_t lab_text_function(const struct base_tokens *t, size_t i)
{
    for (size_t at = 1; at < i; at++) {
        if (base_mark(t, at) != '{' || base_mark(t, at - 1) != ')')
            continue;
        if (lab_text_closing(t, at) >= i)
            return at;
        at = lab_text_closing(t, at);
    }
    return LAB_NONE;
}

int lab_text_is_loop(const struct base_tokens *t, size_t i)
{
    return base_token_is(t, i, "for") || base_token_is(t, i, "while") ||
           base_token_is(t, i, "do");
}

size_t lab_text_body(const struct base_tokens *t, size_t i)
{
    return base_mark(t, i + 1) == '(' ? lab_text_closing(t, i + 1) + 1 : i + 1;
}

size_t lab_text_end(const struct base_tokens *t, size_t i)
{
    while (i < t->count &&
           (t->token[i].kind == BASE_DIRECTIVE || lab_text_is_loop(t, i) ||
            base_token_is(t, i, "if")))
        i = lab_text_body(t, i);
    if (base_mark(t, i) == '{')
        return lab_text_closing(t, i);
    while (i < t->count && base_mark(t, i) != ';' && base_mark(t, i) != '}')
        i = lab_text_closing(t, i) + 1;
    return i;
}

size_t lab_text_statement(const struct base_tokens *t, size_t i)
{
    while (i > 0 && (base_mark(t, i - 1) == '\0' ||
                     strchr(";{}", base_mark(t, i - 1)) == NULL))
        i--;
    return i;
}

int lab_text_is_name(const struct base_tokens *t, size_t i)
{
    static const char *const words[] = {"const",  "int",  "float", "unsigned",
                                        "struct", "void", "char",  "float4"};
    const char first = i < t->count ? t->text[t->token[i].begin] : '0';

    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (base_token_is(t, i, words[w]))
            return 0;
    }
    return i < t->count && t->token[i].kind == BASE_WORD &&
           (first < '0' || first > '9') && base_mark(t, i + 1) != '(' &&
           (i == 0 || base_mark(t, i - 1) != '.');
}

size_t lab_text_find(const struct base_tokens *t, size_t from, size_t to,
                     const char *word)
{
    while (from < to &&
           (!lab_text_is_name(t, from) || !base_token_is(t, from, word)))
        from++;
    return from < to ? from : LAB_NONE;
}

int lab_text_share_name(const struct base_tokens *t, size_t from, size_t to,
                        size_t other, size_t end)
{
    char word[80];

    for (; from < to; from++) {
        base_token_copy(t, from, word, sizeof word);
        if (lab_text_is_name(t, from) &&
            lab_text_find(t, other, end, word) != LAB_NONE)
            return 1;
    }
    return 0;
}

size_t lab_text_end_of_line(const struct base_tokens *t, size_t at)
{
    while (at < t->count && base_mark(t, at) != ';' && base_mark(t, at) != '{')
        at = lab_text_closing(t, at) + 1;
    return at;
}

size_t lab_text_block(const struct base_tokens *t, size_t i)
{
    while (i-- > 0) {
        if (base_mark(t, i) == '{')
            return i;
        if (base_mark(t, i) == '}')
            i = lab_text_matching(t, i, -1);
    }
    return 0;
}

int lab_text_is_around(const struct base_tokens *t, size_t i, size_t at)
{
    return (lab_text_is_loop(t, i) || base_token_is(t, i, "if")) &&
           lab_text_body(t, i) <= at && lab_text_end(t, i) >= at;
}

int lab_text_is_set(const struct base_tokens *t, size_t i)
{
    return base_mark(t, i) == '=' && base_mark(t, i + 1) != '=';
}

/* Does what is declared at token i reach token `at`? */
static int reaches(const struct base_tokens *t, size_t i, size_t at)
{
    size_t head = i;

    while (head > 0 && base_mark(t, head) != ';' && base_mark(t, head) != '{' &&
           base_mark(t, head) != '}' && base_mark(t, head) != '(')
        head--;
    if (head > 0 && base_mark(t, head) == '(' && lab_text_is_loop(t, head - 1))
        return lab_text_end(t, head - 1) >= at;
    return lab_text_closing(t, lab_text_block(t, i)) >= at;
}

size_t lab_text_definition(const struct base_tokens *t, size_t at,
                           const char *word)
{
    const size_t body = lab_text_function(t, at);

    for (size_t i = at; body != LAB_NONE && i-- > body;) {
        if (!base_token_is(t, i, word) || !lab_text_is_set(t, i + 1))
            continue;
        /* One that is declared in another block is another. */
        if (t->token[i - 1].kind != BASE_WORD || reaches(t, i, at))
            return i;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (base_is_directive(t, i, "define", word))
            return i;
        if (base_token_is(t, i, word) && base_mark(t, i + 1) == '=' &&
            lab_text_function(t, i) == LAB_NONE)
            return i;
    }
    return LAB_NONE;
}

int lab_text_is_in(const struct base_tokens *t, size_t i, const char *function)
{
    const size_t body = lab_text_function(t, i);
    char name[80];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(function, "<"), function);
    return body != LAB_NONE &&
           base_token_is(t, lab_text_matching(t, body - 1, -1) - 1, name);
}

size_t lab_text_call_at(const struct base_tokens *t, size_t i)
{
    size_t open = i + 1;

    if (base_mark(t, open) == '<') {
        while (base_mark(t, open) != '>' && open < t->count &&
               base_mark(t, open) != ';')
            open++;
        open++;
    }
    return base_mark(t, open) == '(' && lab_text_function(t, i) != LAB_NONE
               ? open
               : LAB_NONE;
}

size_t lab_text_call_of(const struct base_tokens *t, size_t body,
                        const char *array, size_t end)
{
    const size_t name =
        body != LAB_NONE ? lab_text_matching(t, body - 1, -1) - 1 : t->count;
    char word[80];
    size_t found = LAB_NONE;
    int is_named = 0;

    if (name >= t->count)
        return LAB_NONE;
    base_token_copy(t, name, word, sizeof word);
    for (size_t i = 0; i < end; i++) {
        size_t open;
        int names = 0;

        if (i == name || !base_token_is(t, i, word) ||
            (open = lab_text_call_at(t, i)) == LAB_NONE)
            continue;
        for (size_t j = i; j < lab_text_closing(t, open); j++)
            names |= base_token_is(t, j, array);
        if (names >= is_named)
            found = i;
        is_named |= names;
    }
    return found;
}

size_t lab_text_declared(const struct base_tokens *t, size_t at,
                         const char *array)
{
    const size_t body = lab_text_function(t, at);

    if (body == LAB_NONE)
        return LAB_NONE;
    for (size_t i = lab_text_matching(t, body - 1, -1); i < at; i++) {
        if (base_token_is(t, i, array) &&
            ((base_mark(t, i + 1) == '[' &&
              t->token[i - 1].kind == BASE_WORD) ||
             (base_mark(t, i + 1) == ')' && base_mark(t, i + 2) == '[' &&
              base_mark(t, i - 1) == '*'))) {
            return i;
        }
    }
    return LAB_NONE;
}

size_t lab_text_return(const struct base_tokens *t, size_t i)
{
    char word[80];

    if (base_mark(t, i + 1) != '(')
        return LAB_NONE;
    base_token_copy(t, i, word, sizeof word);
    for (size_t at = 0; at < t->count; at++) {
        size_t end = lab_text_closing(t, at + 1);

        if (!base_token_is(t, at, word) || base_mark(t, at + 1) != '(' ||
            base_mark(t, end + 1) != '{' ||
            !(base_token_is(t, at - 1, "int") ||
              base_token_is(t, at - 1, "unsigned") ||
              base_token_is(t, at - 1, "size_t")))
            continue;
        for (at = end, end = lab_text_closing(t, end + 1); at < end; at++) {
            if (base_token_is(t, at, "return"))
                return at;
        }
        return LAB_NONE;
    }
    return LAB_NONE;
}

int lab_text_is_of_thread(const struct base_tokens *t, size_t from, size_t to,
                          int depth)
{
    char word[80];

    for (size_t i = from; i < to; i++) {
        size_t value;

        if (base_token_is(t, i, "threadIdx"))
            return 1;
        value = depth > 0 ? lab_text_return(t, i) : LAB_NONE;
        if (value != LAB_NONE &&
            lab_text_is_of_thread(t, value + 1, lab_text_end_of_line(t, value),
                                  depth - 1))
            return 1;
        base_token_copy(t, i, word, sizeof word);
        value = lab_text_is_name(t, i) && depth > 0
                    ? lab_text_definition(t, from, word)
                    : LAB_NONE;
        if (value != LAB_NONE && value < from &&
            !base_is_directive(t, value, "define", word) &&
            lab_text_is_of_thread(t, value + 2, lab_text_end_of_line(t, value),
                                  depth - 1))
            return 1;
    }
    return 0;
}

int lab_text_is_launch(const struct base_tokens *t, size_t i)
{
    return base_mark(t, i) == '<' && base_mark(t, i + 1) == '<' &&
           base_mark(t, i + 2) == '<';
}

size_t lab_text_launch(const struct base_tokens *t, const char *kernel,
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
        if (!lab_text_is_launch(t, at))
            continue;
        for (at += 3; number > 0; number--) {
            while (base_mark(t, at) != ',' && base_mark(t, at) != ';' &&
                   base_mark(t, at) != '>')
                at = lab_text_closing(t, at) + 1;
            if (base_mark(t, at++) != ',')
                return LAB_NONE;
        }
        return at;
    }
    return LAB_NONE;
}
