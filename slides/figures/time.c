/* time.c: figures of who waits for whom, and of area on a chip. */
#include "figures.h"

#include <stdlib.h>

#include "svg.h"

static void draw_die(FILE *out, double x, const char *name)
{
    svg_bold(out, x + 250, 24, 28, SVG_MIDDLE, SVG_INK, "%s", name);
    svg_frame(out, x, 54, 500, 350, SVG_INK, 3);
}

void figure_dies(FILE *out)
{
    svg_begin(out, 1160, 480);
    draw_die(out, 30, "CPU: one thread, soon done");
    svg_box(out, 44, 68, 180, 150, SVG_ORANGE, NULL);
    svg_text(out, 134, 143, 24, SVG_MIDDLE, SVG_INK, "control");
    for (int i = 0; i < 4; i++) {
        const double x = 238 + i % 2 * 142, y = 68 + (i < 2 ? 0 : 77);

        svg_box(out, x, y, 134, 72, SVG_BLUE, NULL);
        svg_text(out, x + 67, y + 36, 22, SVG_MIDDLE, SVG_WHITE, "core");
    }
    svg_box(out, 44, 232, 472, 158, SVG_SKY, NULL);
    svg_text(out, 280, 311, 24, SVG_MIDDLE, SVG_INK, "cache");

    draw_die(out, 630, "GPU: many threads, much done");
    for (int row = 0; row < 8; row++) {
        const double y = 66 + row * 42;

        svg_box(out, 642, y, 22, 17, SVG_ORANGE, NULL);
        svg_box(out, 642, y + 19, 22, 17, SVG_SKY, NULL);
        for (int col = 0; col < 16; col++)
            svg_box(out, 670 + col * 28.2, y, 25, 36, SVG_BLUE, NULL);
    }
    for (int i = 0; i < 2; i++) {
        svg_box(out, 30 + i * 600, 420, 500, 40, SVG_GREY, NULL);
        svg_text(out, 280 + i * 600, 440, 22, SVG_MIDDLE, SVG_INK,
                 "device memory (DRAM)");
    }
    svg_end(out);
}

/* Each warp works 1 unit and then waits 5 for memory; the multiprocessor takes
   the next warp that is ready. Draws a time line for each number of warps. */
int figure_hiding(char *const argument[], FILE *out, char *why, size_t size)
{
    enum {
        UNITS = 24,
        WAIT = 5
    };
    const double x = 250, unit = 36;
    int lines = 0;

    while (argument[lines])
        lines++;
    if (lines == 0) {
        snprintf(why, size, "give numbers of warps");
        return -1;
    }
    svg_begin(out, 1160, lines * 112 + 20);
    for (int i = 0; i < lines; i++) {
        const int warps = figure_number(argument[i]);
        int ready[64] = {0}, busy = 0;
        const double y = 16 + i * 112;

        svg_bold(out, x - 20, y + 26, 24, SVG_END, SVG_INK, "%d warp%s", warps,
                 warps == 1 ? "" : "s");
        for (int t = 0; t < UNITS; t++) {
            int next = -1;

            for (int w = 0; w < warps && w < 64; w++) {
                if (ready[w] <= t && (next < 0 || ready[w] < ready[next]))
                    next = w;
            }
            svg_box(out, x + t * unit, y, unit - 2, 52,
                    next < 0 ? SVG_PALE : SVG_BLUE, NULL);
            if (next < 0)
                continue;
            svg_text(out, x + (t + 0.5) * unit - 1, y + 26, 20, SVG_MIDDLE,
                     SVG_WHITE, "%d", next);
            ready[next] = t + 1 + WAIT;
            busy++;
        }
        svg_text(out, x, y + 76, 22, SVG_START, SVG_INK,
                 "arithmetic busy %.0f %% of the time", 100.0 * busy / UNITS);
    }
    svg_end(out);
    return 0;
}

/* A fetch takes 2 units of time, computing on a tile 3. */
enum {
    FETCH = 2,
    COMPUTE = 3
};

static void draw_work(FILE *out, double y, int start, int length, int tile,
                      int is_fetch)
{
    const double x = 190 + start * 42.0;

    svg_box(out, x + 1, y, length * 42.0 - 2, 46,
            is_fetch ? SVG_ORANGE : SVG_BLUE, NULL);
    svg_text(out, x + length * 21.0, y + 23, 20, SVG_MIDDLE,
             is_fetch ? SVG_INK : SVG_WHITE, "tile %d", tile);
}

int figure_overlap(char *const argument[], FILE *out, char *why, size_t size)
{
    const int tiles = figure_number(argument[0]);
    int time = 0, fetched = FETCH;

    if (tiles < 1 || tiles > 4) {
        snprintf(why, size, "give 1 to 4 tiles");
        return -1;
    }
    svg_begin(out, 1160, 420);
    svg_bold(out, 0, 20, 24, SVG_START, SVG_INK,
             "one buffer: two barriers a tile");
    svg_text(out, 176, 71, 22, SVG_END, SVG_INK, "fetch");
    svg_text(out, 176, 125, 22, SVG_END, SVG_INK, "compute");
    for (int tile = 0; tile < tiles; tile++) {
        draw_work(out, 48, time, FETCH, tile, 1);
        draw_work(out, 102, time + FETCH, COMPUTE, tile, 0);
        time += FETCH + COMPUTE;
        svg_line(out, 190 + (time - COMPUTE) * 42.0, 42,
                 190 + (time - COMPUTE) * 42.0, 154, SVG_VERMILLION, 4);
        svg_line(out, 190 + time * 42.0, 42, 190 + time * 42.0, 154,
                 SVG_VERMILLION, 4);
    }
    svg_text(out, 190 + time * 42.0 + 12, 98, 22, SVG_START, SVG_INK, "%d",
             time);

    svg_bold(out, 0, 220, 24, SVG_START, SVG_INK,
             "two buffers: one barrier a tile");
    svg_text(out, 176, 271, 22, SVG_END, SVG_INK, "fetch");
    svg_text(out, 176, 325, 22, SVG_END, SVG_INK, "compute");
    svg_text(out, 176, 379, 22, SVG_END, SVG_INK, "buffer");
    draw_work(out, 248, 0, FETCH, 0, 1);
    time = fetched;
    svg_line(out, 190 + time * 42.0, 242, 190 + time * 42.0, 354,
             SVG_VERMILLION, 4);
    for (int tile = 0; tile < tiles; tile++) {
        if (tile + 1 < tiles)
            draw_work(out, 248, time, FETCH, tile + 1, 1);
        draw_work(out, 302, time, COMPUTE, tile, 0);
        svg_text(out, 190 + (time + COMPUTE / 2.0) * 42.0, 379, 22, SVG_MIDDLE,
                 SVG_INK, "%d", tile % 2);
        time += COMPUTE;
        svg_line(out, 190 + time * 42.0, 242, 190 + time * 42.0, 354,
                 SVG_VERMILLION, 4);
    }
    svg_text(out, 190 + time * 42.0 + 12, 298, 22, SVG_START, SVG_INK, "%d",
             time);
    svg_text(out, 820, 220, 22, SVG_START, SVG_VERMILLION, "red: a barrier");
    svg_end(out);
    return 0;
}

int figure_unrolled(char *const argument[], FILE *out, char *why, size_t size)
{
    const int steps = figure_number(argument[0]);
    const double x = 190, width = 58, part = 38;

    if (steps < 4 || steps > 10) {
        snprintf(why, size, "give 4 to 10 steps");
        return -1;
    }
    svg_begin(out, 1160, 330);
    for (int by = 1; by <= 4; by += 3) {
        const double y = by == 1 ? 30 : 190;
        double at = x;
        int branches = 0;

        svg_bold(out, x - 16, y + 30, 24, SVG_END, SVG_INK, "%s",
                 by == 1 ? "rolled" : "by four");
        for (int i = 0; i < steps; i++) {
            const int is_rest = i >= steps / by * by;
            const int ends = is_rest || i % by == by - 1;

            svg_box(out, at, y, width - 2, 60,
                    is_rest && by > 1 ? SVG_SKY : SVG_BLUE, NULL);
            svg_text(out, at + width / 2 - 1, y + 30, 22, SVG_MIDDLE,
                     is_rest && by > 1 ? SVG_INK : SVG_WHITE, "%d", i);
            at += width;
            if (ends) {
                svg_box(out, at, y, part - 2, 60, SVG_ORANGE, NULL);
                svg_text(out, at + part / 2 - 1, y + 30, 22, SVG_MIDDLE,
                         SVG_INK, "?");
                at += part;
                branches++;
            }
        }
        svg_text(
            out, x, y + 88, 22, SVG_START, SVG_INK,
            "%d steps, %d times count, compare and branch%s", steps, branches,
            by > 1 && steps % by ? "; light: what four does not divide" : "");
    }
    svg_end(out);
    return 0;
}
