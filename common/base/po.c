#define _POSIX_C_SOURCE 200809L
#include "base/po.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/refuse.h"

#include <stdlib.h>
#include <string.h>

/* What the lines before belong to. */
struct reader {
    const char *path;
    int line;
    char *to;    /* where the next text goes: in place, before what is read */
    char **text; /* which is read, or NULL */
    char *id, *str, *from, *flags;
    int id_line;
    char *why;
    size_t size;
};

static int wrong(const struct reader *r, const char *what)
{
    return base_refuse(r->why, r->size, "%s:%d: %s", r->path, r->line, what);
}

/* Adds what stands in quotes to the text that is read. */
static int add_quoted(struct reader *r, const char *at)
{
    static const char name[] = "nt\"\\", is[] = "\n\t\"\\";

    if (r->text == NULL || *at != '"')
        return wrong(r, "this belongs to no msgid and no msgstr");
    r->to--; /* over the NUL of what was read so far */
    for (at++; *at != '"'; at++) {
        const char *const escaped =
            *at == '\\' && at[1] != '\0' ? strchr(name, at[1]) : NULL;

        if (*at == '\0' || (*at == '\\' && escaped == NULL)) {
            return wrong(r, "a text in quotes is not closed, or has a \\ of "
                            "another kind");
        }
        *r->to++ = escaped != NULL ? is[escaped - name] : *at;
        at += escaped != NULL;
    }
    *r->to++ = '\0';
    return at[1 + strspn(at + 1, " \t\r")] == '\0'
               ? 0
               : wrong(r, "something stands behind the quotes");
}

/* Begins a text; what follows is copied there. */
static int begin(struct reader *r, char **text, const char *quoted)
{
    *text = r->to;
    *r->to++ = '\0';
    r->text = text;
    return add_quoted(r, quoted + strspn(quoted, " \t"));
}

/* Copies a remark's words to *text, behind others. */
static void add_words(struct reader *r, char **text, const char *words)
{
    const size_t length = strcspn(words, "\r");

    if (*text != NULL) {
        r->to[-1] = ' ';
    } else {
        *text = r->to;
    }
    memmove(r->to, words, length);
    r->to += length;
    *r->to++ = '\0';
}

/* Ends an entry, if there is one. */
static int end_entry(struct reader *r, struct base_po *po)
{
    static const char nothing[] = "";
    struct base_po_entry *entry;

    if (r->id != NULL && r->str == NULL)
        return wrong(r, "this msgid has no msgstr");
    if (r->id != NULL && *r->id != '\0') {
        entry = base_list_add(&po->entry, &po->count, sizeof *entry);
        if (entry == NULL)
            return wrong(r, "no memory is left");
        *entry = (struct base_po_entry){
            .id = r->id,
            .str = r->str,
            .from = r->from != NULL ? r->from : nothing,
            .flags = r->flags != NULL ? r->flags : nothing,
            .line = r->id_line};
        entry->is_stale = strstr(entry->flags, "fuzzy") != NULL;
    }
    r->id = r->str = r->from = r->flags = NULL;
    r->text = NULL;
    return 0;
}

/* Reads a line, which ends with a NUL. */
static int read_line(struct reader *r, struct base_po *po, char *line)
{
    line += strspn(line, " \t");
    if (*line == '#' || *line == '\0' || strncmp(line, "msgid", 5) == 0) {
        if (r->str != NULL && end_entry(r, po) != 0)
            return -1;
    }
    if (strncmp(line, "#: ", 3) == 0) {
        add_words(r, &r->from, line + 3);
    } else if (strncmp(line, "#, ", 3) == 0) {
        add_words(r, &r->flags, line + 3);
    } else if (strncmp(line, "msgid ", 6) == 0) {
        if (r->id != NULL)
            return wrong(r, "the msgid before has no msgstr");
        r->id_line = r->line;
        return begin(r, &r->id, line + 6);
    } else if (strncmp(line, "msgstr ", 7) == 0) {
        if (r->id == NULL || r->str != NULL)
            return wrong(r, "a msgstr without its msgid");
        return begin(r, &r->str, line + 7);
    } else if (*line == '"') {
        return add_quoted(r, line);
    } else if (*line != '#' && *line != '\0' && *line != '\r') {
        return wrong(r, "no line of a PO file without plurals");
    }
    return 0;
}

/* For qsort, which hands on nothing else. */
static const struct base_po_entry *sorted;

static int compare_ids(const void *a, const void *b)
{
    return strcmp(sorted[*(const size_t *)a].id, sorted[*(const size_t *)b].id);
}

int base_po_read(const char *path, struct base_po *po, char *why, size_t size)
{
    struct reader r = {.path = path, .why = why, .size = size};
    int result = 0;
    char *next;

    *po = (struct base_po){.text = base_read_file(path, why, size)};
    if (po->text == NULL)
        return -1;
    r.to = po->text;
    for (char *line = po->text; line != NULL && result == 0; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        r.line++;
        result = read_line(&r, po, line);
    }
    if (result == 0)
        result = end_entry(&r, po);
    po->by_id = malloc((po->count + 1) * sizeof *po->by_id);
    if (result != 0 || po->by_id == NULL) {
        if (result == 0)
            wrong(&r, "no memory is left");
        base_po_free(po);
        return -1;
    }
    for (size_t i = 0; i < po->count; i++)
        po->by_id[i] = i;
    sorted = po->entry;
    qsort(po->by_id, po->count, sizeof *po->by_id, compare_ids);
    return 0;
}

void base_po_free(struct base_po *po)
{
    free(po->entry);
    free(po->by_id);
    free(po->text);
    *po = (struct base_po){.count = 0};
}

const struct base_po_entry *base_po_find(const struct base_po *po,
                                         const char *id)
{
    size_t first = 0, end = po->count;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const struct base_po_entry *const e = &po->entry[po->by_id[middle]];
        const int order = strcmp(id, e->id);

        if (order == 0)
            return e;
        if (order < 0) {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    return NULL;
}
