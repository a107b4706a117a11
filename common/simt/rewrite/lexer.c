#define _GNU_SOURCE
#include "lexer.h"

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
    struct simt_token *token;
    size_t count, room;
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

/* Bytes of a backslash at the end of a line and its newline, 0 if there is none
   `ahead`. Like g++ it lets blanks stand between the two. */
static size_t splice_at(const struct lexer *l, size_t ahead)
{
    size_t at = ahead + 1;

    if (peek_ahead(l, ahead) != '\\')
        return 0;
    while (strchr(" \t\f\v\r", peek_ahead(l, at)) != NULL &&
           peek_ahead(l, at) != '\0')
        at++;
    return peek_ahead(l, at) == '\n' ? at + 1 - ahead : 0;
}

static size_t splice(const struct lexer *l)
{
    return splice_at(l, 0);
}

/* Bytes of all spliced line ends that follow each other here. */
static size_t splices(const struct lexer *l)
{
    size_t bytes = 0, length;

    while ((length = splice_at(l, bytes)) > 0)
        bytes += length;
    return bytes;
}

static void step(struct lexer *l, size_t bytes)
{
    for (; bytes > 0 && l->at < l->length; bytes--) {
        if (l->text[l->at++] == '\n')
            l->line++;
    }
}

static int fail_at_line(struct lexer *l, int line, const char *what)
{
    snprintf(l->why, l->why_size, "line %d: %s", line, what);
    return -1;
}

static int add_token(struct lexer *l, enum simt_token_kind kind, size_t begin,
                     int line)
{
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 1024;
        struct simt_token *larger = realloc(l->token, room * sizeof *larger);

        if (larger == NULL)
            return fail_at_line(l, line, "not enough memory");
        l->token = larger;
        l->room = room;
    }
    l->token[l->count++] = (struct simt_token){kind, begin, l->at, line};
    return 0;
}

/* Blanks up to and with the end of the line. */
static void space(struct lexer *l)
{
    for (;;) {
        const char c = peek_ahead(l, 0);

        if (splice(l) > 0) {
            step(l, splice(l));
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

static int comment(struct lexer *l)
{
    const int line = l->line;

    if (peek_ahead(l, 1) == '/') {
        while (l->at < l->length && peek_ahead(l, 0) != '\n')
            step(l, splice(l) > 0 ? splice(l) : 1);
        return 0;
    }
    step(l, 2);
    while (l->at < l->length && !starts(l, "*/"))
        step(l, 1);
    if (l->at == l->length)
        return fail_at_line(l, line, "this comment does not end");
    step(l, 2);
    return 0;
}

/* R"x( ... )x": the text between the parentheses is taken as it stands. */
static int raw_string(struct lexer *l)
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
        return fail_at_line(l, line, "this raw string does not end");
    step(l, size);
    return 0;
}

/* A string or character up to its closing quote. Where there is none on the
   line, as in don't within #if 0, it takes the rest of the line, as for g++. */
static void quoted(struct lexer *l)
{
    const char quote = peek_ahead(l, 0);

    step(l, 1);
    while (l->at < l->length && peek_ahead(l, 0) != quote) {
        if (splice(l) > 0) {
            step(l, splice(l));
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
    static const char *const prefixes[] = {"R",  "L",  "u",  "U",  "u8",
                                           "LR", "uR", "UR", "u8R"};
    struct lexer at = *l;
    char found[5] = "";

    at.at = begin;
    for (size_t i = 0; at.at < l->at && i + 1 < sizeof found; i++) {
        at.at += splices(&at);
        if (at.at < l->at)
            found[i] = peek_ahead(&at, 0);
        at.at++;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (at.at >= l->at && strcmp(found, prefixes[i]) == 0)
            return 1;
    }
    return 0;
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
static int word(struct lexer *l, enum simt_token_kind *kind)
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
    *kind = SIMT_WORD;
    if ((peek_ahead(l, skip) != '"' && peek_ahead(l, skip) != '\'') ||
        is_number || !is_prefix(l, begin))
        return 0;
    step(l, skip);
    if (last == 'R' && peek_ahead(l, 0) == '"') {
        *kind = SIMT_STRING;
        return raw_string(l);
    }
    *kind = SIMT_STRING;
    quoted(l);
    return 0;
}

/* Blanks and spliced lines, up to the end of a preprocessor line at most. */
static void blanks(struct lexer *l)
{
    while (peek_ahead(l, 0) == ' ' || peek_ahead(l, 0) == '\t' || splice(l) > 0)
        step(l, splice(l) > 0 ? splice(l) : 1);
}

/*
 * A preprocessor line up to its end, without the comment behind it. Of a
 * #define only the name and its parameters: what it defines is code that is
 * read on.
 */
static int directive(struct lexer *l)
{
    enum simt_token_kind kind;
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
            return 0;
    }
    while (l->at < l->length && peek_ahead(l, 0) != '\n' && !starts(l, "//") &&
           !starts(l, "/*")) {
        const char c = peek_ahead(l, 0);

        if (c == '"' || c == '\'') {
            quoted(l); /* what looks like a comment within it is none */
        } else if (is_word_character(c) || begins_fraction(l)) {
            if (word(l, &kind) != 0)
                return -1;
        } else {
            step(l, splice(l) > 0 ? splice(l) : 1);
        }
        if (is_definition && c == ')')
            return 0;
    }
    return 0;
}

static int one_token(struct lexer *l)
{
    const size_t begin = l->at;
    const int line = l->line;
    enum simt_token_kind kind = SIMT_MARK;
    const int was_empty = l->line_is_empty;
    int status = 0;

    space(l);
    if (l->at > begin)
        return add_token(l, SIMT_SPACE, begin, line);
    if (starts(l, "//") || starts(l, "/*")) {
        kind = SIMT_COMMENT;
        status = comment(l);
        l->line_is_empty = was_empty;
        return status == 0 ? add_token(l, kind, begin, line) : -1;
    }
    l->line_is_empty = 0;
    if (peek_ahead(l, 0) == '#' && was_empty) {
        kind = SIMT_DIRECTIVE;
        status = directive(l);
    } else if (is_word_character(peek_ahead(l, 0)) || begins_fraction(l)) {
        status = word(l, &kind);
    } else if (peek_ahead(l, 0) == '"' || peek_ahead(l, 0) == '\'') {
        kind = SIMT_STRING;
        quoted(l);
    } else {
        step(l, 1);
    }
    return status == 0 ? add_token(l, kind, begin, line) : -1;
}

/* NOLINTBEGIN(readability-non-const-parameter): why is written to */
int simt_lex(const char *text, size_t length, struct simt_token **tokens,
             size_t *count, char *why, size_t why_size)
{
    /* NOLINTEND(readability-non-const-parameter) */
    struct lexer l = {.text = text,
                      .length = length,
                      .line = 1,
                      .line_is_empty = 1,
                      .why = why,
                      .why_size = why_size};

    /* A byte order mark is no part of the text. */
    if (starts(&l, "\xEF\xBB\xBF")) {
        l.at = 3;
        if (add_token(&l, SIMT_SPACE, 0, 1) != 0)
            return -1;
    }
    while (l.at < l.length) {
        if (one_token(&l) != 0) {
            free(l.token);
            return -1;
        }
    }
    *tokens = l.token;
    *count = l.count;
    return 0;
}
