#define _GNU_SOURCE
#include "rewrite.h"

#include "functions.h"
#include "rewriter.h"

#include <ctype.h>
#include <stdint.h>
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

    if (at != SIMT_NO_TOKEN && r->tokens.token[at].kind == BASE_STRING)
        return simt_is(r, simt_before(r, at), "extern");
    for (; at != SIMT_NO_TOKEN; at = simt_before(r, at)) {
        if (simt_is(r, at, "namespace"))
            return 1;
        if (r->tokens.token[at].kind != BASE_WORD && simt_mark(r, at) != ':')
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

/* Of two places of a text the first; NULL: there is none. */
static const char *first_of(const char *a, const char *b)
{
    return a == NULL || (b != NULL && b < a) ? b : a;
}

/* Words of #if and #elif that say which compiler this is. __NVCC__ is defined,
   as __CUDACC__ is, but for the program alone: libcu++ would make PTX for it.
   And in a function of the host there is no __CUDA_ARCH__. */
static void rewrite_condition(struct rewriter *r, size_t i)
{
    static const char nvcc[] = "__NVCC__", arch[] = "__CUDA_ARCH__";
    const struct simt_body *body = simt_body_of(r->functions, i);
    const int on_host = body != NULL && body->runs == SIMT_ON_HOST;
    const char *at = r->tokens.text + r->tokens.token[i].begin, *found;
    const char *const end = r->tokens.text + r->tokens.token[i].end;

    simt_catch_up(r, i);
    while ((found = first_of(
                memmem(at, (size_t)(end - at), nvcc, strlen(nvcc)),
                on_host ? memmem(at, (size_t)(end - at), arch, strlen(arch))
                        : NULL)) != NULL) {
        const int is_nvcc = found[2] == 'N';

        fwrite(at, 1, (size_t)(found - at), r->output);
        fputs(is_nvcc ? "__CUDACC__" : "SIMT_NO_ARCH", r->output);
        at = found + strlen(is_nvcc ? nvcc : arch);
    }
    fwrite(at, 1, (size_t)(end - at), r->output);
    r->written = i + 1;
}

/* The preprocessor line at i. Returns the token to go on with, or SIMT_NO_TOKEN
   after a message. */
static size_t rewrite_line(struct rewriter *r, size_t i)
{
    if (simt_is_line(r, i, "define", NULL)) {
        r->begin = i + 1;
        r->end = base_line_end(&r->tokens, i + 1);
        r->in_macro = 1;
        r->before_macro = r->braces;
    } else if (simt_is_line(r, i, "if", NULL)) {
        /* Of two branches with a brace each, one counts. */
        if (r->conditions < SIMT_DEEPEST_IF)
            r->at_if[r->conditions] = r->braces;
        r->conditions++;
        rewrite_condition(r, i);
    } else if (simt_is_line(r, i, "el", NULL)) {
        if (r->conditions > 0 && r->conditions <= SIMT_DEEPEST_IF)
            r->braces = r->at_if[r->conditions - 1];
        rewrite_condition(r, i);
    } else if (simt_is_line(r, i, "endif", NULL)) {
        r->conditions -= r->conditions > 0;
    } else if (simt_is_line(r, i, "include", NULL)) {
        r->is_lab |= simt_is_line(r, i, "include", "\"lab.h\"");
        r->knows_printf |= simt_has_printf(r, i);
        if ((r->include == NULL || !r->include(r, i)) &&
            simt_check_include(r, i) != 0)
            return SIMT_NO_TOKEN;
    } else {
        simt_rewrite_pragma(r, i);
    }
    return simt_behind_line(r, i);
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

/* The word at i. 0, or -1 after a message. */
static int rewrite_word(struct rewriter *r, size_t i)
{
    if (simt_check_word(r, i) != 0 || simt_check_use(r, i) != 0)
        return -1;
    if (simt_is(r, i, "__device__") || simt_is(r, i, "__constant__") ||
        simt_is(r, i, "__managed__"))
        return simt_rewrite_variable(r, i);
    if (simt_is(r, i, "__noinline__")) {
        rewrite_noinline(r, i);
    } else if (simt_is(r, i, "extern")) {
        simt_rewrite_dynamic_shared(r, i);
    } else if (simt_is(r, i, "cudaLaunchKernel") ||
               simt_is(r, i, "cudaLaunchCooperativeKernel")) {
        simt_rewrite_launch_call(r, i);
    } else if (simt_is(r, i, "throw") || simt_is(r, i, "try") ||
               simt_is(r, i, "catch")) {
        simt_rewrite_exception(r, i);
    } else if (simt_is(r, i, "alignas")) {
        simt_rewrite_alignment(r, i);
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

    while (i < r->tokens.count) {
        const char c = simt_mark(r, i);

        if (i == r->end) { /* of a macro's body */
            r->begin = i;
            r->end = r->tokens.count;
            r->in_macro = 0;
            r->braces = r->before_macro;
        }
        if (c == '{' || c == '}')
            count_brace(r, i);
        if ((c == '}' || c == ';') &&
            r->braces.namespaces + r->braces.others <= r->template_braces)
            r->template_begin = r->template_end = 0;

        if (simt_behind_triple(r, i, '<') > 0) {
            /* Within #if the compiler refuses it, if it counts. */
            if (simt_rewrite_launch(r, i) != 0 && r->conditions == 0)
                return -1;
        } else if (r->tokens.token[i].kind == BASE_WORD) {
            if (rewrite_word(r, i) != 0)
                return -1;
        } else if (r->tokens.token[i].kind == BASE_DIRECTIVE) {
            i = rewrite_line(r, i);
            if (i == SIMT_NO_TOKEN)
                return -1;
            continue;
        }
        i = r->written > i ? r->written : i + 1;
    }
    simt_catch_up(r, r->tokens.count);
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

int simt_rewriter_begin(struct rewriter *r, const char *text, size_t length)
{
    char reason[160];

    if (length > LARGEST) {
        snprintf(r->why, r->why_size, "%s: more than %d MB of source", r->path,
                 LARGEST >> 20);
        return -1;
    }
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        snprintf(r->why, r->why_size,
                 "%s: holds a NUL byte: save it as plain text (UTF-8)",
                 r->path);
        return -1;
    }
    if (base_lex(text, length, &r->tokens, reason, sizeof reason) != 0) {
        /* "line 3: ..." */
        const char *colon = strchr(reason, ':');

        snprintf(r->why, r->why_size, "%s:%d%s", r->path,
                 (int)strtol(reason + 5, NULL, 10), colon);
        base_tokens_free(&r->tokens);
        return -1;
    }
    r->end = r->tokens.count;
    /* The byte order mark, a blank of its own, would stand behind #line. */
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        r->written = 1;
    return 0;
}

void simt_rewriter_end(struct rewriter *r)
{
    base_tokens_free(&r->tokens);
}

int simt_rewriter_run(struct rewriter *r, char **output, size_t *length)
{
    int status;

    *output = NULL;
    r->output = open_memstream(output, length);
    if (r->output == NULL) {
        snprintf(r->why, r->why_size, "%s: not enough memory", r->path);
        return -1;
    }
    write_path(r->output, r->path);
    status = simt_functions_read(r->functions, r);
    if (status == 0)
        status = rewrite_tokens(r);
    if (fclose(r->output) != 0 || status != 0) {
        if (status == 0)
            snprintf(r->why, r->why_size, "%s: not enough memory", r->path);
        free(*output);
        *output = NULL;
        return -1;
    }
    return 0;
}

/* NOLINTBEGIN(readability-non-const-parameter): why is written to */
int simt_rewrite(const char *text, size_t length, const char *path,
                 char **output, size_t *output_length, char *why,
                 size_t why_size)
{
    /* NOLINTEND(readability-non-const-parameter) */
    struct simt_functions functions = {0};
    struct rewriter r = {.path = path,
                         .why = why,
                         .why_size = why_size,
                         .functions = &functions};
    int status;

    if (simt_rewriter_begin(&r, text, length) != 0)
        return -1;
    status = simt_rewriter_run(&r, output, output_length);
    simt_functions_free(&functions);
    simt_rewriter_end(&r);
    return status;
}
