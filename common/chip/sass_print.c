/* What does nvcc make of a kernel's loop? Registers, how often each instruction
   stands there, and then all of them, one a line. */
#include "chip/sass.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_NAMES = 64,
    ZERO = 255 /* the register that reads as 0 */
};

/* FFMA, LDS.128, or the opcode's number. */
static void name_of(const struct sass_instruction *i, char name[32])
{
    if (i->name == NULL) {
        snprintf(name, 32, "(0x%03x)", i->opcode);
    } else if (i->width > 4) {
        snprintf(name, 32, "%s.%d", i->name, 8 * i->width);
    } else {
        snprintf(name, 32, "%s", i->name);
    }
}

static int is_in_loop(const struct sass_instruction *i,
                      const struct sass_loop *loop)
{
    return i->address >= loop->first && i->address <= loop->last;
}

/* The most frequent first. */
static void print_counts(const struct sass_kernel *kernel,
                         const struct sass_loop *loop)
{
    struct {
        char name[32];
        int count;
    } seen[MOST_NAMES];
    int names = 0, column = 0;

    for (size_t k = 0; k < kernel->count; k++) {
        char name[32];
        int at = 0;

        if (!is_in_loop(&kernel->instruction[k], loop))
            continue;
        name_of(&kernel->instruction[k], name);
        while (at < names && strcmp(seen[at].name, name) != 0)
            at++;
        if (at == MOST_NAMES)
            continue;
        if (at == names) {
            memcpy(seen[names].name, name, sizeof name);
            seen[names++].count = 0;
        }
        seen[at].count++;
    }
    for (int most = 0; names > 0; names--) {
        most = 0;
        for (int i = 1; i < names; i++)
            most = seen[i].count > seen[most].count ? i : most;
        column += printf("%s%d %s", column == 0 ? "  " : ", ", seen[most].count,
                         seen[most].name);
        memmove(&seen[most], &seen[most + 1],
                (size_t)(names - most - 1) * sizeof seen[0]);
        if (column > 60) {
            putchar('\n');
            column = 0;
        }
    }
    if (column > 0)
        putchar('\n');
}

/* What an instruction reads; a register that it keeps for the next one is
   marked as ptxas does. */
static void print_reads(const struct sass_instruction *i)
{
    int column = 0;

    for (int s = 0; s < SASS_SOURCES; s++) {
        if (i->source[s] == ZERO)
            continue;
        column += printf("%sR%d%s", column ? ", " : "", i->source[s],
                         i->reuse >> s & 1 ? ".reuse" : "");
    }
    printf("%*s", column < 28 ? 28 - column : 1, "");
}

static void print_list(const struct sass_kernel *kernel,
                       const struct sass_loop *loop)
{
    puts("  address  instruction   writes  reads                       stall  "
         "waits for");
    for (size_t k = 0; k < kernel->count; k++) {
        const struct sass_instruction *i = &kernel->instruction[k];
        const int writes = i->opclass != SASS_STORE_GLOBAL &&
                           i->opclass != SASS_STORE_SHARED &&
                           i->opclass != SASS_COPY_ASYNC &&
                           i->opclass != SASS_OTHER &&
                           i->opclass < SASS_WAIT_ASYNC && i->rd != ZERO;
        char name[32], written[8] = "";

        if (!is_in_loop(i, loop))
            continue;
        name_of(i, name);
        if (writes)
            snprintf(written, sizeof written, "R%d", i->rd);
        printf("  %6x   %-12s  %-6s  ", i->address, name, written);
        print_reads(i);
        printf("%5d ", i->stall);
        for (int b = 0; b < SASS_SCOREBOARDS; b++) {
            if (i->wait >> b & 1)
                printf(" %d", b);
        }
        putchar('\n');
    }
}

void sass_print(const struct sass_file *file)
{
    for (size_t k = 0; k < file->kernels; k++) {
        const struct sass_kernel *kernel = &file->kernel[k];
        struct sass_loop loop;

        if (kernel->count == 0)
            continue;
        printf("%s: %d registers a thread, %zu instructions\n", kernel->name,
               kernel->registers, kernel->count);
        if (sass_loop_find(kernel, 1.0, 0.0, &loop) != 0)
            continue;
        printf("Its loop, from %x to %x:\n", loop.first, loop.last);
        print_counts(kernel, &loop);
        print_list(kernel, &loop);
        sass_loop_free(&loop);
    }
}
