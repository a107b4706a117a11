/*
 * Variables of the host, which kernels cannot reach. Only what is plain to see
 * is taken for one: a type, then names, none of them const, in no template.
 */
#define _GNU_SOURCE
#include "functions.h"
#include "rewriter.h"

#include "base/memory.h"

#include <string.h>

/* 1 for a word that says that it is something else, or may. */
static int is_other(const struct rewriter *r, size_t i)
{
    static const char *const words[] = {
        "__device__", "__constant__", "__managed__", "__shared__",
        "__global__", "const",        "constexpr",   "typedef",
        "using",      "template",     "struct",      "class",
        "enum",       "union",        "namespace",   "friend",
        "operator",   "static_assert"};
    int lower = 0;

    for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
        if (simt_is(r, i, words[j]))
            return 1;
    }
    for (size_t at = r->tokens.token[i].begin; at < r->tokens.token[i].end;
         at++) {
        const char c = r->tokens.text[at];

        lower |= (c >= 'a' && c <= 'z') || c == '_';
    }
    return !lower && r->tokens.token[i].end > r->tokens.token[i].begin + 1;
}

static int keep(struct simt_functions *functions, const struct rewriter *r,
                size_t i)
{
    char **added;

    if (simt_is_host_variable(functions, r, i))
        return 0;
    added = base_list_add(&functions->variable, &functions->variables,
                          sizeof *added);
    if (added == NULL)
        return -1;
    *added = strndup(r->tokens.text + r->tokens.token[i].begin,
                     r->tokens.token[i].end - r->tokens.token[i].begin);
    return *added != NULL ? 0 : -1;
}

int simt_is_host_variable(const struct simt_functions *functions,
                          const struct rewriter *r, size_t i)
{
    for (size_t j = 0; j < functions->variables; j++) {
        if (simt_is(r, i, functions->variable[j]))
            return 1;
    }
    return 0;
}

int simt_read_host_variables(struct simt_functions *functions,
                             const struct rewriter *r, size_t begin, size_t end)
{
    size_t name = SIMT_NO_TOKEN;
    int words = 0, depth = 0, has_value = 0;

    for (size_t i = begin; i < end; i++) {
        const char c = simt_mark(r, i);

        if (r->tokens.token[i].kind == BASE_DIRECTIVE)
            return 0;
        if (!has_value && depth == 0 &&
            (c == '(' || c == '<' || c == ':' || c == '&' || c == '{'))
            return 0;
        if (r->tokens.token[i].kind == BASE_WORD && depth == 0 && !has_value) {
            if (is_other(r, i))
                return 0;
            words++;
            if (simt_is_name(r, i))
                name = i;
        }
        depth += simt_is_opening(c) - simt_is_closing(c);
        has_value |= depth == 0 && c == '=';
        if (depth == 0 && (c == ',' || i + 1 == end) && words > 1) {
            if (name != SIMT_NO_TOKEN && keep(functions, r, name) != 0)
                return -1;
            name = SIMT_NO_TOKEN;
            has_value = 0;
        }
    }
    return 0;
}
