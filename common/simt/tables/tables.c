#define _GNU_SOURCE
#include "parts.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct section {
    char *name;
    char *group; /* NULL: in none; else files that have it keep one */
    int is_code;
    int is_hot; /* its functions are not recorded */
    int is_thread_local;
};

enum debug {
    NO_DEBUG,
    DEBUG_INFO,
    DEBUG_RANGES,
    OTHER_DEBUG
};

/* What is known between two lines of the assembly. */
struct walk {
    FILE *to;
    int keep_debug, only_volatile;
    struct section **section; /* in the order of their first mention */
    size_t count;
    const struct section *in;    /* the one that lines go to; NULL: none yet */
    const struct section *began; /* and the one that the function began in */
    int is_announced;            /* the next name is a function's */
    int is_guard;     /* the address of a guard variable was loaded */
    int is_function;  /* between its name and its end */
    int is_host;      /* and it runs on the host alone */
    enum debug debug; /* the lines are debug information */
    struct simt_flops_walk flops;
    struct simt_constants constants;
    struct simt_places places;
    struct simt_debug entries;
    struct simt_host host;
    char taken[80]; /* a section of the assembly that is named as a table */
};

static const char *group_of(const struct section *section)
{
    return section ? section->group : NULL;
}

/* --- sections ------------------------------------------------------------- */

/* The text behind the next `count` commas; NULL if there are fewer. */
static const char *behind_commas(const char *text, int count)
{
    for (; count > 0 && text != NULL; count--) {
        text = strchr(text, ',');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* A section that is mentioned: NAME,"axG",@progbits,GROUP,comdat, or, later,
   its name alone. NULL: without memory. */
static const struct section *find_section(struct walk *w, const char *text)
{
    const size_t length = strcspn(text, ", \t\n");
    const char *flags = behind_commas(text, 1), *group = behind_commas(text, 3);
    struct section *section, **added;

    for (size_t i = w->count; i > 0 && flags == NULL; i--) {
        if (strncmp(w->section[i - 1]->name, text, length) == 0 &&
            w->section[i - 1]->name[length] == '\0')
            return w->section[i - 1];
    }
    section = calloc(1, sizeof *section);
    added = section != NULL ? base_list_add(&w->section, &w->count,
                                            sizeof(struct section *))
                            : NULL;
    if (added == NULL) {
        free(section);
        return NULL;
    }
    *added = section;
    section->name = strndup(text, length);
    section->is_code = strncmp(text, ".text", 5) == 0;
    section->is_hot = strncmp(text, ".text.hot", 9) == 0;
    if (flags != NULL && flags[0] == '"') {
        const size_t end = 1 + strcspn(flags + 1, "\"");

        section->is_code |= strcspn(flags, "x") < end;
        section->is_thread_local = strcspn(flags, "T") < end;
    }
    if (flags != NULL && group != NULL && strstr(flags, ",comdat") != NULL) {
        section->group = strndup(group, strcspn(group, ","));
        if (section->group == NULL)
            return NULL;
    }
    return section->name ? section : NULL;
}

static void look_at_name(struct walk *w, const char *name)
{
    static const char *const tables[] = {
        "simt_blocks",    "simt_lines", "simt_shapes", "simt_parameters",
        "simt_constants", "simt_names", NULL};

    if (simt_tables_is_one_of(name + (*name == '"'), tables)) {
        snprintf(w->taken, sizeof w->taken, "%.*s", (int)strcspn(name, ",\n"),
                 name);
    }
}

/* Copies the line that leads to another section, whose name and so on is in
   `text`. What it holds within a function may be a jump table, or code that is
   seldom run. Returns 0, or -1 without memory. */
static int enter_section(struct walk *w, const char *line, const char *text)
{
    const struct section *section;

    w->debug = NO_DEBUG;
    if (strncmp(text, ".debug_", 7) == 0) {
        w->debug = simt_tables_is_word(text, ".debug_info")       ? DEBUG_INFO
                   : simt_tables_is_word(text, ".debug_rnglists") ? DEBUG_RANGES
                                                                  : OTHER_DEBUG;
        if (w->keep_debug)
            fputs(line, w->to);
        return 0;
    }
    look_at_name(w, text);
    section = find_section(w, text);
    if (section == NULL)
        return -1;
    if (section != w->in && w->is_function &&
        simt_places_leave(&w->places, 0, group_of(w->in)) != 0)
        return -1;
    fputs(line, w->to);
    w->in = section;
    return w->is_function && section->is_code
               ? simt_places_resume(&w->places, group_of(section))
               : 0;
}

/* --- lines ---------------------------------------------------------------- */

/* What names a symbol is copied wherever it stands. */
static int is_about_symbols(const char *text)
{
    static const char *const words[] = {
        ".hidden", ".weak", ".weakref", ".globl", ".global", ".local",
        ".comm",   ".set",  ".symver",  ".ident", NULL};

    return simt_tables_is_one_of(text, words);
}

/* Copies a line of debug information, if that is kept. Returns 0, or -1 without
   memory. */
static int copy_debug(struct walk *w, const char *line, const char *text)
{
    if (w->keep_debug || is_about_symbols(text))
        fputs(line, w->to);
    if (w->debug == DEBUG_INFO)
        return simt_debug_read_info(&w->entries, text);
    return w->debug == DEBUG_RANGES ? simt_debug_read_ranges(&w->entries, text)
                                    : 0;
}

static int end_function(struct walk *w)
{
    w->is_function = 0;
    simt_flops_end(&w->flops, group_of(w->began));
    simt_constants_end(&w->constants, group_of(w->began));
    return simt_places_leave(&w->places, 1, group_of(w->in));
}

/* Copies a directive. Returns 0, or -1 without memory. */
static int copy_directive(struct walk *w, const char *line, const char *text)
{
    static const char *const sections[] = {".text", ".data", ".bss", NULL};

    if (simt_tables_is_word(text, ".section"))
        return enter_section(w, line, text + 8 + strspn(text + 8, " \t"));
    if (simt_tables_is_one_of(text, sections))
        return enter_section(w, line, text);
    if (w->debug != NO_DEBUG)
        return copy_debug(w, line, text);
    if (simt_tables_is_word(text, ".file")) {
        /* Its own name is not debug information. */
        if (w->keep_debug ||
            strncmp(text + 5 + strspn(text + 5, " \t"), "\"", 1) == 0)
            fputs(line, w->to);
        return simt_places_file(&w->places, text);
    }
    if (simt_tables_is_word(text, ".loc")) {
        w->flops.is_open = 0; /* another line of the source */
        if (w->keep_debug)
            fputs(line, w->to);
        return w->is_function
                   ? simt_places_line(&w->places, text, group_of(w->in))
                   : 0;
    }
    if (simt_tables_is_word(text, ".size") && w->is_function &&
        end_function(w) != 0)
        return -1;
    if (simt_tables_is_word(text, ".type"))
        w->is_announced = strstr(text, "function") != NULL;
    fputs(line, w->to);
    return 0;
}

static int copy_label(struct walk *w, const char *line, const char *label)
{
    const int is_local = strncmp(label, ".L", 2) == 0;

    if (w->debug != NO_DEBUG)
        return copy_debug(w, line, label);
    fputs(line, w->to);
    if (!w->is_function) {
        if (!is_local && w->in != NULL && w->in->is_thread_local)
            return simt_debug_add_thread_local(&w->entries, label);
        if (is_local || !w->is_announced)
            return 0;
        w->is_function = 1;
        w->is_host = simt_host_alone(&w->host, label);
        w->is_announced = 0;
        w->began = w->in;
        return 0;
    }
    if (!is_local || isdigit((unsigned char)label[2])) {
        simt_flops_begin_block(&w->flops);
        simt_constants_forget(&w->constants);
    } else {
        w->flops.is_open = 0; /* .LBB7: code of an inlined function, perhaps */
    }
    return simt_places_label(&w->places, label, group_of(w->in));
}

/* 1 if the line explains something to a reader. #APP and #NO_APP tell that the
   source has assembly of its own. */
static int is_comment(const char *text)
{
    return (text[0] == '#' && !isupper((unsigned char)text[1])) ||
           (text[0] == '/' && text[1] == '/');
}

/* 1 if the line tells the recorder of an access. */
static int is_access(const char *text)
{
    static const char *const calls[] = {"call", "callq", "bl", NULL};
    const char *name = strstr(text, "__tsan_");

    return name != NULL && simt_tables_is_one_of(text, calls) &&
           strstr(name, "atomic") == NULL &&
           (strstr(name, "read") != NULL || strstr(name, "write") != NULL);
}

/* 1 if the line says nothing of volatile accesses, in a file that tells of no
   others: by __tsan_init a program says that it records. */
static int is_left_out(const struct walk *w, const char *text)
{
    return w->only_volatile &&
           (is_access(text) ? strstr(text, "volatile") == NULL
            : strncmp(text, "call", 4) == 0 || strncmp(text, "bl\t", 3) == 0
                ? strstr(text, "__tsan_init") != NULL
                : 0);
}

/*
 * 1 if the line tells the recorder of an access to a variable that says whether
 * another one has been made: the compiler has one for each __shared__ variable
 * of a class with constructors. No thread of a GPU has them, and here, filled
 * with ones as all of shared memory is, they say yes.
 */
static int is_guard_access(struct walk *w, const char *text)
{
    const int is_call =
        strncmp(text, "call", 4) == 0 || strncmp(text, "bl\t", 3) == 0;
    const int was_guard = w->is_guard;

    w->is_guard |= strstr(text, "_ZGV") != NULL;
    if (!is_call)
        return 0;
    w->is_guard = 0;
    return was_guard && is_access(text);
}

/* Copies a line and what belongs to it. Returns 0, or -1 without memory. */
static int copy_line(struct walk *w, const char *line)
{
    const char *text = line + strspn(line, " \t");
    const size_t length = strcspn(text, " \t\n");

    if (w->debug == NO_DEBUG && is_comment(text)) {
        if (w->keep_debug)
            fputs(line, w->to);
        return 0;
    }
    if (length > 0 && text[length - 1] == ':')
        return copy_label(w, line, text);
    if (*text == '.')
        return copy_directive(w, line, text);
    if (w->debug != NO_DEBUG)
        return copy_debug(w, line, text);
    if (((w->in != NULL && w->in->is_hot) || w->is_host) &&
        simt_flops_is_trace_call(text))
        return 0;
    if (is_guard_access(w, text) || (w->is_host && is_access(text)))
        return 0;
    if (is_left_out(w, text))
        return 0;
    if (w->is_function && simt_flops_before(&w->flops, text) != 0)
        return -1;
    fputs(line, w->to);
    if (!w->is_function)
        return 0;
    simt_flops_behind(&w->flops, text);
    if (is_access(text) && strstr(text, "write") != NULL) {
        simt_constants_call(&w->constants);
        return 0;
    }
    return simt_constants_behind(&w->constants, text);
}

static void free_walk(struct walk *w)
{
    for (size_t i = 0; i < w->count; i++) {
        free(w->section[i]->name);
        free(w->section[i]->group);
        free(w->section[i]);
    }
    free(w->section);
    free(w->flops.entry);
    free(w->constants.found);
    simt_places_free(&w->places);
    simt_debug_free(&w->entries);
    simt_host_release(&w->host);
}

int simt_tables_add(FILE *from, FILE *to, int options, char *why, size_t size)
{
    struct walk w = {.to = to,
                     .keep_debug = options & SIMT_TABLES_DEBUG,
                     .only_volatile = options & SIMT_TABLES_VOLATILE,
                     .flops.to = to,
                     .constants.to = to,
                     .places.to = to};
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    int status = 0, is_whole = 1;

    errno = 0;
    if (options & SIMT_TABLES_WHOLE)
        status = simt_host_read(&w.host, from);
    while (status == 0 && (length = getline(&line, &room, from)) >= 0) {
        status = copy_line(&w, line);
        is_whole = line[length - 1] == '\n';
    }
    if (status == 0 && feof(from)) {
        simt_debug_finish(&w.entries);
        status = simt_places_write(&w.places, &w.entries);
        simt_shapes_write(&w.entries, to);
    }
    if (status != 0 || !feof(from) || ferror(to)) {
        snprintf(why, size, "%s", strerror(errno ? errno : EIO));
        status = -1;
    } else if (w.is_function || !is_whole) {
        snprintf(why, size,
                 "what g++ has written ends within a %s: is the disk full, or "
                 "has another make the same folder? If not, run make again",
                 is_whole ? "function" : "line");
        status = -1;
    } else if (w.taken[0] != '\0') {
        snprintf(why, size, "the source has a section %s, as a table is called",
                 w.taken);
        status = -1;
    }
    free(line);
    free_walk(&w);
    return status;
}
