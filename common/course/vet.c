#include "course/vet.h"

#include "base/lexer.h"
#include "base/refuse.h"
#include "base/utf8.h"
#include "base/words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
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
};

/* With these begin the names of the device and of the grader. */
static const char *const others[] = {"simt_", "SIMT_", "grade_"};
enum {
    OTHERS = sizeof others / sizeof *others
};

struct vet {
    const char *name;
    struct base_tokens tokens;
    char *why;
    size_t why_size;
};

__attribute__((format(printf, 3, 4))) static int
refuse_source(const struct vet *v, int line, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    base_refuse_line(v->why, v->why_size, v->name, line, format, values);
    va_end(values);
    return -1;
}

/* --- words ---------------------------------------------------------------- */

static int begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* Letters of other scripts, of which every compiler knows that they are some:
   Latin, Greek, Cyrillic, Chinese, Japanese, Korean. */
static int is_letter(unsigned code)
{
    static const struct {
        unsigned first, last;
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

/* 1 if each letter beyond ASCII is one. */
static int has_letters_alone(const char *word)
{
    while (*word != '\0') {
        unsigned code = 0;
        const size_t length = base_utf8_character(word, &code);

        if (length == 0 || *word == '$' || (length > 1 && !is_letter(code)))
            return 0;
        word += length;
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
    for (size_t i = 0; i < OTHERS; i++) {
        if (begins(word, others[i])) {
            return refuse_source(
                v, line,
                "'%s' begins like the names of the device and of the "
                "grader. Choose another name.",
                word);
        }
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
    if (word[0] != '\0' && base_find_word(word, refused_pragmas) < 0 &&
        (strcmp(word, "GCC") != 0 || base_find_word(second, gcc_pragmas) >= 0))
        return 0;
    return refuse_source(v, line,
                         "#pragma %s%s%s gives the compiler orders that no lab "
                         "needs.",
                         word, second[0] != '\0' ? " " : "", second);
}

/* _Pragma("unroll"), of which `rest` is what follows the name: what #pragma may
   say. */
static int vet_operator(const struct vet *v, int line, const char *rest)
{
    char text[100];
    size_t length;

    rest += strspn(rest, " \t");
    if (*rest == '(')
        rest += 1 + strspn(rest + 1, " \t");
    length = *rest == '"' ? strcspn(rest + 1, "\"\\\n") : 0;
    if (length == 0 || length >= sizeof text || rest[1 + length] != '"' ||
        rest[2 + length + strspn(rest + 2 + length, " \t")] != ')') {
        return refuse_source(v, line,
                             "'_Pragma' gives the compiler orders that no lab "
                             "needs: write #pragma unroll.");
    }
    snprintf(text, sizeof text, "%.*s", (int)length, rest + 1);
    return vet_pragma(v, line, text);
}

static int vet_directive(const struct vet *v, size_t i)
{
    const struct base_token *const token = &v->tokens.token[i];
    char text[2000], word[64];
    const char *rest = text;

    if (token->end - token->begin >= sizeof text) {
        return refuse_source(v, token->line,
                             "a preprocessor line of %zu characters.",
                             token->end - token->begin);
    }
    base_token_copy(&v->tokens, i, text, sizeof text);
    rest += 1; /* the # */
    next_word(&rest, word, sizeof word);
    if (strcmp(word, "include") == 0)
        return vet_include(v, token->line, rest);
    if (strcmp(word, "pragma") == 0)
        return vet_pragma(v, token->line, rest);
    if (base_find_word(word, directives) < 0 &&
        (word[0] != '\0' || base_line_end(&v->tokens, i) != i + 1)) {
        return refuse_source(v, token->line,
                             "'#%s' is nothing that a lab needs.", word);
    }
    while (*rest != '\0') {
        if (next_word(&rest, word, sizeof word) == 0) {
            rest++;
        } else if (strcmp(word, "_Pragma") == 0) {
            if (vet_operator(v, token->line, rest) != 0)
                return -1;
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

/* The token that follows i, blanks and comments left out. */
static size_t next_code(const struct base_tokens *t, size_t i)
{
    for (i++; i < t->count && base_token_is_blank(t, i); i++)
        ;
    return i;
}

/* ", ## __VA_ARGS__", which puts no names together but drops a comma. */
static int is_comma_of_arguments(const struct base_tokens *t, size_t i)
{
    size_t before = i, behind = i + 2;

    while (before > 0 && t->token[before - 1].kind == BASE_SPACE)
        before--;
    while (behind < t->count && t->token[behind].kind == BASE_SPACE)
        behind++;
    return before > 0 && base_mark(t, before - 1) == ',' &&
           base_token_is(t, behind, "__VA_ARGS__");
}

/* The last token before i that is no blank; i if there is none. */
static size_t code_before(const struct base_tokens *t, size_t i)
{
    size_t before = i;

    while (before > 0 && base_token_is_blank(t, before - 1))
        before--;
    return before > 0 ? before - 1 : i;
}

/* 1 if the word stands in a directive: it may be a parameter of the macro. */
static int is_parameter(const struct base_tokens *t, size_t i, const char *name)
{
    char text[2000], word[300];
    const char *at = text;

    while (i > 0 && t->token[i].kind != BASE_DIRECTIVE)
        i--;
    base_token_copy(t, i, text, sizeof text);
    while (*at != '\0') {
        if (next_word(&at, word, sizeof word) == 0) {
            at++;
        } else if (strcmp(word, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* "sum_ ## i": what is put together begins with that word, and no refused one
   does. */
static int begins_as_written(const struct base_tokens *t, size_t i)
{
    size_t first = code_before(t, i);
    char word[300];

    while (first >= 3 && base_mark(t, code_before(t, first)) == '#')
        first = code_before(t, code_before(t, first) - 1);
    base_token_copy(t, first, word, sizeof word);
    if (t->token[first].kind != BASE_WORD || !isalpha((unsigned char)word[0]) ||
        is_parameter(t, first, word))
        return 0;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        if (begins(refused[k].word, word))
            return 0;
    }
    for (size_t k = 0; k < OTHERS; k++) {
        if (begins(others[k], word))
            return 0;
    }
    return 1;
}

/* "<::" is "<" and "::" (C++17, [lex.pptoken]), but for "<:::" and "<::>". */
static int is_scope(const struct base_tokens *t, size_t i)
{
    const char behind = base_mark(t, i + 2);

    return base_mark(t, i + 1) == ':' && behind != ':' && behind != '>';
}

static int vet_mark(const struct vet *v, size_t i)
{
    const struct base_tokens *const t = &v->tokens;
    const int line = t->token[i].line;
    const char mark = base_mark(t, i), next = base_mark(t, i + 1);

    if (mark == '#' && next == '#' && !is_comma_of_arguments(t, i) &&
        !begins_as_written(t, i)) {
        return refuse_source(v, line,
                             "'##' puts names together. Write them out.");
    }
    if ((mark == '<' &&
         ((next == ':' && !is_scope(t, i + 1)) || next == '%')) ||
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
    const struct base_token *const token = &v->tokens.token[i];
    char word[300];

    if (token->kind == BASE_DIRECTIVE)
        return vet_directive(v, i);
    if (token->kind == BASE_MARK)
        return vet_mark(v, i);
    if (token->kind != BASE_WORD)
        return 0;
    base_token_copy(&v->tokens, i, word, sizeof word);
    if (isdigit((unsigned char)word[0]) || word[0] == '.')
        return vet_number(v, token->line, word);
    if (strcmp(word, "_Pragma") == 0) {
        snprintf(word, sizeof word, "%.*s",
                 (int)(v->tokens.size - token->end < sizeof word
                           ? v->tokens.size - token->end
                           : sizeof word - 1),
                 v->tokens.text + token->end);
        return vet_operator(v, token->line, word);
    }
    if (strcmp(word, "goto") == 0 &&
        base_mark(&v->tokens, next_code(&v->tokens, i)) == '*')
        return refuse_source(v, token->line, "a goto to an address.");
    return vet_code_word(v, token->line, word);
}

/* --- lines that are put together ------------------------------------------ */

/* A mark of two characters, half of which stands on the next line, as that of a
   comment: the compiler reads one, and a reader none. NULL: there is none. */
static const char *split_mark(const char *source, const char *end)
{
    static const char marks[] = "// /* */ ## %: <: :> <% %>";

    for (const char *at = source; at < end; at++) {
        const char *const next = base_behind_splices(at + 1, end);
        const char both[] = {*at, next < end ? *next : '\0', '\0'};

        if (next > at + 1 && next < end && base_find_word(both, marks) >= 0)
            return at;
    }
    return NULL;
}

/* A carriage return that no line feed follows: there the line ends for the
   compiler, and for no reader. NULL: there is none. */
static const char *lone_return(const char *source, const char *end)
{
    for (const char *at = source; at < end; at++) {
        if (*at == '\r' && (at + 1 == end || at[1] != '\n'))
            return at;
    }
    return NULL;
}

/* Refuses the source for what stands there; nothing does if that is NULL. */
static int refuse_at(const struct vet *v, const char *source, const char *at,
                     const char *what)
{
    int line = 1;

    if (at == NULL)
        return 0;
    for (const char *c = source; c < at; c++)
        line += *c == '\n';
    return refuse_source(v, line, "%s", what);
}

/* --- all of it ------------------------------------------------------------ */

int course_vet_source(const char *name, const char *source, size_t size,
                      char *why, size_t why_size)
{
    struct vet v = {.name = name, .why = why, .why_size = why_size};
    const char *const end = source + size;
    char said[200];
    int status;

    if (size > COURSE_LARGEST_SOURCE) {
        return base_refuse(why, why_size,
                           "%s: %zu KB: a lab has a few, and %d are the most "
                           "that is read.",
                           name, size / 1024, COURSE_LARGEST_SOURCE / 1024);
    }
    if (refuse_at(&v, source, size > 0 ? memchr(source, '\0', size) : NULL,
                  "a zero byte: this is no text file. Save it as plain text "
                  "(UTF-8, not UTF-16).") != 0 ||
        refuse_at(&v, source, lone_return(source, end),
                  "a carriage return within the line. Save the file with "
                  "plain line ends (LF, or CR LF as on Windows).") != 0 ||
        refuse_at(&v, source, split_mark(source, end),
                  "a backslash at the end of the line, within a mark of two "
                  "characters, as that of a comment.") != 0)
        return -1;
    status = base_lex(source, size, &v.tokens, said, sizeof said);
    if (status != 0)
        base_refuse(why, why_size, "%s: %s.", name, said);
    for (size_t i = 0; status == 0 && i < v.tokens.count; i++) {
        i = base_behind_if_0(&v.tokens, i);
        status = vet_token(&v, i);
    }
    base_tokens_free(&v.tokens);
    return status;
}

int course_vet_find(const char *source, size_t size, const char *word)
{
    struct base_tokens tokens;
    char why[100], text[300];
    int line = 0;

    if (base_lex(source, size, &tokens, why, sizeof why) == 0) {
        for (size_t i = 0; line == 0 && i < tokens.count; i++) {
            base_token_copy(&tokens, i, text, sizeof text);
            if (tokens.token[i].kind == BASE_WORD && strcmp(text, word) == 0)
                line = tokens.token[i].line;
        }
    }
    base_tokens_free(&tokens);
    return line;
}
