/* picture.c: an SVG as a part of the deck (deck.h). */
#define _POSIX_C_SOURCE 200809L
#include "deck.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/*
 * Copies an SVG on one line, which Markdown leaves alone. Two pictures of a
 * deck may use the same names inside: each name gets the picture's number. Its
 * own width and height go, so that the slide's style sets them.
 */
static void copy_svg(const char *svg, int number, FILE *out)
{
    static const char *const names[] = {" id=\"", " id='", "href=\"#",
                                        "href='#", "url(#"};
    const char *root_end = strchr(svg, '>');

    for (const char *at = svg; *at;) {
        size_t known = 0;

        if (at < root_end && (strncmp(at, " width=", 7) == 0 ||
                              strncmp(at, " height=", 8) == 0)) {
            const char *quote = strchr(at, '=') + 1;

            at = strchr(quote + 1, *quote) + 1;
            continue;
        }
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            if (strncmp(at, names[i], strlen(names[i])) == 0)
                known = strlen(names[i]);
        }
        if (known > 0) {
            fprintf(out, "%.*sp%d-", (int)known, at, number);
            at += known;
        } else if (strncmp(at, "<!--", 4) == 0) {
            const char *end = strstr(at, "-->");

            at = end ? end + 3 : at + strlen(at);
        } else {
            fputc(*at == '\n' || *at == '\t' ? ' ' : *at, out);
            at++;
        }
    }
}

static void copy_attribute(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '"') {
            fputs("&quot;", out);
        } else if (*text == '&') {
            fputs("&amp;", out);
        } else if (*text == '<') {
            fputs("&lt;", out);
        } else {
            fputc(*text, out);
        }
    }
}

int deck_picture(const char *argument, int number, FILE *out, char *why,
                 size_t size)
{
    static const char *const folders[] = {"slides/figures",
                                          "build/slides/figures",
                                          "labs/pictures", "plots/gallery"};
    const char *colon = strchr(argument, ':');
    char path[200];
    char *text;
    const char *svg;

    if (!colon || colon[1] != ' ') {
        snprintf(why, size,
                 "figure: give a name and, behind ': ', what is seen");
        return -1;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/%.*s.svg", folders[i],
                 (int)(colon - argument), argument);
        if (access(path, R_OK) == 0)
            break;
    }
    text = base_read_file(path, why, size);
    if (!text)
        return -1;
    svg = strstr(text, "<svg");
    if (!svg || !strchr(svg, '>') || !strstr(svg, "viewBox")) {
        snprintf(why, size, "%s: no SVG with a viewBox", path);
        free(text);
        return -1;
    }
    fputs("<div class=\"picture\" role=\"img\" aria-label=\"", out);
    copy_attribute(colon + 2, out);
    fputs("\">", out);
    copy_svg(svg, number, out);
    fputs("</div>\n", out);
    free(text);
    return 0;
}
