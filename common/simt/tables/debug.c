/*
 * The debug information of one compilation unit, in the form in which g++ -dA
 * writes it: a line for each attribute, with its name as a comment.
 *
 *     .uleb128 0x3c        # (DIE (0x2d67) DW_TAG_variable)
 *     .ascii "As\0"        # DW_AT_name
 *                          # DW_AT_decl_column (0x16)
 *     .long   0x3033       # DW_AT_type
 *     .byte   0            # end of children of DIE 0x2cdf
 *
 * DWARF 5 says what they mean. Whatever the text is, the answers are about
 * entries that exist, and no walk from one to another is endless.
 */
#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_CHAIN = 100 /* entries that refer to each other */
};

/* --- numbers -------------------------------------------------------------- */

/* The number that an attribute has: the operand of a directive, or, where all
   entries of a kind have the same, in the comment behind the name. */
static uint64_t number_of_attribute(const char *line, const char *attribute)
{
    const char *at = line + strspn(line, " \t");

    if (*at == '.') {
        at += strcspn(at, " \t");
    } else {
        at = attribute + strcspn(attribute, "(");
        at += *at == '(';
    }
    return strtoull(at, NULL, 0);
}

/* n + 1 of the label .LBBn or .LLRLn that begins with `prefix`, which is the
   operand of a line; 0: there is none. */
static unsigned long label_of(const char *line, const char *prefix)
{
    const char *at = strstr(line, prefix);

    return at ? strtoul(at + strlen(prefix), NULL, 10) + 1 : 0;
}

static int add_range(struct simt_ranges *r, unsigned long number,
                     unsigned long owner)
{
    struct simt_range *const added =
        base_list_add(&r->range, &r->count, sizeof *added);

    if (added == NULL)
        return -1;
    *added = (struct simt_range){number, owner};
    return 0;
}

static int compare_entries(const void *left, const void *right)
{
    const struct simt_range *a = left, *b = right;

    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->owner > b->owner) - (a->owner < b->owner);
}

static void sort(struct simt_ranges *r)
{
    if (r->count > 0)
        qsort(r->range, r->count, sizeof *r->range, compare_entries);
}

/* The last owner of what has that number: of calls that share a list of ranges
   it is the innermost. NULL: nobody. */
static const struct simt_range *find_range(const struct simt_ranges *r,
                                           unsigned long number)
{
    size_t first = 0, behind = r->count;

    while (first < behind) { /* the first whose number is larger */
        const size_t middle = first + (behind - first) / 2;

        if (r->range[middle].number <= number) {
            first = middle + 1;
        } else {
            behind = middle;
        }
    }
    return first > 0 && r->range[first - 1].number == number
               ? &r->range[first - 1]
               : NULL;
}

/* --- entries -------------------------------------------------------------- */

enum simt_tag simt_debug_tag(const char *name)
{
    static const struct {
        const char *name;
        enum simt_tag tag;
    } tags[] = {{"array_type", SIMT_TAG_ARRAY},
                {"subrange_type", SIMT_TAG_SUBRANGE},
                {"pointer_type", SIMT_TAG_POINTER},
                {"const_type", SIMT_TAG_QUALIFIER},
                {"volatile_type", SIMT_TAG_QUALIFIER},
                {"restrict_type", SIMT_TAG_QUALIFIER},
                {"atomic_type", SIMT_TAG_QUALIFIER},
                {"typedef", SIMT_TAG_QUALIFIER},
                {"compile_unit", SIMT_TAG_NAMESPACE},
                {"namespace", SIMT_TAG_NAMESPACE},
                {"variable", SIMT_TAG_VARIABLE},
                {"formal_parameter", SIMT_TAG_PARAMETER},
                {"subprogram", SIMT_TAG_FUNCTION},
                {"inlined_subroutine", SIMT_TAG_INLINED}};

    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (simt_tables_is_word(name, tags[i].name))
            return tags[i].tag;
    }
    return SIMT_TAG_OTHER;
}

/* "0x2d67) DW_TAG_variable)" behind "(DIE (". Offsets grow. */
static int begin_entry(struct simt_debug *d, const char *text)
{
    const char *tag = strstr(text, "DW_TAG_");
    const uint64_t offset = strtoull(text, NULL, 0);
    struct simt_die *added;
    int *open;

    d->in_location = 0;
    if (tag == NULL || d->count == INT32_MAX ||
        (d->count > 0 && offset <= d->die[d->count - 1].offset)) {
        d->is_broken = 1;
        return 0;
    }
    open = base_list_add(&d->open, &d->open_count, sizeof *open);
    if (open == NULL)
        return -1;
    *open = (int)d->count;
    added = base_list_add(&d->die, &d->count, sizeof *added);
    if (added == NULL)
        return -1;
    *added = (struct simt_die){
        .offset = offset, .parent = -1, .tag = simt_debug_tag(tag + 7)};
    return 0;
}

/* What was begun since the entry at that offset and is in no other are its
   children. */
static void end_children(struct simt_debug *d, uint64_t offset)
{
    size_t first = 0, behind = d->open_count;

    while (first < behind) { /* the first that is not below offset */
        const size_t middle = first + (behind - first) / 2;

        if (d->die[d->open[middle]].offset < offset) {
            first = middle + 1;
        } else {
            behind = middle;
        }
    }
    if (first == d->open_count || d->die[d->open[first]].offset != offset) {
        d->is_broken = 1;
        return;
    }
    while (d->open_count > first + 1)
        d->die[d->open[--d->open_count]].parent = d->open[first];
}

/* "As\0" is in the line itself, or, where it stands in a section of names, in
   the comment: DW_AT_name: "As". Returns 0, or -1 without memory. */
static int read_text_attribute(const char *line, const char *attribute,
                               char **to)
{
    const char *quote = strchr(attribute, '"');
    const char *end = quote ? strrchr(quote, '"') : NULL;

    if (*to != NULL)
        return 0;
    if (end != NULL && end > quote) {
        *to = strndup(quote + 1, (size_t)(end - quote - 1));
        return *to == NULL ? -1 : 0;
    }
    *to = simt_tables_unquote(&line);
    return *to == NULL && errno == ENOMEM ? -1 : 0;
}

/* Returns 0, or -1 without memory. */
static int read_attribute(struct simt_debug *d, const char *line,
                          const char *attribute)
{
    struct simt_die *die = &d->die[d->count - 1];
    const char *name = attribute + 6; /* behind DW_AT_ */
    const unsigned long entry = d->count - 1;
    unsigned long n;

    d->in_location = 0;
    if (simt_tables_is_word(name, "name")) {
        return die->tag >= SIMT_TAG_VARIABLE
                   ? read_text_attribute(line, attribute, &die->name)
                   : 0;
    }
    if (simt_tables_is_word(name, "comp_dir"))
        return read_text_attribute(line, attribute, &d->folder);
    if (simt_tables_is_word(name, "type")) {
        die->type = number_of_attribute(line, attribute);
    } else if (simt_tables_is_word(name, "abstract_origin") ||
               simt_tables_is_word(name, "specification")) {
        die->origin = number_of_attribute(line, attribute);
        die->is_copy |= simt_tables_is_word(name, "abstract_origin");
    } else if (simt_tables_is_word(name, "byte_size")) {
        die->bytes = number_of_attribute(line, attribute);
    } else if (simt_tables_is_word(name, "upper_bound")) {
        die->count = number_of_attribute(line, attribute) + 1;
    } else if (simt_tables_is_word(name, "count")) {
        die->count = number_of_attribute(line, attribute);
    } else if (simt_tables_is_word(name, "call_file")) {
        die->call_file =
            (int)(number_of_attribute(line, attribute) & INT32_MAX);
    } else if (simt_tables_is_word(name, "call_line")) {
        die->call_line =
            (int)(number_of_attribute(line, attribute) & INT32_MAX);
    } else if (simt_tables_is_word(name, "declaration")) {
        die->is_declaration = 1;
    } else if (simt_tables_is_word(name, "artificial")) {
        die->is_artificial = 1;
    } else if (simt_tables_is_word(name, "location")) {
        d->in_location = 1;
    } else if (die->tag == SIMT_TAG_INLINED &&
               simt_tables_is_word(name, "low_pc")) {
        n = label_of(line, ".LBB");
        return n ? add_range(&d->blocks, n, entry) : 0;
    } else if (die->tag == SIMT_TAG_INLINED &&
               simt_tables_is_word(name, "ranges")) {
        n = label_of(line, ".LLRL");
        return n ? add_range(&d->lists, n, entry) : 0;
    }
    return 0;
}

/* A variable is static if the linker gives it its place: that is an address and
   nothing else, or an offset among the thread-local variables. */
static void read_operation(struct simt_die *die, const char *operation)
{
    die->operations++;
    if (die->operations == 1) {
        die->is_static = simt_tables_is_word(operation, "DW_OP_addr");
    } else if (die->operations == 2) {
        die->is_static =
            simt_tables_is_word(operation, "DW_OP_form_tls_address") ||
            simt_tables_is_word(operation, "DW_OP_GNU_push_tls_address");
    }
}

int simt_debug_read_info(struct simt_debug *d, const char *line)
{
    static const char end[] = "end of children of DIE ";
    const char *comment = d->is_broken ? NULL : simt_tables_comment(line);

    if (comment == NULL)
        return 0;
    if (strncmp(comment, "(DIE (", 6) == 0)
        return begin_entry(d, comment + 6);
    if (strncmp(comment, end, sizeof end - 1) == 0) {
        end_children(d, strtoull(comment + sizeof end - 1, NULL, 0));
    } else if (d->count > 0 && strncmp(comment, "DW_AT_", 6) == 0) {
        return read_attribute(d, line, comment);
    } else if (d->in_location && strncmp(comment, "DW_OP_", 6) == 0) {
        read_operation(&d->die[d->count - 1], comment);
    }
    return 0;
}

int simt_debug_read_ranges(struct simt_debug *d, const char *line)
{
    unsigned long n;

    if (strncmp(line, ".LLRL", 5) == 0)
        d->list = label_of(line, ".LLRL");
    n = d->list ? label_of(line, ".LBB") : 0;
    return n ? add_range(&d->listed, n, d->list) : 0;
}

/* The label is that of the symbol, with a colon. */
int simt_debug_add_thread_local(struct simt_debug *d, const char *label)
{
    char **const added = base_list_add(&d->symbol, &d->symbols, sizeof *added);

    if (added != NULL)
        *added = strndup(label, strcspn(label, ":"));
    return added != NULL && *added != NULL ? 0 : -1;
}

/* --- questions ------------------------------------------------------------ */

void simt_debug_finish(struct simt_debug *d)
{
    sort(&d->blocks);
    sort(&d->lists);
    sort(&d->listed);
}

/* The entry at an offset, or NULL. */
static const struct simt_die *entry_at(const struct simt_debug *d,
                                       uint64_t offset)
{
    size_t first = 0, behind = d->count;

    while (first < behind) {
        const size_t middle = first + (behind - first) / 2;

        if (d->die[middle].offset < offset) {
            first = middle + 1;
        } else {
            behind = middle;
        }
    }
    return first < d->count && d->die[first].offset == offset ? &d->die[first]
                                                              : NULL;
}

const struct simt_die *simt_debug_inlined(const struct simt_debug *d,
                                          unsigned long n)
{
    const struct simt_range *found = find_range(&d->blocks, n + 1);

    if (found == NULL) {
        found = find_range(&d->listed, n + 1);
        found = found ? find_range(&d->lists, found->owner) : NULL;
    }
    return found ? &d->die[found->owner] : NULL;
}

const char *simt_debug_name(const struct simt_debug *d,
                            const struct simt_die *die)
{
    for (int i = 0; i < LONGEST_CHAIN && die != NULL; i++) {
        if (die->name != NULL)
            return die->name;
        die = die->origin ? entry_at(d, die->origin) : NULL;
    }
    return NULL;
}

int simt_debug_is_artificial(const struct simt_debug *d,
                             const struct simt_die *die)
{
    for (int i = 0; i < LONGEST_CHAIN && die != NULL; i++) {
        if (die->is_artificial)
            return 1;
        die = die->origin ? entry_at(d, die->origin) : NULL;
    }
    return 0;
}

const struct simt_die *simt_debug_type(const struct simt_debug *d,
                                       const struct simt_die *die)
{
    for (int i = 0; i < LONGEST_CHAIN && die != NULL && die->type == 0; i++)
        die = die->origin ? entry_at(d, die->origin) : NULL;
    for (int i = 0; i < LONGEST_CHAIN && die != NULL; i++) {
        die = die->type ? entry_at(d, die->type) : NULL;
        if (die != NULL && die->tag != SIMT_TAG_QUALIFIER)
            return die;
    }
    return NULL;
}

/* 1 if a variable of this name may have that symbol: As, or, by the Itanium C++
   ABI, section 5.1, _ZZ6kernelPfE2As. Behind it the end of a namespace or the
   number of a namesake may stand. */
static int is_symbol_of(const char *symbol, const char *name)
{
    char part[100];
    const size_t length =
        (size_t)snprintf(part, sizeof part, "%zu%s", strlen(name), name);

    if (strcmp(symbol, name) == 0)
        return 1;
    while (length < sizeof part && (symbol = strstr(symbol, part)) != NULL) {
        symbol += length;
        if (symbol[strspn(symbol, "E_0123456789")] == '\0')
            return 1;
    }
    return 0;
}

/* Of a thread-local variable for AArch64 g++ tells no place: there its symbol
   is looked for. */
int simt_debug_is_static(const struct simt_debug *d,
                         const struct simt_die *variable)
{
    const char *name = simt_debug_name(d, variable);

    if (variable->operations > 0 || variable->is_declaration ||
        variable->is_copy || name == NULL)
        return variable->is_static;
    for (size_t i = 0; i < d->symbols; i++) {
        if (is_symbol_of(d->symbol[i], name))
            return 1;
    }
    return 0;
}

const char *simt_debug_as_told(const struct simt_debug *d, const char *file)
{
    const size_t length = d->folder ? strlen(d->folder) : 0;

    if (length > 0 && strncmp(file, d->folder, length) == 0 &&
        file[length] == '/')
        return file + length + 1;
    return file;
}

void simt_debug_free(struct simt_debug *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->die[i].name);
    for (size_t i = 0; i < d->symbols; i++)
        free(d->symbol[i]);
    free(d->symbol);
    free(d->die);
    free(d->open);
    free(d->folder);
    free(d->blocks.range);
    free(d->lists.range);
    free(d->listed.range);
}
