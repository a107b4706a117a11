#include "lines.h"
#include "tables/tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

SIMT_TABLE(struct simt_line_entry, simt_lines);
SIMT_TABLE(struct simt_shape_entry, simt_shapes);
SIMT_TABLE(struct simt_parameter_entry, simt_parameters);
SIMT_TABLE(int32_t, simt_constants);

/* How many entries of that many bytes lie between these two addresses. */
static size_t entries_of(const void *start, const void *stop, size_t bytes)
{
    return ((uintptr_t)stop - (uintptr_t)start) / bytes;
}

/* --- lines ---------------------------------------------------------------- */

/* From this address on code is on the line of the entry. */
struct line {
    uintptr_t code;
    const struct simt_line_entry *entry;
};

/* Sorted by address and, where code is moved away or ends, by entry. */
static struct line *lines;
static size_t count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;

    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->entry > b->entry) - (a->entry < b->entry);
}

/* Without memory no line is known. */
static void sort_lines(void)
{
    const size_t entries = entries_of(__start_simt_lines, __stop_simt_lines,
                                      sizeof(struct simt_line_entry));

    lines = calloc(entries + 1, sizeof *lines);
    if (lines == NULL)
        return;
    for (count = 0; count < entries; count++) {
        const struct simt_line_entry *entry = &__start_simt_lines[count];

        lines[count].code = (uintptr_t)simt_table_refers(&entry->code);
        lines[count].entry = entry;
    }
    qsort(lines, count, sizeof *lines, compare_lines);
}

int simt_line_of(uintptr_t code, const char **file, int *line)
{
    size_t first = 0, behind;

    pthread_once(&once, sort_lines);
    behind = count;
    while (first < behind) { /* the first that is not below code */
        const size_t middle = first + (behind - first) / 2;

        if (lines[middle].code < code) {
            first = middle + 1;
        } else {
            behind = middle;
        }
    }
    /* The call itself stands before the address that it returns to. */
    *line = first > 0 ? lines[first - 1].entry->line : 0;
    *file = *line > 0 ? simt_table_refers(&lines[first - 1].entry->file) : "";
    return *line > 0 ? 0 : -1;
}

int simt_lines_have_code(const char *file, int from, int to)
{
    const size_t entries = entries_of(__start_simt_lines, __stop_simt_lines,
                                      sizeof(struct simt_line_entry));

    for (size_t i = 0; i < entries; i++) {
        const struct simt_line_entry *e = &__start_simt_lines[i];

        if (e->line >= from && e->line <= to &&
            strcmp(simt_table_refers(&e->file), file) == 0)
            return 1;
    }
    return 0;
}

int simt_stores_constant(uintptr_t code)
{
    const size_t entries = entries_of(__start_simt_constants,
                                      __stop_simt_constants, sizeof(int32_t));

    for (size_t i = 0; i < entries; i++) {
        if ((uintptr_t)simt_table_refers(&__start_simt_constants[i]) == code)
            return 1;
    }
    return 0;
}

/* --- variables ------------------------------------------------------------ */

static int is_same_shape(const struct simt_shape_entry *a,
                         const struct simt_shape_entry *b)
{
    return a->dimensions == b->dimensions &&
           a->element_bytes == b->element_bytes &&
           memcmp(a->dimension, b->dimension, sizeof a->dimension) == 0;
}

int simt_variable_shape(const char *name, size_t bytes,
                        int dimension[SIMT_DIMENSIONS], int *element_bytes)
{
    const size_t entries = entries_of(__start_simt_shapes, __stop_simt_shapes,
                                      sizeof(struct simt_shape_entry));
    const struct simt_shape_entry *found = NULL;

    for (size_t i = 0; i < entries; i++) {
        const struct simt_shape_entry *s = &__start_simt_shapes[i];

        if (s->bytes != bytes || strcmp(simt_table_refers(&s->name), name) != 0)
            continue;
        if (found != NULL && !is_same_shape(s, found))
            return -1;
        found = s;
    }
    if (found == NULL)
        return -1;
    for (int i = 0; i < SIMT_DIMENSIONS; i++)
        dimension[i] = found->dimension[i];
    *element_bytes = found->element_bytes;
    return found->dimensions;
}

/* --- parameters ----------------------------------------------------------- */

/* 1 if `name` is the function's name as a program writes it: blanks do not
   matter, nor do template arguments that are left out. */
static int is_name_of(const char *name, const char *function)
{
    for (;; name++, function++) {
        while (*name == ' ')
            name++;
        while (*function == ' ')
            function++;
        if (*name != *function || *name == '\0')
            return *name == '\0' && (*function == '\0' || *function == '<');
    }
}

/* 1 if both are the same but for their namespaces and template arguments, which
   a program may write in many ways: k<half>, ns::k<T>. */
static int is_namesake_of(const char *name, const char *function)
{
    const size_t length = strcspn(function, "<");
    const char *begin = name;
    size_t size;

    for (const char *at = name; *at != '\0' && *at != '<'; at++) {
        if (at[0] == ':' && at[1] == ':')
            begin = at + 2;
    }
    begin += strspn(begin, " ");
    size = strcspn(begin, "< ");
    return size == length && memcmp(begin, function, size) == 0;
}

/* The entry of a function's nth parameter; NULL: none, or of several functions
   that differ there. */
static const struct simt_parameter_entry *find_parameter(const char *function,
                                                         size_t n)
{
    const size_t entries =
        entries_of(__start_simt_parameters, __stop_simt_parameters,
                   sizeof(struct simt_parameter_entry));
    const struct simt_parameter_entry *found = NULL;
    int differ = 0;

    for (size_t i = 0; i < entries; i++) {
        const struct simt_parameter_entry *p = &__start_simt_parameters[i];

        if ((size_t)p->number != n)
            continue;
        if (is_name_of(function, simt_table_refers(&p->function)))
            return p;
        if (!is_namesake_of(function, simt_table_refers(&p->function)))
            continue;
        differ |= found != NULL && (found->element_bytes != p->element_bytes ||
                                    strcmp(simt_table_refers(&found->name),
                                           simt_table_refers(&p->name)) != 0);
        found = p;
    }
    return differ ? NULL : found;
}

const char *simt_parameter_name(const char *function, size_t n)
{
    const struct simt_parameter_entry *p = find_parameter(function, n);

    return p != NULL ? simt_table_refers(&p->name) : NULL;
}

int simt_parameter_element(const char *function, size_t n)
{
    const struct simt_parameter_entry *p = find_parameter(function, n);

    return p != NULL ? p->element_bytes : 0;
}
