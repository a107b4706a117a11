/*
 * lexer.h: what are the words of a C++ source file?
 *
 * Just enough of the language to tell code from comments, strings and
 * preprocessor lines (C++17, [lex]). Every byte of the file belongs to exactly
 * one token, so that the tokens put together are the file again.
 */
#ifndef SIMT_LEXER_H
#define SIMT_LEXER_H

#include <stddef.h>

enum simt_token_kind {
    SIMT_SPACE,     /* blanks, newlines, spliced lines */
    SIMT_COMMENT,   /* of either form */
    SIMT_DIRECTIVE, /* from # to the last word of a preprocessor line; of a
                       #define only to its parameters: what it defines is made
                       of tokens of its own */
    SIMT_WORD,      /* identifiers, keywords and numbers */
    SIMT_STRING,    /* strings and characters, raw ones too, with prefix */
    SIMT_MARK       /* one character of anything else */
};

struct simt_token {
    enum simt_token_kind kind;
    size_t begin, end; /* bytes of the text, end is one past the last */
    int line;          /* of the first byte, from 1 */
};

/*
 * Splits a text. *tokens is allocated for the caller to free. Returns 0, or -1
 * with a message in why ("line 3: this comment does not end") and nothing
 * allocated.
 */
int simt_lex(const char *text, size_t length, struct simt_token **tokens,
             size_t *count, char *why, size_t why_size);

#endif /* SIMT_LEXER_H */
