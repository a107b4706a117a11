/*
 * lexer.h: what are the words of a C++ source file?
 *
 * Just enough of the language to tell code from comments, strings and
 * preprocessor lines (C++17, [lex]). Every byte of the file belongs to exactly
 * one token, so that the tokens put together are the file again.
 */
#ifndef BASE_LEXER_H
#define BASE_LEXER_H

#include <stddef.h>

enum base_token_kind {
    BASE_SPACE,     /* blanks, newlines, spliced lines */
    BASE_COMMENT,   /* of either form */
    BASE_DIRECTIVE, /* from # to the last word of a preprocessor line; of a
                       #define only to its parameters: what it defines is made
                       of tokens of its own */
    BASE_WORD,      /* identifiers, keywords and numbers */
    BASE_STRING,    /* strings and characters, raw ones too, with prefix */
    BASE_MARK       /* one character of anything else */
};

struct base_token {
    enum base_token_kind kind;
    size_t begin, end; /* bytes of the text, end is one past the last */
    int line;          /* of the first byte, from 1 */
};

struct base_tokens {
    const char *text; /* not owned */
    size_t size;
    struct base_token *token; /* owned */
    size_t count;
};

/*
 * Splits a text, which must outlive the tokens. Returns 0, or -1 with a message
 * in why ("line 3: this comment does not end"). What does not end is one token
 * up to the end; only for want of memory tokens are missing. To be freed in any
 * case.
 */
int base_lex(const char *text, size_t size, struct base_tokens *tokens,
             char *why, size_t why_size);

void base_tokens_free(struct base_tokens *tokens);

/* --- looking at token i --------------------------------------------------- */

/* The character of a mark, 0 of another token or behind the last. */
char base_mark(const struct base_tokens *tokens, size_t i);

/* 1 if there is such a token and its text is `words`. */
int base_token_is(const struct base_tokens *tokens, size_t i,
                  const char *words);

/* 1 for space and comments. */
int base_token_is_blank(const struct base_tokens *tokens, size_t i);

/* Its text without spliced lines, cut to fit. */
void base_token_copy(const struct base_tokens *tokens, size_t i, char *text,
                     size_t size);

/* 1 if it is a preprocessor line whose name begins like that, with that text
   behind it if any is given. */
int base_is_directive(const struct base_tokens *tokens, size_t i,
                      const char *name, const char *text);

/* The space that ends the line of token i, past line ends that are spliced; the
   count if none does. */
size_t base_line_end(const struct base_tokens *tokens, size_t i);

/* The #else, #elif or #endif that ends what #if 0 at i begins, which nobody
   compiles; i if that is no #if 0, or nothing ends it. */
size_t base_behind_if_0(const struct base_tokens *tokens, size_t i);

/* Behind a backslash at the end of a line, and further ones; g++ lets blanks
   stand between the two. The same place if there is none. */
const char *base_behind_splices(const char *at, const char *end);

#endif /* BASE_LEXER_H */
