/*
 * Which stores write a constant? The compiler calls the recorder before it
 * stores; what stands between the two may calculate, but store nothing else. A
 * constant for the stack is the compiler's own.
 */
#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void simt_constants_call(struct simt_constants *c)
{
    fprintf(c->to, ".Lsimt_constant%d:\n", ++c->calls);
    c->is_waiting = 1;
    c->constants = 0;
}

void simt_constants_forget(struct simt_constants *c)
{
    c->is_waiting = 0;
}

/* The first operand of an instruction, and what comes behind it. */
static const char *operand_of(const char *instruction)
{
    instruction += strcspn(instruction, " \t");
    return instruction + strspn(instruction, " \t");
}

/* 1 if the last operand of an instruction of x86-64 is a register: then it
   stores nothing. That of "movl $0, %fs:s@tpoff" is none. */
static int ends_in_register(const char *instruction)
{
    const char *last = strrchr(instruction, ',');

    return last != NULL && last[1 + strspn(last + 1, " \t")] == '%' &&
           strchr(last, ':') == NULL;
}

/* The bit of the register of arm64 that an operand begins with: w3 is a half of
   x3, s3 of d3. 0 for zr, which is always 0, and for none. */
static uint64_t bit_of_register(const char *operand)
{
    const int is_float = operand[0] == 's' || operand[0] == 'd';

    if ((operand[0] != 'w' && operand[0] != 'x' && !is_float) ||
        !isdigit((unsigned char)operand[1]))
        return 0;
    return UINT64_C(1) << (strtoul(operand + 1, NULL, 10) % 32 +
                           (is_float ? 32 : 0));
}

/* Keeps in mind which registers of arm64 have constants: "mov w0, 1", "movk w0,
   0x75b, lsl 16", "fmov s0, 1.0e+0". Returns 1 for an instruction that stores
   nothing and jumps nowhere. */
static int calculates_on_arm64(struct simt_constants *c,
                               const char *instruction)
{
    static const char *const others[] = {"st", "b", "cb", "tb", "ca", "sw"};
    static const char *const moves[] = {"mov", "movk", "fmov", NULL};
    const char *comma = strchr(instruction, ',');
    uint64_t bit;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strncmp(instruction, others[i], strlen(others[i])) == 0)
            return 0;
    }
    if (comma == NULL || strchr(instruction, '%') != NULL)
        return 0;
    bit = bit_of_register(operand_of(instruction));
    if (simt_tables_is_one_of(instruction, moves) &&
        strspn(comma + 1 + strspn(comma + 1, " \t"), "-0123456789") > 0) {
        c->constants |= bit;
    } else {
        c->constants &= strncmp(instruction, "ldp", 3) == 0 ? 0 : ~bit;
    }
    return 1;
}

/* 1 for "movl $1, (%rax)" and its like, and for "str wzr, [x0]" or that of
   another register that has a constant. */
static int stores_constant(const struct simt_constants *c,
                           const char *instruction)
{
    static const char *const moves[] = {"movb", "movw", "movl", "movq", NULL};
    static const char *const stores[] = {"str", "strb", "strh", NULL};
    const char *operand = operand_of(instruction);

    if (simt_tables_is_one_of(instruction, moves)) {
        return *operand == '$' && !ends_in_register(operand) &&
               strstr(operand, "(%rsp") == NULL &&
               strstr(operand, "(%rbp") == NULL;
    }
    return simt_tables_is_one_of(instruction, stores) &&
           (strncmp(operand + 1, "zr,", 3) == 0 ||
            (c->constants & bit_of_register(operand)) != 0) &&
           strstr(operand, "[sp") == NULL;
}

int simt_constants_behind(struct simt_constants *c, const char *instruction)
{
    int *added;

    if (!c->is_waiting || ends_in_register(instruction) ||
        calculates_on_arm64(c, instruction))
        return 0;
    c->is_waiting = 0;
    if (!stores_constant(c, instruction))
        return 0;
    added = base_list_add(&c->found, &c->count, sizeof *added);
    if (added == NULL)
        return -1;
    *added = c->calls;
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
