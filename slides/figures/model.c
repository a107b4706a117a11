/* model.c: figures of what CUDA is made of: compiling, memory spaces. */
#include "figures.h"

#include "svg.h"

enum {
    LETTER = 22
};

static void box(FILE *out, double x, double y, double width, double height,
                const char *fill, const char *ink, const char *text)
{
    svg_box(out, x, y, width, height, fill, NULL);
    svg_text(out, x + width / 2, y + height / 2, LETTER, SVG_MIDDLE, ink, "%s",
             text);
}

void figure_compile(FILE *out)
{
    svg_begin(out, 1160, 210);
    box(out, 0, 75, 150, 60, SVG_PALE, SVG_INK, "tiling.cu");
    svg_arrow(out, 154, 105, 204, 105, SVG_INK);
    box(out, 208, 75, 110, 60, SVG_BLUE, SVG_WHITE, "nvcc");
    svg_arrow(out, 322, 95, 376, 45, SVG_INK);
    svg_arrow(out, 322, 115, 376, 165, SVG_INK);
    box(out, 380, 10, 170, 60, SVG_ORANGE, SVG_INK, "device code");
    box(out, 380, 140, 170, 60, SVG_SKY, SVG_INK, "host code");
    svg_arrow(out, 554, 40, 604, 40, SVG_INK);
    svg_arrow(out, 554, 170, 604, 170, SVG_INK);
    box(out, 608, 10, 90, 60, SVG_ORANGE, SVG_INK, "PTX");
    svg_arrow(out, 702, 40, 752, 40, SVG_INK);
    box(out, 756, 10, 170, 60, SVG_ORANGE, SVG_INK, "GPU code");
    box(out, 608, 140, 318, 60, SVG_SKY, SVG_INK, "C++ compiler: CPU code");
    svg_arrow(out, 930, 50, 1006, 92, SVG_INK);
    svg_arrow(out, 930, 160, 1006, 118, SVG_INK);
    box(out, 1010, 75, 150, 60, SVG_BLUE, SVG_WHITE, "program");
    svg_end(out);
}

static void draw_block(FILE *out, double x, double y, int index)
{
    svg_box(out, x, y, 350, 216, SVG_PALE, SVG_INK);
    svg_bold(out, x + 14, y + 22, LETTER, SVG_START, SVG_INK, "block %d",
             index);
    box(out, x + 14, y + 44, 322, 44, SVG_ORANGE, SVG_INK, "shared memory");
    for (int thread = 0; thread < 2; thread++) {
        const double left = x + 14 + thread * 166;

        svg_arrow(out, left + 78, y + 126, left + 78, y + 92, SVG_INK);
        box(out, left, y + 128, 156, 36, SVG_SKY, SVG_INK, "registers");
        box(out, left, y + 168, 156, 36, SVG_BLUE, SVG_WHITE,
            thread == 0 ? "thread 0" : "thread 1");
    }
}

void figure_spaces(FILE *out)
{
    svg_begin(out, 1160, 480);
    svg_frame(out, 270, 4, 884, 468, SVG_INK, 3);
    svg_bold(out, 290, 28, LETTER, SVG_START, SVG_INK, "device");
    svg_frame(out, 290, 50, 790, 244, SVG_BLUE, 3);
    svg_bold(out, 1094, 80, LETTER, SVG_START, SVG_BLUE, "grid");
    draw_block(out, 304, 64, 0);
    draw_block(out, 684 + 30, 64, 1);
    for (int block = 0; block < 2; block++) {
        const double x = 479 + block * 410;

        svg_arrow(out, x, 284, x, 318, SVG_INK);
    }
    box(out, 290, 320, 850, 58, SVG_GREEN, SVG_WHITE,
        "global memory (a thread's local memory lies here too)");
    box(out, 290, 392, 850, 58, SVG_GREY, SVG_INK,
        "constant and texture memory: read only, cached");
    box(out, 0, 320, 180, 130, SVG_PALE, SVG_INK, "host");
    svg_arrow(out, 184, 349, 286, 349, SVG_INK);
    svg_arrow(out, 286, 367, 184, 367, SVG_INK);
    svg_arrow(out, 184, 421, 286, 421, SVG_INK);
    svg_text(out, 0, 296, LETTER, SVG_START, SVG_INK, "cudaMemcpy");
    svg_end(out);
}
