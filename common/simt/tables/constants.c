/*
 * Which stores write a constant? The compiler calls the recorder before it
 * stores; what stands between the two may calculate, but store nothing else. A
 * constant for the stack is the compiler's own.
 */
#define _GNU_SOURCE
#include "parts.h"

#include <string.h>

void simt_constants_call(struct simt_constants *c)
{
    fprintf(c->to, ".Lsimt_constant%d:\n", ++c->calls);
    c->is_waiting = 1;
}

void simt_constants_forget(struct simt_constants *c)
{
    c->is_waiting = 0;
}

/* 1 if the last operand of an instruction of x86-64 is a register: then it
   stores nothing. That of "movl $0, %fs:s@tpoff" is none. */
static int ends_in_register(const char *instruction)
{
    const char *last = strrchr(instruction, ',');

    return last != NULL && last[1 + strspn(last + 1, " \t")] == '%' &&
           strchr(last, ':') == NULL;
}

/* 1 for "movl $1, (%rax)" and its like, and "str wzr, [x0]". */
static int stores_constant(const char *instruction)
{
    static const char *const moves[] = {"movb", "movw", "movl", "movq", NULL};
    static const char *const stores[] = {"str", "strb", "strh", NULL};
    const char *operand = instruction + strcspn(instruction, " \t");

    operand += strspn(operand, " \t");
    if (simt_tables_is_one_of(instruction, moves)) {
        return *operand == '$' && !ends_in_register(operand) &&
               strstr(operand, "(%rsp") == NULL &&
               strstr(operand, "(%rbp") == NULL;
    }
    return simt_tables_is_one_of(instruction, stores) &&
           strncmp(operand + 1, "zr,", 3) == 0 &&
           strstr(operand, "[sp") == NULL;
}

int simt_constants_behind(struct simt_constants *c, const char *instruction)
{
    int *larger;

    if (!c->is_waiting || ends_in_register(instruction))
        return 0;
    c->is_waiting = 0;
    if (!stores_constant(instruction))
        return 0;
    larger = simt_tables_grow(c->found, c->count, &c->room, sizeof *larger);
    if (larger == NULL)
        return -1;
    c->found = larger;
    c->found[c->count++] = c->calls;
    return 0;
}

void simt_constants_end(struct simt_constants *c, const char *group)
{
    if (c->count > 0)
        simt_tables_open(c->to, "simt_constants", group);
    for (size_t i = 0; i < c->count; i++)
        fprintf(c->to, "\t.long .Lsimt_constant%d - .\n", c->found[i]);
    if (c->count > 0)
        fprintf(c->to, "\t.popsection\n");
    c->count = 0;
    c->is_waiting = 0;
}
