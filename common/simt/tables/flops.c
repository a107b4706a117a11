/*
 * How instructions are given to blocks. A block of the compiler begins at a
 * label that is jumped to or behind a jump. Its call of the trace function need
 * not be its first instruction, so what stands between the beginning and the
 * call waits for the call. A block without a call was made by the compiler
 * after the calls were put in; it belongs to the block before.
 */
#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* An entry of the table: the operations of neighbouring instructions of one
   line. */
struct simt_flops_entry {
    int block; /* its label's number; 0: not known yet */
    int code;  /* the number of the label before the first instruction */
    int flops;
};

/* Gives what waits to the block whose call came last. */
static void settle(struct simt_flops_walk *w)
{
    for (; w->waiting < w->count; w->waiting++)
        w->entry[w->waiting].block = w->block;
}

void simt_flops_begin_block(struct simt_flops_walk *w)
{
    settle(w);
    w->is_traced = 0;
    w->is_open = 0;
}

/* Behind the call of the trace function, which returns here. */
static void name_block(struct simt_flops_walk *w)
{
    w->block = ++w->blocks;
    settle(w);
    w->is_traced = 1;
    w->is_open = 0;
    fprintf(w->to, ".Lsimt_block%d:\n", w->block);
}

/* Before an instruction with operations. Returns 0, or -1 without memory. */
static int add_flops(struct simt_flops_walk *w, int flops)
{
    struct simt_flops_entry *added;

    if (w->is_open) {
        w->entry[w->count - 1].flops += flops;
        return 0;
    }
    added = base_list_add(&w->entry, &w->count, sizeof *added);
    if (added == NULL)
        return -1;
    *added = (struct simt_flops_entry){0, ++w->codes, flops};
    if (w->is_traced)
        settle(w);
    w->is_open = 1;
    fprintf(w->to, ".Lsimt_code%d:\n", w->codes);
    return 0;
}

int simt_flops_is_trace_call(const char *instruction)
{
    static const char *const calls[] = {"call", "callq", "bl", NULL};

    return simt_tables_is_one_of(instruction, calls) &&
           strstr(instruction, "__sanitizer_cov_trace_pc") != NULL;
}

/* 1 if the instruction may go elsewhere or on. Behind others that end a block,
   as a return, there is a label. */
static int is_jump(const char *instruction)
{
    static const char *const jumps[] = {"b",   "cbz",  "cbnz",
                                        "tbz", "tbnz", NULL};

    return instruction[0] == 'j' || simt_tables_is_one_of(instruction, jumps);
}

/*
 * To convert an unsigned integer of 64 bits x86 halves it, if it is above 2^63,
 * and adds the result to itself, in a block that the compiler makes for it.
 * That is no addition of the source.
 */
static int is_conversion(struct simt_flops_walk *w, const char *instruction)
{
    const int was_converted = w->is_converted;
    const char *first = strchr(instruction, '%');
    const char *second = first ? strchr(first + 1, '%') : NULL;

    w->is_converted = simt_tables_is_word(instruction, "cvtsi2ssq") ||
                      simt_tables_is_word(instruction, "cvtsi2sdq");
    return was_converted && !w->is_traced &&
           strncmp(instruction, "adds", 4) == 0 && second != NULL &&
           strncmp(first, second, strcspn(first, ",")) == 0;
}

int simt_flops_before(struct simt_flops_walk *w, const char *instruction)
{
    const int flops =
        is_conversion(w, instruction) ? 0 : simt_flops_of(instruction);

    return flops > 0 ? add_flops(w, flops) : 0;
}

void simt_flops_behind(struct simt_flops_walk *w, const char *instruction)
{
    if (simt_flops_is_trace_call(instruction)) {
        name_block(w);
    } else if (is_jump(instruction)) {
        simt_flops_begin_block(w);
    }
}

/* Writes the function's entries; struct simt_block_entry is their form. */
void simt_flops_end(struct simt_flops_walk *w, const char *group)
{
    int is_open = 0;

    settle(w);
    for (size_t i = 0; i < w->count; i++) {
        const struct simt_flops_entry *e = &w->entry[i];

        if (e->block == 0)
            continue; /* the function is not recorded */
        if (!is_open)
            simt_tables_open(w->to, "simt_blocks", group);
        is_open = 1;
        fprintf(w->to, "\t.long .Lsimt_block%d - .\n", e->block);
        fprintf(w->to, "\t.long .Lsimt_code%d - .\n", e->code);
        fprintf(w->to, "\t.long %d\n", e->flops);
    }
    if (is_open)
        fprintf(w->to, "\t.popsection\n");
    w->count = w->waiting = 0;
    w->block = w->is_traced = w->is_open = 0;
}
