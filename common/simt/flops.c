/*
 * How instructions are given to blocks. A block of the compiler begins at a
 * label that is jumped to or behind a jump. Its call of the trace function need
 * not be its first instruction, so what stands between the beginning and the
 * call waits for the call. A block without a call was made by the compiler
 * after the calls were put in; it belongs to the block before.
 */
#define _GNU_SOURCE
#include "flops.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An entry of the table: the operations of neighbouring instructions of one
   line. */
struct entry {
    int block; /* its label's number; 0: not known yet */
    int place; /* the number of the label before the first instruction */
    int flops;
};

/* What is known between two lines of the assembly. */
struct walk {
    FILE *to;
    int is_announced;    /* the next name is a function's */
    int is_function;     /* between its name and its end */
    int is_hot;          /* in the section of functions that are not recorded */
    char *group;         /* of the section, for code that several files have */
    int blocks, places;  /* labels given out so far */
    int block;           /* whose call came last in this function; 0: none */
    int is_traced;       /* the call came since the beginning of the block */
    int is_open;         /* the last entry may be added to */
    int is_converted;    /* the last instruction converted 64-bit integers */
    struct entry *entry; /* of this function */
    size_t count, room;
    size_t waiting; /* the first entry whose block is not known */
};

/* --- blocks --------------------------------------------------------------- */

/* Gives what waits to the block whose call came last. */
static void settle(struct walk *w)
{
    for (; w->waiting < w->count; w->waiting++)
        w->entry[w->waiting].block = w->block;
}

/* Behind a label or a jump. */
static void begin_block(struct walk *w)
{
    settle(w);
    w->is_traced = 0;
    w->is_open = 0;
}

/* Behind the call of the trace function, which returns here. */
static void name_block(struct walk *w)
{
    w->block = ++w->blocks;
    settle(w);
    w->is_traced = 1;
    w->is_open = 0;
    fprintf(w->to, ".Lsimt_block%d:\n", w->block);
}

/* Before an instruction with operations. Returns 0, or -1 without memory. */
static int add_flops(struct walk *w, int flops)
{
    if (w->is_open) {
        w->entry[w->count - 1].flops += flops;
        return 0;
    }
    if (w->count == w->room) {
        const size_t room = w->room ? 2 * w->room : 64;
        struct entry *larger = realloc(w->entry, room * sizeof *larger);

        if (larger == NULL)
            return -1;
        w->entry = larger;
        w->room = room;
    }
    w->entry[w->count++] = (struct entry){0, ++w->places, flops};
    if (w->is_traced)
        settle(w);
    w->is_open = 1;
    fprintf(w->to, ".Lsimt_place%d:\n", w->places);
    return 0;
}

/* Where the table goes: into the group of the function, if it is in one, so
   that a linker keeps both or neither. */
static void open_table(const struct walk *w)
{
    if (w->group != NULL) {
        fprintf(w->to,
                "\t.pushsection simt_blocks,\"aG\",@progbits,%s,comdat\n",
                w->group);
    } else {
        fprintf(w->to, "\t.pushsection simt_blocks,\"a\",@progbits\n");
    }
    fprintf(w->to, "\t.p2align 2\n");
}

/* Writes the function's entries; struct entry of blocks.c is their form. */
static void end_function(struct walk *w)
{
    int is_open = 0;

    settle(w);
    for (size_t i = 0; i < w->count; i++) {
        const struct entry *e = &w->entry[i];

        if (e->block == 0)
            continue; /* the function is not recorded */
        if (!is_open)
            open_table(w);
        is_open = 1;
        fprintf(w->to, "\t.long .Lsimt_block%d - .\n", e->block);
        fprintf(w->to, "\t.long .Lsimt_place%d - .\n", e->place);
        fprintf(w->to, "\t.long %d\n", e->flops);
    }
    if (is_open)
        fprintf(w->to, "\t.popsection\n");
    w->count = w->waiting = 0;
    w->block = w->is_traced = w->is_open = 0;
    w->is_function = 0;
}

/* --- lines ---------------------------------------------------------------- */

/* 1 if text begins with this word and not with a longer one. */
static int is_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    return strncmp(text, word, length) == 0 &&
           !isalnum((unsigned char)text[length]) && text[length] != '_';
}

static int is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (is_word(text, *words))
            return 1;
    }
    return 0;
}

/* The text behind the next `count` commas; NULL if there are fewer. */
static const char *behind_commas(const char *text, int count)
{
    for (; count > 0 && text != NULL; count--) {
        text = strchr(text, ',');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* .section NAME,"axG",@progbits,GROUP,comdat. Returns 0, or -1 without
   memory. */
static int read_section(struct walk *w, const char *line)
{
    const char *flags = behind_commas(line, 1);
    const char *group = behind_commas(line, 3);
    const char *name = line + strcspn(line, " \t");

    w->is_hot = strncmp(name + strspn(name, " \t"), ".text.hot", 9) == 0;
    free(w->group);
    w->group = NULL;
    if (flags == NULL || group == NULL || strstr(flags, ",comdat") == NULL)
        return 0;
    w->group = strndup(group, strcspn(group, ","));
    return w->group == NULL ? -1 : 0;
}

static int read_directive(struct walk *w, const char *line)
{
    if (is_word(line, ".loc"))
        w->is_open = 0; /* another line of the source */
    if (is_word(line, ".size") && w->is_function)
        end_function(w);
    if (is_word(line, ".type"))
        w->is_announced = strstr(line, "function") != NULL;
    /* Within a function a section holds a jump table. */
    if (is_word(line, ".section") && !w->is_function)
        return read_section(w, line);
    if (is_word(line, ".text") && !w->is_function)
        return read_section(w, "");
    return 0;
}

static void read_label(struct walk *w, const char *label)
{
    const int is_local = strncmp(label, ".L", 2) == 0;

    if (!w->is_function) {
        w->is_function = w->is_announced && !is_local;
        if (w->is_function)
            w->is_announced = 0;
    } else if (!is_local || isdigit((unsigned char)label[2])) {
        begin_block(w);
    } else {
        w->is_open = 0; /* .LBB7: code of an inlined function, perhaps */
    }
}

static int is_trace_call(const char *instruction)
{
    static const char *const calls[] = {"call", "callq", "bl", NULL};

    return is_one_of(instruction, calls) &&
           strstr(instruction, "__sanitizer_cov_trace_pc") != NULL;
}

/* 1 if the instruction may go elsewhere or on. Behind others that end a block,
   as a return, there is a label. */
static int is_jump(const char *instruction)
{
    static const char *const jumps[] = {"b",   "cbz",  "cbnz",
                                        "tbz", "tbnz", NULL};

    return instruction[0] == 'j' || is_one_of(instruction, jumps);
}

/*
 * To convert an unsigned integer of 64 bits x86 halves it, if it is above 2^63,
 * and adds the result to itself, in a block that the compiler makes for it.
 * That is no addition of the source.
 */
static int is_conversion(struct walk *w, const char *instruction)
{
    const int was_converted = w->is_converted;
    const char *first = strchr(instruction, '%');
    const char *second = first ? strchr(first + 1, '%') : NULL;

    w->is_converted =
        is_word(instruction, "cvtsi2ssq") || is_word(instruction, "cvtsi2sdq");
    return was_converted && !w->is_traced &&
           strncmp(instruction, "adds", 4) == 0 && second != NULL &&
           strncmp(first, second, strcspn(first, ",")) == 0;
}

/* Copies a line and what belongs to it. Returns 0, or -1 without memory. */
static int copy_line(struct walk *w, const char *line)
{
    const char *text = line + strspn(line, " \t");
    const size_t length = strcspn(text, " \t\n");

    if (length > 0 && text[length - 1] == ':') {
        read_label(w, text);
    } else if (*text == '.') {
        if (read_directive(w, text) != 0)
            return -1;
    } else if (w->is_hot && is_trace_call(text)) {
        return 0;
    } else if (w->is_function) {
        const int flops = is_conversion(w, text) ? 0 : simt_flops_of(text);

        if (flops > 0 && add_flops(w, flops) != 0)
            return -1;
        fputs(line, w->to);
        if (is_trace_call(text)) {
            name_block(w);
        } else if (is_jump(text)) {
            begin_block(w);
        }
        return 0;
    }
    fputs(line, w->to);
    return 0;
}

int simt_flops_add_table(FILE *from, FILE *to, char *why, size_t size)
{
    struct walk w = {.to = to};
    char *line = NULL;
    size_t room = 0;
    int status = 0;

    errno = 0;
    while (status == 0 && getline(&line, &room, from) >= 0)
        status = copy_line(&w, line);
    if (status != 0 || !feof(from) || ferror(to)) {
        snprintf(why, size, "%s", strerror(errno ? errno : EIO));
        status = -1;
    } else if (w.is_function) {
        snprintf(why, size, "ends within a function: is it assembly of g++?");
        status = -1;
    }
    free(line);
    free(w.group);
    free(w.entry);
    return status;
}
