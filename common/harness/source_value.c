/* Which numbers had the variables of an access: see source_value.h. */
#include "source_number.h"

#include "base/language.h"
#include "source.h"
#include "source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TRIES = 4000, /* passes through loops, of all calls */
    DEEPEST = 4,       /* calls, from the kernel to the access */
    LEVELS = 6,        /* of names that are made of names */
    TOLD = 7           /* names */
};

/* What is sought, and found so far. */
struct search {
    struct lab_walk w;
    struct lab_call inner; /* the function of the access */
    size_t at, end;        /* the expression in hand */
    const char *array;
    int tries, found, unknown;
    struct lab_named result[LAB_NAMED];
    int results, call[DEEPEST], calls;
};

/* What was met in this pass has one value if it has that in all. */
static void merge(struct search *s)
{
    int calls = 0, line[DEEPEST];
    int kept = 0;

    for (const struct lab_call *in = &s->inner; in->from != NULL; in = in->from)
        line[calls++] = s->w.t->token[in->open].line;
    if (s->found++ == 0) {
        memcpy(s->result, s->w.named, sizeof s->result);
        s->results = s->w.count;
        memcpy(s->call, line, sizeof line);
        s->calls = calls;
        return;
    }
    for (int i = 0; i < s->results; i++) {
        for (int j = 0; j < s->w.count; j++) {
            if (s->w.named[j].at == s->result[i].at &&
                s->w.named[j].n == s->result[i].n) {
                s->result[kept++] = s->result[i];
                break;
            }
        }
    }
    s->results = kept;
    if (s->calls > calls)
        s->calls = calls;
    while (s->calls > 0 &&
           memcmp(s->call, line, (size_t)s->calls * sizeof line[0]) != 0)
        s->calls--;
}

/* Is there a condition around the access, or a call that leads to it, that does
   not hold? */
static int is_kept_away(struct search *s)
{
    const struct base_tokens *t = s->w.t;
    size_t at = s->at;

    for (const struct lab_call *in = &s->inner; in != NULL;
         at = in->open, in = in->from) {
        for (size_t i = in->body; i < at; i++) {
            const int around = lab_text_is_around(t, i, at);
            size_t other;
            struct lab_value v;

            if (!base_token_is(t, i, "if"))
                continue;
            other = lab_text_end(t, lab_text_body(t, i)) + 1;
            if (!around && !(base_token_is(t, other, "else") && other < at &&
                             lab_text_end(t, other + 1) >= at))
                continue;
            v = lab_number_read(&s->w, in, i + 2, lab_text_closing(t, i + 1));
            if (v.is == LAB_NUMBER && (v.n != 0) != around)
                return 1;
        }
    }
    return 0;
}

static void try(struct search *s);

/* Goes through the loop of the variable at that token. */
static void go_through(struct search *s, size_t at, const struct lab_call *in)
{
    struct lab_walk *w = &s->w;
    const int mine = w->loops++;
    int way;

    w->loop[mine].at = at;
    w->loop[mine].is_known = 0;
    w->wanted = LAB_NONE;
    way = lab_number_first(w, in);
    w->loop[mine].is_known = way == 0;
    if (way == 0)
        way = lab_number_goes_on(w, in);
    if (way < 0 && w->wanted != LAB_NONE && w->wanted != at &&
        w->loops < LAB_LOOPS) {
        /* That of another loop first. */
        w->loops--;
        go_through(s, w->wanted, w->wanted_in);
        return;
    }
    if (way < 0) {
        w->loop[mine].is_known = 0;
        try(s);
    }
    while (way == 1) {
        try(s);
        w->loops = mine + 1;
        way = s->tries > MOST_TRIES || lab_number_next(w, in) != 0
                  ? -1
                  : lab_number_goes_on(w, in);
        if (way < 0)
            s->tries = MOST_TRIES + 1; /* not all is known */
    }
    w->loops = mine;
}

/* With the values of the loops in hand: does it lead to what was seen? */
static void try(struct search *s)
{
    const struct lab_seen *seen = s->w.seen;
    struct lab_walk *w = &s->w;
    struct lab_value v;
    int fits;

    w->count = 0;
    w->wanted = LAB_NONE;
    if (++s->tries > MOST_TRIES || is_kept_away(s))
        return;
    v = seen->index != NULL ? lab_number_read(w, &s->inner, s->at, s->end)
                            : lab_number_operand(w, &s->inner, s->at);
    if (w->wanted != LAB_NONE && w->loops < LAB_LOOPS) {
        go_through(s, w->wanted, w->wanted_in);
        return;
    }
    s->unknown |= v.is == LAB_NO_VALUE;
    if (seen->index != NULL) {
        fits = v.is == LAB_NUMBER && v.n == seen->value;
    } else {
        fits = v.is == LAB_AN_ELEMENT && v.n * 4 == seen->value &&
               (base_token_is(w->t, v.array, s->array) ||
                strstr(s->array, "dynamic") != NULL);
    }
    if (fits)
        merge(s);
}

/* Tries all ways that lead from the kernel to a function. */
static void try_calls(struct search *s, struct lab_call *in, int depth)
{
    const struct base_tokens *t = s->w.t;
    const size_t name = lab_text_matching(t, in->body - 1, -1) - 1;
    struct lab_call from = {NULL, LAB_NONE, LAB_NONE};
    char word[80];

    if (lab_text_is_in(t, in->body + 1, s->w.seen->launch->name)) {
        s->w.loops = 0;
        try(s);
        return;
    }
    base_token_copy(t, name, word, sizeof word);
    for (size_t i = 0; i < t->count && depth < DEEPEST; i++) {
        if (i == name || !base_token_is(t, i, word))
            continue;
        in->open = lab_text_call_at(t, i);
        from.body = lab_text_function(t, i);
        if (in->open == LAB_NONE || from.body == in->body)
            continue;
        in->from = &from;
        try_calls(s, &from, depth + 1);
        in->from = NULL;
    }
}

/* Tries what begins at that token. If some passes may lead there, and of others
   it is not known, none counts. */
static void try_one(struct search *s, size_t at, size_t end)
{
    const int before = s->found;

    s->at = at;
    s->end = end;
    s->unknown = 0;
    try_calls(s, &s->inner, 0);
    if (s->unknown && s->found > before)
        s->tries = MOST_TRIES + 1;
}

/* Does an operand end at that token, so that a * behind it multiplies? */
static int ends_operand(const struct base_tokens *t, size_t i)
{
    const size_t open =
        base_mark(t, i) == ')' ? lab_text_matching(t, i, -1) : 0;

    if (open > 0) {
        return !base_token_is(t, open - 1, "if") &&
               !lab_text_is_loop(t, open - 1);
    }
    return base_mark(t, i) == ']' ||
           (t->token[i].kind == BASE_WORD && !base_token_is(t, i, "return"));
}

/* All that may be the access in its statement, one after the other. */
static void try_all(struct search *s, size_t from, size_t to)
{
    const struct base_tokens *t = s->w.t;
    char array[80];
    int number = 0;

    s->inner = (struct lab_call){NULL, LAB_NONE, lab_text_function(t, from)};
    if (s->w.seen->index == NULL) {
        for (size_t i = from; i < to; i++) {
            if ((base_mark(t, i) == '*' && !ends_operand(t, i - 1)) ||
                (lab_text_is_name(t, i) && base_mark(t, i + 1) == '['))
                try_one(s, i, to);
        }
        return;
    }
    for (const char *c = s->w.seen->index; *c != '\0' && *c != ','; c++)
        number += *c == '[';
    snprintf(array, sizeof array, "%.*s", (int)strcspn(s->w.seen->index, "["),
             s->w.seen->index);
    for (; (from = lab_text_find(t, from, to, array)) != LAB_NONE; from++) {
        size_t open = from + 1;

        for (int n = 1; n < number && base_mark(t, open) == '['; n++)
            open = lab_text_closing(t, open) + 1;
        if (base_mark(t, open) == '[')
            try_one(s, open + 1, lab_text_closing(t, open));
    }
}

static int by_line(const void *left, const void *right)
{
    const struct lab_named *a = left, *b = right;

    return a->line != b->line ? a->line - b->line
                              : (a->at > b->at) - (a->at < b->at);
}

/* Shows the lines of calls and of variables, and says the values of these: the
   nearest ones first, which were met last. */
static void say(struct search *s, struct lab_lines *lines, char *text,
                size_t size)
{
    struct lab_named told[TOLD] = {{0}};
    int count = 0;

    for (int i = 0; i < s->calls; i++) {
        lab_lines_add(lines, s->call[i]);
        lab_lines_add(lines, lab_source_condition(s->w.seen->file, s->call[i]));
    }
    for (int level = 0; level < LEVELS; level++) {
        for (int i = s->results; i-- > 0;) {
            if (s->result[i].level != level ||
                (s->result[i].n == 0 && !s->w.seen->zeros))
                continue;
            lab_lines_add(lines, s->result[i].line);
            if (count < TOLD)
                told[count++] = s->result[i];
        }
    }
    qsort(told, (size_t)count, sizeof told[0], by_line);
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(text);

        if (used + 80 > size)
            return;
        snprintf(text + used, size - used, _("%s%s is %lld (line %d)"),
                 i == 0           ? ""
                 : i == count - 1 ? _(" and ")
                                  : ", ",
                 told[i].name, told[i].n, told[i].line);
    }
}

int lab_source_numbers(const struct lab_seen *seen, struct lab_lines *lines,
                       char *text, size_t size)
{
    const struct base_tokens *t = lab_text_read(seen->file);
    const size_t from = lab_text_begin(t, seen->line);
    struct search *s = calloc(1, sizeof *s);

    text[0] = '\0';
    if (s == NULL || seen->thread < 0 || from == 0 ||
        lab_text_function(t, from) == LAB_NONE)
        goto done;
    s->w.t = t;
    s->w.seen = seen;
    s->array = seen->array;
    try_all(s, from, lab_text_end_of_line(t, from));
    if (s->found == 0 || s->tries > MOST_TRIES)
        goto done;
    say(s, lines, text, size);
done:
    free(s);
    return text[0] != '\0';
}

int lab_source_most_threads(const char *path, const char *kernel, int *line)
{
    const struct base_tokens *t = lab_text_read(path);
    struct lab_walk w = {.t = t};

    for (size_t i = 0; i + 1 < t->count; i++) {
        const size_t close = lab_text_closing(t, i + 1);
        size_t end = i + 2;

        if (!base_token_is(t, i, "__launch_bounds__") ||
            !lab_text_is_in(t, lab_text_closing(t, close + 2) + 2, kernel))
            continue;
        while (end < close && base_mark(t, end) != ',')
            end = lab_text_closing(t, end) + 1;
        *line = t->token[i].line;
        return (int)lab_number_read(&w, NULL, i + 2, end).n;
    }
    return 0;
}
