#define _GNU_SOURCE
#include "rewrite.h"

#include "lexer.h"
#include "rewriter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST = 8 << 20 /* bytes of a source file */
};

/* --- the whole text ------------------------------------------------------- */

/* 1 if the brace at i is that of a namespace or of extern "C". */
static int is_namespace(const struct rewriter *r, size_t i)
{
    size_t at = simt_before(r, i);

    if (at != SIMT_NO_TOKEN && r->token[at].kind == SIMT_STRING)
        return simt_is(r, simt_before(r, at), "extern");
    for (; at != SIMT_NO_TOKEN; at = simt_before(r, at)) {
        if (simt_is(r, at, "namespace"))
            return 1;
        if (r->token[at].kind != SIMT_WORD && simt_mark(r, at) != ':')
            return 0;
    }
    return 0;
}

static void count_brace(struct rewriter *r, size_t i)
{
    struct simt_braces *braces = &r->braces;

    if (simt_mark(r, i) == '{') {
        if (braces->others == 0 && is_namespace(r, i)) {
            braces->namespaces++;
        } else {
            braces->others++;
        }
    } else if (braces->others > 0) {
        braces->others--;
    } else if (braces->namespaces > 0) {
        braces->namespaces--;
    }
}

/* The end of the macro's body that begins at i: the first line end that is not
   spliced. */
static size_t macro_end(const struct rewriter *r, size_t i)
{
    for (; i < r->count; i++) {
        const struct simt_token *t = &r->token[i];

        if (t->kind != SIMT_SPACE)
            continue;
        for (size_t at = t->begin; at < t->end; at++) {
            size_t last = at;

            if (r->text[at] != '\n')
                continue;
            /* As the lexer does, past blanks behind the backslash. */
            while (last > t->begin && r->text[last - 1] != '\n' &&
                   isspace((unsigned char)r->text[last - 1]))
                last--;
            if (last == t->begin || r->text[last - 1] != '\\')
                return i;
        }
    }
    return i;
}

/* 1 if token i is a preprocessor line of that name, with that text if any. */
static int is_line(const struct rewriter *r, size_t i, const char *name,
                   const char *text)
{
    const char *at = r->text + r->token[i].begin + 1;
    const char *end = r->text + r->token[i].end;
    const size_t size = strlen(name);

    if (r->token[i].kind != SIMT_DIRECTIVE)
        return 0;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if ((size_t)(end - at) < size || memcmp(at, name, size) != 0)
        return 0;
    at += size;
    if (text == NULL)
        return 1;
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    return (size_t)(end - at) == strlen(text) &&
           memcmp(at, text, strlen(text)) == 0;
}

/* The #else, #elif or #endif that ends the #if 0 at i. */
static size_t behind_if_0(const struct rewriter *r, size_t i)
{
    int depth = 0;

    for (i++; i < r->count; i++) {
        if (is_line(r, i, "if", NULL)) {
            depth++;
        } else if (depth == 0 && (is_line(r, i, "el", NULL) ||
                                  is_line(r, i, "endif", NULL))) {
            return i;
        } else if (is_line(r, i, "endif", NULL)) {
            depth--;
        }
    }
    return i;
}

/* The preprocessor line at i. Returns the token to go on with, or SIMT_NO_TOKEN
   after a message. */
static size_t rewrite_line(struct rewriter *r, size_t i)
{
    if (is_line(r, i, "define", NULL)) {
        r->begin = i + 1;
        r->end = macro_end(r, i + 1);
        r->in_macro = 1;
        r->before_macro = r->braces;
    } else if (is_line(r, i, "if", NULL)) {
        /* Of two branches with a brace each, one counts. */
        if (r->conditions < SIMT_DEEPEST_IF)
            r->at_if[r->conditions] = r->braces;
        r->conditions++;
        if (is_line(r, i, "if", "0"))
            return behind_if_0(r, i);
    } else if (is_line(r, i, "el", NULL)) {
        if (r->conditions > 0 && r->conditions <= SIMT_DEEPEST_IF)
            r->braces = r->at_if[r->conditions - 1];
    } else if (is_line(r, i, "endif", NULL)) {
        r->conditions -= r->conditions > 0;
    } else if (is_line(r, i, "include", NULL)) {
        if (simt_check_include(r, i) != 0)
            return SIMT_NO_TOKEN;
    } else {
        simt_rewrite_pragma(r, i);
    }
    return i + 1;
}

/* A macro of this name would be found in the headers of the C++ library, which
   use the word within __attribute__. */
static void rewrite_noinline(struct rewriter *r, size_t i)
{
    if (simt_mark(r, simt_before(r, i)) == '(')
        return;
    simt_catch_up(r, i);
    fputs("__attribute__((noinline))", r->output);
    r->written = i + 1;
}

/* A kernel or device function is declared: it lasts up to the next ; or } of
   its level. */
void simt_note_kernel(struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (simt_is(r, i, "__host__"))
            return; /* may launch when the host calls it */
    }
    if (simt_is(r, simt_skip(r, to + 1), "__host__") || r->in_kernel)
        return;
    r->in_kernel = 1;
    r->kernel_braces = r->braces.namespaces + r->braces.others;
}

/* The word at i. 0, or -1 after a message. */
static int rewrite_word(struct rewriter *r, size_t i)
{
    if (simt_check_word(r, i) != 0)
        return -1;
    if (simt_is(r, i, "__device__") || simt_is(r, i, "__constant__") ||
        simt_is(r, i, "__managed__"))
        return simt_rewrite_variable(r, i);
    if (simt_is(r, i, "__global__") && !r->in_macro) {
        simt_note_kernel(r, i, i);
    } else if (simt_is(r, i, "__noinline__")) {
        rewrite_noinline(r, i);
    } else if (simt_is(r, i, "extern")) {
        simt_rewrite_dynamic_shared(r, i);
    } else if (simt_is(r, i, "template")) {
        simt_note_template(r, i);
    } else if (simt_is(r, i, "_Pragma")) {
        simt_rewrite_pragma_operator(r, i);
    }
    return 0;
}

/*
 * Goes through all tokens once. A launch is known when its <<< is reached, but
 * begins before: so tokens are not written before something behind them is to
 * be, or all are read.
 */
static int rewrite_tokens(struct rewriter *r)
{
    size_t i = r->written;

    while (i < r->count) {
        const char c = simt_mark(r, i);

        if (i == r->end) { /* of a macro's body */
            r->begin = i;
            r->end = r->count;
            r->in_macro = 0;
            r->braces = r->before_macro;
        }
        if (c == '{' || c == '}')
            count_brace(r, i);
        if ((c == '}' || c == ';') &&
            r->braces.namespaces + r->braces.others <= r->template_braces)
            r->template_begin = r->template_end = 0;
        if ((c == '}' || c == ';') &&
            r->braces.namespaces + r->braces.others <= r->kernel_braces)
            r->in_kernel = 0;

        if (simt_is_triple(r, i, '<')) {
            if (simt_rewrite_launch(r, i) != 0)
                return -1;
        } else if (r->token[i].kind == SIMT_WORD) {
            if (rewrite_word(r, i) != 0)
                return -1;
        } else if (r->token[i].kind == SIMT_DIRECTIVE) {
            i = rewrite_line(r, i);
            if (i == SIMT_NO_TOKEN)
                return -1;
            continue;
        }
        i = r->written > i ? r->written : i + 1;
    }
    simt_catch_up(r, r->count);
    return 0;
}

/* "path" for #line, with backslashes and quotes escaped. */
static void write_path(FILE *output, const char *path)
{
    fputs("#line 1 \"", output);
    for (; *path != '\0'; path++) {
        if (*path == '"' || *path == '\\')
            putc('\\', output);
        putc(*path, output);
    }
    fputs("\"\n", output);
}

int simt_rewrite(const char *text, size_t length, const char *path,
                 char **output, size_t *output_length, char *why,
                 size_t why_size)
{
    struct simt_token *token = NULL;
    struct rewriter r = {
        .text = text, .path = path, .why = why, .why_size = why_size};
    char reason[160];
    int status;

    if (length > LARGEST) {
        snprintf(why, why_size, "%s: more than %d MB of source", path,
                 LARGEST >> 20);
        return -1;
    }
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        snprintf(why, why_size,
                 "%s: holds a NUL byte: save it as plain text (UTF-8)", path);
        return -1;
    }
    if (simt_lex(text, length, &token, &r.count, reason, sizeof reason) != 0) {
        /* "line 3: ..." */
        const char *colon = strchr(reason, ':');

        snprintf(why, why_size, "%s:%d%s", path,
                 (int)strtol(reason + 5, NULL, 10), colon);
        return -1;
    }
    r.token = token;
    r.end = r.count;
    /* The byte order mark, a blank of its own, would stand behind #line. */
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        r.written = 1;
    *output = NULL;
    r.output = open_memstream(output, output_length);
    if (r.output == NULL) {
        free(token);
        snprintf(why, why_size, "%s: not enough memory", path);
        return -1;
    }
    write_path(r.output, path);
    status = rewrite_tokens(&r);
    free(token);
    if (fclose(r.output) != 0 || status != 0) {
        if (status == 0)
            snprintf(why, why_size, "%s: not enough memory", path);
        free(*output);
        *output = NULL;
        return -1;
    }
    return 0;
}
