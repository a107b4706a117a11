/* Writes the copy of a lab with all its small changes. See alternatives.h. The
   language is not parsed: what a word stands for is seen from the words beside
   it, and what is not understood stays as it is. */
#define _GNU_SOURCE
#include "copy.h"

#include "base/refuse.h"

#include <stdlib.h>
#include <string.h>

static void change_body(struct simt_copy *c, size_t body)
{
    const size_t end = c->partner[body];

    for (size_t i = behind(c, body); i < end; i = behind(c, i)) {
        const size_t last = before(c, i);
        const int begins = mark(c, last) == ';' || mark(c, last) == '{' ||
                           mark(c, last) == '}' || mark(c, last) == ')';

        if (c->t.token[i].kind == BASE_DIRECTIVE)
            continue;
        if (begins && simt_copy_is_fixed(c, i)) {
            i = simt_copy_statement_end(c, i);
            continue;
        }
        if (simt_copy_is_constant(c, i)) {
            const size_t open = behind(c, i);

            if (is(c, i, "SIMT_UNROLL") &&
                simt_copy_is_in_registers(c, behind(c, c->partner[open]))) {
                i = simt_copy_statement_end(c, behind(c, c->partner[open]));
                continue;
            }
            i = mark(c, open) == '(' && c->partner[open] > open
                    ? c->partner[open]
                    : i;
            continue;
        }
        if (begins)
            simt_change_sum(c, i);
        if (mark(c, i) == '[') {
            /* Of a declaration: how large it is. */
            const size_t name = before(c, i);
            const struct simt_variable_name *v = NULL;

            for (int n = 0; n < c->variables; n++) {
                if (c->variable[n].place == name)
                    v = &c->variable[n];
            }
            if (v != NULL) {
                while (mark(c, behind(c, c->partner[i])) == '[')
                    i = behind(c, c->partner[i]);
                i = c->partner[i];
                continue;
            }
            if (mark(c, name) != '_' && name != body &&
                (is_word(c, name) || mark(c, name) == ']'))
                simt_change_expression(c, i, c->partner[i]);
            continue;
        }
        if (mark(c, i) == '=' && mark(c, i + 1) != '=' &&
            mark(c, i - 1) != '=' && mark(c, i - 1) != '<' &&
            mark(c, i - 1) != '>' && mark(c, i - 1) != '!' &&
            is_word(c, last)) {
            const struct simt_variable_name *v = NULL;

            for (int n = 0; n < c->variables; n++) {
                if (c->variable[n].place == last)
                    v = &c->variable[n];
            }
            if (v != NULL && v->type == WHOLE && v->depth == 0) {
                size_t to = i;

                while (mark(c, to) != ';' && mark(c, to) != ',' && to < end) {
                    to = behind(c, mark(c, to) != 0 &&
                                           strchr("([{", mark(c, to)) &&
                                           c->partner[to] > to
                                       ? c->partner[to]
                                       : to);
                }
                simt_change_expression(c, i, to);
            }
            continue;
        }
        if (is(c, i, "return") && mark(c, behind(c, i)) != ';')
            simt_change_expression(c, i, simt_copy_statement_end(c, i));
        if (is_word(c, i)) {
            simt_change_component(c, i);
            i = simt_change_operand(c, i);
        } else if (mark(c, i) != 0) {
            i = simt_change_operator(c, i);
        }
    }
    for (size_t i = behind(c, body); i < end; i = behind(c, i)) {
        if (mark(c, i) == '[' && c->behind[i] != NULL)
            simt_change_order(c, i);
    }
    simt_change_calls(c, body);
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
    fputs("#include \"simt/alternatives/choices.h\"\n", output);
    for (size_t i = 0; i < c->t.count; i++) {
        const struct base_token *t = &c->t.token[i];

        fprintf(output, "%s%.*s%s", c->before[i] != NULL ? c->before[i] : "",
                (int)(t->end - t->begin), c->t.text + t->begin,
                c->behind[i] != NULL ? c->behind[i] : "");
    }
    fprintf(output,
            "\nextern \"C\" const struct {\n"
            "    int first, count, line, kind;\n"
            "    const char *here;\n"
            "} simt_alternatives[] = {\n%s    {0, 0, 0, 0, \"\"}};\n",
            list);
}

int simt_alternatives_write(const char *text, size_t size, FILE *output,
                            char *why, size_t why_size)
{
    struct simt_copy *c = calloc(1, sizeof *c);
    char *list = NULL;
    size_t list_size;
    int code = -1;

    if (c == NULL)
        return base_refuse(why, why_size, "no memory");
    c->next = 1;
    c->list = open_memstream(&list, &list_size);
    if (base_lex(text, size, &c->t, why, why_size) == 0 && c->list != NULL) {
        c->partner = calloc(c->t.count + 1, sizeof *c->partner);
        c->before = calloc(c->t.count + 1, sizeof *c->before);
        c->behind = calloc(c->t.count + 1, sizeof *c->behind);
        if (c->partner != NULL && c->before != NULL && c->behind != NULL) {
            simt_copy_find_partners(c);
            simt_copy_read_names(c);
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
    free(c->before);
    free(c->behind);
    free(c->partner);
    free(list);
    base_tokens_free(&c->t);
    free(c);
    return code;
}
