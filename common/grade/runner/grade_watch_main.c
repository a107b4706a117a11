/*
 * grade_watch <lab.s >watched.s: which accesses has nobody told of?
 *
 * g++ -fsanitize=thread leaves out what it takes for constants, local arrays
 * and structures that are passed by value, and an index or a pointer can lead
 * from each of these anywhere. So each instruction of a lab with an operand in
 * memory is looked at, unless the operand is a constant place in the function's
 * own frame, of the compiler's own constants, or threadIdx and its like. Where
 * a call that told of the access stands before it, with the same address by the
 * same registers, it is well; anywhere else the address is told to grade_watch
 * (runner_watch.S) before it is used.
 *
 * What a register holds is followed within a basic block: a sum of an unknown,
 * an unknown times a scale, a symbol's address, and a number.
 */
#define _GNU_SOURCE
#include "grade/runner/runner.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REGISTERS = 16,
    TOLD = 64,        /* accesses of a block that are remembered */
    NEAR = 16 * 1024, /* bytes: a frame is no larger */
    SMALL = 32        /* nor a constant of the compiler's, or threadIdx */
};

/* base + index * scale + symbol + number; base and index are names of unknowns,
   0: none is there; OF_THREAD is what %fs: stands for. The symbol is known by a
   mark. */
enum {
    OF_THREAD = -1
};
struct value {
    long base, index, scale, number;
    unsigned long symbol;
};

static struct value held[REGISTERS];
static struct {
    struct value at;
    int size;
} told[TOLD];
static int told_count;
static long unknowns;

static const char *const names[REGISTERS] = {
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp",
    "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
enum {
    RAX,
    RBX,
    RCX,
    RDX,
    RSI,
    RDI,
    RBP,
    RSP
};

/* The number of a register of whatever width at text; -1: it is none, or one
   of the vector's. *length is that of its name. */
static int register_at(const char *text, size_t *length)
{
    char name[8];
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");

    *length = n;
    if (n < 2 || n > 4)
        return -1;
    if (text[0] == 'r' && isdigit((unsigned char)text[1])) {
        const long number = strtol(text + 1, NULL, 10);

        return number >= 8 && number <= 15 ? (int)number : -1;
    }
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    for (int i = 0; i < 8; i++) {
        const char *const full = names[i] + 1; /* "ax", "si" */

        if ((n == 3 && strchr("re", name[0]) != NULL &&
             strcmp(name + 1, full) == 0) ||
            (n == 2 && strcmp(name, full) == 0) ||
            (n == 2 && i < 4 && name[0] == full[0] && strchr("lh", name[1])) ||
            (n == 3 && i >= 4 && strncmp(name, full, 2) == 0 && name[2] == 'l'))
            return i;
    }
    return -1;
}

static struct value unknown(void)
{
    return (struct value){.base = ++unknowns};
}

static void forget_all(void)
{
    for (int i = 0; i < REGISTERS; i++)
        held[i] = unknown();
    told_count = 0;
}

static void forget(int reg)
{
    if (reg >= 0)
        held[reg] = unknown();
}

static int is_same(const struct value *a, const struct value *b)
{
    return a->base == b->base && a->index == b->index && a->scale == b->scale &&
           a->symbol == b->symbol;
}

/* --- operands ------------------------------------------------------------- */

struct operand {
    const char *text;
    size_t length;
    int in_memory, segment; /* segment: it begins with %fs: */
    int base, index;        /* registers; -1: none */
    long scale, number;
    unsigned long symbol; /* its mark; 0: it has none */
};

/* Reads "symbol+number", or a number alone, up to end. */
static void read_place(struct operand *o, const char *at, const char *end)
{
    const char *sign;

    if (isdigit((unsigned char)*at) || *at == '-') {
        o->number = strtol(at, NULL, 0);
        return;
    }
    sign = memchr(at, '+', (size_t)(end - at));
    o->number = sign != NULL ? strtol(sign, NULL, 0) : 0;
    for (o->symbol = 1; at < (sign != NULL ? sign : end); at++)
        o->symbol = (o->symbol ^ (unsigned char)*at) * 0x100000001b3UL;
}

static struct operand read_operand(const char *text, size_t length)
{
    struct operand o = {
        .text = text, .length = length, .base = -1, .index = -1, .scale = 1};
    const char *at = text, *end = text + length, *open;
    size_t n;

    if (strncmp(at, "%fs:", 4) == 0) {
        o.segment = 1;
        at += 4;
    } else if (*at == '%' || *at == '$' || *at == '*') {
        if (*at == '$')
            read_place(&o, at + 1, end);
        return o;
    }
    o.in_memory = 1;
    open = memchr(at, '(', (size_t)(end - at));
    if (at != open && at < end)
        read_place(&o, at, open != NULL ? open : end);
    if (open == NULL)
        return o;
    at = open + 1;
    if (*at == '%') {
        o.base = register_at(at + 1, &n);
        if (strncmp(at + 1, "rip", 3) == 0)
            o.base = -1;
        at += 1 + n;
    }
    if (*at == ',' && at[1] == '%') {
        o.index = register_at(at + 2, &n);
        at += 2 + n;
        if (*at == ',')
            o.scale = strtol(at + 1, NULL, 10);
    }
    return o;
}

/* The address of an operand in memory, as far as it is known. */
static struct value address_of(const struct operand *o)
{
    struct value v = {0};

    if (o->base >= 0)
        v = held[o->base];
    if ((o->symbol != 0 && v.symbol != 0) || (o->segment && v.base != 0))
        return unknown();
    if (o->segment)
        v.base = OF_THREAD;
    v.symbol += o->symbol;
    v.number += o->number;
    if (o->index >= 0) {
        const struct value *i = &held[o->index];

        if (v.index != 0 || i->index != 0 || i->symbol != 0)
            return unknown();
        v.index = i->base;
        v.scale = o->scale;
        v.number += i->number * o->scale;
        if (v.base == 0 && o->scale == 1) {
            v.base = v.index;
            v.index = v.scale = 0;
        }
    }
    return v;
}

/* A constant place that no index moves, in the frame or in what the compiler
   made, as a guard at %fs:40. What a lab calls constant is none: another view
   of it may be written to. */
static int is_constant(const struct operand *o)
{
    static const char *const own[] = {".L", "threadIdx", "blockIdx", "blockDim",
                                      "gridDim"};
    const char *const name = o->text + 4 * (o->segment != 0);

    if (o->index >= 0)
        return 0;
    if (o->base >= 0)
        return o->base == RSP && !o->segment && labs(o->number) < NEAR;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const size_t length = strlen(own[i]);

        if (strncmp(name, own[i], length) == 0 &&
            (i == 0 || strchr("+@(", name[length]) != NULL))
            return labs(o->number) < SMALL;
    }
    return o->symbol == 0 && labs(o->number) < NEAR;
}

static int is_told(const struct value *at, int size)
{
    for (int i = 0; i < told_count; i++) {
        const long apart = at->number - told[i].at.number;

        if (is_same(at, &told[i].at) && apart >= 0 &&
            apart + size <= told[i].size)
            return 1;
    }
    return 0;
}

/* --- instructions --------------------------------------------------------- */

struct instruction {
    char name[24];
    struct operand operand[3];
    int operands;
};

static int begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Splits "\tmovl\t%eax, 4(%rsp)". */
static void read_instruction(const char *line, struct instruction *i)
{
    size_t n;

    *i = (struct instruction){.operands = 0};
    line += strspn(line, " \t");
    if (begins(line, "lock"))
        line += 4 + strspn(line + 4, " \t;");
    n = strcspn(line, " \t\n");
    snprintf(i->name, sizeof i->name, "%.*s", (int)n, line);
    line += n;
    while (i->operands < 3) {
        int depth = 0;
        size_t length = 0;

        line += strspn(line, " \t,");
        while (line[length] != '\0' && line[length] != '\n' &&
               line[length] != '#' && (line[length] != ',' || depth > 0)) {
            depth += (line[length] == '(') - (line[length] == ')');
            length++;
        }
        if (length == 0)
            return;
        i->operand[i->operands++] = read_operand(line, length);
        line += length;
    }
}

/* Of x87: fadds, fstpt, fiaddl, fildll, fnstcw. */
static int size_of_x87(const char *name)
{
    const char last = name[strlen(name) - 1];

    if (last == 'l' && name[1] == 'i')
        return strcmp(name + strlen(name) - 2, "ll") == 0 ? 8 : 4;
    switch (last) {
    case 'w':
        return 2;
    case 's':
        return name[1] == 'i' ? 2 : 4;
    case 'l':
    case 'q':
        return 8;
    default:
        return 16;
    }
}

static int size_of(const struct instruction *i)
{
    static const struct {
        const char *begin;
        int size;
    } known[] = {{"movzb", 1},  {"movsb", 1}, {"movzw", 2}, {"movsw", 2},
                 {"movslq", 4}, {"movss", 4}, {"movsd", 8}, {"movd", 4},
                 {"movlp", 8},  {"movhp", 8}, {"movq", 8},  {"movu", 16},
                 {"mova", 16},  {"set", 1}};
    const size_t length = strlen(i->name);
    const char *const end = i->name + length;

    if (i->name[0] == 'f')
        return size_of_x87(i->name);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (begins(i->name, known[k].begin))
            return known[k].size;
    }
    if (length > 2 &&
        (strcmp(end - 2, "ps") == 0 || strcmp(end - 2, "pd") == 0))
        return 16;
    if (length > 2 && strcmp(end - 2, "ss") == 0)
        return 4;
    if (length > 2 && strcmp(end - 2, "sd") == 0)
        return 8;
    switch (end[-1]) {
    case 'b':
        return 1;
    case 'w':
        return 2;
    case 'l':
        return 4;
    case 'q':
        return 8;
    default:
        return 16;
    }
}

/* What only reads although its operand is the last. */
static int only_reads(const char *name)
{
    static const char *const beginnings[] = {
        "cmp", "test", "ucomis", "comis", "push", "mul", "imul", "div", "idiv"};

    if (name[0] == 'f') {
        return !begins(name, "fst") && !begins(name, "fist") &&
               !begins(name, "fnst");
    }
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++) {
        if (begins(name, beginnings[k]))
            return !begins(name, "cmpxchg");
    }
    return begins(name, "bt") && strlen(name) <= 3;
}

static int writes(const struct instruction *i, int n)
{
    return n == i->operands - 1 && !only_reads(i->name);
}

static void tell(const char *address, size_t length, int kind)
{
    printf("\tmovq\t%%rdi, %%fs:grade_watch_rdi@tpoff\n"
           "\tleaq\t%.*s, %%rdi\n"
           "\tmovl\t$%d, %%fs:grade_watch_kind@tpoff\n"
           "\tcall\tgrade_watch\n",
           (int)length, address, kind);
}

/* movsq, stosb and their like, which hold no operand: from rsi, to rdi. */
static void tell_string(const char *name, int repeated)
{
    const int read =
        begins(name, "movs") || begins(name, "lods") || begins(name, "cmps");
    const int write = begins(name, "movs") || begins(name, "stos");
    const char last = name[4];
    const int size = last == 'q' ? 8 : last == 'l' ? 4 : last == 'w' ? 2 : 1;
    const int kind = size | (repeated ? GRADE_WATCH_REPEATED : 0);

    if (read)
        tell("(%rsi)", 6, kind);
    if (write || begins(name, "scas") || begins(name, "cmps"))
        tell("(%rdi)", 6, kind | (write ? GRADE_WATCH_WRITE : 0));
}

static int is_string(const char *name)
{
    return strlen(name) == 5 && strchr("bwlq", name[4]) != NULL &&
           (begins(name, "movs") || begins(name, "stos") ||
            begins(name, "lods") || begins(name, "scas") ||
            begins(name, "cmps"));
}

/* The bytes that a call tells of; 0: it is no such call. */
static int told_by(const char *function, size_t length)
{
    static const char *const forms[] = {"read",           "write",
                                        "unaligned_read", "unaligned_write",
                                        "volatile_read",  "volatile_write"};

    if (length < 8 || !begins(function, "__tsan_"))
        return 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (begins(function + 7, forms[i]))
            return (int)strtol(function + 7 + strlen(forms[i]), NULL, 10);
    }
    return 0;
}

static void follow_call(const struct instruction *i)
{
    static const int changed[] = {RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11};
    const int size = i->operands == 1
                         ? told_by(i->operand[0].text, i->operand[0].length)
                         : 0;

    if (size > 0) {
        if (told_count == TOLD)
            told_count = 0;
        told[told_count].at = held[RDI];
        told[told_count++].size = size;
    }
    for (size_t k = 0; k < sizeof changed / sizeof *changed; k++)
        forget(changed[k]);
}

/* What the instruction makes of the registers. */
static void follow(const struct instruction *i)
{
    const struct operand *const last = &i->operand[i->operands - 1];
    const struct operand *const first = &i->operand[0];
    size_t n;
    int to, from;

    if (begins(i->name, "call")) {
        follow_call(i);
        return;
    }
    if (i->operands < 2 || begins(i->name, "xchg") || begins(i->name, "xadd") ||
        begins(i->name, "cmpxchg") || begins(i->name, "imul") ||
        begins(i->name, "rep")) {
        forget(RAX);
        forget(RCX);
        forget(RDX);
        if (begins(i->name, "rep") || is_string(i->name)) {
            forget(RSI);
            forget(RDI);
        }
        if (begins(i->name, "x") && i->operands == 2 && *first->text == '%')
            forget(register_at(first->text + 1, &n));
    }
    if (i->operands == 0 || *last->text != '%' || last->segment)
        return;
    to = register_at(last->text + 1, &n);
    if (to < 0 || begins(i->name, "cmp") || begins(i->name, "test") ||
        begins(i->name, "push"))
        return;
    from = i->operands == 2 && *first->text == '%' && !first->segment
               ? register_at(first->text + 1, &n)
               : -1;
    if (strcmp(i->name, "movq") == 0 && from >= 0) {
        held[to] = held[from];
    } else if (strcmp(i->name, "leaq") == 0) {
        held[to] = address_of(first);
    } else if (strcmp(i->name, "movq") == 0 && first->segment &&
               first->symbol == 0 && first->number == 0) {
        held[to] = (struct value){.base = OF_THREAD};
    } else if (strcmp(i->name, "addq") == 0 && first->segment &&
               first->symbol == 0 && first->number == 0 && held[to].base == 0) {
        held[to].base = OF_THREAD;
    } else if (strcmp(i->name, "addq") == 0 && first->symbol != 0 &&
               !first->in_memory && held[to].symbol == 0) {
        held[to].symbol = first->symbol;
        held[to].number += first->number;
    } else if (begins(i->name, "mov") && first->symbol != 0 &&
               !first->in_memory) {
        held[to] =
            (struct value){.symbol = first->symbol, .number = first->number};
    } else if ((strcmp(i->name, "addq") == 0 || strcmp(i->name, "subq") == 0) &&
               *first->text == '$' &&
               (isdigit((unsigned char)first->text[1]) ||
                first->text[1] == '-')) {
        const long number = strtol(first->text + 1, NULL, 0);

        held[to].number += i->name[0] == 'a' ? number : -number;
    } else {
        forget(to);
    }
}

static void look_at(const struct instruction *i)
{
    if (begins(i->name, "rep") && i->operands == 1) {
        char name[8];

        snprintf(name, sizeof name, "%.*s", (int)i->operand[0].length,
                 i->operand[0].text);
        tell_string(name, 1);
        return;
    }
    if (is_string(i->name) && i->operands == 0) {
        tell_string(i->name, 0);
        return;
    }
    if (begins(i->name, "lea") || begins(i->name, "nop") ||
        begins(i->name, "prefetch") || begins(i->name, "call") ||
        i->name[0] == 'j')
        return;
    for (int n = 0; n < i->operands; n++) {
        const struct operand *const o = &i->operand[n];
        struct value at;

        if (!o->in_memory || is_constant(o))
            continue;
        at = address_of(o);
        if (is_told(&at, size_of(i)))
            continue;
        tell(o->text + 4 * o->segment, o->length - 4 * (size_t)o->segment,
             size_of(i) | (writes(i, n) ? GRADE_WATCH_WRITE : 0) |
                 (o->segment ? GRADE_WATCH_THREADS : 0));
    }
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;

    forget_all();
    while (getline(&line, &room, stdin) > 0) {
        const char first = line[strspn(line, " \t")];
        struct instruction i;

        if (line[0] != '\t' && line[0] != ' ' && line[0] != '#' &&
            line[0] != '\n') {
            /* Labels that the compiler tells places by are jumped to by nobody;
               those of loops are. */
            if (!begins(line, ".LV") && !begins(line, ".LB") &&
                !begins(line, ".LF"))
                forget_all();
        } else if (line[0] == '\t' && first != '.' && first != '#') {
            read_instruction(line, &i);
            look_at(&i);
            follow(&i);
        }
        fputs(line, stdout);
    }
    free(line);
    return fflush(stdout) == 0 ? 0 : 2;
}
