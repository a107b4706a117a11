/*
 * draw_figure: draws a figure of the slides.
 *
 *   draw_figure FILE.svg NAME ARGUMENT...    figures.h has the names
 *
 * Exit codes: 0 done, 2 a wrong call, or a file that cannot be read or written.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/file.h"
#include "figures.h"

static const struct {
    const char *name;
    draw_figure *draw;
} figures[] = {
    {"compile", figure_compile},     {"spaces", figure_spaces},
    {"row_major", figure_row_major}, {"grid", figure_grid},
    {"plan", figure_plan},           {"walk", figure_walk},
    {"trace", figure_trace},         {"outer", figure_outer},
    {"stride", figure_stride},       {"passes", figure_passes},
    {"padding", figure_padding},     {"queues", figure_queues},
    {"sectors", figure_sectors},     {"footprint", figure_footprint},
    {"ladder", figure_ladder},       {"clocks", figure_clocks},
    {"dies", figure_dies},           {"hiding", figure_hiding},
    {"overlap", figure_overlap},     {"unrolled", figure_unrolled},
};

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
    failed = failed || course_write_file(argv[1], text, why, sizeof why) != 0;
    if (failed)
        fprintf(stderr, "draw_figure: %s: %s\n", argv[2], why);
    free(text);
    return failed ? 2 : 0;
}
