/*
 * Which instruction stands on which line. g++ writes .loc before the first
 * instruction of each line, and .LBBn and .LBEn around code that it has
 * inlined. What was inlined from a header of the device or of the system is
 * given to the line that it was inlined into, since nobody looks there; that is
 * only known when the debug information was read, so all is kept until then.
 */
#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FILES = 1 << 16 /* of a compilation unit; others have no lines */
};

enum kind {
    LINE,    /* .loc, or the same line in another section */
    ENTERED, /* .LBBn */
    LEFT,    /* .LBEn */
    GONE,    /* the text goes on in another section */
    OVER     /* and the end of the function */
};

struct simt_event {
    enum kind kind;
    const char *group;    /* of the section; NULL: none */
    unsigned long number; /* of a block, or of the label .Lsimt_lineN */
    int file, line;       /* of LINE */
};

static int add_event(struct simt_places *p, const struct simt_event *event)
{
    struct simt_event *const added =
        base_list_add(&p->event, &p->count, sizeof *added);

    if (added == NULL)
        return -1;
    *added = *event;
    return 0;
}

/* Adds an event at a label of its own. */
static int add_label(struct simt_places *p, enum kind kind, const char *group)
{
    const struct simt_event event = {.kind = kind,
                                     .group = group,
                                     .number = (unsigned long)++p->labels,
                                     .file = p->current,
                                     .line = p->line};

    fprintf(p->to, ".Lsimt_line%d:\n", p->labels);
    return add_event(p, &event);
}

int simt_places_file(struct simt_places *p, const char *line)
{
    char *end, *name, **larger;
    const unsigned long number = strtoul(line + 5, &end, 10);
    const char *text = end, *second;

    if (end == line + 5 || number >= MOST_FILES)
        return 0;
    if (number >= p->files) {
        larger = reallocarray(p->file, number + 1, sizeof *larger);
        if (larger == NULL)
            return -1;
        p->file = larger;
        while (p->files <= number)
            p->file[p->files++] = NULL;
    }
    name = simt_tables_unquote(&text);
    second = text;
    if (name != NULL && strchr(second, '"') != NULL) { /* behind its folder */
        free(name);
        name = simt_tables_unquote(&second);
    }
    if (name == NULL)
        return errno == ENOMEM ? -1 : 0;
    free(p->file[number]);
    p->file[number] = name;
    return 0;
}

int simt_places_line(struct simt_places *p, const char *line, const char *group)
{
    char *end;
    const long file = strtol(line + 4, &end, 10);
    const long number = strtol(end, NULL, 10);

    if (file < 0 || file >= MOST_FILES || number < 0 || number > INT32_MAX)
        return 0;
    if (p->is_open && file == p->current && number == p->line)
        return 0;
    p->current = (int)file;
    p->line = (int)number;
    p->is_open = 1;
    return add_label(p, LINE, group);
}

int simt_places_label(struct simt_places *p, const char *label,
                      const char *group)
{
    struct simt_event event = {.group = group};

    if (strncmp(label, ".LBB", 4) != 0 && strncmp(label, ".LBE", 4) != 0)
        return 0;
    if (!isdigit((unsigned char)label[4]))
        return 0;
    event.kind = label[3] == 'B' ? ENTERED : LEFT;
    event.number = strtoul(label + 4, NULL, 10);
    return add_event(p, &event);
}

int simt_places_resume(struct simt_places *p, const char *group)
{
    if (p->is_open || p->line == 0)
        return 0;
    p->is_open = 1;
    return add_label(p, LINE, group);
}

int simt_places_leave(struct simt_places *p, int is_over, const char *group)
{
    const int was_open = p->is_open;

    if (is_over)
        p->current = p->line = 0;
    p->is_open = 0;
    return was_open || is_over ? add_label(p, is_over ? OVER : GONE, group) : 0;
}

/* --- the table ------------------------------------------------------------ */

/* What is known on the way from one event to the next. */
struct walk {
    const struct simt_places *p;
    const struct simt_debug *d;
    unsigned long *inside; /* blocks of inlined calls, the innermost last */
    size_t count;
    int file, line;           /* of the instructions; 0: not known */
    int told_file, told_line; /* and where the last entry puts them */
    const char *group;        /* of the section that is open, if one is */
    int is_open;
    char *is_named; /* 1: the file's name was written */
};

static const char *file_name(const struct walk *w, int file)
{
    return file >= 0 && (size_t)file < w->p->files && w->p->file[file] != NULL
               ? simt_debug_as_told(w->d, w->p->file[file])
               : NULL;
}

/* Goes from the innermost function that was inlined outwards, until the call
   stands in no header and in nothing that the compiler has added: how a
   structure is copied would be told of the line that declares it. */
static void leave_headers(const struct walk *w, int *file, int *line)
{
    const struct simt_die *die =
        w->count > 0 ? simt_debug_inlined(w->d, w->inside[w->count - 1]) : NULL;

    while (die != NULL && (simt_tables_is_header(file_name(w, *file)) ||
                           simt_debug_is_artificial(w->d, die))) {
        if (die->tag == SIMT_TAG_INLINED) {
            if (file_name(w, die->call_file) == NULL)
                return;
            *file = die->call_file;
            *line = die->call_line;
        }
        die = die->parent >= 0 ? &w->d->die[die->parent] : NULL;
    }
}

/* Writes an entry, if it is another line than before. */
static void put_entry(struct walk *w, const struct simt_event *event, int file,
                      int line)
{
    static const char *const label[] = {".Lsimt_line", ".LBB", ".LBE",
                                        ".Lsimt_line", ".Lsimt_line"};
    FILE *const to = w->p->to;
    const char *name = line > 0 ? file_name(w, file) : NULL;

    if (name == NULL)
        file = line = 0;
    if (file == w->told_file && line == w->told_line)
        return;
    w->told_file = file;
    w->told_line = line;
    if (!w->is_open || w->group != event->group) {
        if (w->is_open)
            fputs("\t.popsection\n", to);
        simt_tables_open(to, "simt_lines", event->group);
        w->group = event->group;
        w->is_open = 1;
    }
    if (name != NULL && !w->is_named[file]) {
        w->is_named[file] = 1;
        fprintf(to,
                "\t.pushsection simt_names,\"a\",@progbits\n"
                ".Lsimt_file%d:\n",
                file);
        simt_tables_put_string(to, name);
        fputs("\t.popsection\n", to);
    }
    fprintf(to, "\t.long %s%lu - .\n", label[event->kind], event->number);
    if (name != NULL) {
        fprintf(to, "\t.long .Lsimt_file%d - .\n", file);
    } else {
        fputs("\t.long 0\n", to);
    }
    fprintf(to, "\t.long %d\n", line);
}

/* A block begins, if it is an inlined call's. Returns -1 without memory. */
static int enter_block(struct walk *w, unsigned long block)
{
    unsigned long *added;

    if (simt_debug_inlined(w->d, block) == NULL)
        return 0;
    added = base_list_add(&w->inside, &w->count, sizeof *added);
    if (added == NULL)
        return -1;
    *added = block;
    return 0;
}

/* A block ends, and what began in it and has no end. */
static void leave(struct walk *w, unsigned long block)
{
    if (simt_debug_inlined(w->d, block) == NULL)
        return;
    while (w->count > 0 && w->inside[--w->count] != block)
        ;
}

static int follow(struct walk *w, const struct simt_event *event)
{
    int file, line;

    switch (event->kind) {
    case LINE:
        w->file = event->file;
        w->line = event->line;
        break;
    case ENTERED:
        if (enter_block(w, event->number) != 0)
            return -1;
        break;
    case LEFT:
        leave(w, event->number);
        break;
    case OVER:
        w->count = 0;
        w->file = w->line = 0;
        break;
    case GONE:
        w->file = w->line = 0;
        break;
    }
    file = w->file;
    line = w->line;
    if (file_name(w, file) != NULL && line > 0)
        leave_headers(w, &file, &line);
    put_entry(w, event, file, line);
    return 0;
}

int simt_places_write(const struct simt_places *p, const struct simt_debug *d)
{
    struct walk w = {.p = p, .d = d};
    int status = 0;

    w.is_named = calloc(p->files + 1, 1);
    if (w.is_named == NULL)
        status = -1;
    for (size_t i = 0; i < p->count && status == 0; i++)
        status = follow(&w, &p->event[i]);
    if (w.is_open)
        fputs("\t.popsection\n", p->to);
    free(w.is_named);
    free(w.inside);
    return status;
}

void simt_places_free(struct simt_places *p)
{
    for (size_t i = 0; i < p->files; i++)
        free(p->file[i]);
    free(p->file);
    free(p->event);
}
