/* Lines to be shown beside one that is told of: see source.h. */
#include "source.h"

#include "source_text.h"
#include "source_trail.h"

#include <stdio.h>

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
            snprintf(text, size,
                     "The %s in line %d is for some threads alone: those that "
                     "meet the condition in line %d do not come to line %d.",
                     word, t->token[way].line, t->token[i].line, line);
        } else if (lab_text_is_loop(t, i)) {
            snprintf(text, size,
                     "The loop in line %d goes round more often for some "
                     "threads than for others, and line %d is in it.",
                     t->token[i].line, line);
        } else {
            snprintf(text, size,
                     "Line %d is for some threads alone: those that meet the "
                     "condition in line %d.",
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
    size_t i = at;
    char word[80];

    while (i < lab_text_end_of_line(t, at) && base_mark(t, i) != '=')
        i++;
    base_token_copy(t, i + 1, word, sizeof word);
    for (size_t j = body;
         body != LAB_NONE && lab_text_is_name(t, i + 1) && j < at; j++) {
        if (base_token_is(t, j, word) && lab_text_is_set(t, j + 1))
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

void lab_source_called(const char *path, int line, const char *array,
                       int before, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const size_t call = lab_text_call_of(
        t, lab_text_function(t, lab_text_begin(t, line)), array,
        before > 0 ? lab_text_begin(t, before) : t->count);

    if (call == LAB_NONE)
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

void lab_source_ints(const char *path, char matrix, struct lab_lines *lines)
{
    const struct base_tokens *t = lab_text_read(path);
    const char word[] = {matrix, '\0'};

    for (size_t i = 0; i < t->count; i++) {
        if (base_token_is(t, i, "int") && base_mark(t, i + 2) == '=' &&
            base_token_is(t, i + 3, word) && base_mark(t, i + 4) == '[')
            lab_lines_add(lines, t->token[i].line);
    }
}
