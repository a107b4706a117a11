/*
 * What of a program can only run on the host? A thread of the device enters a
 * function by its address, which a launch hands over, and goes on from there by
 * calls. So a function that nothing names but calls of others like it, main()
 * among them, is the host's alone. If an address is taken for another reason,
 * as that of a comparison for qsort(), the function is recorded without need.
 */
#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <ctype.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A name in the assembly. */
struct simt_symbol_use {
    char *name;
    struct simt_symbol_use **call; /* what its instructions go to */
    size_t calls;
    int is_function;
    int is_reached; /* by a thread of the device, perhaps */
};

/* What is known between two lines. */
struct reading {
    struct simt_host *to;
    struct simt_symbol_use *in; /* the function; NULL: outside of all */
    int is_passed_over;         /* neither code nor what a thread may find */
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct simt_symbol_use *)a)->name,
                  ((const struct simt_symbol_use *)b)->name);
}

static void free_symbol(struct simt_symbol_use *symbol)
{
    free(symbol->name);
    free(symbol->call);
    free(symbol);
}

/* How long the name at the beginning of text is: "_Z3addPf", "main.part.0". */
static size_t name_length(const char *text)
{
    size_t length = 0;

    while (isalnum((unsigned char)text[length]) || text[length] == '_' ||
           text[length] == '.' || text[length] == '$')
        length++;
    return length;
}

/* The symbol with that name, new if need be. NULL: without memory. */
static struct simt_symbol_use *symbol_at(struct simt_host *host,
                                         const char *text)
{
    struct simt_symbol_use *const made = calloc(1, sizeof *made);
    struct simt_symbol_use **found, **added;

    if (made == NULL)
        return NULL;
    made->name = strndup(text, name_length(text));
    found = made->name ? tsearch(made, &host->by_name, compare_names) : NULL;
    if (found != NULL && *found != made) {
        free_symbol(made);
        return *found;
    }
    added = found ? base_list_add(&host->symbol, &host->count,
                                  sizeof(struct simt_symbol_use *))
                  : NULL;
    if (added == NULL) {
        if (found != NULL)
            tdelete(made, &host->by_name, compare_names);
        free_symbol(made);
        return NULL;
    }
    *added = made;
    return made;
}

static int add_call(struct simt_symbol_use *from, struct simt_symbol_use *to)
{
    struct simt_symbol_use **const added = base_list_add(
        &from->call, &from->calls, sizeof(struct simt_symbol_use *));

    if (added == NULL)
        return -1;
    *added = to;
    return 0;
}

/* The names behind the first word. A call or a jump in a function leads from
   there; all else gives the name away. Returns 0, or -1 without memory. */
static int read_names(const struct reading *r, const char *text)
{
    static const char *const going[] = {"call", "callq", "bl", "b", NULL};
    const int is_call =
        r->in != NULL && (text[0] == 'j' || simt_tables_is_one_of(text, going));
    const char *at = text + strcspn(text, " \t\n");
    const char *end = at + strcspn(at, "#\n");

    for (size_t length; at<end; at += length> 0 ? length : 1) {
        struct simt_symbol_use *named;

        at += *at == '$'; /* an immediate operand */
        length = name_length(at);
        if ((!isalpha((unsigned char)*at) && *at != '_') || at[-1] == '%' ||
            at[-1] == '@')
            continue; /* a number, .L3, %rdi, @PLT */
        named = symbol_at(r->to, at);
        if (named == NULL || (is_call && add_call(r->in, named) != 0))
            return -1;
        named->is_reached |= !is_call;
    }
    return 0;
}

/* "_ZN1AC1Ev,_ZN1AC2Ev": two names of one function. */
static int read_alias(const struct reading *r, const char *text)
{
    const char *other = text + name_length(text);
    struct simt_symbol_use *one, *two;

    if (strncmp(text, ".L", 2) == 0 || *other != ',' ||
        strncmp(++other, ".L", 2) == 0)
        return 0;
    one = symbol_at(r->to, text);
    two = symbol_at(r->to, other);
    return one == NULL || two == NULL || add_call(one, two) != 0
               ? -1
               : add_call(two, one);
}

/* 1 if a section tells of code, or of what is called before main(). */
static int passes_over(const char *section)
{
    section += strspn(section, " \t");
    return strncmp(section, ".debug_", 7) == 0 ||
           strncmp(section, ".init_array", 11) == 0;
}

static int read_directive(struct reading *r, const char *text)
{
    static const char *const plain[] = {".text", ".data", ".bss", NULL};
    static const char *const naming[] = {".quad",  ".long",  ".xword", ".word",
                                         ".8byte", ".4byte", NULL};

    if (simt_tables_is_word(text, ".section")) {
        r->is_passed_over = passes_over(text + 8);
    } else if (simt_tables_is_one_of(text, plain)) {
        r->is_passed_over = 0;
    } else if (simt_tables_is_word(text, ".size")) {
        r->in = NULL;
    } else if (simt_tables_is_word(text, ".type") && strstr(text, "function")) {
        struct simt_symbol_use *function =
            symbol_at(r->to, text + 5 + strspn(text + 5, " \t"));

        if (function == NULL)
            return -1;
        function->is_function = 1;
    } else if (simt_tables_is_word(text, ".set")) {
        return read_alias(r, text + 4 + strspn(text + 4, " \t"));
    } else if (!r->is_passed_over && simt_tables_is_one_of(text, naming)) {
        return read_names(r, text);
    }
    return 0;
}

static int read_line(struct reading *r, const char *line)
{
    const char *text = line + strspn(line, " \t");
    const size_t length = name_length(text);
    struct simt_symbol_use *symbol;

    if (*text == '.' && text[length] != ':')
        return read_directive(r, text);
    if (length == 0 || r->is_passed_over || *text == '.')
        return 0;
    if (text[length] != ':')
        return read_names(r, text);
    symbol = symbol_at(r->to, text);
    if (symbol == NULL)
        return -1;
    if (symbol->is_function && r->in == NULL)
        r->in = symbol;
    return 0;
}

/* What is reached reaches what it calls. Each symbol waits once at most. */
static int reach_all(struct simt_host *host)
{
    struct simt_symbol_use **waiting =
        calloc(host->count + 1, sizeof(struct simt_symbol_use *));
    size_t count = 0;

    if (waiting == NULL)
        return -1;
    for (size_t i = 0; i < host->count; i++) {
        if (host->symbol[i]->is_reached)
            waiting[count++] = host->symbol[i];
    }
    while (count > 0) {
        const struct simt_symbol_use *from = waiting[--count];

        for (size_t i = 0; i < from->calls; i++) {
            if (!from->call[i]->is_reached) {
                from->call[i]->is_reached = 1;
                waiting[count++] = from->call[i];
            }
        }
    }
    free(waiting);
    return 0;
}

int simt_host_read(struct simt_host *host, FILE *from)
{
    struct reading r = {.to = host};
    char *line = NULL;
    size_t room = 0;
    int status = 0;

    while (status == 0 && getline(&line, &room, from) >= 0)
        status = read_line(&r, line);
    free(line);
    if (status != 0 || ferror(from) || reach_all(host) != 0)
        return -1;
    return fseek(from, 0, SEEK_SET);
}

int simt_host_alone(const struct simt_host *host, const char *label)
{
    struct simt_symbol_use sought = {.name =
                                         strndup(label, name_length(label))};
    struct simt_symbol_use *const *found =
        sought.name ? tfind(&sought, &host->by_name, compare_names) : NULL;
    const int is_host = found != NULL && !(*found)->is_reached;

    free(sought.name);
    return is_host;
}

void simt_host_release(struct simt_host *host)
{
    for (size_t i = 0; i < host->count; i++) {
        tdelete(host->symbol[i], &host->by_name, compare_names);
        free_symbol(host->symbol[i]);
    }
    free(host->symbol);
}
