#define _GNU_SOURCE
#include "plots.h"

#include "base/file.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void free_plot(struct plot *p)
{
    free(p->name);
    free(p->made_by);
    free(p->shows);
    free(p->caption);
    free(p->path);
}

void plots_free(struct plots *plots)
{
    for (size_t i = 0; i < plots->count; i++)
        free_plot(&plots->plot[i]);
    free(plots->plot);
    *plots = (struct plots){.plot = NULL};
}

static int no_memory(char *why, size_t size)
{
    snprintf(why, size, "the plots: %s", strerror(ENOMEM));
    return -1;
}

/* Adds an empty plot. NULL: no memory. */
static struct plot *add_plot(struct plots *plots)
{
    struct plot *larger =
        realloc(plots->plot, (plots->count + 1) * sizeof *plots->plot);

    if (larger == NULL)
        return NULL;
    plots->plot = larger;
    plots->plot[plots->count] = (struct plot){.name = NULL};
    return &plots->plot[plots->count++];
}

/* --- CAPTIONS ------------------------------------------------------------- */

/* Appends text to *all, a blank between. */
static int append(char **all, const char *text)
{
    char *longer;

    if (asprintf(&longer, "%s%s%s", *all != NULL ? *all : "",
                 *all != NULL ? " " : "", text) < 0)
        return -1;
    free(*all);
    *all = longer;
    return 0;
}

/* The part of the plot that a line's first word names, or NULL. */
static char **part_of(struct plot *p, const char *word, size_t length)
{
    const struct {
        const char *word;
        char **part;
    } known[] = {
        {"by", &p->made_by}, {"shows", &p->shows}, {"caption", &p->caption}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].word) == length &&
            strncmp(known[i].word, word, length) == 0)
            return known[i].part;
    }
    return NULL;
}

static int is_whole(const struct plots *plots)
{
    const struct plot *const p =
        plots->count > 0 ? &plots->plot[plots->count - 1] : NULL;

    return p == NULL ||
           (p->made_by != NULL && p->shows != NULL && p->caption != NULL);
}

/* Takes one line that is neither empty nor a comment. *part is the text that an
   indented line goes on with. Returns 0, 1 for a line that is wrong, or -1. */
static int take_line_of_plots(struct plots *plots, const char *line,
                              char ***part)
{
    const size_t word = strcspn(line, " ");
    const char *const rest = line + word + strspn(line + word, " ");

    if (word == 0)
        return *part == NULL ? 1 : append(*part, rest);
    if (*rest == '\0')
        return 1;
    if (word == 4 && strncmp(line, "plot", 4) == 0) {
        struct plot *const p = is_whole(plots) ? add_plot(plots) : NULL;

        if (p == NULL)
            return is_whole(plots) ? -1 : 1;
        *part = &p->name;
    } else {
        *part = plots->count > 0
                    ? part_of(&plots->plot[plots->count - 1], line, word)
                    : NULL;
    }
    if (*part == NULL || **part != NULL)
        return 1;
    return append(*part, rest);
}

static int read_captions(const char *path, struct plots *plots, char *why,
                         size_t size)
{
    char *const text = base_read_file(path, why, size);
    char **part = NULL;
    int number = 0, code = 0;

    if (text == NULL)
        return -1;
    for (char *line = text, *next; code == 0 && *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        if (*next != '\0')
            *next++ = '\0';
        number++;
        if (*line != '\0' && *line != '#')
            code = take_line_of_plots(plots, line, &part);
    }
    if (code == 0 && !is_whole(plots))
        code = 1;
    free(text);
    if (code == 0)
        return 0;
    if (code < 0)
        return no_memory(why, size);
    snprintf(
        why, size,
        "%s:%d: a plot has the lines plot, by, shows and caption, once each",
        path, number);
    return -1;
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
    const struct plot *of = NULL;
    struct plot *p = NULL;
    char *name = strndup(base, strlen(base) - 4);

    if (name == NULL)
        return -1;
    for (size_t i = 0; of == NULL && i < plots->count; i++) {
        if (fnmatch(plots->plot[i].name, name, 0) == 0)
            of = p = &plots->plot[i];
    }
    if (p == NULL || p->path != NULL) {
        const size_t at = of != NULL ? (size_t)(of - plots->plot) : 0;

        p = add_plot(plots);
        if (p == NULL)
            goto bad;
        of = of != NULL ? &plots->plot[at] : NULL;
        p->name = name;
        name = NULL;
        p->made_by = strdup(of != NULL ? of->made_by : "");
        p->shows = strdup(of != NULL ? of->shows : "a plot");
        p->caption = strdup(of != NULL ? of->caption : "");
        if (p->made_by == NULL || p->shows == NULL || p->caption == NULL)
            goto bad;
    }
    p->path = strdup(path);
    p->bytes = bytes;
    p->of_course = of_course;
    free(name);
    return p->path != NULL ? 0 : -1;
bad:
    free(name);
    return -1;
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
