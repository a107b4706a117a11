/*
 * Inline PTX of one or several plain instructions, such as
 *
 *   asm("{ .reg .u32 t; add.u32 t, %1, %2; shl.b32 %0, t, 1; }" : "=r"(d) ...)
 *
 * which becomes assignments in C++: each operand has a name of its own, and an
 * instruction is one of the macros of simt_ptx_plain.h, told its type. What
 * they do not have (predicates, carries, roundings) is refused, whole.
 */
#define _GNU_SOURCE
#include "rewriter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers that all of a warp read: %%laneid becomes SIMT_PTX_laneid. */
static const char *const registers[] = {
    "laneid",      "warpid",      "smid",        "clock",       "lanemask_eq",
    "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge", "clock64",
    "globaltimer", "tid.x",       "tid.y",       "tid.z",       "ntid.x",
    "ntid.y",      "ntid.z",      "ctaid.x",     "ctaid.y",     "ctaid.z",
    "nctaid.x",    "nctaid.y",    "nctaid.z"};

size_t simt_ptx_register(const char *text)
{
    const size_t marks = strspn(text, "%");
    const size_t length =
        strspn(text + marks, "abcdefghijklmnopqrstuvwxyz_.0123456789");

    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        if (marks > 0 && strlen(registers[i]) == length &&
            memcmp(registers[i], text + marks, length) == 0)
            return marks + length;
    }
    return 0;
}

enum {
    PARTS = 10,    /* of an instruction's name */
    OPERANDS = 8,  /* of an instruction */
    REGISTERS = 16 /* that a statement declares */
};

struct plain {
    FILE *output;
    const struct simt_ptx *statement;
    char declared[REGISTERS][24];
    int count;
};

/* A piece of text, without blanks at its ends. */
struct piece {
    const char *at;
    size_t length;
};

static const struct {
    const char *ptx, *c;
} types[] = {{"b8", "unsigned char"},
             {"u8", "unsigned char"},
             {"s8", "signed char"},
             {"b16", "unsigned short"},
             {"u16", "unsigned short"},
             {"s16", "short"},
             {"b32", "unsigned"},
             {"u32", "unsigned"},
             {"s32", "int"},
             {"b64", "unsigned long long"},
             {"s64", "long long"},
             {"u64", "unsigned long long"},
             {"f32", "float"},
             {"f64", "double"}};

/* Names with the number of their operands, behind the one that is set. */
static const struct {
    const char *name;
    int operands;
} calculations[] = {
    {"mov", 1},    {"add", 2},      {"sub", 2},   {"mul", 2},    {"mul.lo", 2},
    {"mul.hi", 2}, {"mul.wide", 2}, {"mad", 3},   {"mad.lo", 3}, {"fma", 3},
    {"div", 2},    {"rem", 2},      {"min", 2},   {"max", 2},    {"neg", 1},
    {"abs", 1},    {"and", 2},      {"or", 2},    {"xor", 2},    {"not", 1},
    {"shl", 2},    {"shr", 2},      {"popc", 1},  {"clz", 1},    {"brev", 1},
    {"lop3", 4},   {"prmt", 3},     {"shf.l", 3}, {"shf.r", 3},  {"sqrt", 1},
    {"rsqrt", 1},  {"rcp", 1},      {"ex2", 1},   {"lg2", 1},    {"sin", 1},
    {"cos", 1},    {"tanh", 1},     {"bfe", 3}};

/* Which of these a name has does not change what is calculated here. */
static const char ignored[] = " rn approx ftz full wrap ";
static const char caches[] =
    " ca cg cs cv lu nc wb wt global shared shared::cta ";

static struct piece trimmed(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    return (struct piece){at, (size_t)(end - at)};
}

static int is(struct piece p, const char *word)
{
    return strlen(word) == p.length && memcmp(word, p.at, p.length) == 0;
}

static int is_among(struct piece p, const char *words)
{
    char word[24];

    if (p.length + 3 > sizeof word)
        return 0;
    snprintf(word, sizeof word, " %.*s ", (int)p.length, p.at);
    return strstr(words, word) != NULL;
}

static const char *type_of(struct piece p)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (is(p, types[i].ptx))
            return types[i].c;
    }
    return NULL;
}

/* The pieces between marks c, outside of brackets. -1: too many. */
static int split(struct piece p, char c, struct piece *piece, int most)
{
    const char *begin = p.at, *const end = p.at + p.length;
    int count = 0, depth = 0;

    for (const char *at = begin; at <= end; at++) {
        if (at < end && strchr("{[", *at) != NULL)
            depth++;
        if (at < end && strchr("}]", *at) != NULL)
            depth--;
        if (at < end && (*at != c || depth != 0))
            continue;
        if (count == most)
            return -1;
        piece[count++] = trimmed(begin, at);
        begin = at + 1;
    }
    return count;
}

/* Writes an operand: %3, a register that all know or that is declared, or a
   whole number. 0 or -1. */
static int write_operand(struct plain *p, struct piece o)
{
    const size_t marks = strspn(o.at, "%");
    struct piece name = {o.at + marks, o.length - marks};
    char *end;
    long number;

    if (marks > o.length || name.length == 0)
        return -1;
    number = strtol(name.at, &end, 0);
    if (end == name.at + name.length) {
        if (marks > 0 && (number < 0 || number >= p->statement->operands))
            return -1;
        fprintf(p->output, marks > 0 ? "simt_operand_%ld" : "%ld", number);
        return 0;
    }
    for (int i = 0; i < p->count; i++) {
        if (is(name, p->declared[i])) {
            fprintf(p->output, "simt_register_%s", p->declared[i]);
            return 0;
        }
    }
    if (marks == 0 || simt_ptx_register(o.at) != o.length)
        return -1;
    fputs("SIMT_PTX_", p->output);
    for (size_t i = 0; i < name.length; i++)
        putc(name.at[i] == '.' ? '_' : name.at[i], p->output);
    return 0;
}

/* An address, [%1 + 16], as a pointer to the type. */
static int write_address(struct plain *p, struct piece o, const char *type,
                         int is_shared)
{
    struct piece part[2];
    int parts;

    if (o.length < 2 || o.at[0] != '[' || o.at[o.length - 1] != ']')
        return -1;
    parts = split((struct piece){o.at + 1, o.length - 2}, '+', part, 2);
    if (parts < 1)
        return -1;
    fprintf(p->output, "SIMT_PTX_AT(%s, %d, ", type, is_shared);
    if (write_operand(p, part[0]) != 0)
        return -1;
    fputs(", ", p->output);
    if (parts == 1) {
        putc('0', p->output);
    } else if (write_operand(p, part[1]) != 0) {
        return -1;
    }
    putc(')', p->output);
    return 0;
}

/* ld and st: what follows the name, then the address and the registers. */
static int write_access(struct plain *p, const struct piece *part, int parts,
                        const struct piece *operand, int operands)
{
    const int is_load = is(part[0], "ld");
    const char *type = type_of(part[parts - 1]);
    struct piece vector[4], values;
    int is_shared = 0, is_volatile = 0, wide = 1, count;

    for (int i = 1; i < parts - 1; i++) {
        is_shared |= is(part[i], "shared") || is(part[i], "shared::cta");
        is_volatile |= is(part[i], "volatile");
        if (is(part[i], "v2") || is(part[i], "v4")) {
            wide = part[i].at[1] - '0';
        } else if (!is(part[i], "volatile") && !is_among(part[i], caches)) {
            return -1;
        }
    }
    if (type == NULL || operands != 2)
        return -1;
    values = operand[is_load ? 0 : 1];
    if (values.length > 1 && values.at[0] == '{')
        values = trimmed(values.at + 1, values.at + values.length - 1);
    count = split(values, ',', vector, 4);
    if (count != wide)
        return -1;
    fprintf(p->output, "SIMT_PTX_%s%d(%s, %s, ", is_load ? "LD" : "ST", wide,
            type, is_volatile ? "volatile" : "");
    if (write_address(p, operand[is_load ? 1 : 0], type, is_shared) != 0)
        return -1;
    for (int i = 0; i < count; i++) {
        fputs(", ", p->output);
        if (write_operand(p, vector[i]) != 0)
            return -1;
    }
    fputs("); ", p->output);
    return 0;
}

/* cvt.rni.s32.f32: to a type, from one. */
static int write_conversion(struct plain *p, const struct piece *part,
                            int parts, const struct piece *operand,
                            int operands)
{
    const char *to = parts > 2 ? type_of(part[parts - 2]) : NULL;
    const char *from = type_of(part[parts - 1]);
    int nearest = 0;

    for (int i = 1; i < parts - 2; i++) {
        nearest |= is(part[i], "rni");
        if (!is_among(part[i], " rn rni rzi "))
            return -1;
    }
    if (to == NULL || from == NULL || operands != 2)
        return -1;
    fputs("SIMT_PTX_CVT(", p->output);
    if (write_operand(p, operand[0]) != 0)
        return -1;
    fprintf(p->output, ", %s, %s, %d, ", to, from, nearest);
    if (write_operand(p, operand[1]) != 0)
        return -1;
    fputs("); ", p->output);
    return 0;
}

static int write_calculation(struct plain *p, struct piece name,
                             const struct piece *part, int parts,
                             const struct piece *operand, int operands)
{
    const char *type = type_of(part[parts - 1]);
    size_t found = 0, best = 0;
    int words = 1;

    for (size_t i = 0; i < sizeof calculations / sizeof calculations[0]; i++) {
        const size_t length = strlen(calculations[i].name);

        if (length > best && length < name.length && name.at[length] == '.' &&
            memcmp(calculations[i].name, name.at, length) == 0)
            found = i, best = length;
    }
    if (best == 0 || type == NULL ||
        operands != calculations[found].operands + 1)
        return -1;
    words += strchr(calculations[found].name, '.') != NULL;
    for (int i = words; i < parts - 1; i++) {
        if (!is_among(part[i], ignored))
            return -1;
    }
    fputs("SIMT_PTX_SET(", p->output);
    if (write_operand(p, operand[0]) != 0)
        return -1;
    fputs(", simt_ptx::", p->output);
    for (const char *at = calculations[found].name; *at != '\0'; at++)
        putc(*at == '.' ? '_' : *at, p->output);
    fprintf(p->output, "_<%s>(", type);
    for (int i = 1; i < operands; i++) {
        fprintf(p->output, "%ssimt_ptx::as<%s>(", i > 1 ? ", " : "", type);
        if (write_operand(p, operand[i]) != 0)
            return -1;
        putc(')', p->output);
    }
    fputs(")); ", p->output);
    return 0;
}

/* redux.sync.add.s32 d, a, mask. */
static int write_reduction(struct plain *p, const struct piece *part,
                           const struct piece *operand)
{
    fputs("SIMT_PTX_SET(", p->output);
    if (write_operand(p, operand[0]) != 0)
        return -1;
    fprintf(p->output, ", __reduce_%.*s_sync(", (int)part[2].length,
            part[2].at);
    if (write_operand(p, operand[2]) != 0)
        return -1;
    fprintf(p->output, ", (%s)(", type_of(part[3]));
    if (write_operand(p, operand[1]) != 0)
        return -1;
    fputs("))); ", p->output);
    return 0;
}

static int declare(struct plain *p, struct piece what)
{
    struct piece name[REGISTERS];
    const char *begin = what.at + strcspn(what.at, " ");
    const char *const end = what.at + what.length;
    struct piece type;
    int names;

    while (begin < end && strchr(" .", *begin) != NULL)
        begin++;
    type = (struct piece){begin, strcspn(begin, " ")};
    if (type_of(type) == NULL || begin + type.length >= end)
        return -1;
    names = split(trimmed(begin + type.length, end), ',', name, REGISTERS);
    for (int i = 0; i < names; i++) {
        const size_t marks = strspn(name[i].at, "%");
        const size_t length = name[i].length - marks;

        if (p->count == REGISTERS || length + 1 > sizeof p->declared[0] ||
            strspn(name[i].at + marks,
                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                   "0123456789") < length)
            return -1;
        snprintf(p->declared[p->count], sizeof p->declared[0], "%.*s",
                 (int)length, name[i].at + marks);
        fprintf(p->output, "%s simt_register_%s; ", type_of(type),
                p->declared[p->count++]);
    }
    return names > 0 ? 0 : -1;
}

static int write_instruction(struct plain *p, struct piece text)
{
    struct piece name = {text.at, strcspn(text.at, " ;")};
    struct piece part[PARTS], operand[OPERANDS], rest;
    int parts, operands = 0;

    if (is(name, ".reg"))
        return declare(p, text);
    if (name.length > text.length)
        name.length = text.length;
    rest = trimmed(text.at + name.length, text.at + text.length);
    parts = split(name, '.', part, PARTS);
    if (rest.length > 0)
        operands = split(rest, ',', operand, OPERANDS);
    if (parts < 1 || operands < 0)
        return -1;
    if (is(name, "trap"))
        return fputs("__trap(); ", p->output) < 0;
    if (is(name, "bar.sync") && operands == 1)
        return fputs("__syncthreads(); ", p->output) < 0;
    if (is(part[0], "membar") || is(part[0], "fence"))
        return fputs("__threadfence(); ", p->output) < 0;
    if (is(part[0], "ld") || is(part[0], "st"))
        return write_access(p, part, parts, operand, operands);
    if (is(part[0], "redux") && parts == 4 && operands == 3 &&
        is_among(part[2], " add min max and or xor ") &&
        is_among(part[3], " s32 u32 b32 "))
        return write_reduction(p, part, operand);
    if (is(part[0], "cvt"))
        return write_conversion(p, part, parts, operand, operands);
    if (is(name, "cvta.to.shared.u64") && operands == 2) {
        fputs("SIMT_PTX_TO_SHARED(", p->output);
        if (write_operand(p, operand[0]) != 0 || fputs(", ", p->output) < 0 ||
            write_operand(p, operand[1]) != 0)
            return -1;
        return fputs("); ", p->output) < 0;
    }
    if (is(name, "cvta.to.global.u64")) {
        return write_calculation(p, (struct piece){"mov.u64", 7},
                                 (struct piece[]){{"mov", 3}, {"u64", 3}}, 2,
                                 operand, operands);
    }
    return write_calculation(p, name, part, parts, operand, operands);
}

int simt_write_plain_ptx(const struct simt_ptx *statement, FILE *output)
{
    struct plain p = {.output = output, .statement = statement};
    const char *at = statement->text, *end;

    for (; *at != '\0'; at = end + (*end != '\0')) {
        struct piece text;

        at += strspn(at, " {");
        /* A brace that ends the statement's block, and no list of registers. */
        if (*at == '}') {
            end = at;
            continue;
        }
        end = at + strcspn(at, ";");
        text = trimmed(at, end);
        if (text.length == 0)
            continue;
        if (write_instruction(&p, text) != 0)
            return -1;
    }
    return 0;
}
