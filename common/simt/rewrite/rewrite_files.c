/*
 * The headers that a file includes. Each that is the program's own is rewritten
 * as the file is, into a copy beside the output, and the #include names the
 * copy. All are read before the first is rewritten: a kernel that is launched
 * in one file may be declared in another.
 */
#define _GNU_SOURCE
#include "functions.h"
#include "rewrite.h"
#include "rewriter.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/refuse.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LARGEST = 1 << 30 /* bytes that are worth reading */
};

/* One file. */
struct source {
    char *path; /* as messages name it */
    char *real; /* without links: the same for the same file */
    char *text;
    char *output; /* where its copy goes */
    size_t length;
};

struct simt_unit {
    const struct simt_rewrite_files *files;
    struct simt_functions functions;
    struct source *source; /* the file itself, then its headers */
    size_t count;
    char *why;
    size_t why_size;
};

static int complain(const struct simt_unit *unit, const char *path,
                    const char *what)
{
    return base_refuse(unit->why, unit->why_size, "simt_rewrite: %s: %s", path,
                       what);
}

/* --- finding -------------------------------------------------------------- */

static int is_file(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* The path of what an #include of `path` names: in quotes, or in angles.
   NULL if it is none of the program's own files. To be freed. */
static char *find_header(const struct simt_unit *unit, const char *path,
                         const char *name, int in_quotes)
{
    const char *slash = strrchr(path, '/');
    char *found = NULL;

    if (in_quotes &&
        asprintf(&found, "%.*s%s",
                 slash == NULL || name[0] == '/' ? 0 : (int)(slash + 1 - path),
                 path, name) >= 0) {
        if (is_file(found))
            return found;
        free(found);
    }
    for (size_t i = 0; i < unit->files->folders; i++) {
        if (asprintf(&found, "%s/%s", unit->files->folder[i], name) < 0)
            return NULL;
        if (is_file(found))
            return found;
        free(found);
    }
    return NULL;
}

/* The number of the file that the #include at i names, count if it is none of
   the unit's. *path is its path, to be freed, NULL if there is none. */
static size_t included(const struct simt_unit *unit, const struct rewriter *r,
                       size_t i, char **path)
{
    const char *at = r->tokens.text + r->tokens.token[i].begin;
    const char *end = r->tokens.text + r->tokens.token[i].end;
    char name[PATH_MAX], real[PATH_MAX];
    size_t size = 0;
    char close;

    *path = NULL;
    while (at < end && *at != '<' && *at != '"')
        at++;
    if (at == end)
        return unit->count; /* a macro */
    close = *at == '<' ? '>' : '"';
    for (at++; at < end && *at != close && size + 1 < sizeof name; at++)
        name[size++] = *at;
    name[size] = '\0';
    *path = find_header(unit, r->path, name, close == '"');
    if (*path == NULL || realpath(*path, real) == NULL)
        return unit->count;
    for (size_t j = 0; j < unit->count; j++) {
        if (strcmp(unit->source[j].real, real) == 0)
            return j;
    }
    return unit->count;
}

/* --- reading -------------------------------------------------------------- */

static int read_text(const struct simt_unit *unit, struct source *source)
{
    FILE *file = fopen(source->real, "r");
    struct stat about;

    if (file == NULL)
        return complain(unit, source->path, strerror(errno));
    if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size > LARGEST) {
        fclose(file);
        return complain(unit, source->path, "not a source file");
    }
    source->text = malloc((size_t)about.st_size + 1);
    if (source->text != NULL)
        source->length = fread(source->text, 1, (size_t)about.st_size, file);
    if (source->text == NULL || ferror(file)) {
        fclose(file);
        return complain(unit, source->path, "cannot be read");
    }
    fclose(file);
    return 0;
}

/* build/x.cpp, header 2, dir/add.cuh: build/x.cpp-2-add.cuh. */
static char *output_of(const struct simt_unit *unit, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *output = NULL;

    if (unit->count == 0)
        return strdup(unit->files->output);
    if (asprintf(&output, "%s-%zu-%s", unit->files->output, unit->count,
                 slash == NULL ? path : slash + 1) < 0)
        return NULL;
    return output;
}

static int read_source(struct simt_unit *unit, const char *path);

/* Reads the headers that the file includes. 0, or -1 after a message. */
static int read_headers(struct simt_unit *unit, const struct rewriter *r)
{
    for (size_t i = 0; i < r->tokens.count; i = simt_behind_line(r, i)) {
        char *path = NULL;
        int status = 0;

        if (!simt_is_line(r, i, "include", NULL))
            continue;
        if (included(unit, r, i, &path) == unit->count && path != NULL)
            status = read_source(unit, path);
        free(path);
        if (status != 0)
            return -1;
    }
    return 0;
}

/* Adds a file, its headers, and what they declare. Likewise. */
static int read_source(struct simt_unit *unit, const char *path)
{
    char *const output = output_of(unit, path);
    struct source *const added =
        base_list_add(&unit->source, &unit->count, sizeof *added);
    struct source one;
    struct rewriter r = {
        .path = path, .why = unit->why, .why_size = unit->why_size};
    int status;

    if (added == NULL) {
        free(output);
        return complain(unit, path, "not enough memory");
    }
    added->output = output;
    added->path = strdup(path);
    added->real = realpath(path, NULL);
    if (added->real == NULL)
        return complain(unit, path, strerror(errno));
    if (added->path == NULL || added->output == NULL)
        return complain(unit, path, "not enough memory");
    if (read_text(unit, added) != 0)
        return -1;
    one = *added;
    r.path = one.path;
    if (simt_rewriter_begin(&r, one.text, one.length) != 0)
        return -1;
    status = read_headers(unit, &r);
    if (status == 0)
        status = simt_functions_read(&unit->functions, &r);
    simt_rewriter_end(&r);
    return status;
}

static int rewrite_include(struct rewriter *r, size_t i)
{
    const char *output, *slash;
    size_t number;
    char *path;

    number = included(r->unit, r, i, &path);
    free(path);
    if (number == r->unit->count)
        return 0;
    output = r->unit->source[number].output;
    slash = strrchr(output, '/');
    simt_catch_up(r, i);
    fprintf(r->output, "#include \"%s\"", slash == NULL ? output : slash + 1);
    simt_copy_newlines(r, i, i + 1);
    r->written = i + 1;
    return 1;
}

/* --- writing -------------------------------------------------------------- */

static int replace_file(const struct simt_unit *unit, const char *path,
                        const char *text)
{
    char said[PATH_MAX + 100];

    if (base_write_file(path, text, said, sizeof said) == 0)
        return 0;
    return base_refuse(unit->why, unit->why_size, "simt_rewrite: %s", said);
}

static int write_source(struct simt_unit *unit, const struct source *source)
{
    struct rewriter r = {.path = source->path,
                         .why = unit->why,
                         .why_size = unit->why_size,
                         .functions = &unit->functions,
                         .unit = unit,
                         .knows_printf = source != unit->source,
                         .include = rewrite_include};
    char *output;
    size_t length;
    int status;

    if (simt_rewriter_begin(&r, source->text, source->length) != 0)
        return -1;
    status = simt_rewriter_run(&r, &output, &length);
    simt_rewriter_end(&r);
    if (status != 0)
        return -1;
    status = replace_file(unit, source->output, output);
    free(output);
    return status;
}

/* output: header... for make, with what is special to it escaped. */
static int write_dependencies(const struct simt_unit *unit)
{
    struct base_memory memory;
    FILE *const file = base_memory_open(&memory);
    char *text;
    int status;

    if (file == NULL)
        return complain(unit, unit->files->dependencies, "not enough memory");
    for (int is_goal = 0; is_goal < 2; is_goal++) {
        if (!is_goal)
            fprintf(file, "%s:", unit->files->output);
        for (size_t i = 1; i < unit->count; i++) {
            putc(' ', file);
            for (const char *at = unit->source[i].path; *at != '\0'; at++) {
                if (strchr(" #%[]*?\\", *at) != NULL)
                    putc('\\', file);
                if (*at == '$')
                    putc('$', file);
                putc(*at, file);
            }
        }
        if (is_goal && unit->count > 1)
            putc(':', file); /* one that is gone is no error */
        putc('\n', file);
    }
    text = base_memory_close(&memory);
    if (text == NULL)
        return complain(unit, unit->files->dependencies, "not enough memory");
    status = replace_file(unit, unit->files->dependencies, text);
    free(text);
    return status;
}

static void free_unit(struct simt_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++) {
        free(unit->source[i].path);
        free(unit->source[i].real);
        free(unit->source[i].text);
        free(unit->source[i].output);
    }
    free(unit->source);
    simt_functions_free(&unit->functions);
}

/* The path that a link holds, or the path itself; below this folder without
   the folder. */
static const char *path_of(const char *input, char text[static PATH_MAX])
{
    const ssize_t size = readlink(input, text, PATH_MAX - 1);
    char folder[PATH_MAX];
    size_t length;

    if (size < 0)
        return input;
    text[size] = '\0';
    if (getcwd(folder, sizeof folder) == NULL)
        return text;
    length = strlen(folder);
    return strncmp(text, folder, length) == 0 && text[length] == '/'
               ? text + length + 1
               : text;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): why is written to */
int simt_rewrite_files(const struct simt_rewrite_files *files, char *why,
                       size_t why_size)
{
    struct simt_unit unit = {.files = files, .why = why, .why_size = why_size};
    char path[PATH_MAX];
    int status = read_source(&unit, path_of(files->input, path));

    /* The file itself last: nobody takes it for new without its headers. */
    for (size_t i = unit.count; status == 0 && i-- > 0;)
        status = write_source(&unit, &unit.source[i]);
    if (status == 0 && files->dependencies != NULL)
        status = write_dependencies(&unit);
    free_unit(&unit);
    return status;
}
