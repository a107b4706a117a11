/* Writes the copy of a lab with all its small changes. See alternatives.h. The
   language is not parsed: what a word stands for is seen from the words beside
   it, and what is not understood stays as it is. */
#define _GNU_SOURCE
#include "copy.h"

#include "base/refuse.h"

#include <stdlib.h>
#include <string.h>

/* --- loops that stay as they are ------------------------------------------ */

/* A loop with changes in it, and their numbers. */
struct loop {
    size_t begin, end; /* tokens */
    int first, last;   /* last: one past */
};

/* The end of the loop that begins at i, if it has no barrier; 0: it is none. */
static size_t loop_end(const struct simt_copy *c, size_t i)
{
    size_t end;

    if (is(c, i, "SIMT_UNROLL") && mark(c, behind(c, i)) == '(')
        i = behind(c, c->partner[behind(c, i)]);
    if (!is(c, i, "for") || mark(c, behind(c, i)) != '(')
        return 0;
    end = simt_copy_statement_end(c, i);
    for (size_t at = i; at <= end; at = behind(c, at)) {
        if (simt_copy_is_call(c, at) || c->t.token[at].kind == BASE_DIRECTIVE)
            return 0;
    }
    return end < c->t.count ? end : 0;
}

/* Puts the loop as it was beside the changed one, for runs in which no change
   of its own is made: else all of them would take many times as long. calls:
   the first change of the function's calls, which may be put into it. */
static void keep_loop(struct simt_copy *c, const struct loop *l, int calls)
{
    const struct base_token *t = c->t.token;
    const int line = line_of(c, l->begin);
    char *const changed = c->before[l->begin];

    c->before[l->begin] = NULL;
    simt_copy_add(c, &c->before[l->begin],
                  "{ if (simt_made(%d, %d) >= 0 || simt_made(%d, %d) >= 0) {\n"
                  "#line %d\n",
                  l->first, l->last - l->first, calls, c->next - calls, line);
    if (changed != NULL)
        simt_copy_add(c, &c->before[l->begin], "%s", changed);
    free(changed);
    simt_copy_add(c, &c->behind[l->end],
                  "\n} else {\n#line %d\n%.*s }}\n#line %d\n", line,
                  (int)(t[l->end].end - t[l->begin].begin),
                  c->t.text + t[l->begin].begin, line_of(c, l->end));
}

/* --- a function ----------------------------------------------------------- */

/* What a function is given, behind the ( or , i. */
static void change_argument(struct simt_copy *c, size_t i, size_t body)
{
    static const char *const none[] = {"if",     "for",    "while",   "switch",
                                       "return", "sizeof", "alignas", NULL};
    size_t open = i, to = behind(c, i);

    if (!simt_copy_is_device(c, body))
        return;
    while (open > body && !(mark(c, open) == '(' && c->partner[open] > i)) {
        if (mark(c, open) == ';' || mark(c, open) == '{')
            return;
        open = before(c, open);
    }
    if (mark(c, open) != '(' || !is_word(c, before(c, open)) ||
        is_one_of(c, before(c, open), none) ||
        simt_copy_type_of(c, before(c, open)) != UNKNOWN)
        return;
    while (to < c->partner[open] && mark(c, to) != ',')
        to = past(c, to);
    simt_change_expression(c, i, to);
    simt_change_pointer(c, i, to);
}

/* The variable that is declared by the name i, or NULL. */
static const struct simt_variable_name *declared_by(const struct simt_copy *c,
                                                    size_t i)
{
    for (int n = 0; n < c->variables; n++) {
        if (c->variable[n].place == i)
            return &c->variable[n];
    }
    return NULL;
}

/* The index that begins at the bracket i; of a declaration, which says how
   large it is, all of them stay. Returns the last token dealt with. */
static size_t change_index(struct simt_copy *c, size_t i, size_t body)
{
    const size_t name = before(c, i);

    if (declared_by(c, name) != NULL) {
        while (mark(c, behind(c, c->partner[i])) == '[')
            i = behind(c, c->partner[i]);
        return c->partner[i];
    }
    if (name != body && (is_word(c, name) || mark(c, name) == ']'))
        simt_change_expression(c, i, c->partner[i]);
    return i;
}

/* What a variable that is declared begins with, behind the = i. */
static void change_beginning(struct simt_copy *c, size_t i, size_t end)
{
    const struct simt_variable_name *v = declared_by(c, before(c, i));
    size_t to = i;

    if (v == NULL || v->type != WHOLE || v->depth > 0)
        return;
    while (mark(c, to) != ';' && mark(c, to) != ',' && to < end)
        to = past(c, to);
    simt_change_expression(c, i, to);
    simt_change_dealing(c, i, to);
}

/* 1 for an = that is no part of another operator. */
static int is_assignment(const struct simt_copy *c, size_t i)
{
    return mark(c, i) == '=' && mark(c, i + 1) != '=' &&
           (mark(c, i - 1) == 0 || strchr("=<>!", mark(c, i - 1)) == NULL);
}

static void change_body(struct simt_copy *c, size_t body)
{
    const size_t end = c->partner[body];
    struct loop loop[MOST_LOOPS] = {{.begin = 0}};
    int loops = 0, calls;

    for (size_t i = behind(c, body); i < end; i = behind(c, i)) {
        const size_t last = before(c, i);
        const int begins = mark(c, last) == ';' || mark(c, last) == '{' ||
                           mark(c, last) == '}' || mark(c, last) == ')';

        while (loops > 0 && loop[loops - 1].last == 0 &&
               i > loop[loops - 1].end)
            loop[loops - 1].last = c->next;
        if (c->t.token[i].kind == BASE_DIRECTIVE)
            continue;
        if (begins && loops < MOST_LOOPS &&
            (loops == 0 || i > loop[loops - 1].end) && loop_end(c, i) > 0) {
            loop[loops++] = (struct loop){
                .begin = i, .end = loop_end(c, i), .first = c->next};
        }
        if (begins && simt_copy_is_fixed(c, i)) {
            i = simt_copy_statement_end(c, i);
            continue;
        }
        if (simt_copy_is_constant(c, i)) {
            const size_t open = behind(c, i);

            i = mark(c, open) == '(' && c->partner[open] > open
                    ? c->partner[open]
                    : i;
            continue;
        }
        if (begins) {
            simt_change_sum(c, i);
            simt_change_statement(c, i);
            if (is(c, i, "if"))
                simt_change_condition(c, i);
        }
        if (mark(c, i) == '[') {
            i = change_index(c, i, body);
            continue;
        }
        if (is_assignment(c, i) && is_word(c, last)) {
            change_beginning(c, i, end);
            continue;
        }
        if (is(c, i, "return") && mark(c, behind(c, i)) != ';')
            simt_change_expression(c, i, simt_copy_statement_end(c, i));
        if ((mark(c, i) == '(' && is_word(c, last) &&
             !simt_copy_is_constant(c, last)) ||
            mark(c, i) == ',')
            change_argument(c, i, body);
        simt_change_term(c, i);
        if (is_word(c, i)) {
            simt_change_component(c, i);
            i = simt_change_operand(c, i);
        } else if (mark(c, i) != 0) {
            simt_change_step(c, i);
            i = simt_change_operator(c, i);
        }
    }
    if (loops > 0 && loop[loops - 1].last == 0)
        loop[loops - 1].last = c->next;
    for (size_t i = body, n = 0; i < end; i = behind(c, i)) {
        while (n < (size_t)loops && i > loop[n].end)
            n++;
        if ((n == (size_t)loops || i < loop[n].begin) && /* it is not kept */
            (mark(c, i) == ';' || mark(c, i) == '{' || mark(c, i) == '}'))
            simt_change_values(c, behind(c, i));
    }
    calls = c->next;
    for (size_t i = behind(c, body); i < end; i = behind(c, i)) {
        if (mark(c, i) == '[' && c->behind[i] != NULL)
            simt_change_order(c, i);
    }
    simt_change_calls(c, body);
    for (int n = 0; n < loops; n++) {
        if (loop[n].last > loop[n].first)
            keep_loop(c, &loop[n], calls);
    }
}

static void change_all(struct simt_copy *c)
{
    for (size_t i = 0; i < c->t.count; i++) {
        if (is(c, i, "asm"))
            return;
        if (mark(c, i) != '(' || simt_copy_body_of(c, i) == 0)
            continue;
        i = simt_copy_body_of(c, i);
        change_body(c, i);
        i = c->partner[i];
    }
}

static void write_copy(struct simt_copy *c, FILE *output, const char *list)
{
    fprintf(output,
            "#define SIMT_NUMBERS %d\n"
            "#include \"simt/alternatives/choices.h\"\n",
            c->numbers);
    for (size_t i = 0; i < c->t.count; i++) {
        const struct base_token *t = &c->t.token[i];

        fprintf(output, "%s%.*s%s", c->before[i] != NULL ? c->before[i] : "",
                (int)(t->end - t->begin), c->t.text + t->begin,
                c->behind[i] != NULL ? c->behind[i] : "");
    }
    fprintf(output,
            "\nextern \"C\" const struct {\n"
            "    int first, count, tried, line, kind;\n"
            "    const char *here;\n"
            "} simt_alternatives[] = {\n%s    {0, 0, 0, 0, 0, \"\"}};\n"
            "extern \"C\" const long simt_numbers[] = {1, 2, 3, 4, 8, 16",
            list);
    for (int m = 0; m < c->macros; m++)
        fprintf(output, ", %s", c->macro[m].name);
    fputs(", 0};\nextern \"C\" const int simt_pairs[][2] = {\n", output);
    simt_write_pairs(c, output);
    fputs("    {0, 0}};\n", output);
}

int simt_alternatives_write(const char *text, size_t size,
                            const struct simt_changed_lines *own,
                            const struct simt_changed_lines *shown,
                            FILE *output, char *why, size_t why_size)
{
    struct simt_copy *c = calloc(1, sizeof *c);
    char *list = NULL;
    size_t list_size;
    int code = -1;

    if (c == NULL)
        return base_refuse(why, why_size, "no memory");
    c->next = 1;
    c->own = *own;
    c->shown = *shown;
    c->list = open_memstream(&list, &list_size);
    if (base_lex(text, size, &c->t, why, why_size) == 0 && c->list != NULL) {
        c->partner = calloc(c->t.count + 1, sizeof *c->partner);
        c->before = calloc(c->t.count + 1, sizeof *c->before);
        c->behind = calloc(c->t.count + 1, sizeof *c->behind);
        if (c->partner != NULL && c->before != NULL && c->behind != NULL) {
            simt_copy_find_partners(c);
            simt_copy_read_names(c);
            c->numbers = NUMBERS + c->macros;
            simt_copy_find_calls(c);
            change_all(c);
            code = 0;
        }
    }
    if (c->list != NULL && fclose(c->list) == 0 && code == 0 && !c->failed) {
        write_copy(c, output, list);
    } else if (code == 0 || c->failed) {
        code = base_refuse(why, why_size, "no memory");
    }
    for (size_t i = 0; c->before != NULL && c->behind != NULL && i < c->t.count;
         i++) {
        free(c->before[i]);
        free(c->behind[i]);
    }
    for (int g = 0; g < c->groups; g++)
        free(c->group[g].others);
    free(c->before);
    free(c->behind);
    free(c->partner);
    free(list);
    base_tokens_free(&c->t);
    free(c);
    return code;
}
