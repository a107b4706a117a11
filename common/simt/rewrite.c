#define _GNU_SOURCE
#include "rewrite.h"

#include "lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST = 8 << 20 /* bytes of a source file */
};

/* What is on its way from the one text to the other. */
struct rewriter {
    const char *text, *path;
    const struct simt_token *token;
    size_t count;
    FILE *output;
    char *why;
    size_t why_size;
};

/* A launch, as places in the list of tokens; each end is one past the last. */
struct launch {
    size_t kernel, kernel_end;
    size_t configuration, configuration_end;
    size_t arguments, arguments_end;
    size_t end; /* behind the closing parenthesis */
};

/* --- looking at tokens -------------------------------------------------------- */

static char mark(const struct rewriter *r, size_t i)
{
    return i < r->count && r->token[i].kind == SIMT_MARK
               ? r->text[r->token[i].begin]
               : '\0';
}

static int is(const struct rewriter *r, size_t i, const char *words)
{
    const size_t size = strlen(words);

    return i < r->count && r->token[i].end - r->token[i].begin == size &&
           memcmp(r->text + r->token[i].begin, words, size) == 0;
}

static int is_blank(const struct rewriter *r, size_t i)
{
    return i < r->count &&
           (r->token[i].kind == SIMT_SPACE || r->token[i].kind == SIMT_COMMENT);
}

/* The next token from i on that is no blank. */
static size_t skip(const struct rewriter *r, size_t i)
{
    while (is_blank(r, i))
        i++;
    return i;
}

/* The last token before i that is no blank; count if there is none. */
static size_t before(const struct rewriter *r, size_t i)
{
    while (i > 0) {
        if (!is_blank(r, --i))
            return i;
    }
    return r->count;
}

/* 1 if tokens i, i + 1 and i + 2 are three of c with nothing in between. */
static int is_triple(const struct rewriter *r, size_t i, char c)
{
    return mark(r, i) == c && mark(r, i + 1) == c && mark(r, i + 2) == c;
}

static int fail(const struct rewriter *r, size_t i, const char *what)
{
    snprintf(r->why, r->why_size, "%s:%d: %s", r->path,
             r->token[i < r->count ? i : r->count - 1].line, what);
    return -1;
}

/* --- launches ----------------------------------------------------------------- */

/* From the `>` or `)` at i back to what opens it; count if nothing does. */
static size_t opening(const struct rewriter *r, size_t i, char open, char close)
{
    int depth = 0;

    for (size_t at = i + 1; at-- > 0;) {
        const char c = mark(r, at);

        if (c == close) {
            depth++;
        } else if (c == open && --depth == 0) {
            return at;
        } else if (c == ')' && close != ')') {
            at = opening(r, at, '(', ')');
            if (at == r->count)
                return at;
        } else if (c == ';' || c == '{' || c == '}')
            return r->count;
    }
    return r->count;
}

/* The first token of the kernel's name that ends before i: name, ns::name,
   name<16, T>, (*pointer). count if there is no such name. */
static size_t kernel_begin(const struct rewriter *r, size_t i)
{
    size_t at = before(r, i);

    if (mark(r, at) == ')')
        return opening(r, at, '(', ')');
    for (;;) {
        size_t previous, colon;

        if (mark(r, at) == '>')
            at = before(r, opening(r, at, '<', '>'));
        if (at >= r->count || r->token[at].kind != SIMT_WORD)
            return r->count;
        previous = before(r, at);
        colon = previous < r->count ? before(r, previous) : r->count;
        if (mark(r, previous) != ':' || mark(r, colon) != ':')
            return at;
        previous = before(r, colon);
        if (previous >= r->count ||
            (r->token[previous].kind != SIMT_WORD && mark(r, previous) != '>'))
            return colon; /* ::name */
        /* return ::kernel<<<...>>> would be the exception; void returns
           nothing. */
        at = previous;
    }
}

/* The end of the configuration that begins at i: the last three of a run of >.
   *commas counts its commas. count if it does not end. */
static size_t configuration_end(const struct rewriter *r, size_t i, int *commas)
{
    int depth = 0;

    *commas = 0;
    for (; i < r->count; i++) {
        const char c = mark(r, i);

        if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            depth--;
        } else if (c == ',' && depth == 0) {
            ++*commas;
        } else if (c == ';' && depth == 0) {
            return r->count;
        }
        if (depth < 0)
            return r->count;
        if (depth == 0 && is_triple(r, i, '>') && mark(r, i + 3) != '>')
            return i;
    }
    return r->count;
}

/* The parenthesis that closes the one at i; count if none does. */
static size_t closing(const struct rewriter *r, size_t i)
{
    int depth = 0;

    for (; i < r->count; i++) {
        const char c = mark(r, i);

        if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
            return c == ')' ? i : r->count;
        }
    }
    return r->count;
}

/* Reads the launch whose <<< stands at i. 0, or -1 after a message. */
static int read_launch(const struct rewriter *r, size_t i,
                       struct launch *launch)
{
    int commas;

    launch->kernel = kernel_begin(r, i);
    launch->kernel_end = i;
    if (launch->kernel >= r->count) {
        return fail(r, i,
                    "cannot read this launch: no kernel's name stands "
                    "before <<< (write kernel<<<grid, block>>>(...))");
    }
    launch->configuration = i + 3;
    launch->configuration_end = configuration_end(r, i + 3, &commas);
    if (launch->configuration_end >= r->count) {
        return fail(r, i,
                    "cannot read this launch: its <<< has no >>> (write "
                    "kernel<<<grid, block>>>(...))");
    }
    if (commas < 1 || commas > 3) {
        return fail(r, i,
                    "cannot read this launch: between <<< and >>> stand "
                    "grid, block, and at most shared bytes and stream");
    }
    launch->arguments = skip(r, launch->configuration_end + 3);
    if (mark(r, launch->arguments) != '(') {
        return fail(r, i,
                    "cannot read this launch: behind >>> the arguments "
                    "must follow, in parentheses");
    }
    launch->arguments_end = closing(r, launch->arguments);
    if (launch->arguments_end >= r->count) {
        return fail(r, i,
                    "cannot read this launch: the parenthesis of its "
                    "arguments is not closed");
    }
    launch->arguments++;
    launch->end = launch->arguments_end + 1;
    return 0;
}

/* --- writing ------------------------------------------------------------------ */

static void copy(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        fwrite(r->text + r->token[i].begin, 1,
               r->token[i].end - r->token[i].begin, r->output);
    }
}

/* The tokens on one line, blanks and comments being one blank each. */
static void copy_on_one_line(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (is_blank(r, i)) {
            putc(' ', r->output);
        } else {
            copy(r, i, i + 1);
        }
    }
}

/* Only what the tokens have of line ends, with the backslashes before them. */
static void copy_newlines(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        for (size_t at = r->token[i].begin; at < r->token[i].end; at++) {
            size_t end; /* where a backslash would end */

            if (r->text[at] != '\n')
                continue;
            end = at > 0 && r->text[at - 1] == '\r' ? at - 1 : at;
            if (end > 0 && r->text[end - 1] == '\\')
                putc('\\', r->output);
            putc('\n', r->output);
        }
    }
}

/*
 * kernel<<<grid, block>>>(a, b) as
 * launch(file, line, "kernel", configuration(grid, block), lambda, a, b): the
 * lambda calls the kernel, which may be a template or overloaded.
 */
static void write_launch(const struct rewriter *r, const struct launch *l)
{
    const int has_arguments = skip(r, l->arguments) < l->arguments_end;

    fputs("::simt_device::launch(__FILE__, __LINE__, SIMT_STRING(", r->output);
    copy_on_one_line(r, l->kernel, l->kernel_end);
    fputs("), ::simt_device::configuration(", r->output);
    copy_newlines(r, l->kernel, l->kernel_end);
    copy(r, l->configuration, l->configuration_end);
    fputs("), [&](auto... simt_arguments) SIMT_NOT_RECORDED { ", r->output);
    copy_on_one_line(r, l->kernel, l->kernel_end);
    fputs("(simt_arguments...); }", r->output);
    copy_newlines(r, l->configuration_end, l->arguments);
    if (has_arguments)
        fputs(", ", r->output);
    copy(r, l->arguments, l->end);
}

/* #pragma unroll in GCC's form. Returns 0 if the directive at i is another. */
static int write_unroll(const struct rewriter *r, size_t i)
{
    const struct simt_token *t = &r->token[i];
    char *line = strndup(r->text + t->begin, t->end - t->begin);
    char *at = line, *end;
    int written = 0;

    if (line == NULL)
        return 0;
    at += strspn(at, "# \t");
    if (strncmp(at, "pragma", 6) == 0) {
        at += 6;
        at += strspn(at, " \t");
        end = at + strcspn(at, " \t(\r");
        if (end - at == 8 && strncmp(at, "nounroll", 8) == 0) {
            fputs("SIMT_UNROLL(1)", r->output);
            written = 1;
        } else if (end - at == 6 && strncmp(at, "unroll", 6) == 0) {
            end += strspn(end, " \t\r");
            end[strcspn(end, "\r")] = '\0';
            fprintf(r->output, "SIMT_UNROLL(%s)",
                    *end ? end : "SIMT_UNROLL_ALL");
            written = 1;
        }
    }
    if (written)
        copy_newlines(r, i, i + 1);
    free(line);
    return written;
}

/* _Pragma("unroll 4"), from the word at i. Returns the token behind it, or i if
   it is something else. */
static size_t write_pragma_operator(const struct rewriter *r, size_t i)
{
    const size_t open = skip(r, i + 1), string = skip(r, open + 1);
    const size_t close = skip(r, string + 1);
    size_t begin, end;

    if (mark(r, open) != '(' || string >= r->count || mark(r, close) != ')' ||
        r->token[string].kind != SIMT_STRING)
        return i;
    begin = r->token[string].begin + 1;
    end = r->token[string].end - 1;
    if (end - begin < 6 || memcmp(r->text + begin, "unroll", 6) != 0)
        return i;
    begin += 6;
    while (begin < end && r->text[begin] == ' ')
        begin++;
    if (begin == end) {
        fputs("SIMT_UNROLL(SIMT_UNROLL_ALL)", r->output);
    } else {
        fprintf(r->output, "SIMT_UNROLL(%.*s)", (int)(end - begin),
                r->text + begin);
    }
    return close + 1;
}

/*
 * extern __shared__ T name[]; from the word extern at i. Within a function the
 * name is a pointer, outside an object that turns into one. Returns the token
 * behind it, or i if it is something else.
 */
static size_t write_dynamic_shared(const struct rewriter *r, size_t i,
                                   int depth)
{
    size_t type = skip(r, i + 1), name, at;

    if (!is(r, type, "__shared__"))
        return i;
    type = skip(r, type + 1);
    if (is(r, type, "__align__") || is(r, type, "alignas"))
        type = skip(r, closing(r, skip(r, type + 1)) + 1);
    for (at = type; at < r->count && mark(r, at) != '['; at++) {
        if (mark(r, at) == ';' || mark(r, at) == '{')
            return i;
    }
    name = before(r, at);
    if (name >= r->count || name <= type || r->token[name].kind != SIMT_WORD ||
        mark(r, skip(r, at + 1)) != ']')
        return i;
    at = skip(r, skip(r, at + 1) + 1);
    if (mark(r, at) != ';')
        return i;
    if (depth > 0) {
        copy_on_one_line(r, type, name);
        fputs("*", r->output);
        copy(r, name, name + 1);
        fputs(" = (", r->output);
        copy_on_one_line(r, type, name);
        fputs("*)::simt_device::dynamic_shared()", r->output);
    } else {
        fputs("static ::simt_device::dynamic_shared_array<", r->output);
        copy_on_one_line(r, type, name);
        fputs("> ", r->output);
        copy(r, name, name + 1);
    }
    copy_newlines(r, i, at);
    return at;
}

/* Words that the CPU device has no answer to. */
static const struct {
    const char *word, *message;
} unsupported[] = {
    {"asm", "inline PTX does not run on the CPU device"},
    {"__asm__", "inline PTX does not run on the CPU device"},
    {"wmma", "tensor cores (wmma) are not on the CPU device"},
    {"cooperative_groups", "cooperative groups are not on the CPU device"},
    {"texture", "textures are not on the CPU device"},
    {"tex2D", "textures are not on the CPU device"},
    {"__managed__", "managed memory is not on the CPU device"},
    {"cudaMallocManaged", "managed memory is not on the CPU device"},
    {"cudaLaunchKernel", "cudaLaunchKernel is not on the CPU device: write "
                         "kernel<<<grid, block>>>(...)"},
};

static int check_word(const struct rewriter *r, size_t i)
{
    for (size_t j = 0; j < sizeof unsupported / sizeof unsupported[0]; j++) {
        if (is(r, i, unsupported[j].word))
            return fail(r, i, unsupported[j].message);
    }
    return 0;
}

/* --- the whole text ----------------------------------------------------------- */

/* Writes tokens `from` to `to`. A launch is known when its <<< is reached, but
   begins before: so tokens are held back until the next one is certain not to
   be a launch. Launches do not nest. */
static int rewrite_tokens(const struct rewriter *r)
{
    size_t held = 0; /* the first token that is not written yet */
    int depth = 0;   /* of braces */

    for (size_t i = 0; i < r->count; i++) {
        size_t behind = i;

        depth += (mark(r, i) == '{') - (mark(r, i) == '}');
        if (is_triple(r, i, '<')) {
            struct launch launch;

            if (read_launch(r, i, &launch) != 0)
                return -1;
            if (launch.kernel < held) {
                return fail(r, i,
                            "cannot read this launch: its kernel's name "
                            "belongs to something else");
            }
            copy(r, held, launch.kernel);
            write_launch(r, &launch);
            behind = launch.end;
        } else if (r->token[i].kind == SIMT_DIRECTIVE) {
            copy(r, held, i);
            held = i;
            if (write_unroll(r, i))
                behind = i + 1;
        } else if (r->token[i].kind == SIMT_WORD) {
            if (check_word(r, i) != 0)
                return -1;
            if (is(r, i, "_Pragma") || is(r, i, "extern")) {
                copy(r, held, i);
                held = i;
                behind = is(r, i, "extern") ? write_dynamic_shared(r, i, depth)
                                            : write_pragma_operator(r, i);
            }
        }
        if (behind > i) {
            held = behind;
            i = behind - 1;
        }
    }
    copy(r, held, r->count);
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
    if (memchr(text, '\0', length) != NULL) {
        snprintf(why, why_size, "%s: a NUL byte: this is no source file", path);
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
