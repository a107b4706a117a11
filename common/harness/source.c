/* Questions about one line, function or array of the lab: see source.h. */
#include "source.h"

#include "source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line of the name's last declaration before token `end`, as a variable of
   that type. */
static int declaration(const struct base_tokens *t, size_t end,
                       const char *type, size_t name)
{
    char word[80];
    int line = 0;

    base_token_copy(t, name, word, sizeof word);
    for (size_t i = 0; i < end; i++) {
        if (!base_token_is(t, i, type))
            continue;
        for (size_t j = i + 1; j < end && base_mark(t, j) != ';'; j++) {
            if (base_token_is(t, j, word) && base_mark(t, j + 1) != '\0' &&
                strchr("=({;,", base_mark(t, j + 1)) != NULL)
                line = t->token[j].line;
        }
    }
    return line;
}

int lab_source_grid(const char *path, int launch)
{
    const struct base_tokens *t = lab_text_read(path);

    for (size_t i = lab_text_begin(t, launch);
         i < lab_text_begin(t, launch + 1); i++) {
        if (lab_text_is_launch(t, i))
            return declaration(t, i, "dim3", i + 3);
    }
    return 0;
}

int lab_source_handed(const char *path, const char *function)
{
    const struct base_tokens *t = lab_text_read(path);
    size_t call = LAB_NONE;
    int line;

    for (size_t i = 0; i + 1 < t->count; i++) {
        if (base_token_is(t, i, function) && base_mark(t, i + 1) == '(' &&
            base_mark(t, lab_text_closing(t, i + 1) + 1) == ';')
            call = i;
    }
    if (call == LAB_NONE)
        return 0;
    line = declaration(t, call, "lab_matmul",
                       call + 2 + (base_mark(t, call + 2) == '&'));
    return line > 0 ? line : t->token[call].line;
}

int lab_source_return(const char *path, int line)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t end = lab_text_begin(t, line),
                 function = lab_text_function(t, end);
    size_t found = LAB_NONE;

    for (size_t i = function; i < end; i++) {
        if (base_token_is(t, i, "return"))
            found = i;
    }
    if (found == LAB_NONE)
        return 0;
    line = t->token[found].line;
    if (base_mark(t, found - 1) == '{')
        found--;
    if (base_mark(t, found - 1) == ')') {
        const size_t condition = lab_text_matching(t, found - 1, -1);

        if (condition > 0 && base_token_is(t, condition - 1, "if"))
            line = t->token[condition - 1].line;
    }
    return line;
}

int lab_source_empty_loop(const char *path, int line)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t end = lab_text_begin(t, line);
    int found = 0;

    for (size_t i = lab_text_function(t, end); i < end; i++) {
        if (base_token_is(t, i, "for") &&
            base_mark(t, lab_text_body(t, i)) == ';')
            found = t->token[i].line;
    }
    return found;
}

int lab_source_loop(const char *path, int line, int itself)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line);
    int found = 0;

    if (itself && base_token_is(t, at, "for"))
        return line;
    for (size_t i = 0; i < at; i++) {
        if (lab_text_is_loop(t, i) && lab_text_end(t, i) >= at)
            found = t->token[i].line;
    }
    return found;
}

int lab_source_store(const char *path, const char *kernel, const char *name)
{
    const struct base_tokens *t = lab_text_read(path);

    for (size_t i = 0; i < t->count; i++) {
        size_t body;

        if (!base_token_is(t, i, name) || base_mark(t, i + 1) != '[')
            continue;
        body = lab_text_function(t, i);
        if (body == LAB_NONE ||
            !base_token_is(t, lab_text_matching(t, body - 1, -1) - 1, kernel))
            continue;
        for (size_t j = lab_text_closing(t, i + 1); base_mark(t, j) != ';';
             j++) {
            if (lab_text_is_set(t, j))
                return t->token[i].line;
        }
    }
    return 0;
}

int lab_source_condition(const char *path, int line)
{
    const struct base_tokens *t = lab_text_read(path);
    size_t i = lab_text_begin(t, line);

    if (base_token_is(t, i, "if") &&
        lab_text_begin(t, line + 1) == lab_text_end(t, i) + 1)
        return line;
    while (i > 1 && i < t->count) {
        size_t head = i - 1; /* behind for (...) or if (...) */

        if (base_mark(t, head) != ')') {
            while (head > 0 && base_mark(t, head) != '{') {
                if (base_mark(t, head) == '}')
                    head = lab_text_matching(t, head, -1);
                head -= head > 0;
            }
            if (head > 0)
                head--;
        }
        if (base_mark(t, head) != ')')
            return 0;
        i = lab_text_matching(t, head, -1);
        if (i > 0 && base_token_is(t, i - 1, "if"))
            return t->token[i - 1].line;
        if (i == 0 || !lab_text_is_loop(t, i - 1))
            return 0;
        i--;
        while (i > 0 && t->token[i - 1].kind == BASE_DIRECTIVE)
            i--; /* #pragma unroll */
    }
    return 0;
}

/* The += of the statement that ends in the line, or goes on behind it; or
   LAB_NONE. */
static size_t adds(const struct base_tokens *t, int line)
{
    const size_t end = lab_text_begin(t, line + 1);

    for (size_t i = lab_text_statement(t, lab_text_begin(t, line)); i < end;
         i++) {
        if (lab_text_is_loop(t, i)) {
            i = lab_text_body(t, i) - 1;
        } else if (base_mark(t, i) == '+' && base_mark(t, i + 1) == '=') {
            return i;
        }
    }
    return LAB_NONE;
}

int lab_source_adds(const char *path, int line)
{
    return adds(lab_text_read(path), line) != LAB_NONE;
}

int lab_source_set(const char *path, int line)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t function = lab_text_function(t, lab_text_begin(t, line));
    const size_t plus = adds(t, line);
    size_t left = plus - 1; /* the name on its left side */
    char word[80];

    if (plus == LAB_NONE || function == LAB_NONE)
        return 0;
    while (base_mark(t, left) == ']')
        left = lab_text_matching(t, left, -1) - 1;
    for (size_t i = function; i < lab_text_closing(t, function); i++) {
        size_t n = 0;

        while (left + n < plus) {
            base_token_copy(t, left + n, word, sizeof word);
            if (!base_token_is(t, i + n, word))
                break;
            n++;
        }
        if (left + n == plus && lab_text_is_set(t, i + n) &&
            base_mark(t, i + n + 2) != ';')
            return t->token[i].line;
    }
    return 0;
}

int lab_source_use(const char *path, int line, const char *array, int from,
                   int *first, int *last)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t body = lab_text_function(t, lab_text_begin(t, line));

    for (size_t i = body;
         i < (body != LAB_NONE ? lab_text_closing(t, body) : 0); i++) {
        if (t->token[i].line <= from || !base_token_is(t, i, array) ||
            base_mark(t, i + 1) != '[' || base_mark(t, i - 1) == '&')
            continue;
        *first = t->token[lab_text_statement(t, i)].line;
        while (base_mark(t, i) != ';' && i + 1 < t->count)
            i++;
        *last = t->token[i].line;
        return *last;
    }
    return 0;
}

int lab_source_has(const char *path, int line, const char *word)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t length = strlen(word);

    for (size_t i = 0; i < t->count; i++) {
        const struct base_token *x = &t->token[i];

        if ((line == 0 || x->line == line) && x->kind == BASE_WORD &&
            x->end - x->begin >= length &&
            memcmp(t->text + x->end - length, word, length) == 0)
            return 1;
    }
    return 0;
}

/* The directive that ends the branch that the one at i begins. */
static size_t end_of_branch(const struct base_tokens *t, size_t i)
{
    int depth = 0;

    for (i++; i < t->count; i++) {
        if (depth == 0 && (base_is_directive(t, i, "el", NULL) ||
                           base_is_directive(t, i, "endif", NULL)))
            break;
        depth += base_is_directive(t, i, "if", NULL) -
                 base_is_directive(t, i, "endif", NULL);
    }
    return i;
}

int lab_source_left_out(const char *path, const char *name, char *condition,
                        size_t size, int *last,
                        int (*has_code)(const char *path, int from, int to))
{
    const struct base_tokens *t = lab_text_read(path);

    for (size_t i = 0; i < t->count; i++) {
        const char *text = t->text + t->token[i].begin;
        int uses = 0;
        size_t end;

        if (!base_is_directive(t, i, "if", NULL) &&
            !base_is_directive(t, i, "elif", NULL))
            continue;
        snprintf(condition, size, "%.*s", (int)strcspn(text, "\r\n"), text);
        end = end_of_branch(t, i);
        if (end == t->count || strstr(condition, "__CUDA_ARCH__") == NULL ||
            base_token_is(t, lab_text_statement(t, end - 1), "return"))
            continue; /* with a return at its end: others follow for it */
        for (size_t j = i + 1; j < end; j++) {
            uses |= name == NULL ? base_mark(t, j) == ';'
                                 : base_token_is(t, j, name) &&
                                       base_mark(t, j + 1) == '[';
        }
        *last = t->token[end].line - 1;
        if (uses && !has_code(path, t->token[i].line + 1, *last))
            return t->token[i].line;
    }
    return 0;
}

/* Is the declaration at that token one of shared memory? */
static int is_shared(const struct base_tokens *t, size_t i)
{
    for (i = lab_text_statement(t, i); base_mark(t, i) != '['; i++) {
        if (base_token_is(t, i, "__shared__"))
            return 1;
    }
    return 0;
}

int lab_source_declared(const char *path, int line, const char *array,
                        int *shared)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t i = lab_text_declared(t, lab_text_begin(t, line), array);

    *shared = i != LAB_NONE && is_shared(t, i);
    return i != LAB_NONE ? t->token[i].line : 0;
}

int lab_source_is_of_thread(const char *path, int line, const char *array)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line);
    const size_t i = lab_text_find(t, at, lab_text_end_of_line(t, at), array);

    return i != LAB_NONE
               ? lab_text_is_of_thread(t, i + 1, lab_text_behind_index(t, i), 4)
               : -1;
}

int lab_source_own_array(const char *path, const char *kernel, char *name,
                         size_t size)
{
    const struct base_tokens *t = lab_text_read(path);

    for (size_t i = 1; i < t->count; i++) {
        size_t end, array;

        if (t->token[i].kind != BASE_WORD || base_mark(t, i + 1) != '[' ||
            !lab_text_is_in(t, i, kernel))
            continue;
        end = lab_text_behind_index(t, i);
        if (!lab_text_is_set(t, end) ||
            !lab_text_is_of_thread(t, i + 1, end, 4))
            continue;
        base_token_copy(t, i, name, size);
        array = lab_text_declared(t, i, name);
        if (array != LAB_NONE && array != i &&
            base_mark(t, array + 1) == '[' && /* no pointer to one */
            array > lab_text_function(t, i) && !is_shared(t, array))
            return t->token[array].line;
    }
    return 0;
}

int lab_source_block(const char *path, const char *kernel)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t i = lab_text_launch(t, kernel, 1);
    const int line = i != LAB_NONE ? declaration(t, i, "dim3", i) : 0;

    return line > 0 || i == LAB_NONE ? line : t->token[i].line;
}

int lab_source_uses(const char *path, const char *function, const char *name,
                    char part)
{
    const struct base_tokens *t = lab_text_read(path);
    const char member[] = {part, '\0'};

    for (size_t i = 0; i < t->count; i++) {
        if (base_token_is(t, i, name) && base_token_is(t, i + 2, member) &&
            lab_text_is_in(t, i, function))
            return 1;
    }
    return 0;
}

int lab_source_times(const char *path, int line, const char *name, char part)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t begin = lab_text_begin(t, line);
    const char member[] = {part, '\0'};
    char word[80];

    for (size_t i = lab_text_function(t, begin); i < begin; i++) {
        size_t use;

        if (!lab_text_is_set(t, i))
            continue;
        base_token_copy(t, i - 1, word, sizeof word);
        use = lab_text_find(t, begin, lab_text_end_of_line(t, begin), word);
        for (size_t j = i; use != LAB_NONE && base_mark(t, j) != ';' &&
                           base_mark(t, j) != ',' && j < begin;
             j++) {
            if (base_token_is(t, j, name) && base_token_is(t, j + 2, member))
                return base_mark(t, use + 1) == '*' ? 1 : -1;
        }
    }
    return 0;
}

int lab_source_unroll(const char *path, int line, int *begin)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line);
    const char *number;
    char text[80];
    size_t loop = LAB_NONE;

    for (size_t i = 1; i < at; i++) {
        if (lab_text_is_loop(t, i) && lab_text_is_around(t, i, at))
            loop = i;
    }
    *begin = loop != LAB_NONE ? t->token[loop].line : 0;
    if (loop == LAB_NONE || !base_is_directive(t, loop - 1, "pragma", NULL))
        return -1;
    base_token_copy(t, loop - 1, text, sizeof text);
    number = strstr(text, "unroll");
    if (number == NULL)
        return -1;
    *begin = t->token[loop - 1].line;
    return (int)strtol(number + strlen("unroll"), NULL, 10);
}

/* How many tokens stand between = and ; behind token i; *from is the first. */
static size_t right_side(const struct base_tokens *t, size_t i, size_t *from)
{
    const size_t end = lab_text_end_of_line(t, i);

    while (i < end && base_mark(t, i) != '=')
        i++;
    *from = i + 1;
    return i < end ? end - i - 1 : 0;
}

int lab_source_indexed(const char *path, int line)
{
    const struct base_tokens *t = lab_text_read(path);
    int depth = 0; /* of brackets that end before the line */

    for (size_t i = lab_text_begin(t, line);
         i-- > 0 &&
         (base_mark(t, i) == '\0' || strchr(";{}", base_mark(t, i)) == NULL);) {
        depth += base_mark(t, i) == ']';
        if (base_mark(t, i) == '[' && depth-- == 0)
            return t->token[i].line;
    }
    return line;
}

int lab_source_same(const char *path, int line)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line), body = lab_text_function(t, at);
    const size_t end = body != LAB_NONE ? lab_text_closing(t, body) : 0;
    size_t from, other;
    const size_t count = right_side(t, at, &from);
    int found = 0;

    for (size_t i = lab_text_end_of_line(t, at); count > 1 && i < end; i++) {
        size_t same = 0;
        char word[80];

        if (base_mark(t, i) != '=' || right_side(t, i, &other) != count)
            continue;
        for (; same < count; same++) {
            base_token_copy(t, from + same, word, sizeof word);
            if (!base_token_is(t, other + same, word))
                break;
        }
        if (same < count)
            continue;
        if (found > 0)
            return 0;
        found = t->token[i].line;
    }
    return found;
}

/* --- loops that do not end ------------------------------------------------ */

/* 1 if tokens i and j name the same, grid.z alone the same as grid.z. */
static int is_same_name(const struct base_tokens *t, size_t i, size_t j)
{
    char word[80], member[80];
    const int has_member = base_mark(t, i + 1) == '.';

    base_token_copy(t, i, word, sizeof word);
    base_token_copy(t, i + 2, member, sizeof member);
    return base_token_is(t, j, word) &&
           has_member == (base_mark(t, j + 1) == '.') &&
           (!has_member || base_token_is(t, j + 2, member));
}

/* 1 if what is named at token i is set, added to or the like. */
static int is_changed(const struct base_tokens *t, size_t i)
{
    const size_t next = base_mark(t, i + 1) == '.' ? i + 3 : i + 1;
    const char m = base_mark(t, next), n = base_mark(t, next + 1);
    const char last = i > 1 ? base_mark(t, i - 1) : '\0';

    return lab_text_is_set(t, next) ||
           (m != '\0' && strchr("+-*/%", m) != NULL && n == '=') ||
           ((m == '+' || m == '-') && n == m) ||
           ((last == '+' || last == '-') && base_mark(t, i - 2) == last);
}

int lab_source_unasked(const char *path, int line, char *name, size_t size)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t i = lab_text_begin(t, line), body = lab_text_body(t, i);
    const size_t end = lab_text_end(t, i);
    size_t changed = LAB_NONE;

    if (!base_token_is(t, i, "while"))
        return 0;
    for (size_t j = i + 1; j < end; j++) {
        /* A call or an address may change what is not seen. */
        if ((j >= body && base_mark(t, j) == '(') ||
            (t->token[j].kind == BASE_WORD && base_mark(t, j + 1) == '(') ||
            base_mark(t, j) == '[' ||
            (base_mark(t, j) == '&' && base_mark(t, j + 1) != '&' &&
             base_mark(t, j - 1) != '&'))
            return 0;
        if (!lab_text_is_name(t, j) || !is_changed(t, j))
            continue;
        for (size_t asked = i + 1; asked < body; asked++) {
            if (is_same_name(t, j, asked))
                return 0;
        }
        changed = j;
    }
    if (changed == LAB_NONE)
        return 0;
    base_token_copy(t, changed, name, size);
    if (base_mark(t, changed + 1) == '.') {
        const size_t used = strlen(name);

        name[used] = '.';
        base_token_copy(t, changed + 2, name + used + 1, size - used - 1);
    }
    return t->token[changed].line;
}

int lab_source_arguments(const char *path, int line, const char *name)
{
    const struct base_tokens *t = lab_text_read(path);
    size_t i = lab_text_begin(t, line);
    int count = 1;

    while (i < t->count && t->token[i].line == line &&
           !base_token_is(t, i, name))
        i++;
    if (!base_token_is(t, i, name) || base_mark(t, i + 1) != '(')
        return 0;
    for (size_t j = i + 2; j < lab_text_closing(t, i + 1); j++) {
        j = lab_text_closing(t, j);
        count += base_mark(t, j) == ',' &&
                 !(base_token_is(t, j + 1, "0") && base_mark(t, j + 2) == ')');
    }
    return count;
}
