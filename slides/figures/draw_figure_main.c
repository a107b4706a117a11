/*
 * draw_figure: draws a figure of the slides from data.
 *
 *   draw_figure FILE.svg NAME ARGUMENT...    figures.h has the names
 *
 * Exit codes: 0 done, 2 a wrong call, or a file that cannot be read or written.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "figures.h"

static const struct {
    const char *name;
    draw_figure *draw;
} figures[] = {{"clocks", figure_clocks}, {"footprint", figure_footprint},
               {"ladder", figure_ladder}, {"conflict", figure_conflict},
               {"queues", figure_queues}, {"sectors", figure_sectors},
               {"stride", figure_stride}};

/* A place or a length that is no number, as printf writes it: browsers drop
   what has one. */
static int has_no_number(const char *svg)
{
    return strstr(svg, "\"nan") || strstr(svg, "\"-nan") ||
           strstr(svg, "\"inf") || strstr(svg, "\"-inf");
}

int main(int argc, char **argv)
{
    const size_t known = sizeof figures / sizeof figures[0];
    char why[400] = "out of memory";
    char *text = NULL;
    size_t length, i = 0;
    FILE *out;
    int failed;

    while (argc > 2 && i < known && strcmp(argv[2], figures[i].name) != 0)
        i++;
    if (argc < 3 || i == known) {
        fprintf(stderr, "draw_figure: call it with FILE.svg and a NAME of "
                        "slides/figures/figures.h\n");
        return 2;
    }
    out = open_memstream(&text, &length);
    failed = !out || figures[i].draw(argv + 3, out, why, sizeof why) != 0;
    failed = (out && fclose(out) != 0) || failed;
    if (!failed && has_no_number(text)) {
        failed = 1;
        snprintf(why, sizeof why,
                 "a length in it is no number: is a cell of its CSV file "
                 "empty?");
    }
    failed = failed || base_write_file(argv[1], text, why, sizeof why) != 0;
    if (failed)
        fprintf(stderr, "draw_figure: %s: %s\n", argv[2], why);
    free(text);
    return failed ? 2 : 0;
}
