#include "course/vet.h"

#include "simt/rewrite/lexer.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char directives[] =
    " define undef if ifdef ifndef elif else endif error warning ";

/* Pragmas that g++ obeys, of which the first change what functions are made
   of or called; of "GCC", only those that change messages and loops. */
static const char refused_pragmas[] =
    " weak redefine_extname extern_prefix scalar_storage_order ";
static const char gcc_pragmas[] = " diagnostic unroll ivdep warning error ";

/* Words that are refused, and why. */
static const struct {
    const char *word, *why;
} refused[] = {
    {"asm", "is inline assembly, which a lab cannot be graded with"},
    {"__asm", "is inline assembly, which a lab cannot be graded with"},
    {"__asm__", "is inline assembly, which a lab cannot be graded with"},
    {"__attribute__", "gives the compiler orders that no lab needs"},
    {"__attribute", "gives the compiler orders that no lab needs"},
    {"gnu", "begins an attribute of g++: it gives the compiler orders that no "
            "lab needs"},
    {"__gnu__", "begins an attribute of g++: it gives the compiler orders that "
                "no lab needs"},
    {"_Pragma", "gives the compiler orders that no lab needs: write #pragma "
                "unroll"},
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

/* Letters of other scripts, of which every compiler knows that they are some:
   Latin, Greek, Cyrillic, Chinese, Japanese, Korean. */
static int is_letter(unsigned long code)
{
    static const struct {
        unsigned long first, last;
    } letters[] = {
        {0xaa, 0xaa},     {0xb5, 0xb5},     {0xba, 0xba},     {0xc0, 0xd6},
        {0xd8, 0xf6},     {0xf8, 0x24f},    {0x386, 0x386},   {0x388, 0x38a},
        {0x38e, 0x3a1},   {0x3a3, 0x3f5},   {0x3f7, 0x481},   {0x48a, 0x52f},
        {0x3041, 0x3096}, {0x30a1, 0x30fa}, {0x4e00, 0x9fa5}, {0xac00, 0xd7a3}};

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (code >= letters[i].first && code <= letters[i].last)
            return 1;
    }
    return 0;
}

/* 1 if each letter beyond ASCII is one, in UTF-8 of two or three bytes. */
static int has_letters_alone(const char *word)
{
    for (const unsigned char *c = (const unsigned char *)word; *c != '\0';
         c++) {
        unsigned long code;

        if (*c == '$')
            return 0;
        if (*c < 0x80)
            continue;
        if (*c >= 0xe0 && *c < 0xf0 && (c[1] & 0xc0) == 0x80 &&
            (c[2] & 0xc0) == 0x80) {
            code = (*c & 0xfUL) << 12 | (c[1] & 0x3fUL) << 6 | (c[2] & 0x3fUL);
            c += 2;
        } else if (*c >= 0xc2 && *c < 0xe0 && (c[1] & 0xc0) == 0x80) {
            code = (*c & 0x1fUL) << 6 | (c[1] & 0x3fUL);
            c++;
        } else {
            return 0;
        }
        if (!is_letter(code))
            return 0;
    }
    return 1;
}

/* A word, wherever it stands. */
static int vet_word(const struct vet *v, int line, const char *word)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (strcmp(refused[i].word, word) == 0)
            return refuse_source(v, line, "'%s' %s.", word, refused[i].why);
    }
    if (!has_letters_alone(word)) {
        return refuse_source(
            v, line,
            "a name with a character that is no letter of a script "
            "that all compilers know.");
    }
    if (begins(word, "simt_") || begins(word, "SIMT_") ||
        begins(word, "grade_")) {
        return refuse_source(
            v, line,
            "'%s' begins like the names of the device and of the "
            "grader. Choose another name.",
            word);
    }
    return 0;
}

/* A word of code: macros of the library's own headers put words together, and
   their names have this form. */
static int vet_code_word(const struct vet *v, int line, const char *word)
{
    if (vet_word(v, line, word) != 0)
        return -1;
    if (begins(word, "_GLIBCXX") || begins(word, "_PSTL") ||
        begins(word, "_LIBC") ||
        (begins(word, "__") && !course_vet_is_known(word))) {
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
    if (!course_vet_is_header(path)) {
        return refuse_source(v, line,
                             "#include of '%s': that is no header of C, C++ "
                             "or CUDA, and of the course lab.h alone.",
                             path);
    }
    return 0;
}

static int vet_pragma(const struct vet *v, int line, const char *rest)
{
    char word[64], second[64] = "";

    next_word(&rest, word, sizeof word);
    if (strcmp(word, "GCC") == 0)
        next_word(&rest, second, sizeof second);
    if (!course_vet_has_word(refused_pragmas, word) &&
        (strcmp(word, "GCC") != 0 || course_vet_has_word(gcc_pragmas, second)))
        return 0;
    return refuse_source(v, line,
                         "#pragma %s%s%s gives the compiler orders that no lab "
                         "needs.",
                         word, second[0] != '\0' ? " " : "", second);
}

/* Nothing but blanks are left of the line. */
static int is_empty_line(const struct vet *v, size_t at)
{
    while (at < v->size &&
           (v->text[at] == ' ' || v->text[at] == '\t' || v->text[at] == '\r'))
        at++;
    return at == v->size || v->text[at] == '\n';
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
    if (strcmp(word, "pragma") == 0)
        return vet_pragma(v, token->line, rest);
    if (!course_vet_has_word(directives, word) &&
        !is_empty_line(v, token->begin + 1)) {
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

/* 1 if the token is that directive, with nothing else on its line, or before a
   blank with anything. */
static int is_directive(const struct vet *v, const struct simt_token *token,
                        const char *text, int whole)
{
    char found[40], word[40];
    const char *rest = found + 1;
    const size_t length = strlen(text);

    if (token->kind != SIMT_DIRECTIVE)
        return 0;
    copy_token(v, token, found, sizeof found);
    next_word(&rest, word, sizeof word);
    if (strncmp(word, text, length) != 0)
        return 0;
    rest += strspn(rest, " \t");
    return !whole || (strcmp(word, "if") == 0 && rest[0] == '0' &&
                      rest[1 + strspn(rest + 1, " \t\r")] == '\0');
}

/* The token that ends what "#if 0" at i begins, whose words nobody reads; i if
   that stands not there. */
static size_t behind_if_0(const struct vet *v, size_t i)
{
    size_t at = i;
    int depth = 0;

    if (!is_directive(v, &v->token[i], "if", 1))
        return i;
    for (at = i + 1; at < v->count; at++) {
        const struct simt_token *const token = &v->token[at];

        if (is_directive(v, token, "if", 0)) {
            depth++;
        } else if (depth > 0) {
            depth -= is_directive(v, token, "endif", 0);
        } else if (is_directive(v, token, "el", 0) ||
                   is_directive(v, token, "endif", 0)) {
            return at;
        }
    }
    return i;
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

/* ", ## __VA_ARGS__", which puts no names together but drops a comma. */
static int is_comma_of_arguments(const struct vet *v, size_t i)
{
    char word[20];
    size_t before = i, behind = i + 2;

    while (before > 0 && v->token[before - 1].kind == SIMT_SPACE)
        before--;
    while (behind < v->count && v->token[behind].kind == SIMT_SPACE)
        behind++;
    if (before == 0 || behind >= v->count ||
        v->token[before - 1].kind != SIMT_MARK ||
        v->text[v->token[before - 1].begin] != ',' ||
        v->token[behind].kind != SIMT_WORD)
        return 0;
    copy_token(v, &v->token[behind], word, sizeof word);
    return strcmp(word, "__VA_ARGS__") == 0;
}

/* "<::" is "<" and "::" (C++17, [lex.pptoken]), but for "<:::" and "<::>". */
static int is_scope(const struct vet *v, size_t i)
{
    const char behind = mark_at(v, i + 1);

    return mark_at(v, i) == ':' && behind != ':' && behind != '>';
}

static int vet_mark(const struct vet *v, size_t i)
{
    const int line = v->token[i].line;
    const char mark = v->text[v->token[i].begin], next = mark_at(v, i);

    if (mark == '#' && next == '#' && !is_comma_of_arguments(v, i)) {
        return refuse_source(v, line,
                             "'##' puts names together. Write them out.");
    }
    if ((mark == '<' &&
         ((next == ':' && !is_scope(v, i + 1)) || next == '%')) ||
        (mark == '%' && (next == ':' || next == '>')) ||
        (mark == ':' && next == '>')) {
        return refuse_source(v, line,
                             "'%c%c' is another way to write a bracket or a #. "
                             "Write that.",
                             mark, next);
    }
    if (mark == '\\')
        return refuse_source(v, line, "a backslash outside of a string.");
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
    return vet_code_word(v, token->line, word);
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

int course_vet_source(const char *name, const char *source, size_t size,
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

    if (size > COURSE_LARGEST_SOURCE) {
        snprintf(why, why_size,
                 "%s: %zu KB: a lab has a few, and %d are the "
                 "most that is read.",
                 name, size / 1024, COURSE_LARGEST_SOURCE / 1024);
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
    for (size_t i = 0; status == 0 && i < v.count; i++) {
        i = behind_if_0(&v, i);
        status = vet_token(&v, i);
    }
    free(tokens);
    return status;
}

int course_vet_find(const char *source, size_t size, const char *word)
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
