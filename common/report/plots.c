#define _GNU_SOURCE
#include "plots.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void plots_free(struct plots *plots)
{
    for (size_t i = 0; i < plots->count; i++)
        free(plots->plot[i].path);
    free(plots->plot);
    base_records_free(&plots->captions);
    *plots = (struct plots){.plot = NULL};
}

static int no_memory(char *why, size_t size)
{
    snprintf(why, size, "the plots: %s", strerror(ENOMEM));
    return -1;
}

static int read_captions(const char *path, struct plots *plots, char *why,
                         size_t size)
{
#define AT(member) offsetof(struct plot, member)
    static const struct base_key keys[] = {
        {"plot", AT(name), .stands = BASE_NEEDED},
        {"by", AT(made_by), .stands = 0},
        {"shows", AT(shows), .stands = BASE_NEEDED},
        {"caption", AT(caption), .stands = BASE_NEEDED},
        {"labs", AT(of_labs), .stands = 0},
    };
#undef AT
    struct base_records *const file = &plots->captions;
    int result;

    *file = (struct base_records){
        .path = path, .leader = "plot", .why = why, .why_size = size};
    if (base_records_read(file) != 0)
        return -1;
    result = file->head.fields > 0
                 ? base_records_wrong(file, file->head.field->line,
                                      "'%s' stands before the first plot",
                                      file->head.field->key)
                 : 0;
    for (size_t i = 0; i < file->count && result == 0; i++) {
        struct plot *const p =
            base_list_add(&plots->plot, &plots->count, sizeof *p);

        result = p == NULL ? no_memory(why, size)
                           : base_record_fill(file, &file->record[i], keys,
                                              sizeof keys / sizeof *keys, p);
    }
    return result;
}

/* --- SVGs ----------------------------------------------------------------- */

/* What an SVG says of itself: plots/style.gp and plots/draw.sh write it. */
static int is_of_course(const char *svg)
{
    return strstr(svg, "the course solutions") != NULL ||
           strstr(svg, "(recorded)") != NULL;
}

/* Gives an SVG to its plot; further ones of a pattern get their own. */
static int place(struct plots *plots, const char *path, size_t bytes,
                 int of_course)
{
    const char *const base = strrchr(path, '/') + 1;
    char name[256];
    struct plot *p = NULL,
                made = {.name = "", .shows = "a plot", .caption = ""};

    snprintf(name, sizeof name, "%.*s", (int)strlen(base) - 4, base);
    for (size_t i = 0; p == NULL && i < plots->count; i++) {
        if (fnmatch(plots->plot[i].name, name, 0) == 0)
            p = &plots->plot[i];
    }
    if (p != NULL)
        made = *p;
    if (p == NULL || p->path != NULL)
        p = base_list_add(&plots->plot, &plots->count, sizeof *p);
    made.path = strdup(path);
    if (p == NULL || made.path == NULL) {
        free(made.path);
        return -1;
    }
    made.bytes = bytes;
    made.of_course = of_course;
    *p = made;
    return 0;
}

/* Reads a drawing and places it. One that was cut off would leave a hole, and
   nothing would say so. One of more than PLOTS_LARGEST is not read. */
static int take_svg(struct plots *plots, const char *path, char *why,
                    size_t size)
{
    struct stat file;
    char *svg = NULL;
    int bad = -1;

    if (stat(path, &file) != 0)
        file.st_size = 0; /* base_read_file says why */
    if (file.st_size > PLOTS_LARGEST) {
        bad = place(plots, path, (size_t)file.st_size, 0);
        if (bad)
            no_memory(why, size);
        return bad;
    }
    svg = base_read_file(path, why, size);
    if (svg == NULL)
        return -1;
    if (strstr(svg, "</svg>") == NULL) {
        snprintf(why, size,
                 "%s: not a whole SVG drawing (remove it, or draw it again)",
                 path);
    } else {
        bad = place(plots, path, (size_t)file.st_size, is_of_course(svg));
        if (bad)
            no_memory(why, size);
    }
    free(svg);
    return bad;
}

int plots_read(const char *captions, const char *folder, struct plots *plots,
               char *why, size_t size)
{
    char *pattern = NULL;
    glob_t found = {0};
    int result = -1;

    *plots = (struct plots){.plot = NULL};
    if (read_captions(captions, plots, why, size) != 0)
        goto out;
    if (asprintf(&pattern, "%s/*.svg", folder) < 0) {
        pattern = NULL;
        no_memory(why, size);
        goto out;
    }
    if (glob(pattern, 0, NULL, &found) == GLOB_NOSPACE) {
        no_memory(why, size);
        goto out;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (take_svg(plots, found.gl_pathv[i], why, size) != 0)
            goto out;
    }
    result = 0;
out:
    globfree(&found);
    free(pattern);
    if (result != 0)
        plots_free(plots);
    return result;
}
