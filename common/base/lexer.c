#define _GNU_SOURCE
#include "base/lexer.h"

#include "base/memory.h"
#include "base/refuse.h"
#include "base/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the lexer is. */
struct lexer {
    const char *text;
    size_t length, at;
    int line;
    int line_is_empty; /* only blanks and comments so far: # is a directive */
    struct base_tokens *to;
    int failed; /* something does not end, as why says, or there is no memory */
    char *why;
    size_t why_size;
};

static char peek_ahead(const struct lexer *l, size_t ahead)
{
    return l->at + ahead < l->length ? l->text[l->at + ahead] : '\0';
}

static int is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static int starts(const struct lexer *l, const char *words)
{
    const size_t size = strlen(words);

    return l->length - l->at >= size &&
           memcmp(l->text + l->at, words, size) == 0;
}

const char *base_behind_splices(const char *at, const char *end)
{
    for (;;) {
        const char *next = at;

        if (next == end || *next != '\\')
            return at;
        next++;
        while (next < end && *next != '\n' && isspace((unsigned char)*next))
            next++;
        if (next == end || *next != '\n')
            return at;
        at = next + 1;
    }
}

/* Bytes of the spliced line ends that follow each other here. */
static size_t splices(const struct lexer *l)
{
    const char *const at = l->text + l->at;

    return (size_t)(base_behind_splices(at, l->text + l->length) - at);
}

static void step(struct lexer *l, size_t bytes)
{
    for (; bytes > 0 && l->at < l->length; bytes--) {
        if (l->text[l->at++] == '\n')
            l->line++;
    }
}

/* One character, or the spliced line ends before it. */
static void step_over(struct lexer *l)
{
    step(l, splices(l) > 0 ? splices(l) : 1);
}

/* Tells the first mistake. */
static void fail(struct lexer *l, int line, const char *what)
{
    if (!l->failed)
        base_refuse(l->why, l->why_size, "line %d: %s", line, what);
    l->failed = 1;
}

static void add_token(struct lexer *l, enum base_token_kind kind, size_t begin,
                      int line)
{
    struct base_token *const token =
        base_list_add(&l->to->token, &l->to->count, sizeof *token);

    if (token == NULL) {
        fail(l, line, "not enough memory");
        l->at = l->length;
        return;
    }
    *token = (struct base_token){kind, begin, l->at, line};
}

/* Blanks up to and with the end of the line. */
static void space(struct lexer *l)
{
    for (;;) {
        const char c = peek_ahead(l, 0);

        if (splices(l) > 0) {
            step(l, splices(l));
        } else if (c == '\n') {
            step(l, 1);
            l->line_is_empty = 1;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' ||
                   c == '\v') {
            step(l, 1);
        } else {
            return;
        }
        if (l->at == l->length)
            return;
    }
}

static void comment(struct lexer *l)
{
    const int line = l->line;

    if (peek_ahead(l, 1) == '/') {
        while (l->at < l->length && peek_ahead(l, 0) != '\n')
            step_over(l);
        return;
    }
    step(l, 2);
    while (l->at < l->length && !starts(l, "*/"))
        step(l, 1);
    if (l->at == l->length)
        fail(l, line, "this comment does not end");
    step(l, 2);
}

/* R"x( ... )x": the text between the parentheses is taken as it stands. */
static void raw_string(struct lexer *l)
{
    const int line = l->line;
    char end[32] = ")";
    size_t size = 1;

    step(l, 1);
    while (peek_ahead(l, 0) != '(' && size < 18 && l->at < l->length) {
        end[size++] = peek_ahead(l, 0);
        step(l, 1);
    }
    end[size++] = '"';
    end[size] = '\0';
    while (l->at < l->length && !starts(l, end))
        step(l, 1);
    if (l->at == l->length)
        fail(l, line, "this raw string does not end");
    step(l, size);
}

/* A string or character up to its closing quote. Where there is none on the
   line, as in don't within #if 0, it takes the rest of the line, as for g++. */
static void quoted(struct lexer *l)
{
    const char quote = peek_ahead(l, 0);

    step(l, 1);
    while (l->at < l->length && peek_ahead(l, 0) != quote) {
        if (splices(l) > 0) {
            step(l, splices(l));
        } else if (peek_ahead(l, 0) == '\n') {
            return;
        } else if (peek_ahead(l, 0) == '\\') {
            step(l, 1);
            step(l, splices(l)); /* the character may be in the next line */
            if (peek_ahead(l, 0) != '\n')
                step(l, 1);
        } else {
            step(l, 1);
        }
    }
    step(l, 1);
}

/* 1 if the characters from begin on are a prefix of strings: R, L, u8R, ... */
static int is_prefix(const struct lexer *l, size_t begin)
{
    const char *const end = l->text + l->at;
    const char *at = base_behind_splices(l->text + begin, end);
    char found[5] = "";
    size_t used = 0;

    while (at < end && used + 1 < sizeof found) {
        found[used++] = *at;
        at = base_behind_splices(at + 1, end);
    }
    return at == end && base_find_word(found, "R L u U u8 LR uR UR u8R") >= 0;
}

/* Does a number go on with the character behind `skip` bytes? 1'000 and 1e+3
   are single ones, and so are 1.x and 1e+x, which mean nothing (C++17,
   [lex.ppnumber]). */
static int number_goes_on(const struct lexer *l, size_t skip, char last)
{
    const char c = peek_ahead(l, skip);

    if (c == '\'') {
        struct lexer behind = *l;

        behind.at += skip + 1;
        behind.at += splices(&behind);
        return isalnum((unsigned char)peek_ahead(&behind, 0)) ||
               peek_ahead(&behind, 0) == '_';
    }
    return is_word_character(c) || c == '.' ||
           ((c == '+' || c == '-') && last != '\0' &&
            strchr("eEpP", last) != NULL);
}

/* .5 */
static int begins_fraction(const struct lexer *l)
{
    struct lexer behind = *l;

    behind.at++;
    behind.at += splices(&behind);
    return peek_ahead(l, 0) == '.' &&
           isdigit((unsigned char)peek_ahead(&behind, 0));
}

/* A word or number, or the string whose prefix it is: u8R"(...)", L'x'. */
static enum base_token_kind word(struct lexer *l)
{
    const size_t begin = l->at;
    const int is_number =
        peek_ahead(l, 0) == '.' || isdigit((unsigned char)peek_ahead(l, 0));
    char last = peek_ahead(l, 0);
    size_t skip;

    step(l, 1);
    for (;;) {
        skip = splices(l); /* it may go on in the next line */
        if (!(is_number ? number_goes_on(l, skip, last)
                        : is_word_character(peek_ahead(l, skip))))
            break;
        last = peek_ahead(l, skip);
        step(l, skip + 1);
    }
    if ((peek_ahead(l, skip) != '"' && peek_ahead(l, skip) != '\'') ||
        is_number || !is_prefix(l, begin))
        return BASE_WORD;
    step(l, skip);
    if (last == 'R' && peek_ahead(l, 0) == '"') {
        raw_string(l);
    } else {
        quoted(l);
    }
    return BASE_STRING;
}

/* Blanks and spliced lines, up to the end of a preprocessor line at most. */
static void blanks(struct lexer *l)
{
    while (peek_ahead(l, 0) == ' ' || peek_ahead(l, 0) == '\t' ||
           splices(l) > 0)
        step_over(l);
}

/*
 * A preprocessor line up to its end, without the comment behind it. Of a
 * #define only the name and its parameters: what it defines is code that is
 * read on.
 */
static void directive(struct lexer *l)
{
    int is_definition;

    step(l, 1);
    blanks(l);
    is_definition = starts(l, "define") && !is_word_character(peek_ahead(l, 6));
    if (is_definition) {
        step(l, 6);
        blanks(l);
        while (is_word_character(peek_ahead(l, 0)))
            step(l, 1);
        if (peek_ahead(l, 0) != '(')
            return;
    }
    while (l->at < l->length && peek_ahead(l, 0) != '\n' && !starts(l, "//") &&
           !starts(l, "/*")) {
        const char c = peek_ahead(l, 0);

        if (c == '"' || c == '\'') {
            quoted(l); /* what looks like a comment within it is none */
        } else if (is_word_character(c) || begins_fraction(l)) {
            word(l);
        } else {
            step_over(l);
        }
        if (is_definition && c == ')')
            return;
    }
}

static void one_token(struct lexer *l)
{
    const size_t begin = l->at;
    const int line = l->line, was_empty = l->line_is_empty;
    enum base_token_kind kind = BASE_MARK;

    space(l);
    if (l->at > begin) {
        add_token(l, BASE_SPACE, begin, line);
        return;
    }
    l->line_is_empty = 0;
    if (starts(l, "//") || starts(l, "/*")) {
        kind = BASE_COMMENT;
        comment(l);
        l->line_is_empty = was_empty;
    } else if (peek_ahead(l, 0) == '#' && was_empty) {
        kind = BASE_DIRECTIVE;
        directive(l);
    } else if (is_word_character(peek_ahead(l, 0)) || begins_fraction(l)) {
        kind = word(l);
    } else if (peek_ahead(l, 0) == '"' || peek_ahead(l, 0) == '\'') {
        kind = BASE_STRING;
        quoted(l);
    } else {
        step(l, 1);
    }
    add_token(l, kind, begin, line);
}

/* NOLINTBEGIN(readability-non-const-parameter): why is written to */
int base_lex(const char *text, size_t size, struct base_tokens *tokens,
             char *why, size_t why_size)
{
    /* NOLINTEND(readability-non-const-parameter) */
    struct lexer l = {.text = text,
                      .length = size,
                      .line = 1,
                      .line_is_empty = 1,
                      .to = tokens,
                      .why = why,
                      .why_size = why_size};

    *tokens = (struct base_tokens){.text = text, .size = size};
    /* A byte order mark is no part of the text. */
    if (starts(&l, "\xEF\xBB\xBF")) {
        l.at = 3;
        add_token(&l, BASE_SPACE, 0, 1);
    }
    while (l.at < l.length)
        one_token(&l);
    return l.failed ? -1 : 0;
}

void base_tokens_free(struct base_tokens *tokens)
{
    free(tokens->token);
    *tokens = (struct base_tokens){.count = 0};
}

/* --- looking at them ------------------------------------------------------ */

char base_mark(const struct base_tokens *t, size_t i)
{
    return i < t->count && t->token[i].kind == BASE_MARK
               ? t->text[t->token[i].begin]
               : '\0';
}

int base_token_is(const struct base_tokens *t, size_t i, const char *words)
{
    const size_t size = strlen(words);

    return i < t->count && t->token[i].end - t->token[i].begin == size &&
           memcmp(t->text + t->token[i].begin, words, size) == 0;
}

int base_token_is_blank(const struct base_tokens *t, size_t i)
{
    return t->token[i].kind == BASE_SPACE || t->token[i].kind == BASE_COMMENT;
}

void base_token_copy(const struct base_tokens *t, size_t i, char *text,
                     size_t size)
{
    const char *const end = t->text + t->token[i].end;
    const char *at = base_behind_splices(t->text + t->token[i].begin, end);
    size_t used = 0;

    while (at < end && used + 1 < size) {
        text[used++] = *at;
        at = base_behind_splices(at + 1, end);
    }
    text[used] = '\0';
}

/* Behind the words, with spliced lines left out, or NULL. */
static const char *match(const char *at, const char *end, const char *words)
{
    for (; *words != '\0'; words++) {
        if (at == end || *at != *words)
            return NULL;
        at = base_behind_splices(at + 1, end);
    }
    return at;
}

static const char *behind_blanks(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at = base_behind_splices(at + 1, end);
    return at;
}

int base_is_directive(const struct base_tokens *t, size_t i, const char *name,
                      const char *text)
{
    const char *const end = t->text + t->token[i].end;
    const char *at = base_behind_splices(t->text + t->token[i].begin + 1, end);

    if (t->token[i].kind != BASE_DIRECTIVE)
        return 0;
    at = match(behind_blanks(at, end), end, name);
    if (at != NULL && text != NULL)
        at = match(behind_blanks(at, end), end, text);
    return at != NULL && (text == NULL || behind_blanks(at, end) == end);
}

size_t base_line_end(const struct base_tokens *t, size_t i)
{
    for (; i < t->count; i++) {
        const struct base_token *const token = &t->token[i];
        const char *const end = t->text + token->end;

        if (token->kind != BASE_SPACE)
            continue;
        for (const char *at = base_behind_splices(t->text + token->begin, end);
             at < end; at = base_behind_splices(at + 1, end)) {
            if (*at == '\n')
                return i;
        }
    }
    return i;
}

size_t base_behind_if_0(const struct base_tokens *t, size_t i)
{
    size_t line_end;
    int depth = 0;

    if (!base_is_directive(t, i, "if", "0"))
        return i;
    line_end = base_line_end(t, i);
    for (size_t at = i + 1; at < t->count; at++) {
        /* As in #if 0 || 1, where a comment stands before ||; or %:endif. */
        if ((at < line_end && !base_token_is_blank(t, at)) ||
            (base_mark(t, at) == '%' && base_mark(t, at + 1) == ':')) {
            return i;
        }
        if (base_is_directive(t, at, "if", NULL)) {
            depth++;
        } else if (depth == 0 && (base_is_directive(t, at, "el", NULL) ||
                                  base_is_directive(t, at, "endif", NULL))) {
            return at;
        } else if (base_is_directive(t, at, "endif", NULL)) {
            depth--;
        }
    }
    return i;
}
