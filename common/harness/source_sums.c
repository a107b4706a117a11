/* Where do sums of floats get their values? See source.h. */
#include "source.h"

#include "source_text.h"
#include "source_trail.h"

enum {
    DEEPEST = 2 /* from a sum to what is added to it */
};

/* Is the name at token i declared as a float in its function, or an element of
   floats, and neither a pointer nor an int? */
static int is_float(const struct base_tokens *t, size_t i)
{
    const size_t body = lab_text_function(t, i);
    char word[80];

    if (body == LAB_NONE || !lab_text_is_name(t, i))
        return 0;
    base_token_copy(t, i, word, sizeof word);
    for (size_t j = lab_text_matching(t, body - 1, -1); j <= i; j++) {
        size_t type = j;

        if (!base_token_is(t, j, word))
            continue;
        while (base_mark(t, type - 1) == '*' || base_mark(t, type - 1) == '&' ||
               base_mark(t, type - 1) == '(' ||
               base_token_is(t, type - 1, "__restrict__"))
            type--;
        if (base_token_is(t, type - 1, "float") ||
            base_token_is(t, type - 1, "float4"))
            return type == j || base_mark(t, i + 1) == '[';
    }
    return 0;
}

/* The = of the statement that sets what the name at token i begins, or adds to
   it: of sum[r].x += 1 behind the +. LAB_NONE: none does. */
static size_t set_of(const struct base_tokens *t, size_t i, int *adds)
{
    i = lab_text_behind_index(t, i);
    if (base_mark(t, i) == '.')
        i += 2;
    *adds = base_mark(t, i) == '+' || base_mark(t, i) == '-';
    i += (size_t)*adds;
    return lab_text_is_set(t, i) ? i : LAB_NONE;
}

static void add_sums(const struct base_tokens *t, size_t from, size_t to,
                     int depth, struct lab_lines *lines);

/* The lines that set the float at token i, or, first, those that add to it. */
static void add_sum(const struct base_tokens *t, size_t i, int depth,
                    struct lab_lines *lines)
{
    const size_t body = lab_text_function(t, i);
    char word[80];

    base_token_copy(t, i, word, sizeof word);
    for (int pass = 1; pass >= 0; pass--) {
        for (size_t j = body; j < lab_text_closing(t, body); j++) {
            int adds;
            const size_t set = set_of(t, j, &adds);

            if (set == LAB_NONE || adds != pass || !base_token_is(t, j, word) ||
                set > i)
                continue;
            lab_lines_add(lines, t->token[j].line);
            add_sums(t, set + 1, lab_text_end_of_line(t, set), depth, lines);
        }
    }
}

/* The same of all that stand between the two tokens, behind the first sum no
   elements of arrays. */
static void add_sums(const struct base_tokens *t, size_t from, size_t to,
                     int depth, struct lab_lines *lines)
{
    for (size_t i = from; i < to && depth < DEEPEST; i++) {
        if (is_float(t, i) && (depth == 0 || base_mark(t, i + 1) != '['))
            add_sum(t, i, depth + 1, lines);
    }
}

void lab_source_summed(const char *path, int line, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    size_t i = lab_text_begin(t, line);
    const size_t end = lab_text_end_of_line(t, i);

    while (i < end && !lab_text_is_set(t, i))
        i++;
    add_sums(t, i, end, 0, lines);
}

/* Is a product of two added up between the two tokens, outside of brackets? */
static int has_product(const struct base_tokens *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i = lab_text_closing(t, i) + 1) {
        const char before = base_mark(t, i - 1);

        if (base_token_is(t, i, "fmaf") ||
            (base_mark(t, i) == '*' && i > from &&
             (before == '\0' || before == ']' || before == ')' ||
              before == '+')))
            return 1;
    }
    return 0;
}

int lab_source_product(const char *path, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    size_t found = LAB_NONE;

    for (size_t i = 1; i < t->count; i++) {
        int adds;
        const size_t set = set_of(t, i, &adds);

        if (set == LAB_NONE || !is_float(t, i) ||
            (!adds && t->token[i - 1].kind == BASE_WORD) ||
            !has_product(t, set + 1, lab_text_end_of_line(t, set)))
            continue;
        if (found != LAB_NONE && t->token[found].line != t->token[i].line)
            return 0;
        found = i;
    }
    if (found == LAB_NONE)
        return 0;
    if (lines != NULL)
        lab_trail_values(t, found + 1, lab_text_behind_index(t, found), lines);
    return t->token[found].line;
}
