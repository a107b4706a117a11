/*
 * The tables of a program for WebAssembly, from what clang makes of a .cu file:
 * assembly with -O2 -gline-tables-only, and once more with -O0 -g, for its
 * debug information alone. With all of that the first takes ten times as long.
 *
 * WebAssembly has no addresses of code. So each call of a function gets a
 * number, which is stored in simt_site before it; numbers grow along the code,
 * as addresses do. clang tells of a load or a store by a call, as g++ does, and
 * on which line an instruction stands by a directive before it, in whose
 * comment are the calls that it was inlined by:
 *
 *     .loc 5 219 11   # simt_launch.h:219:11 @[ tiling.cu:83:6 ]
 *     call __sanitizer_cov_load4
 */
#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    FUNCTION = 1 << 20, /* from a function's first number to the next one's, by
                           which record.c tells them apart */
    FIRST_SITE = FUNCTION + FUNCTION / 2, /* constants lie below */
    SITE = 16                             /* from one number to the next */
};

struct line {
    char *text;     /* with its line feed */
    int is_dropped; /* it is not copied */
};

/* Operations that stand before the call that names their block. */
struct waiting {
    int code, flops;
};

struct walk {
    FILE *to;
    struct line *line;
    size_t lines;
    size_t recent[4]; /* instructions before the one that is read, the last
                         first; SIZE_MAX: none in this block of code */
    char *file;       /* of the source that the code is on; NULL: unknown */
    int number;       /* and its line */
    char **name;      /* of the files that the table names */
    size_t names;
    int site;     /* the last one that was given out */
    int block;    /* the site that entered the block; 0: none */
    int is_named; /* 1: it is that of the block that is read */
    struct waiting *waiting;
    size_t waiting_count;
    int store;    /* the site of a store that is to come; 0: none */
    int is_debug; /* the lines are debug information */
    struct simt_debug entries;
};

/* --- writing -------------------------------------------------------------- */

static int number_of_file(struct walk *w)
{
    for (size_t i = 0; i < w->names; i++) {
        if (strcmp(w->name[i], w->file) == 0)
            return (int)i;
    }
    char **added = base_list_add(&w->name, &w->names, sizeof *added);

    if (added == NULL)
        return -1;
    *added = strdup(w->file);
    return (int)w->names - 1;
}

static void open_table(FILE *to, const char *section)
{
    fprintf(to, "\t.section %s,\"R\",@\n\t.p2align 2\n", section);
}

/* A new number for what is on this line of the source. The tables are written
   behind the code, into a file of their own. */
static int new_site(struct walk *w, FILE *lines)
{
    const int file = w->file != NULL ? number_of_file(w) : -1;

    w->site += SITE;
    fprintf(lines, "\t.int32 %d\n", w->site - SITE / 2);
    if (file >= 0) {
        fprintf(lines, "\t.int32 .Lsimt_file%d\n", file);
    } else {
        fprintf(lines, "\t.int32 0\n");
    }
    fprintf(lines, "\t.int32 %d\n", file >= 0 ? w->number : 0);
    return w->site;
}

static void put_name(FILE *to, const char *prefix, int number, const char *text)
{
    fprintf(to, "\t.type %s%d,@object\n%s%d:\n", prefix, number, prefix,
            number);
    simt_tables_put_string(to, text);
    fprintf(to, "\t.size %s%d, %zu\n", prefix, number, strlen(text) + 1);
}

/* --- code ----------------------------------------------------------------- */

/* Takes the line of the innermost call that stands in no header. */
static int read_place(struct walk *w, const char *line)
{
    const char *at = simt_tables_comment(line);

    while (at != NULL) {
        const size_t length = strcspn(at, " \n");
        const char *colon = memchr(at, ':', length);
        const char *const next = strstr(at, "@[ ");
        char *file;

        if (colon == NULL)
            return 0;
        file = strndup(at, (size_t)(colon - at));
        if (file == NULL)
            return -1;
        if (!simt_tables_is_header(file) || next == NULL) {
            const int number = (int)strtol(colon + 1, NULL, 10);

            if (number == 0) { /* of no line: as what stands before it */
                free(file);
                return 0;
            }
            free(w->file);
            w->file = file;
            w->number = number;
            return 0;
        }
        free(file);
        at = next + 3;
    }
    return 0;
}

/* What is written down while code is read, for the tables behind it. */
struct tables {
    struct base_memory lines, blocks, constants;
};

/* Remembers an instruction. */
static void remember(struct walk *w, size_t index)
{
    memmove(w->recent + 1, w->recent, sizeof w->recent - sizeof *w->recent);
    w->recent[0] = index;
}

static const char *recent(const struct walk *w, int n)
{
    if (w->recent[n] == SIZE_MAX)
        return "";
    return w->line[w->recent[n]].text +
           strspn(w->line[w->recent[n]].text, " \t");
}

static int is_constant(const char *instruction)
{
    const size_t length = strcspn(instruction, " \t");

    return length > 6 && strncmp(instruction + length - 6, ".const", 6) == 0;
}

/* 1 if the instruction is the address of threadIdx or one of its kin. */
static int is_index(const char *instruction)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim",
                                        "gridDim", NULL};

    if (!simt_tables_is_word(instruction, "i32.const"))
        return 0;
    instruction += 9;
    instruction += strspn(instruction, " \t");
    return simt_tables_is_one_of(instruction, names);
}

/* Drops the last `count` instructions and the one at index. */
static void drop(struct walk *w, int count, size_t index)
{
    for (int i = 0; i < count; i++)
        w->line[w->recent[i]].is_dropped = 1;
    w->line[index].is_dropped = 1;
    for (int i = 0; i < 4; i++)
        w->recent[i] = SIZE_MAX;
}

/* 1 if the call told of an access to threadIdx or its kin, which each thread
   has for itself: it is dropped. */
static int drop_index(struct walk *w, size_t index)
{
    if (is_index(recent(w, 0))) {
        drop(w, 1, index);
        return 1;
    }
    if (simt_tables_is_word(recent(w, 0), "i32.add") &&
        is_constant(recent(w, 1)) && is_index(recent(w, 2))) {
        drop(w, 3, index);
        return 1;
    }
    return 0;
}

/* The floating-point operations of an instruction. */
static int flops_of(const char *text)
{
    static const char *const words[] = {"add", "sub",  "mul",
                                        "div", "sqrt", NULL};

    if (strncmp(text, "f32.", 4) == 0 || strncmp(text, "f64.", 4) == 0)
        return simt_tables_is_one_of(text + 4, words);
    if (simt_tables_is_word(text, "call")) {
        text += 4;
        text += strspn(text, " \t");
        return simt_tables_is_word(text, "fmaf") ||
                       simt_tables_is_word(text, "fma")
                   ? 2
                   : 0;
    }
    return 0;
}

static void put_flops(const struct walk *w, struct tables *tables,
                      struct waiting operations)
{
    fprintf(tables->blocks.file, "\t.int32 %d\n\t.int32 %d\n\t.int32 %d\n",
            w->block, operations.code, operations.flops);
}

/* Gives what waits to the block whose call came last. */
static void settle_waiting(struct walk *w, struct tables *tables)
{
    for (size_t i = 0; i < w->waiting_count && w->block != 0; i++)
        put_flops(w, tables, w->waiting[i]);
    w->waiting_count = 0;
}

/* The call that names a block need not stand first in it. One without a call
   was made by the compiler after these were put in: it belongs to the one
   before. */
static int add_operations(struct walk *w, struct tables *tables, int flops)
{
    const struct waiting operations = {
        new_site(w, tables->lines.file) - SITE / 2, flops};
    struct waiting *added;

    if (w->is_named) {
        put_flops(w, tables, operations);
        return 0;
    }
    added = base_list_add(&w->waiting, &w->waiting_count, sizeof *added);
    if (added == NULL)
        return -1;
    *added = operations;
    return 0;
}

/* Puts a new site and then `call`, a line or "", before an instruction. It
   begins with a line feed: what follows is not found to be a constant. */
static void put_site(struct walk *w, struct tables *tables, size_t index,
                     const char *call)
{
    struct line *const line = &w->line[index];
    char *text;

    new_site(w, tables->lines.file);
    text = base_text("\n\ti32.const 0\n\ti32.const %d\n\ti32.store "
                     "simt_site\n%s%s",
                     w->site, call, line->text);
    if (text == NULL)
        return;
    free(line->text);
    line->text = text;
}

/* What elsewhere is a signal: site/wasm/look.c is asked before. */
static void put_check(struct walk *w, struct tables *tables, size_t index,
                      const char *text)
{
    if (simt_tables_is_word(text, "unreachable")) {
        put_site(w, tables, index, "\tcall simt_unreachable\n");
    } else if ((strncmp(text + 3, ".div_", 5) == 0 ||
                strncmp(text + 3, ".rem_", 5) == 0) &&
               !is_constant(recent(w, 0))) {
        put_site(w, tables, index,
                 *text == 'i' && text[1] == '6' ? "\tcall simt_divisor64\n"
                                                : "\tcall simt_divisor32\n");
    }
}

static void read_call(struct walk *w, struct tables *tables, size_t index,
                      const char *name)
{
    const int is_store = strncmp(name, "__tsan_write", 12) == 0;
    const int is_access = is_store || strncmp(name, "__tsan_read", 11) == 0;
    const int is_trace = simt_tables_is_word(name, "__sanitizer_cov_trace_pc");

    if (is_access && drop_index(w, index))
        return;
    put_site(w, tables, index, "");
    if (is_trace) {
        w->block = w->site;
        w->is_named = 1;
        settle_waiting(w, tables);
    }
    w->store = is_store ? w->site : 0;
}

static int read_instruction(struct walk *w, struct tables *tables, size_t index)
{
    const char *text = w->line[index].text + strspn(w->line[index].text, " \t");
    const int flops = flops_of(text);
    const size_t length = strcspn(text, " \t\n");

    if (flops > 0 && add_operations(w, tables, flops) != 0)
        return -1;
    if (w->store != 0 && memmem(text, length, ".store", 6) != NULL) {
        if (is_constant(recent(w, 0)))
            fprintf(tables->constants.file, "\t.int32 %d\n", w->store);
        w->store = 0;
    }
    if (simt_tables_is_word(text, "call")) {
        text += 4;
        read_call(w, tables, index, text + strspn(text, " \t"));
        if (w->line[index].is_dropped)
            return 0;
    } else if (simt_tables_is_word(text, "end_function")) {
        settle_waiting(w, tables);
        w->block = w->store = 0;
        w->site = w->site / FUNCTION * FUNCTION + FIRST_SITE;
    } else if (length > 8) {
        put_check(w, tables, index, text);
    }
    remember(w, index);
    return 0;
}

/* --- the tables ----------------------------------------------------------- */

/* Is the symbol one of this file? A variable that nobody uses is told, and is
   not there. */
static int is_defined(const struct walk *w, const char *symbol)
{
    const size_t length = strlen(symbol);

    for (size_t i = 0; i < w->lines; i++) {
        if (strncmp(w->line[i].text, symbol, length) == 0 &&
            w->line[i].text[length] == ':')
            return 1;
    }
    return 0;
}

static void put_variables(struct walk *w)
{
    const struct simt_debug *const d = &w->entries;
    int count = 0;

    for (size_t i = 0; i < d->count; i++) {
        const char *name = simt_debug_name(d, &d->die[i]);
        struct simt_shape_entry shape;

        if (d->die[i].tag != SIMT_TAG_VARIABLE || d->die[i].symbol == NULL ||
            name == NULL || !is_defined(w, d->die[i].symbol) ||
            simt_shape_of(d, &d->die[i], &shape) != 0)
            continue;
        open_table(w->to, "simt_names");
        put_name(w->to, ".Lsimt_name", ++count, name);
        open_table(w->to, "simt_symbols");
        fprintf(w->to,
                "\t.int32 %s\n\t.int32 %" PRIu64 "\n\t.int32 .Lsimt_name%d\n",
                d->die[i].symbol, shape.bytes, count);
        fprintf(w->to, "\t.section simt_shapes,\"R\",@\n\t.p2align 3\n");
        fprintf(w->to, "\t.int32 .Lsimt_name%d\n\t.int32 %d\n", count,
                shape.dimensions);
        for (int k = 0; k < SIMT_DIMENSIONS; k++)
            fprintf(w->to, "\t.int32 %d\n", shape.dimension[k]);
        fprintf(w->to, "\t.int32 %d\n\t.int64 %" PRIu64 "\n",
                shape.element_bytes, shape.bytes);
    }
}

static void put_parameters(struct walk *w)
{
    const struct simt_debug *const d = &w->entries;
    int count = 0;

    for (size_t i = 0; i < d->count; i++) {
        const char *const function = simt_debug_name(d, &d->die[i]);
        int number = 0;

        if (!simt_debug_is_plain_function(d, &d->die[i]) || function == NULL)
            continue;
        for (size_t k = i + 1; k < d->count && d->die[k].parent >= (int)i;
             k++) {
            const char *const name = simt_debug_name(d, &d->die[k]);

            if (d->die[k].tag != SIMT_TAG_PARAMETER ||
                d->die[k].parent != (int)i)
                continue;
            if (name != NULL) {
                open_table(w->to, "simt_names");
                put_name(w->to, ".Lsimt_function", ++count, function);
                put_name(w->to, ".Lsimt_parameter", count, name);
                open_table(w->to, "simt_parameters");
                fprintf(w->to,
                        "\t.int32 .Lsimt_function%d\n\t.int32 "
                        ".Lsimt_parameter%d\n\t.int32 %d\n\t.int32 %d\n",
                        count, count, number,
                        simt_pointed_bytes(d, &d->die[k]));
            }
            number++;
        }
    }
}

/* The texts hold the numbers of one table each. */
static int put_table(FILE *to, const char *section, struct base_memory *memory)
{
    char *const text = base_memory_close(memory);

    if (text == NULL)
        return -1;
    open_table(to, section);
    /* The object's form wants each table to be a symbol's. */
    fprintf(to, "\t.type .L%s,@object\n.L%s:\n%s\t.size .L%s, .-.L%s\n",
            section, section, text, section, section);
    free(text);
    return 0;
}

/* Gives the recorder's functions the names that g++ has for them: "load4" is
   "read4". Returns 0, or -1 without memory. */
static int rename_access(struct line *line)
{
    static const char *const names[][2] = {
        {"__sanitizer_cov_load", "__tsan_read"},
        {"__sanitizer_cov_store", "__tsan_write"}};

    for (int i = 0; i < 2; i++) {
        const char *const at = strstr(line->text, names[i][0]);
        char *text;

        if (at == NULL)
            continue;
        text = base_text("%.*s%s%s", (int)(at - line->text), line->text,
                         names[i][1], at + strlen(names[i][0]));
        if (text == NULL)
            return -1;
        free(line->text);
        line->text = text;
    }
    return 0;
}

/* --- the whole ------------------------------------------------------------ */

static int read_lines(struct walk *w, FILE *from)
{
    char *text = NULL;
    size_t room = 0;

    while (getline(&text, &room, from) >= 0) {
        struct line *const line =
            base_list_add(&w->line, &w->lines, sizeof *line);

        if (line == NULL)
            return -1;
        line->text = text;
        text = NULL;
        room = 0;
    }
    free(text);
    return ferror(from) ? -1 : 0;
}

static int read_line(struct walk *w, struct tables *tables, size_t index)
{
    struct line *const line = &w->line[index];
    const char *text;

    if (!w->is_debug && rename_access(line) != 0)
        return -1;
    text = line->text + strspn(line->text, " \t");
    if (simt_tables_is_word(text, ".section"))
        w->is_debug = strstr(text, ".debug_") != NULL;
    if (!w->is_debug && simt_tables_is_word(text, ".loc") &&
        read_place(w, text) != 0)
        return -1;
    if (strncmp(text, ".LBB", 4) == 0 || strncmp(text, "# %bb.", 6) == 0) {
        settle_waiting(w, tables);
        w->is_named = 0;
    }
    if (w->is_debug || *text == '#' || *text == '\n' ||
        simt_tables_is_word(text, ".loc") ||
        simt_tables_is_word(text, ".file")) {
        line->is_dropped = 1;
    } else if (*text != '.' && text[strcspn(text, " \t\n") - 1] != ':') {
        return read_instruction(w, tables, index);
    }
    return 0;
}

int simt_tables_add_wasm(FILE *from, FILE *debug, FILE *to, char *why,
                         size_t size)
{
    struct walk w = {.to = to, .site = FIRST_SITE};
    struct tables tables = {0};
    int status = read_lines(&w, from);

    for (int i = 0; i < 4; i++)
        w.recent[i] = SIZE_MAX;
    if (base_memory_open(&tables.lines) == NULL ||
        base_memory_open(&tables.blocks) == NULL ||
        base_memory_open(&tables.constants) == NULL)
        status = -1;
    for (size_t i = 0; i < w.lines && status == 0; i++)
        status = read_line(&w, &tables, i);
    fputs("\t.functype simt_divisor32 (i32) -> (i32)\n"
          "\t.functype simt_divisor64 (i64) -> (i64)\n"
          "\t.functype simt_unreachable () -> ()\n",
          to);
    for (size_t i = 0; i < w.lines && status == 0; i++) {
        if (!w.line[i].is_dropped)
            fputs(w.line[i].text, to);
    }
    open_table(to, "simt_names");
    for (size_t i = 0; i < w.names; i++)
        put_name(to, ".Lsimt_file", (int)i, w.name[i]);
    if (status != 0 || put_table(to, "simt_lines", &tables.lines) != 0 ||
        put_table(to, "simt_blocks", &tables.blocks) != 0 ||
        put_table(to, "simt_constants", &tables.constants) != 0 ||
        simt_wasm_read_debug(&w.entries, debug) != 0) {
        snprintf(why, size, "%s", strerror(errno ? errno : EIO));
        return -1;
    }
    put_variables(&w);
    put_parameters(&w);
    free(w.waiting);
    return 0;
}
