/* What an index is made of, and what that is made of: see source.h. */
#include "source_trail.h"

#include "source.h"
#include "source_text.h"

#include <stdio.h>
#include <string.h>

enum {
    LEVELS = 3 /* from a name to what its value is made of */
};

/* What is shown first: variables and functions, then what else has to do with
   them. */
enum kind {
    VARIABLE,
    CONDITION,
    LOOP,
    CALL,
    CONSTANT,
    NUMBER,
    KINDS
};

/* Where values come from: lines still to be shown, and the part of each whose
   names are then followed; the nearest first. */
struct trail {
    const struct base_tokens *t;
    const char *kernel;
    struct lab_lines *lines;
    size_t known; /* the body of the function whose call is known; or 0 */
    struct {
        size_t shown, from, to; /* shown: a token of the line; or LAB_NONE */
        enum kind kind;
        int level;
    } part[80];
    int parts, levels;
};

/* The names from one token to another, at that level; before them the line of
   token `shown`. */
static void add_part(struct trail *s, enum kind kind, size_t shown, size_t from,
                     size_t to, int level)
{
    if (s->parts == (int)(sizeof s->part / sizeof s->part[0]))
        return;
    s->part[s->parts].kind = kind;
    s->part[s->parts].shown = shown;
    s->part[s->parts].from = from;
    s->part[s->parts].to = to;
    s->part[s->parts++].level = level;
}

/* The condition right above the statement at token i, and what it is made of.
 */
static void add_condition(struct trail *s, const char *path, size_t i,
                          int level)
{
    const int line = lab_source_condition(path, s->t->token[i].line);

    i = lab_text_begin(s->t, line);
    if (line > 0)
        add_part(s, CONDITION, i, i + 1, lab_text_body(s->t, i), level);
}

/* The calls, in the kernel or else in any function, of the function whose
   parameter the name is for token `at`. One that hands on a variable of the
   same name says nothing. */
static void add_calls(struct trail *s, size_t at, const char *word, int level)
{
    const struct base_tokens *t = s->t;
    const size_t body = lab_text_function(t, at);
    const size_t open =
        body != LAB_NONE ? lab_text_matching(t, body - 1, -1) : 0;
    const size_t parameter =
        open > 0 ? lab_text_find(t, open, body, word) : LAB_NONE;
    int number = 0, found = 0;
    char name[80];

    if (parameter == LAB_NONE || body == s->known)
        return;
    for (size_t i = open; i < parameter; i++)
        number += base_mark(t, i) == ',';
    base_token_copy(t, open - 1, name, sizeof name);
    for (int pass = s->kernel == NULL; pass < 2 && !found; pass++) {
        for (size_t i = 0; i < t->count; i++) {
            size_t from, to, end;

            if (!base_token_is(t, i, name) ||
                (from = lab_text_call_at(t, i)) == LAB_NONE ||
                (pass == 0 && !lab_text_is_in(t, i, s->kernel)))
                continue;
            end = lab_text_closing(t, from++);
            found = 1;
            for (int n = 0; n < number && from < end; from++) {
                from = lab_text_closing(t, from);
                n += base_mark(t, from) == ',';
            }
            for (to = from; to < end && base_mark(t, to) != ','; to++)
                to = lab_text_closing(t, to);
            if (to == from + 1 && base_token_is(t, from, word)) {
                add_part(s, CALL, LAB_NONE, from, to, level);
            } else {
                add_part(s, level == 0 ? VARIABLE : CALL, i, from, to,
                         level + 1);
            }
        }
    }
}

/* Is it a member of a structure, and not of a vector? */
static int is_member(const struct base_tokens *t, size_t i)
{
    const int is_arrow =
        i > 1 && base_mark(t, i - 1) == '>' && base_mark(t, i - 2) == '-';

    return t->token[i].kind == BASE_WORD && base_mark(t, i + 1) != '(' &&
           (is_arrow || (i > 0 && base_mark(t, i - 1) == '.' &&
                         !(t->token[i].end - t->token[i].begin == 1 &&
                           strchr("xyzw", t->text[t->token[i].begin]))));
}

/* Where the member is set, or moved on. */
static void add_members(struct trail *s, const char *word, int level)
{
    const struct base_tokens *t = s->t;

    for (size_t i = 0; i < t->count; i++) {
        size_t end = lab_text_behind_index(t, i);

        if (!base_token_is(t, i, word) || !is_member(t, i))
            continue;
        end += base_mark(t, end) == '+' || base_mark(t, end) == '-';
        if (lab_text_is_set(t, end)) {
            add_part(s, VARIABLE, i, end + 1, lab_text_end_of_line(t, end),
                     level + 1);
        }
    }
}

/* Where the name at token i, which is set at token `found` and is no loop's, is
   moved on, or set again in a loop around both. */
static void add_moves(struct trail *s, size_t i, size_t found, const char *word,
                      int level)
{
    const struct base_tokens *t = s->t;
    const size_t body = lab_text_function(t, i);

    for (size_t j = body; j < lab_text_closing(t, body); j++) {
        const size_t end = lab_text_end_of_line(t, j);
        const char mark = base_mark(t, j + 1);

        if (j == found || !base_token_is(t, j, word) ||
            lab_text_is_loop(t, lab_text_begin(t, t->token[j].line)))
            continue;
        if (((mark == '+' || mark == '-') &&
             (base_mark(t, j + 2) == '=' || base_mark(t, j + 2) == mark)) ||
            (found < i && i < j && lab_text_is_set(t, j + 1) &&
             t->token[j - 1].kind != BASE_WORD))
            add_part(s, VARIABLE, j, j + 1, end, level + 1);
    }
}

/* What gives the name at token i its value. */
static void add_name(struct trail *s, size_t i, int level)
{
    const struct base_tokens *t = s->t;
    const size_t value = lab_text_return(t, i);
    enum kind kind = VARIABLE;
    size_t found, end;
    char word[80];

    base_token_copy(t, i, word, sizeof word);
    if (value != LAB_NONE) { /* what it is given is named by the call */
        add_part(s, VARIABLE, value, value + 1,
                 base_mark(t, i + 2) == ')' ? lab_text_end_of_line(t, value)
                                            : value,
                 level + 1);
        return;
    }
    if (is_member(t, i)) {
        if (s->levels > 1)
            add_members(s, word, level);
        return;
    }
    if (!lab_text_is_name(t, i))
        return;
    found = lab_text_definition(t, i, word);
    if (found == LAB_NONE) { /* (*tile)[ROW] = As[0] */
        found = lab_text_declared(t, i, word);
        if (found != LAB_NONE &&
            (base_mark(t, found + 1) != ')' || found < lab_text_function(t, i)))
            found = LAB_NONE;
    }
    if (found == LAB_NONE) {
        add_calls(s, i, word, level);
        return;
    }
    end = lab_text_end_of_line(t, found);
    if (t->token[found].kind == BASE_DIRECTIVE) {
        kind = CONSTANT;
        end = lab_text_begin(t, t->token[found].line + 1);
        if (end <= found + 2)
            kind = NUMBER;
        if (level > 0 && kind == NUMBER)
            return; /* far away */
    } else if (lab_text_is_loop(t, lab_text_begin(t, t->token[found].line))) {
        kind = LOOP;
    }
    add_part(s, level == 0 && kind != NUMBER ? VARIABLE : kind, found,
             found + 1, end, level + 1);
    if (kind == VARIABLE && lab_text_function(t, found) != LAB_NONE)
        add_moves(s, i, found, word, level);
}

static void follow(struct trail *s)
{
    for (int kind = VARIABLE; kind < KINDS; kind++) {
        for (int n = 0; n < s->parts; n++) {
            if ((int)s->part[n].kind != kind)
                continue;
            s->part[n].kind = KINDS;
            if (s->part[n].shown != LAB_NONE)
                lab_lines_add(s->lines, s->t->token[s->part[n].shown].line);
            for (size_t i = s->part[n].from;
                 i < s->part[n].to && s->part[n].level < s->levels; i++) {
                add_name(s, i, s->part[n].level);
            }
            kind = VARIABLE; /* of what was added */
            n = -1;
        }
    }
}

void lab_trail_values(const struct base_tokens *t, size_t from, size_t to,
                      struct lab_lines *lines)
{
    struct trail s = {.t = t, .lines = lines, .levels = 1};

    add_part(&s, VARIABLE, LAB_NONE, from, to, 0);
    follow(&s);
}

/* Adds where the array is declared for that token, and what says how long it
   is in the dimension that has `rows` from it to the last. */
static void add_declared(const struct base_tokens *t, size_t at,
                         const char *array, int rows, struct lab_lines *lines)
{
    const size_t name = lab_text_declared(t, at, array);
    int number = 0;
    size_t from;

    if (name == LAB_NONE)
        return;
    lab_lines_add(lines, t->token[name].line);
    from = name + 1 + (base_mark(t, name + 1) == ')');
    for (size_t i = from; base_mark(t, i) == '[';
         i = lab_text_closing(t, i) + 1)
        number++;
    for (size_t i = from; number > 0;
         number--, i = lab_text_closing(t, i) + 1) {
        if (number == rows)
            lab_trail_values(t, i, lab_text_closing(t, i), lines);
    }
}

void lab_source_index(const char *path, int line, const char *index,
                      const char *type, struct lab_lines *lines, int *is_thread)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line);
    char array[80];
    struct trail s = {.t = t, .lines = lines, .levels = LEVELS};
    int number = 0, rows = 0;
    size_t i, name, from;

    *is_thread = 0;
    snprintf(array, sizeof array, "%.*s", (int)strcspn(index, "["), index);
    for (i = 0; index[i] != '\0' && index[i] != ','; i++)
        number += index[i] == '[';
    for (i = 0; type[i] != '\0' && type[i] != '\n'; i++)
        rows += type[i] == '[';
    name = lab_text_find(t, at, lab_text_end_of_line(t, at), array);
    if (name == LAB_NONE || number == 0)
        return;
    for (from = name + 1; number > 1 && base_mark(t, from) == '['; number--)
        from = lab_text_closing(t, from) + 1;
    /* Its loops, or where else it is set. */
    for (i = from + 1; i < lab_text_closing(t, from); i++) {
        char word[80];
        size_t set;
        int in_loop = 0;

        base_token_copy(t, i, word, sizeof word);
        if (!lab_text_is_name(t, i))
            continue;
        for (size_t j = lab_text_function(t, at); j < name; j++) {
            if (lab_text_is_loop(t, j) && lab_text_is_around(t, j, name) &&
                lab_text_find(t, j + 1, lab_text_body(t, j), word) !=
                    LAB_NONE) {
                in_loop = 1;
                lab_lines_add(lines, t->token[j].line);
                add_part(&s, VARIABLE, LAB_NONE, j, lab_text_body(t, j), 0);
            }
        }
        set = in_loop ? LAB_NONE : lab_text_definition(t, name, word);
        if (set == LAB_NONE)
            continue;
        *is_thread |= base_token_is(t, set + 2, "threadIdx");
    }
    /* How long it is. */
    add_declared(t, at, array, rows, lines);
    add_part(&s, VARIABLE, LAB_NONE, from + 1, lab_text_closing(t, from), 0);
    follow(&s);
}

/* The part of the statement that says where the access to the array is: of an
   asynchronous copy its target, or its source, and else all. */
static void find_pointer(const struct base_tokens *t, const char *array,
                         size_t *from, size_t *to)
{
    size_t i = *from, number = strstr(array, "shared") == NULL;

    while (i < *to && !base_token_is(t, i, "__pipeline_memcpy_async"))
        i++;
    if (i == *to)
        return;
    for (*from = i += 2; base_mark(t, i) != ';' && i < t->count; i++) {
        i = lab_text_closing(t, i);
        if (base_mark(t, i) != ',')
            continue;
        *to = i;
        if (number-- == 0)
            return;
        *from = i + 1;
    }
}

/* Is a parameter of the function among the names between the two tokens? */
static int has_parameter(const struct base_tokens *t, size_t from, size_t to)
{
    const size_t body = lab_text_function(t, from);
    char word[80];

    for (size_t i = from; body != LAB_NONE && i < to; i++) {
        size_t name;

        base_token_copy(t, i, word, sizeof word);
        name = lab_text_is_name(t, i)
                   ? lab_text_find(t, lab_text_matching(t, body - 1, -1), body,
                                   word)
                   : LAB_NONE;
        if (name != LAB_NONE && base_mark(t, name + 1) != ']')
            return 1;
    }
    return 0;
}

static void add_made(const char *path, int line, const char *array,
                     const char *kernel, int levels, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line);
    size_t call =
        lab_text_call_of(t, lab_text_function(t, at), array, t->count);
    size_t from = at, to = lab_text_end_of_line(t, at);
    struct trail s = {
        .t = t, .kernel = kernel, .lines = lines, .levels = levels};
    size_t i = lab_text_find(t, at, to, array);

    if (i == LAB_NONE) {
        find_pointer(t, array, &from, &to);
        if (!has_parameter(t, from, to))
            call = LAB_NONE;
        s.known = call != LAB_NONE ? lab_text_function(t, at) : 0;
        add_part(&s, VARIABLE, LAB_NONE, from, to, 0);
    }
    if (i != LAB_NONE && !has_parameter(t, i + 1, lab_text_behind_index(t, i)))
        call = LAB_NONE; /* it hands on no more than the array */
    for (i = i == LAB_NONE ? i : i + 1; base_mark(t, i) == '[';
         i = lab_text_closing(t, i) + 1)
        add_part(&s, VARIABLE, LAB_NONE, i, lab_text_closing(t, i), 0);
    if (call != LAB_NONE) {
        const size_t open = lab_text_call_at(t, call);

        /* Its arguments name a row and a column, and these what they are of. */
        s.levels += 2;
        add_part(&s, VARIABLE, call, open + 1, lab_text_closing(t, open), 1);
        add_condition(&s, path, call, 1);
    }
    follow(&s);
}

void lab_source_made(const char *path, int line, const char *array,
                     const char *kernel, struct lab_lines *lines)
{
    add_made(path, line, array, kernel, LEVELS, lines);
}

void lab_source_named(const char *path, int line, const char *array,
                      const char *kernel, struct lab_lines *lines)
{
    add_made(path, line, array, kernel, 1, lines);
}

void lab_source_row(const char *path, int line, const char *array,
                    struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);

    add_declared(t, lab_text_begin(t, line), array, 1, lines);
}
