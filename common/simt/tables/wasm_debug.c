/*
 * The debug information of clang's assembly for WebAssembly. An entry begins
 * with its place and its size; a text stands behind all entries, and each that
 * has it names its number:
 *
 *     .int8  3        # Abbrev [3] 0x41:0x18 DW_TAG_variable
 *     .int32 .Linfo_string3   # DW_AT_name
 */
#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a .debug_str has: the text of .Linfo_stringN. */
struct string {
    char *text;
};

struct walk {
    struct simt_debug *entries;
    int *text_of; /* of each entry: the string that is its name; 0: none */
    size_t texts;
    struct string *string;
    size_t strings;
    long at; /* a string whose text comes next; -1: none */
    int in_location;
};

static enum simt_tag tag_of(const char *comment)
{
    const char *const tag = strstr(comment, "DW_TAG_");

    return tag != NULL ? simt_debug_tag(tag + 7) : SIMT_TAG_OTHER;
}

/* "0x41:0x18 DW_TAG_variable" behind "Abbrev [3] ". */
static int begin_entry(struct walk *w, const char *text)
{
    struct simt_debug *const d = w->entries;
    char *end;
    const uint64_t offset = strtoull(text, &end, 16);
    struct simt_die *die = base_list_add(&d->die, &d->count, sizeof *die);
    int *name = base_list_add(&w->text_of, &w->texts, sizeof *name);
    int parent = (int)d->count - 2;

    if (die == NULL || name == NULL)
        return -1;
    *die = (struct simt_die){.offset = offset, .tag = tag_of(end)};
    die->end = offset + strtoull(end + (*end == ':'), NULL, 16);
    while (parent >= 0 && d->die[parent].end <= offset)
        parent = d->die[parent].parent;
    die->parent = parent;
    return 0;
}

/* ".int32 .Linfo_string3": 3; -1: it is none. */
static long number_of_string(const char *text)
{
    const char *const at = strstr(text, ".Linfo_string");

    return at != NULL ? strtol(at + 13, NULL, 10) : -1;
}

static int read_attribute(struct walk *w, const char *text, const char *comment)
{
    struct simt_debug *const d = w->entries;
    struct simt_die *const die = &d->die[d->count - 1];
    const char *const operand = text + strcspn(text, " \t");
    const uint64_t number = *text == '.' ? strtoull(operand, NULL, 0) : 0;

    w->in_location = simt_tables_is_word(comment, "DW_AT_location");
    if (simt_tables_is_word(comment, "DW_AT_name") && w->text_of != NULL)
        w->text_of[d->count - 1] = (int)number_of_string(text) + 1;
    if (simt_tables_is_word(comment, "DW_AT_type"))
        die->type = number;
    if (simt_tables_is_word(comment, "DW_AT_count"))
        die->count = number;
    if (simt_tables_is_word(comment, "DW_AT_byte_size"))
        die->bytes = number;
    if (simt_tables_is_word(comment, "DW_AT_declaration"))
        die->is_declaration = 1;
    if (simt_tables_is_word(comment, "DW_AT_abstract_origin") ||
        simt_tables_is_word(comment, "DW_AT_specification"))
        die->origin = number;
    return 0;
}

/* The symbol of a variable: a name within the expression of its address. */
static int read_location(struct walk *w, const char *text)
{
    struct simt_die *const die = &w->entries->die[w->entries->count - 1];

    if (!simt_tables_is_word(text, ".int32"))
        return 0;
    text += 6;
    text += strspn(text, " \t");
    if (die->symbol != NULL ||
        (!isalpha((unsigned char)*text) && *text != '_') ||
        strncmp(text, "__tls_base", 10) == 0 ||
        strncmp(text, "__stack_pointer", 15) == 0)
        return 0;
    die->symbol = strndup(text, strcspn(text, " \t\n"));
    return die->symbol != NULL ? 0 : -1;
}

static int read_line(struct walk *w, const char *line)
{
    const char *const text = line + strspn(line, " \t");
    const char *const comment = simt_tables_comment(line);

    if (strncmp(text, ".Linfo_string", 13) == 0) {
        w->at = number_of_string(text);
        return 0;
    }
    if (simt_tables_is_word(text, ".asciz") && w->at >= 0) {
        const char *from = text;

        while (w->strings <= (size_t)w->at) {
            if (base_list_add(&w->string, &w->strings, sizeof *w->string) ==
                NULL)
                return -1;
        }
        w->string[w->at].text = simt_tables_unquote(&from);
        w->at = -1;
        return 0;
    }
    if (comment != NULL && strncmp(comment, "Abbrev [", 8) == 0) {
        const char *const end = strstr(comment, "] ");

        w->in_location = 0;
        return end != NULL ? begin_entry(w, end + 2) : 0;
    }
    if (w->entries->count == 0)
        return 0;
    if (comment != NULL && strncmp(comment, "DW_AT_", 6) == 0)
        return read_attribute(w, text, comment);
    return w->in_location ? read_location(w, text) : 0;
}

static void name_entries(struct walk *w)
{
    for (size_t i = 0; w->text_of != NULL && i < w->entries->count; i++) {
        const int text = w->text_of[i];

        if (text > 0 && (size_t)text <= w->strings &&
            w->string[text - 1].text != NULL)
            w->entries->die[i].name = strdup(w->string[text - 1].text);
    }
}

int simt_wasm_read_debug(struct simt_debug *d, FILE *from)
{
    struct walk w = {.entries = d, .at = -1};
    char *line = NULL;
    size_t room = 0;
    int is_debug = 0, status = 0;

    while (status == 0 && getline(&line, &room, from) >= 0) {
        if (simt_tables_is_word(line + strspn(line, " \t"), ".section"))
            is_debug = strstr(line, ".debug_") != NULL;
        status = is_debug ? read_line(&w, line) : 0;
    }
    free(line);
    if (status == 0)
        name_entries(&w);
    return ferror(from) ? -1 : status;
}
