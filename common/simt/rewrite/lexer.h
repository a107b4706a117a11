/* lexer.h: the words of base/lexer.h by the rewriter's names. */
#ifndef SIMT_LEXER_H
#define SIMT_LEXER_H

#include "base/lexer.h"

#define simt_token      base_token
#define simt_token_kind base_token_kind
#define SIMT_SPACE      BASE_SPACE
#define SIMT_COMMENT    BASE_COMMENT
#define SIMT_DIRECTIVE  BASE_DIRECTIVE
#define SIMT_WORD       BASE_WORD
#define SIMT_STRING     BASE_STRING
#define SIMT_MARK       BASE_MARK

static inline int simt_lex(const char *text, size_t length,
                           struct simt_token **tokens, size_t *count, char *why,
                           size_t why_size)
{
    struct base_tokens list;
    const int result = base_lex(text, length, &list, why, why_size);

    if (result != 0)
        base_tokens_free(&list);
    *tokens = list.token;
    *count = list.count;
    return result;
}

#endif /* SIMT_LEXER_H */
