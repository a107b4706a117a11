/* Lines to be shown beside one that is told of: see source.h. */
#include "source.h"

#include "source_text.h"
#include "source_trail.h"

#include "base/language.h"

#include <stdio.h>
#include <string.h>

enum {
    DEEPEST = 3 /* calls */
};

/* Is it a condition, before token `at` and in a block around it, that leaves a
   loop or the function? */
static int is_way_out(const struct base_tokens *t, size_t i, size_t at)
{
    const size_t body = lab_text_body(t, i),
                 first = body + (base_mark(t, body) == '{');

    return base_token_is(t, i, "if") && lab_text_end(t, i) < at &&
           lab_text_closing(t, lab_text_block(t, i)) > at &&
           (base_token_is(t, first, "break") ||
            base_token_is(t, first, "continue") ||
            base_token_is(t, first, "return"));
}

void lab_source_conditions(const char *path, int line, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line),
                 end = lab_text_end_of_line(t, at);
    size_t head[LAB_LINES], heads = 0;

    for (size_t i = at; lab_text_function(t, at) != LAB_NONE &&
                        i-- > lab_text_function(t, at);) {
        if ((lab_text_is_around(t, i, at) || is_way_out(t, i, at)) &&
            heads < LAB_LINES &&
            lab_text_share_name(t, i + 1, lab_text_body(t, i), at, end)) {
            head[heads++] = i;
            lab_lines_add(lines, t->token[i].line);
        }
    }
    for (size_t i = 0; i < heads; i++)
        lab_trail_values(t, head[i], lab_text_body(t, head[i]), lines);
}

/* --- a comparison that lets an index through ------------------------------ */

struct part {
    size_t from, to;
};

static struct part without_brackets(const struct base_tokens *t, struct part x)
{
    if (base_mark(t, x.from) == '(' && lab_text_closing(t, x.from) == x.to - 1)
        return (struct part){x.from + 1, x.to - 1};
    return x;
}

static int is_same(const struct base_tokens *t, struct part a, struct part b)
{
    char word[80];

    for (; a.from < a.to && b.from < b.to; a.from++, b.from++) {
        base_token_copy(t, a.from, word, sizeof word);
        if (!base_token_is(t, b.from, word))
            return 0;
    }
    return a.from == a.to && b.from == b.to;
}

/* Its text, until it is asked for again. */
static const char *words_of(const struct base_tokens *t, struct part x)
{
    static char text[80];

    snprintf(text, sizeof text, "%.*s",
             (int)(t->token[x.to - 1].end - t->token[x.from].begin),
             t->text + t->token[x.from].begin);
    return text;
}

/* The row, or the column, in brackets behind the array's name at i. */
static struct part index_at(const struct base_tokens *t, size_t i, int is_row)
{
    const size_t from = i + 2, end = lab_text_closing(t, i + 1);
    const size_t times =
        base_mark(t, from) == '(' ? lab_text_closing(t, from) + 1 : from + 1;

    if (base_mark(t, i + 1) != '[' || base_mark(t, times) != '*' ||
        base_mark(t, times + 2) != '+')
        return (struct part){0, 0};
    return without_brackets(t, is_row ? (struct part){from, times}
                                      : (struct part){times + 3, end});
}

/* m, n or k, if it is one of these; else 0. */
static char extent_of(const struct base_tokens *t, struct part x)
{
    char word[80] = "";

    if (x.to == x.from + 1)
        base_token_copy(t, x.from, word, sizeof word);
    return word[0] != '\0' && word[1] == '\0' && strchr("mnk", word[0]) != NULL
               ? word[0]
               : '\0';
}

/* What stands to the left, or right, of a comparison whose mark is at i. */
static struct part operand(const struct base_tokens *t, struct part in,
                           size_t i, int step)
{
    static const char ends[] = "(){}&|=?:,;!";
    struct part x = {i, i};

    if (step > 0) {
        x.from = x.to = i + 1 + (base_mark(t, i + 1) == '=');
        while (x.to < in.to &&
               (base_mark(t, x.to) == '\0' || base_mark(t, x.to) == '(' ||
                strchr(ends, base_mark(t, x.to)) == NULL))
            x.to = lab_text_closing(t, x.to) + 1;
    } else {
        while (x.from > in.from &&
               (base_mark(t, x.from - 1) == '\0' ||
                base_mark(t, x.from - 1) == ')' ||
                strchr(ends, base_mark(t, x.from - 1)) == NULL))
            x.from = lab_text_matching(t, x.from - 1, -1);
    }
    return without_brackets(t, x);
}

/* What is asked of a guard. */
struct guard {
    struct part index;
    char extent;
    char *text;
    size_t size;
    int *at; /* the line of the condition */
};

/* One condition, which the access hangs on, or which leaves before it. 1: it
   keeps the index inside. */
static int judge_condition(const struct base_tokens *t, struct part in,
                           int leaves, const struct guard *g)
{
    const char joins = leaves ? '&' : '|';
    int is_joined = 0, is_mixed = 0;

    for (size_t i = in.from; i < in.to; i++) {
        const char mark = base_mark(t, i);

        is_joined |= mark == joins && base_mark(t, i + 1) == joins;
        is_mixed |= mark != joins && (mark == '&' || mark == '|');
    }
    for (size_t i = in.from; i < in.to; i++) {
        const char mark = base_mark(t, i);
        const struct part left = operand(t, in, i, -1),
                          right = operand(t, in, i, 1);
        const int turned = extent_of(t, right) == '\0';
        const struct part what = turned ? right : left;
        const char with = extent_of(t, turned ? left : right);
        const int is_less = (mark == '<') != turned;
        const int is_loose = (base_mark(t, i + 1) == '=') != leaves;
        const int line = t->token[i].line;

        if ((mark != '<' && mark != '>') || base_mark(t, i - 1) == '-' ||
            with == '\0' || is_less == leaves || what.from >= what.to)
            continue;
        if (!is_same(t, what, g->index)) {
            if (with == g->extent && !is_loose && !is_joined &&
                g->text[0] == '\0') {
                *g->at = line;
                snprintf(g->text, g->size,
                         _("line %d compares %s with %c, not "), line,
                         words_of(t, what), with);
                snprintf(g->text + strlen(g->text), g->size - strlen(g->text),
                         "%s", words_of(t, g->index));
            }
        } else if (with != g->extent) {
            *g->at = line;
            snprintf(g->text, g->size,
                     _("line %d compares %s with %c, not with %c"), line,
                     words_of(t, what), with, g->extent);
        } else if (is_loose) {
            *g->at = line;
            snprintf(g->text, g->size, _("line %d lets %s = %c through"), line,
                     words_of(t, what), with);
        } else if (!is_joined) {
            return 1;
        } else if (!is_mixed) {
            *g->at = line;
            snprintf(g->text, g->size,
                     leaves ? _("in line %d all conditions must hold to keep "
                                "the thread away")
                            : _("in line %d one of the conditions is enough"),
                     line);
        }
    }
    return 0;
}

int lab_source_guard(const char *path, int line, const char *array, int is_row,
                     char extent, char *text, size_t size)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line),
                 function = lab_text_function(t, at);
    const size_t name =
        lab_text_find(t, at, lab_text_end_of_line(t, at), array);
    int condition = 0;
    const struct guard g = {index_at(t, name, is_row), extent, text, size,
                            &condition};
    int is_else = 0, is_kept;

    text[0] = '\0';
    if (function == LAB_NONE || name == LAB_NONE)
        return 0;
    if (g.index.to == 0)
        return 0;
    for (size_t i = lab_text_statement(t, name); i < name; i++) {
        is_else = base_mark(t, i) == ':'   ? 1
                  : base_mark(t, i) == '?' ? 0
                                           : is_else;
    }
    is_kept = judge_condition(
        t, (struct part){lab_text_statement(t, name), name}, is_else, &g);
    for (size_t i = function; i < at && !is_kept; i++) {
        const int leaves = is_way_out(t, i, at);

        if (leaves ||
            (base_token_is(t, i, "if") && lab_text_is_around(t, i, at))) {
            is_kept = judge_condition(
                t, (struct part){i + 2, lab_text_body(t, i) - 1}, leaves, &g);
        }
    }
    if (is_kept)
        text[0] = '\0';
    return text[0] != '\0' ? condition : 0;
}

void lab_source_hangs_on(const char *path, int line, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line), body = lab_text_function(t, at);
    const size_t head = lab_text_begin(t, lab_source_condition(path, line));
    char name[80];

    if (body == LAB_NONE)
        return;
    if (head > 0) {
        const size_t end = lab_text_body(t, head);

        lab_lines_add(lines, t->token[head].line);
        /* A parameter may be another in each call. */
        if (!lab_text_share_name(t, head, end,
                                 lab_text_matching(t, body - 1, -1), body))
            lab_trail_values(t, head + 1, end, lines);
    }
    base_token_copy(t, lab_text_matching(t, body - 1, -1) - 1, name,
                    sizeof name);
    for (size_t i = 0; i < t->count; i++) {
        const size_t end = lab_text_closing(t, lab_text_body(t, i));
        int is_in = i < at && at < end;

        for (size_t j = i; base_token_is(t, i, "switch") && j < end; j++)
            is_in |= base_token_is(t, j, name);
        for (size_t j = i; is_in && base_token_is(t, i, "switch") && j < end;
             j++) {
            if (j == i || base_token_is(t, j, "break"))
                lab_lines_add(lines, t->token[j].line);
        }
    }
}

static void add_of_thread(const struct base_tokens *t, size_t from, size_t to,
                          struct lab_lines *lines)
{
    char word[80];

    for (size_t i = from; i < to; i++) {
        size_t set, begin, end;
        const int before = lines->count;

        base_token_copy(t, i, word, sizeof word);
        set =
            lab_text_is_name(t, i) ? lab_text_definition(t, i, word) : LAB_NONE;
        if (set != LAB_NONE && set < from) {
            begin = set + 2;
        } else {
            set = lab_text_return(t, i);
            begin = set + 1;
        }
        if (set == LAB_NONE || t->token[set].kind == BASE_DIRECTIVE)
            continue;
        end = lab_text_end_of_line(t, set);
        if (!lab_text_is_of_thread(t, begin, end, 4))
            continue;
        lab_lines_add(lines, t->token[set].line);
        if (lines->count > before) /* it was not there yet */
            add_of_thread(t, begin, end, lines);
    }
}

void lab_source_of_thread(const char *path, int line, const char *array,
                          struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line);
    const size_t i = lab_text_find(t, at, lab_text_end_of_line(t, at), array);

    if (i != LAB_NONE)
        add_of_thread(t, i + 1, lab_text_behind_index(t, i), lines);
}

void lab_source_calls(const char *path, int line, const char *name,
                      struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t body = lab_text_function(t, lab_text_begin(t, line));

    for (size_t i = 0; i < t->count; i++) {
        if (base_token_is(t, i, name) && lab_text_call_at(t, i) != LAB_NONE &&
            (line == 0 || lab_text_function(t, i) == body))
            lab_lines_add(lines, t->token[i].line);
    }
}

int lab_source_macro(const char *path, char *text, size_t size)
{
    static const char before[] = "*/%-", after[] = "*/%";
    const struct base_tokens *t = lab_text_read(path);

    for (size_t i = 0; i < t->count; i++) {
        size_t end = i + 1; /* of what it defines */
        char words[80];
        const char *name;
        int is_sum = 0;

        base_token_copy(t, i, words, sizeof words);
        if (!base_is_directive(t, i, "define", NULL) ||
            strchr(words, '(') != NULL)
            continue;
        name = strrchr(words, ' ') != NULL ? strrchr(words, ' ') + 1 : words;
        for (; end < t->count && t->token[end].line == t->token[i].line;
             end = lab_text_closing(t, end) + 1) {
            is_sum |= end > i + 1 &&
                      (base_mark(t, end) == '+' || base_mark(t, end) == '-');
        }
        for (size_t j = end; is_sum && j < t->count; j++) {
            const char left = base_mark(t, j - 1), right = base_mark(t, j + 1);
            const int is_first = left != '\0' && strchr(before, left) != NULL;

            if (!base_token_is(t, j, name) ||
                (!is_first && (right == '\0' || strchr(after, right) == NULL)))
                continue;
            snprintf(text, size,
                     _("%s is a sum without brackets (line %d): in line %d the "
                       "%c takes only its %s term."),
                     name, t->token[i].line, t->token[j].line,
                     is_first ? left : right,
                     is_first ? _("first") : _("last"));
            return t->token[i].line;
        }
    }
    return 0;
}

void lab_source_kept_away(const char *path, int line, struct lab_lines *lines,
                          char *text, size_t size)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line),
                 function = lab_text_function(t, at);
    int found = 0;

    text[0] = '\0';
    for (size_t i = at; function != LAB_NONE && i-- > function;) {
        const int leaves = is_way_out(t, i, at);
        size_t way = lab_text_body(t, i);
        char word[20];

        if ((!leaves && !lab_text_is_around(t, i, at)) ||
            !lab_text_is_of_thread(t, i + 1, way, 4))
            continue;
        way += base_mark(t, way) == '{';
        base_token_copy(t, way, word, sizeof word);
        lab_lines_add(lines, t->token[i].line);
        if (leaves) {
            lab_lines_add(lines, t->token[way].line);
            snprintf(
                text, size,
                _("The %s in line %d is for some threads alone: those that "
                  "meet the condition in line %d do not come to line %d."),
                word, t->token[way].line, t->token[i].line, line);
        } else if (lab_text_is_loop(t, i)) {
            snprintf(text, size,
                     _("The loop in line %d goes round more often for some "
                       "threads than for others, and line %d is in it."),
                     t->token[i].line, line);
        } else {
            snprintf(text, size,
                     _("Line %d is for some threads alone: those that meet the "
                       "condition in line %d."),
                     line, t->token[i].line);
        }
        found++;
    }
    if (found != 1)
        text[0] = '\0';
}

void lab_source_stores(const char *path, int line, const char *array,
                       struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t body = lab_text_function(t, lab_text_begin(t, line));
    for (size_t i = body; body != LAB_NONE && i < lab_text_closing(t, body);
         i++) {
        size_t end = lab_text_behind_index(t, i);

        if (!base_token_is(t, i, array) || end == i + 1 ||
            base_mark(t, end) != '=')
            continue;
        for (size_t j = body; j < i; j++) {
            if (!base_token_is(t, j, "if") || !lab_text_is_around(t, j, i))
                continue;
            lab_lines_add(lines, t->token[j].line);
            if (lab_text_body(t, j) == j + 4) /* of a variable */
                lab_trail_values(t, j, lab_text_body(t, j), lines);
        }
        lab_lines_add(lines, t->token[i].line);
    }
}

void lab_source_value(const char *path, int line, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t at = lab_text_begin(t, line), body = lab_text_function(t, at);
    size_t i = at, count, from = body, to = at;
    char word[80];

    while (i < lab_text_end_of_line(t, at) && base_mark(t, i) != '=')
        i++;
    if (body == LAB_NONE || !lab_text_is_name(t, ++i))
        return;
    count = lab_text_behind_index(t, i) - i;
    base_token_copy(t, i, word, sizeof word);
    if (lab_text_find(t, lab_text_matching(t, body - 1, -1), body, word) !=
        LAB_NONE) { /* set elsewhere */
        from = 0;
        to = t->count;
    }
    for (size_t j = from; j + count < to; j++) {
        size_t same = 0;

        while (same < count) {
            base_token_copy(t, i + same, word, sizeof word);
            if (!base_token_is(t, j + same, word))
                break;
            same++;
        }
        if (same < count || !lab_text_is_set(t, j + same))
            continue;
        lab_lines_add(lines, lab_source_condition(path, t->token[j].line));
        lab_lines_add(lines, t->token[j].line);
    }
}

void lab_source_dynamic(const char *path, const char *kernel,
                        struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t i = lab_text_launch(t, kernel, 2);
    const int before = lines->count;

    if (i == LAB_NONE)
        return;
    lab_trail_values(t, i, i + 1, lines);
    if (lines->count == before)
        lab_lines_add(lines, t->token[i].line);
}

int lab_source_call(const char *path, int line)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t call = lab_text_call_of(
        t, lab_text_function(t, lab_text_begin(t, line)), "", t->count);

    return call != LAB_NONE ? t->token[call].line : 0;
}

void lab_source_called(const char *path, int line, const char *array,
                       int before, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    size_t at = lab_text_begin(t, line);
    size_t end = before > 0 ? lab_text_begin(t, before) : t->count;

    for (int i = 0; i < DEEPEST; i++) {
        at = lab_text_call_of(t, lab_text_function(t, at), array, end);
        if (at == LAB_NONE)
            return;
        end = t->count;
        lab_lines_add(lines, t->token[at].line);
        lab_lines_add(lines, lab_source_condition(path, t->token[at].line));
    }
}

void lab_source_let(const char *path, int line, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);

    for (int i = 0; i < DEEPEST && line > 0; i++) {
        const int condition = lab_source_condition(path, line);
        const size_t at = lab_text_begin(t, condition);

        if (condition > 0)
            lab_trail_values(t, at, lab_text_body(t, at), lines);
        line = lab_source_call(path, line);
    }
}

void lab_source_chosen(const char *path, const char *kernel,
                       struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t launch = lab_text_launch(t, kernel, 0);
    const size_t call = launch != LAB_NONE
                            ? lab_text_call_of(t, lab_text_function(t, launch),
                                               "true", t->count)
                            : LAB_NONE;

    if (call == LAB_NONE || base_mark(t, call + 1) != '<')
        return;
    lab_lines_add(lines, t->token[call].line);
    lab_lines_add(lines, lab_source_condition(path, t->token[call].line));
}

int lab_source_tile(const char *path, int line, const char *array, char *index,
                    size_t size, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t end = lab_text_begin(t, line + 1);

    for (size_t i = lab_text_begin(t, line); i + 2 < end; i++) {
        const size_t tile =
            lab_text_closing(t, i + 1); /* then rows, and columns */

        if (!base_token_is(t, i, array) || base_mark(t, i + 1) != '[')
            continue;
        if (base_mark(t, tile + 1) != '[' ||
            base_mark(t, lab_text_closing(t, tile + 1) + 1) != '[')
            return 0;
        lab_trail_values(t, i + 2, tile, lines);
        i = t->token[i + 2].begin;
        snprintf(index, size, "%.*s", (int)(t->token[tile].begin - i),
                 t->text + i);
        return 1;
    }
    return 0;
}

int lab_source_int(const char *path, int line, char matrix,
                   struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t body = lab_text_function(t, lab_text_begin(t, line));
    const char word[] = {matrix, '\0'};
    int count = 0, last = 0;

    for (int all = body == LAB_NONE; all < 2 && count == 0; all++) {
        const size_t end = all ? t->count : lab_text_closing(t, body);

        for (size_t i = all ? 0 : body; i < end; i++) {
            size_t at = i + 3;

            if (!base_token_is(t, i, "int") || base_mark(t, i + 2) != '=')
                continue;
            while (at < end && base_mark(t, at) != ';' &&
                   !(base_token_is(t, at, word) && base_mark(t, at + 1) == '['))
                at++;
            if (at == end || base_mark(t, at) == ';')
                continue;
            last = t->token[i].line;
            lab_lines_add(lines, last);
            count++;
        }
    }
    return count == 1 ? last : 0;
}
