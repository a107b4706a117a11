#include "grade/judge/vet.h"

#include "simt/rewrite/lexer.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a lab may include: nothing of these opens files, starts threads or
   brings objects with constructors. */
static const char headers[] =
    " lab.h cuda_runtime.h cuda_runtime_api.h cuda.h "
    "device_launch_parameters.h vector_types.h cooperative_groups.h "
    "cuda_pipeline.h cuda_pipeline_primitives.h assert.h float.h "
    "limits.h math.h stdbool.h stddef.h stdint.h stdio.h stdlib.h "
    "string.h time.h algorithm array cassert cfloat climits cmath "
    "cstddef cstdint cstdio cstdlib cstring ctime limits type_traits "
    "utility vector ";

static const char directives[] =
    " define undef if ifdef ifndef elif else endif error warning ";

/* Words that are refused, and why. */
static const struct {
    const char *word, *why;
} refused[] = {
    {"asm", "is inline assembly, which a lab cannot be graded with"},
    {"__asm", "is inline assembly, which a lab cannot be graded with"},
    {"__asm__", "is inline assembly, which a lab cannot be graded with"},
    {"__attribute__", "gives the compiler orders that no lab needs"},
    {"__attribute", "gives the compiler orders that no lab needs"},
    {"_Pragma", "gives the compiler orders that no lab needs: write #pragma "
                "unroll"},
    {"__has_include", "asks which files there are"},
    {"__has_include__", "asks which files there are"},
};

struct vet {
    const char *name, *text;
    size_t size;
    const struct simt_token *token;
    size_t count;
    char *why;
    size_t why_size;
};

static int refuse_source(const struct vet *v, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse_source(const struct vet *v, int line, const char *format, ...)
{
    char what[400];
    va_list list;

    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(v->why, v->why_size, "%s:%d: %s", v->name, line, what);
    return -1;
}

/* Behind a backslash at the end of a line, and further ones; g++ lets blanks
   stand between the two. The same place if there is none. */
static const char *behind_splices(const char *at, const char *end)
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

/* The text of a token without spliced lines, cut to fit. */
static void copy_token(const struct vet *v, const struct simt_token *token,
                       char *text, size_t size)
{
    const char *const end = v->text + token->end;
    const char *at = behind_splices(v->text + token->begin, end);
    size_t used = 0;

    while (at < end && used + 1 < size) {
        text[used++] = *at;
        at = behind_splices(at + 1, end);
    }
    text[used] = '\0';
}

/* --- words ---------------------------------------------------------------- */

static int begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

static int vet_word(const struct vet *v, int line, const char *word)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (strcmp(refused[i].word, word) == 0)
            return refuse_source(v, line, "'%s' %s.", word, refused[i].why);
    }
    for (const char *c = word; *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80 || *c == '$') {
            return refuse_source(
                v, line,
                "a name with a letter that is not ASCII. Letters, "
                "digits and _ are enough for names; comments may "
                "hold any.");
        }
    }
    if (begins(word, "__builtin_") || begins(word, "__sync_") ||
        begins(word, "__atomic_")) {
        return refuse_source(
            v, line,
            "'%s' is the compiler's own. CUDA has functions for "
            "it, which can be counted.",
            word);
    }
    if (begins(word, "simt_") || begins(word, "SIMT_") ||
        begins(word, "grade_")) {
        return refuse_source(
            v, line,
            "'%s' begins like the names of the device and of the "
            "grader. Choose another name.",
            word);
    }
    if ((begins(word, "__") && !grade_vet_is_cuda(word)) ||
        (word[0] == '_' && isupper((unsigned char)word[1]))) {
        return refuse_source(
            v, line,
            "'%s' is a name that belongs to the compiler and its "
            "library (C++17, [lex.name]), and none of CUDA's. "
            "Choose another name.",
            word);
    }
    return 0;
}

/* --- directives ----------------------------------------------------------- */

/* Takes the next word of *text. Returns its length. */
static size_t next_word(const char **text, char *word, size_t size)
{
    size_t length = 0;

    while (**text != '\0' && isspace((unsigned char)**text))
        (*text)++;
    while (isalnum((unsigned char)(*text)[length]) || (*text)[length] == '_' ||
           (unsigned char)(*text)[length] >= 0x80)
        length++;
    snprintf(word, size, "%.*s", (int)length, *text);
    *text += length;
    return length;
}

static int vet_include(const struct vet *v, int line, const char *rest)
{
    char path[100] = "";
    size_t length;

    rest += strspn(rest, " \t");
    if (*rest == '<' || *rest == '"') {
        length = strcspn(rest + 1, *rest == '<' ? ">" : "\"");
        snprintf(path, sizeof path, "%.*s", (int)length, rest + 1);
        rest += 1 + length;
        rest += *rest != '\0';
        rest += strspn(rest, " \t\r");
    }
    if (path[0] == '\0' || *rest != '\0') {
        return refuse_source(
            v, line, "an #include of something else than a plain name.");
    }
    if (!grade_vet_has_word(headers, path)) {
        return refuse_source(
            v, line,
            "#include of '%s': a lab includes lab.h, and of C and "
            "C++ what calculates (math.h, stdint.h, string.h, "
            "...).",
            path);
    }
    return 0;
}

static int vet_directive(const struct vet *v, const struct simt_token *token)
{
    char text[2000], word[64];
    const char *rest = text;

    if (token->end - token->begin >= sizeof text) {
        return refuse_source(v, token->line,
                             "a preprocessor line of %zu characters.",
                             token->end - token->begin);
    }
    copy_token(v, token, text, sizeof text);
    rest += 1; /* the # */
    next_word(&rest, word, sizeof word);
    if (strcmp(word, "include") == 0)
        return vet_include(v, token->line, rest);
    if (strcmp(word, "pragma") == 0) {
        next_word(&rest, word, sizeof word);
        if (strcmp(word, "unroll") == 0 || strcmp(word, "once") == 0)
            return 0;
        return refuse_source(v, token->line,
                             "#pragma %s: of pragmas a lab needs unroll alone.",
                             word);
    }
    if (!grade_vet_has_word(directives, word)) {
        return refuse_source(v, token->line,
                             "'#%s' is nothing that a lab needs.", word);
    }
    while (*rest != '\0') {
        if (next_word(&rest, word, sizeof word) == 0) {
            rest++;
        } else if (!isdigit((unsigned char)word[0]) &&
                   vet_word(v, token->line, word) != 0) {
            return -1;
        }
    }
    return strstr(text, "##") == NULL
               ? 0
               : refuse_source(v, token->line,
                               "'##' puts names together. Write "
                               "them out.");
}

/* --- marks ---------------------------------------------------------------- */

/* The mark that follows token i, blanks and comments left out; 0: a word. */
static char mark_behind(const struct vet *v, size_t i)
{
    for (i++; i < v->count; i++) {
        const enum simt_token_kind kind = v->token[i].kind;

        if (kind == SIMT_MARK)
            return v->text[v->token[i].begin];
        if (kind != SIMT_SPACE && kind != SIMT_COMMENT)
            return '\0';
    }
    return '\0';
}

/* The mark at the very next byte, or 0. */
static char mark_at(const struct vet *v, size_t i)
{
    return i + 1 < v->count && v->token[i + 1].kind == SIMT_MARK
               ? v->text[v->token[i + 1].begin]
               : '\0';
}

static int vet_mark(const struct vet *v, size_t i)
{
    const int line = v->token[i].line;
    const char mark = v->text[v->token[i].begin], next = mark_at(v, i);

    if (mark == '#' && next == '#') {
        return refuse_source(v, line,
                             "'##' puts names together. Write them out.");
    }
    if ((mark == '<' && (next == ':' || next == '%')) ||
        (mark == '%' && (next == ':' || next == '>')) ||
        (mark == ':' && next == '>')) {
        return refuse_source(v, line,
                             "'%c%c' is another way to write a bracket or a #. "
                             "Write that.",
                             mark, next);
    }
    if (mark == '\\')
        return refuse_source(v, line, "a backslash outside of a string.");
    if (mark == '[' && mark_behind(v, i) == '[') {
        return refuse_source(v, line,
                             "'[[' begins an attribute: it gives the "
                             "compiler orders that no lab needs.");
    }
    return 0;
}

/* To the compiler a letter that is none ends a number. */
static int vet_number(const struct vet *v, int line, const char *number)
{
    for (; *number != '\0'; number++) {
        if ((unsigned char)*number >= 0x80 || *number == '$') {
            return refuse_source(v, line,
                                 "a number with a letter that is not ASCII.");
        }
    }
    return 0;
}

static int vet_token(const struct vet *v, size_t i)
{
    const struct simt_token *token = &v->token[i];
    char word[300];

    if (token->kind == SIMT_DIRECTIVE)
        return vet_directive(v, token);
    if (token->kind == SIMT_MARK)
        return vet_mark(v, i);
    if (token->kind != SIMT_WORD)
        return 0;
    copy_token(v, token, word, sizeof word);
    if (isdigit((unsigned char)word[0]) || word[0] == '.')
        return vet_number(v, token->line, word);
    if (strcmp(word, "main") == 0) {
        return refuse_source(v, token->line,
                             "'main': the program that calls the lab "
                             "has one already.");
    }
    if (strcmp(word, "goto") == 0 && mark_behind(v, i) == '*')
        return refuse_source(v, token->line, "a goto to an address.");
    return vet_word(v, token->line, word);
}

/* --- lines that are put together ------------------------------------------ */

/* A mark of two characters, as that of a comment, half of which stands on the
   next line: the compiler reads one, and a reader none. Returns its line; 0:
   there is none. */
static int split_comment(const char *source, size_t size)
{
    const char *const end = source + size;
    int line = 1;

    for (const char *at = source; at < end; at++) {
        const char *next = behind_splices(at + 1, end);

        line += *at == '\n';
        if (next > at + 1 && next < end &&
            ((*at == '/' && (*next == '/' || *next == '*')) ||
             (*at == '*' && *next == '/')))
            return line;
    }
    return 0;
}

/* The line of a carriage return that no line feed follows: there the line ends
   for the compiler, and for no reader. 0: there is none. */
static int lone_return(const char *source, size_t size)
{
    int line = 1;

    for (size_t i = 0; i < size; i++) {
        if (source[i] == '\r' && (i + 1 == size || source[i + 1] != '\n'))
            return line;
        line += source[i] == '\n';
    }
    return 0;
}

/* --- all of it ------------------------------------------------------------ */

int grade_vet_source(const char *name, const char *source, size_t size,
                     char *why, size_t why_size)
{
    struct vet v = {.name = name,
                    .text = source,
                    .size = size,
                    .why = why,
                    .why_size = why_size};
    struct simt_token *tokens = NULL;
    const char *zero = size > 0 ? memchr(source, '\0', size) : NULL;
    char said[200];
    int line, status = 0;

    if (size > GRADE_LARGEST_SOURCE) {
        snprintf(why, why_size,
                 "%s: %zu KB: a lab has a few, and %d are the "
                 "most that is read.",
                 name, size / 1024, GRADE_LARGEST_SOURCE / 1024);
        return -1;
    }
    if (zero != NULL) {
        line = 1;
        for (const char *c = source; c < zero; c++)
            line += *c == '\n';
        return refuse_source(&v, line,
                             "a zero byte: this is no text file. Save it "
                             "as plain text (UTF-8, not UTF-16).");
    }
    line = lone_return(source, size);
    if (line > 0) {
        return refuse_source(
            &v, line,
            "a carriage return within the line. Save the file with "
            "plain line ends (LF, or CR LF as on Windows).");
    }
    line = split_comment(source, size);
    if (line > 0) {
        return refuse_source(&v, line,
                             "a backslash at the end of the line, within "
                             "the mark of a comment.");
    }
    if (simt_lex(source, size, &tokens, &v.count, said, sizeof said) != 0) {
        snprintf(why, why_size, "%s: %s.", name, said);
        return -1;
    }
    v.token = tokens;
    for (size_t i = 0; status == 0 && i < v.count; i++)
        status = vet_token(&v, i);
    free(tokens);
    return status;
}

int grade_vet_find(const char *source, size_t size, const char *word)
{
    struct simt_token *tokens = NULL;
    struct vet v = {.text = source, .size = size};
    char why[100], text[300];
    int line = 0;

    if (simt_lex(source, size, &tokens, &v.count, why, sizeof why) != 0)
        return 0;
    for (size_t i = 0; line == 0 && i < v.count; i++) {
        copy_token(&v, &tokens[i], text, sizeof text);
        if (tokens[i].kind == SIMT_WORD && strcmp(text, word) == 0)
            line = tokens[i].line;
    }
    free(tokens);
    return line;
}
