/*
 * Inline PTX: asm("mma.sync... {%0, ...}, ...;" : "+f"(c) : "r"(a)) becomes
 * SIMT_PTX_...(c, a, ...), with the operands in the order of the instruction,
 * for those few that simt_ptx.h has; rewrite_ptx_plain.c has what most often
 * stands there.
 */
#define _GNU_SOURCE
#include "rewriter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its ways of being written: ptxas takes .trans on either side of .shared. */
#define LDMATRIX(count, COUNT, operands)                               \
    {"ldmatrix.sync.aligned.m8n8." count ".shared.b16",                \
     "SIMT_PTX_LDMATRIX_" COUNT, operands},                            \
        {"ldmatrix.sync.aligned.m8n8." count ".shared::cta.b16",       \
         "SIMT_PTX_LDMATRIX_" COUNT, operands},                        \
        {"ldmatrix.sync.aligned.m8n8." count ".trans.shared.b16",      \
         "SIMT_PTX_LDMATRIX_" COUNT "_TRANS", operands},               \
        {"ldmatrix.sync.aligned.m8n8." count ".trans.shared::cta.b16", \
         "SIMT_PTX_LDMATRIX_" COUNT "_TRANS", operands},               \
    {                                                                  \
        "ldmatrix.sync.aligned.m8n8." count ".shared.trans.b16",       \
            "SIMT_PTX_LDMATRIX_" COUNT "_TRANS", operands              \
    }

static const struct {
    const char *name, *macro;
    int operands;
} instructions[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
     "SIMT_PTX_MMA_M16N8K8_TF32", 14},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
     "SIMT_PTX_MMA_M16N8K16_BF16", 14},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     "SIMT_PTX_MMA_M16N8K16_F16", 14},
    LDMATRIX("x1", "X1", 2),
    LDMATRIX("x2", "X2", 3),
    LDMATRIX("x4", "X4", 5),
    {"cp.async.ca.shared.global", "SIMT_PTX_CP_ASYNC", 3},
    {"cp.async.cg.shared.global", "SIMT_PTX_CP_ASYNC", 3},
    {"cp.async.commit_group", "SIMT_PTX_CP_ASYNC_COMMIT", 0},
    {"cp.async.wait_group", "SIMT_PTX_CP_ASYNC_WAIT", 1},
};

/* Adds what stands between the quotes of a string, \n and \t as blanks. */
static void add_text(const struct rewriter *r, size_t i, char *text)
{
    size_t length = strlen(text);

    for (size_t at = r->tokens.token[i].begin + 1;
         at + 1 < r->tokens.token[i].end && length + 1 < SIMT_PTX_LONGEST;
         at++) {
        const int is_escape = r->tokens.text[at] == '\\';

        text[length++] = is_escape ? ' ' : r->tokens.text[at];
        at += (size_t)is_escape;
    }
    text[length] = '\0';
}

/* Reads the statement that begins with the word at i. Returns 0, or -1 if it
   has another form. */
static int read_statement(const struct rewriter *r, size_t i,
                          struct simt_ptx *s)
{
    size_t at = simt_skip(r, i + 1);
    int colons = 0;

    while (at != SIMT_NO_TOKEN && r->tokens.token[at].kind == BASE_WORD)
        at = simt_skip(r, at + 1); /* volatile */
    if (simt_mark(r, at) != '(')
        return -1;
    *s = (struct simt_ptx){.end = simt_closing(r, at)};
    if (s->end == SIMT_NO_TOKEN)
        return -1;
    for (at = at + 1; at < s->end; at++) {
        if (simt_mark(r, at) == ':') {
            colons++;
        } else if (r->tokens.token[at].kind == BASE_STRING && colons == 0) {
            add_text(r, at, s->text);
        } else if (simt_mark(r, at) == '(' && colons > 0) {
            if (s->operands == SIMT_PTX_OPERANDS)
                return -1;
            s->outputs += colons == 1;
            s->from[s->operands] = at + 1;
            at = simt_closing(r, at);
            if (at == SIMT_NO_TOKEN)
                return -1;
            s->to[s->operands++] = at;
        }
    }
    return 0;
}

/* The number of the one instruction of the text, -1 if it is unknown or there
   are more. *rest is what stands behind its name. */
static int find_instruction(const char *text, const char **rest)
{
    const char *begin = text + strspn(text, " ");
    const size_t length = strcspn(begin, " ;");
    const char *end = strchr(begin, ';');

    if (end != NULL && end[1 + strspn(end + 1, " ;")] != '\0')
        return -1;
    *rest = begin + length;
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        if (strlen(instructions[i].name) == length &&
            memcmp(instructions[i].name, begin, length) == 0)
            return (int)i;
    }
    return -1;
}

/* Reads the operands of the instruction: numbers of expressions, or, negative
   and less one, places of the text where a number or a register stands. -1 if
   there is anything else, else how many. */
static int read_operands(const struct simt_ptx *s, const char *rest,
                         int operand[SIMT_PTX_OPERANDS])
{
    int count = 0;

    while (*rest != '\0') {
        if (strchr(" ,{}[];", *rest) != NULL) {
            rest++;
            continue;
        }
        if (count == SIMT_PTX_OPERANDS ||
            (*rest != '%' && !isdigit((unsigned char)*rest)))
            return -1;
        if (simt_ptx_register(rest) > 0) {
            operand[count++] = (int)(s->text - rest) - 1;
            rest += simt_ptx_register(rest);
        } else if (*rest == '%') {
            char *end;
            const long number = strtol(rest + 1, &end, 10);

            if (end == rest + 1 || number >= s->operands)
                return -1;
            operand[count++] = (int)number;
            rest = end;
        } else {
            operand[count++] = (int)(s->text - rest) - 1;
            rest += strspn(rest, "0123456789");
        }
    }
    return count;
}

/* Several instructions, or plain ones. */
static int rewrite_plain(struct rewriter *r, size_t i, const struct simt_ptx *s)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    const int known = memory != NULL && simt_write_plain_ptx(s, memory) == 0;

    if (memory != NULL)
        fclose(memory);
    if (known) {
        simt_catch_up(r, i);
        fputs("do { ", r->output);
        for (int j = 0; j < s->operands; j++) {
            fprintf(r->output, "[[maybe_unused]] %s simt_operand_%d = (",
                    j < s->outputs ? "auto &" : "const auto", j);
            simt_copy_on_one_line(r, s->from[j], s->to[j]);
            fputs("); ", r->output);
        }
        fprintf(r->output, "%s} while (0)", text);
        simt_copy_newlines(r, i, s->end + 1);
        r->written = s->end + 1;
    }
    free(text);
    return known;
}

int simt_rewrite_ptx(struct rewriter *r, size_t i)
{
    struct simt_ptx s;
    const char *rest = NULL;
    int operand[SIMT_PTX_OPERANDS] = {0}, found;

    if (read_statement(r, i, &s) != 0)
        return 0;
    found = find_instruction(s.text, &rest);
    if (found < 0 ||
        read_operands(&s, rest, operand) != instructions[found].operands)
        return rewrite_plain(r, i, &s);
    simt_catch_up(r, i);
    fprintf(r->output, "%s(", instructions[found].macro);
    for (int j = 0; j < instructions[found].operands; j++) {
        fputs(j > 0 ? ", " : "", r->output);
        if (operand[j] < 0) {
            const char *at = s.text - (operand[j] + 1);

            if (*at == '%') {
                fprintf(r->output, "SIMT_PTX_%.*s",
                        (int)(simt_ptx_register(at) - strspn(at, "%")),
                        at + strspn(at, "%"));
            } else {
                fprintf(r->output, "%.*s", (int)strspn(at, "0123456789"), at);
            }
        } else {
            putc('(', r->output);
            simt_copy_on_one_line(r, s.from[operand[j]], s.to[operand[j]]);
            putc(')', r->output);
        }
    }
    putc(')', r->output);
    simt_copy_newlines(r, i, s.end + 1);
    r->written = s.end + 1;
    return 1;
}
