/* Changes of names, numbers, operators, expressions, indices and sums. See
   copy.h. */
#define _GNU_SOURCE
#include "copy.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- writing -------------------------------------------------------------- */

void simt_change_put_call(struct simt_copy *c, char **to, const char *format,
                          ...)
{
    char *const rest = *to, *call = NULL;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&call, format, arguments) < 0)
        call = NULL;
    va_end(arguments);
    c->failed |= call == NULL;
    *to = NULL;
    simt_copy_add(c, to, "%s%s", call != NULL ? call : "",
                  rest != NULL ? rest : "");
    free(call);
    free(rest);
}

int simt_change_take(struct simt_copy *c, int count, int kind, size_t i,
                     size_t end)
{
    const struct base_token *t = c->t.token;
    const int first = c->next;
    int left_out;

    if (c->groups < MOST_GROUPS) {
        c->group[c->groups++] =
            (struct simt_group){first, count, kind, i, end, NULL};
    }
    c->next += count;
    /* A loop that goes to 0 does nothing, which is no answer. */
    left_out = kind == SIMT_OPERAND && count >= c->numbers &&
               simt_copy_for_of(c, i) > 0;
    fprintf(c->list, "    {%d, %d, %d, %d, %d, \"", first, count,
            count - left_out, line_of(c, i), kind);
    for (size_t at = t[i].begin; at < t[end].end; at++) {
        const char b = c->t.text[at];

        if (b == '"' || b == '\\')
            fputc('\\', c->list);
        fputc(b == '\n' ? ' ' : b, c->list);
    }
    fprintf(c->list, "\"},\n");
    return first;
}

void simt_change_keep_others(struct simt_copy *c, const char *others)
{
    struct simt_group *g = &c->group[c->groups - 1];

    if (g->others == NULL)
        g->others = strdup(others);
}

static void keep_other(struct simt_copy *c, const char *name)
{
    char text[WORD + 2];

    snprintf(text, sizeof text, ", %s", name);
    simt_change_keep_others(c, text);
}

int simt_change_others(const struct simt_copy *c, size_t i, int depth,
                       char *text, size_t size)
{
    const size_t head = simt_copy_for_of(c, i);
    int count = 0;
    size_t used = 0;

    text[0] = '\0';
    for (int v = c->variables; v-- > 0 && count < MOST_OTHERS;) {
        const struct simt_variable_name *at = &c->variable[v];
        /* Of two of one name the nearest, which comes first. */
        char key[WORD + 4];

        /* A loop that compares its variable with itself does nothing. */
        if (head > 0 && at->place > head && at->place < c->partner[head])
            continue;
        snprintf(key, sizeof key, ", %s,", at->name);
        if (at->from >= i || i >= at->to || at->depth != depth ||
            (depth == 0 && at->type != WHOLE) || is(c, i, at->name) ||
            strstr(text, key) != NULL)
            continue;
        used += (size_t)snprintf(text + used, size - used, ", %s", at->name);
        count++;
        if (used + 2 * WORD > size)
            break;
    }
    return count;
}

/* --- what stays as it is -------------------------------------------------- */

/* 1 for a word behind which ( ) or [ ] hold what the compiler must know. */
int simt_copy_is_constant(const struct simt_copy *c, size_t i)
{
    static const char *const words[] = {
        "sizeof",        "alignas",   "__align__",
        "static_assert", "constexpr", "_Static_assert",
        "asm",           "decltype",  "__launch_bounds__",
        "SIMT_UNROLL",   NULL};

    return is_one_of(c, i, words);
}

/* 1 if a declaration begins at i that the compiler must know: of an array in
   shared memory, or a constant. */
int simt_copy_is_fixed(const struct simt_copy *c, size_t i)
{
    for (; is_word(c, i); i = behind(c, i)) {
        if (is(c, i, "__shared__") || is(c, i, "constexpr") ||
            is(c, i, "enum") || is(c, i, "extern") || is(c, i, "case") ||
            is(c, i, "static_assert") || is(c, i, "using") ||
            is(c, i, "typedef") || is(c, i, "struct") || is(c, i, "template"))
            return 1;
    }
    return 0;
}

/* --- changes -------------------------------------------------------------- */

/* 1 if what ends before i is an operand, so that a mark at i is an operator
   with two sides. */
static int is_behind_operand(const struct simt_copy *c, size_t i)
{
    const size_t last = before(c, i);

    if (mark(c, last) == ']')
        return 1;
    if (mark(c, last) == ')') { /* but a cast */
        const size_t first = behind(c, c->partner[last]);

        return simt_copy_type_of(c, first) == UNKNOWN && !is(c, first, "const");
    }
    return is_word(c, last) && !is(c, last, "return") &&
           simt_copy_type_of(c, last) == UNKNOWN && !is(c, last, "const") &&
           (is_number(c, last) || simt_copy_is_macro(c, last) ||
            simt_copy_find_variable(c, last) != NULL ||
            mark(c, before(c, last)) == '.' ||
            is_pair(c, before(c, last) - 1, '-', '>'));
}

/* Operators of one mark: how many changes choices.h has for it, and the first
   of these by their names. */
static const struct operator_forms {
    char mark;
    int count;
    const char *others;
} operator_forms[] = {{'+', 4, ", -, *"},    {'-', 3, ", +"},
                      {'*', 5, ", /, %, +"}, {'/', 3, ", %, *"},
                      {'%', 3, ", /, *"},    {'<', 2, ", <=, >"},
                      {'>', 2, ", >=, <"}};

/* Operators: another in its place. Returns the last token of it. */
size_t simt_change_operator(struct simt_copy *c, size_t i)
{
    const char m = mark(c, i), next = mark(c, i + 1);
    const struct operator_forms *forms = NULL;
    size_t end = i;
    int count;

    if (m == 0 || strchr("+-*/%<>=!", m) == NULL)
        return i;
    if (next == '=' && strchr("<>=!", m) != NULL) {
        end = i + 1;
        count = 1;
    } else if (next == '=' || m == '=' || m == '!' || next == m ||
               (m == '-' && next == '>') || mark(c, i - 1) == m ||
               is_pair(c, i - 1, '-', '>')) {
        return next == m || (m == '-' && next == '>') ? i + 1 : i;
    } else {
        forms = operator_forms;
        while (forms->mark != m)
            forms++;
        /* A loop of another order may not end. */
        count = strchr("<>", m) != NULL && simt_copy_is_in_head(c, i)
                    ? 1
                    : forms->count;
    }
    if (!is_behind_operand(c, i) || !is_changed(c, i))
        return end;
    if (m == '*' && simt_copy_type_of(c, before(c, i)) != UNKNOWN)
        return end;
    simt_copy_add(c, &c->behind[end], " simt_operator(%d, %d) %.*s",
                  simt_change_take(c, count, SIMT_OPERATION, i, end), count,
                  (int)(end - i + 1), c->t.text + c->t.token[i].begin);
    if (forms != NULL)
        simt_change_keep_others(c, forms->others);
    return end;
}

/* 1 if the operand that ends at `end` is stored to, or its address taken. */
static int is_target(const struct simt_copy *c, size_t begin, size_t end)
{
    const size_t next = behind(c, end), last = before(c, begin);

    if (mark(c, next) == '=' && mark(c, next + 1) != '=')
        return 1;
    if (mark(c, next) != 0 && strchr("+-*/%^|&", mark(c, next)) != NULL &&
        mark(c, next + 1) == '=')
        return 1;
    if (is_pair(c, next, '+', '+') || is_pair(c, next, '-', '-') ||
        is_pair(c, next, '<', '<') || is_pair(c, next, '>', '>'))
        return 1;
    if (mark(c, last) == '&' && mark(c, last - 1) != '&')
        return 1;
    return (mark(c, last) == '+' && mark(c, last - 1) == '+') ||
           (mark(c, last) == '-' && mark(c, last - 1) == '-');
}

/* 1 for the variable of a loop in its condition: i < n. */
static int is_counted(const struct simt_copy *c, size_t i)
{
    size_t last = before(c, i);
    const struct simt_variable_name *v = simt_copy_find_variable(c, i);

    if (v == NULL || mark(c, last) != ';')
        return 0;
    while (last > 0 && mark(c, last) != '(')
        last = before(c, last);
    return is(c, before(c, last), "for") && v->place > last && v->place < i;
}

/* A float, or a float4, as an operand: another of its type in its place. */
static void change_float(struct simt_copy *c, size_t i,
                         const struct simt_variable_name *v)
{
    if (is_target(c, i, i) || !is_changed(c, i))
        return;
    for (int o = c->variables; o-- > 0;) {
        const struct simt_variable_name *other = &c->variable[o];

        if (other->from >= i || i >= other->to || other->depth > 0 ||
            other->type != v->type || strcmp(other->name, v->name) == 0)
            continue;
        simt_copy_add(c, &c->before[i], "simt_pick_value(%d, ",
                      simt_change_take(c, 1, SIMT_OPERAND, i, i));
        simt_copy_add(c, &c->behind[i], ", %s)", other->name);
        keep_other(c, other->name);
    }
}

/* A word as an operand: another in its place. Returns its last token. */
size_t simt_change_operand(struct simt_copy *c, size_t i)
{
    static const char *const places[] = {"threadIdx", "blockIdx", "blockDim",
                                         "gridDim", NULL};
    const struct simt_variable_name *v = simt_copy_find_variable(c, i);
    const size_t last = before(c, i);
    const int is_place = is_one_of(c, i, places);
    char others[2000], variables[2000], dealt[WORD + 4] = "";
    size_t end = i, next = behind(c, i);
    int count, scales;

    /* A member, a called function, a name that is declared. */
    if (mark(c, last) == '.' || is_pair(c, last - 1, '-', '>') ||
        mark(c, next) == '(' || simt_copy_type_of(c, last) != UNKNOWN ||
        is_pair(c, next, ':', ':'))
        return i;
    if (is_place) {
        if (mark(c, next) != '.')
            return i;
        end = behind(c, next);
    } else if (v != NULL && v->depth > 0) {
        /* An array: another of its shape, if it stands before an index. */
        if (!is_changed(c, i) || is_target(c, i, i) ||
            (mark(c, next) != '[' && mark(c, next) != ',' &&
             mark(c, next) != ')'))
            return i;
        for (int o = c->variables; o-- > 0;) {
            const struct simt_variable_name *other = &c->variable[o];

            if (other->from >= i || i >= other->to ||
                other->depth != v->depth || other->type != v->type ||
                strcmp(other->name, v->name) == 0)
                continue;
            simt_copy_add(c, &c->before[i], "simt_pick_%s(%d, ",
                          mark(c, next) == '[' ? "element" : "array",
                          simt_change_take(c, 1, SIMT_OPERAND, i, i));
            simt_copy_add(c, &c->behind[i], ", %s)", other->name);
            keep_other(c, other->name);
        }
        return i;
    } else if (v != NULL && v->type != WHOLE) {
        change_float(c, i, v);
        return i;
    } else if (v == NULL && !is_number(c, i) && !simt_copy_is_macro(c, i)) {
        return i;
    }
    if (is_number(c, i) &&
        strpbrk(c->t.text + c->t.token[i].begin, ".fx") != NULL) {
        const size_t length = c->t.token[i].end - c->t.token[i].begin;

        if (memchr(c->t.text + c->t.token[i].begin, '.', length) != NULL ||
            mark(c, i + 1) == '.' ||
            memchr(c->t.text + c->t.token[i].begin, 'x', length) != NULL)
            return i;
    }
    if (is_target(c, i, end) || !is_changed(c, i) || is_counted(c, i) ||
        (is(c, i, "0") && mark(c, last) == '=' && simt_copy_is_in_head(c, i)))
        return end; /* a loop that begins later may do nothing */
    count = simt_change_others(c, i, 0, others, sizeof others);
    scales = 2 * (count + c->numbers - 1);
    snprintf(variables, sizeof variables, "%s", others);
    if (is_place) {
        for (const char *const *p = places; *p != NULL; p++) {
            for (const char *x = "xy"; *x != '\0'; x++) {
                const size_t used = strlen(others);

                if (is(c, i, *p) && mark(c, end) == 0 &&
                    c->t.text[c->t.token[end].begin] == *x)
                    continue;
                snprintf(others + used, sizeof others - used, ", %s.%c", *p,
                         *x);
                count++;
            }
        }
    }
    count += c->numbers;
    if ((v != NULL || is_place) && is_shown(c, i)) {
        simt_copy_add(c, &c->before[i], "simt_scale(%d, ",
                      simt_change_take(c, scales, SIMT_SCALED, i, end));
        if (v != NULL && simt_copy_for_of(c, v->place) > 0 &&
            i > c->partner[simt_copy_for_of(c, v->place)]) {
            simt_copy_add(
                c, &c->before[i], "simt_deal(%d, %d, ",
                simt_change_take(c, SIMT_SPLIT, SIMT_DEALT_OUT, i, end),
                SIMT_SPLIT);
            snprintf(dealt, sizeof dealt, ", %s)", v->name);
        }
        simt_copy_add(c, &c->before[i], "simt_pick(%d, ",
                      simt_change_take(c, count, SIMT_OPERAND, i, end));
        simt_change_keep_others(c, others);
        simt_copy_add(c, &c->behind[end], "%s)%s%s)", others, dealt, variables);
    } else {
        simt_copy_add(c, &c->before[i], "simt_pick(%d, ",
                      simt_change_take(c, count, SIMT_OPERAND, i, end));
        simt_change_keep_others(c, others);
        simt_copy_add(c, &c->behind[end], "%s)", others);
    }
    return end;
}

/* A component of a float4: another. */
void simt_change_component(struct simt_copy *c, size_t i)
{
    const size_t dot = before(c, i), last = before(c, dot);
    const size_t next = behind(c, i);
    const char at = c->t.text[c->t.token[i].begin];
    size_t begin = last;

    if (!is_changed(c, i) || mark(c, dot) != '.' ||
        c->t.token[i].end - c->t.token[i].begin != 1 ||
        strchr("xyzw", at) == NULL || mark(c, next) == '.' ||
        mark(c, next) == '[')
        return;
    while (mark(c, begin) == ']')
        begin = before(c, c->partner[begin]);
    if (simt_copy_find_variable(c, begin) == NULL ||
        simt_copy_find_variable(c, begin)->type != OTHER ||
        mark(c, before(c, begin)) == '&' || mark(c, before(c, begin)) == '-' ||
        mark(c, before(c, begin)) == ')' || mark(c, before(c, begin)) == '*')
        return;
    simt_copy_add(c, &c->before[dot], "->*simt_component(%d, %d) /*",
                  simt_change_take(c, 3, SIMT_OPERAND, begin, i),
                  (int)(strchr("xyzw", at) - "xyzw"));
    simt_copy_add(c, &c->behind[i], "*/");
}

/* A whole expression between two tokens: with another term or factor. */
void simt_change_expression(struct simt_copy *c, size_t from, size_t to)
{
    const size_t first = behind(c, from), last = before(c, to);
    char others[2000];
    int count;

    if (first >= to || !is_changed(c, first) || !is_shown(c, first) ||
        (first == last && is_number(c, first)))
        return;
    for (size_t i = first; i < to; i = behind(c, i)) {
        const char m = mark(c, i);

        if (m == ',' || m == '{' || m == '"' ||
            c->t.token[i].kind == BASE_STRING ||
            c->t.token[i].kind == BASE_DIRECTIVE || is(c, i, "new"))
            return;
        if ((m == '(' || m == '[') && c->partner[i] > i)
            i = c->partner[i];
    }
    count =
        simt_change_others(c, first, 0, others, sizeof others) + c->numbers - 1;
    simt_copy_add(c, &c->behind[from], " simt_adjust(%d, (",
                  simt_change_take(c, SIMT_ADJUSTED * count, SIMT_ADJUSTMENT,
                                   first, last));
    /* What is written before `to` stands inside of what was written before. */
    simt_copy_add(c, &c->before[to], ")%s)", others);
}

void simt_change_pointer(struct simt_copy *c, size_t from, size_t to)
{
    const size_t first = behind(c, from), last = before(c, to);
    char others[2000];
    int count;

    if (first >= to || !is_changed(c, first) || !is_shown(c, first) ||
        is_number(c, first) || mark(c, first) == '&' || mark(c, first) == '*' ||
        line_of(c, first) != line_of(c, last))
        return;
    for (size_t i = first; i < to; i = behind(c, i)) {
        if (mark(c, i) != 0 && strchr("-.>", mark(c, i)) == NULL)
            return;
    }
    count = simt_change_others(c, first, 1, others, sizeof others);
    simt_copy_add(c, &c->behind[from], " simt_choose(%d, (",
                  simt_change_take(c, count, SIMT_OPERAND, first, last));
    simt_change_keep_others(c, others);
    simt_change_put_call(c, &c->before[to], ")%s)", others);
}

/* The indices of [row][col] that begin at the bracket i, exchanged. */
void simt_change_order(struct simt_copy *c, size_t i)
{
    const size_t end = c->partner[i], next = behind(c, end);
    const struct base_token *t = c->t.token;
    size_t last;
    int change;

    if (mark(c, next) != '[' || !is_changed(c, i))
        return;
    last = c->partner[next];
    if (t[i].line != t[last].line)
        return;
    change = simt_change_take(c, 1, SIMT_ORDER, i, last);
    simt_change_put_call(c, &c->behind[i], "simt_swap(%d, ", change);
    simt_copy_add(c, &c->before[end], ", %.*s)",
                  (int)(t[last].begin - t[next].end), c->t.text + t[next].end);
    simt_change_put_call(c, &c->behind[next], "simt_swap(%d, ", change);
    simt_copy_add(c, &c->before[last], ", %.*s)",
                  (int)(t[end].begin - t[i].end), c->t.text + t[i].end);
}

/* A loop's i++: another step. */
void simt_change_step(struct simt_copy *c, size_t i)
{
    const size_t last = before(c, i), next = behind(c, behind(c, i));
    size_t open = last;

    while (open > 0 && mark(c, open) != '(' && mark(c, open) != ';')
        open = before(c, open);
    if (!is_pair(c, i, '+', '+') || mark(c, next) != ')' || !is_word(c, last) ||
        mark(c, open) != ';' || !is_changed(c, i))
        return;
    simt_copy_add(c, &c->before[i], " += simt_pick(%d, 1) /*",
                  simt_change_take(c, c->numbers, SIMT_OPERAND, last, i + 1));
    simt_copy_add(c, &c->behind[i + 1], "*/");
}

/* A statement that declares nothing and has no barrier: left out. */
void simt_change_statement(struct simt_copy *c, size_t begin)
{
    static const char *const heads[] = {"if", "for", "while", NULL};
    const size_t end = simt_copy_statement_end(c, begin);
    const size_t last = before(c, begin);
    char *rest;

    if (mark(c, last) == ')' && /* and no cast */
        !is_one_of(c, before(c, c->partner[last]), heads))
        return;

    if (!is_changed(c, begin) || mark(c, end) != ';' || !is_word(c, begin) ||
        simt_copy_type_of(c, begin) != UNKNOWN || is(c, begin, "const") ||
        is(c, begin, "for") || is(c, begin, "if") || is(c, begin, "while") ||
        is(c, begin, "do") || is(c, begin, "else") || is(c, begin, "switch") ||
        is(c, begin, "case") || is(c, begin, "default") ||
        is(c, begin, "SIMT_UNROLL") || is(c, begin, "auto") ||
        is(c, begin, "bool") || is(c, begin, "using") ||
        (is_word(c, behind(c, begin)) && !is(c, begin, "return")) ||
        (is(c, begin, "return") && behind(c, begin) != end) ||
        simt_copy_is_call(c, begin) || simt_copy_is_in_head(c, begin))
        return;
    rest = c->before[begin];
    c->before[begin] = NULL;
    simt_copy_add(c, &c->before[begin], "if (simt_made(%d, 1) < 0) ",
                  simt_change_take(c, 1, SIMT_REMOVED, begin, end));
    if (rest != NULL)
        simt_copy_add(c, &c->before[begin], "%s", rest);
    free(rest);
}

/* A statement that adds to a variable, or sets it: the other. */
void simt_change_sum(struct simt_copy *c, size_t begin)
{
    const struct simt_variable_name *v = simt_copy_find_variable(c, begin);
    const struct base_token *t = c->t.token;
    size_t at = behind(c, begin), end;
    int depth = 0, change;

    if (v == NULL || v->type != REAL || v->place == begin ||
        !is_changed(c, begin))
        return;
    for (; mark(c, at) == '['; at = behind(c, c->partner[at]))
        depth++;
    for (end = at; mark(c, end) != ';' && mark(c, end) != ',';
         end = past(c, end)) {
        if (end >= c->t.count || mark(c, end) == '}')
            return;
    }
    if (depth != v->depth)
        return;
    if (is_pair(c, at, '+', '=')) {
        change = simt_change_take(c, 1, SIMT_SUM, at, at + 1);
        simt_copy_add(c, &c->behind[at + 1],
                      " (simt_made(%d, 1) == 0 ? -(%.*s) : 0) + (", change,
                      (int)(t[before(c, at)].end - t[begin].begin),
                      c->t.text + t[begin].begin);
        simt_copy_add(c, &c->before[end], ")");
    } else if (mark(c, at) == '=' && mark(c, at + 1) != '=') {
        change = simt_change_take(c, 1, SIMT_SUM, at, at);
        simt_copy_add(c, &c->behind[at],
                      " (simt_made(%d, 1) == 0 ? (%.*s) : 0) + (", change,
                      (int)(t[before(c, at)].end - t[begin].begin),
                      c->t.text + t[begin].begin);
        simt_copy_add(c, &c->before[end], ")");
    }
}
