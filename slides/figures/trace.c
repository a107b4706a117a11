/*
 * trace.c: the kernel of lab 03, step by step, for a 4 x 4 product with tiles
 * of 2 x 2: what each thread of block (0, 0) loads, and what it adds.
 */
#include "figures.h"

#include <stdlib.h>
#include <string.h>

#include "svg.h"

enum {
    SIDE = 4, /* of A, B and C */
    TILE = 2,
    STEPS = 2 * SIDE / TILE /* load, add, load, add */
};

/* All that the block knows; of C its own tile. */
struct state {
    int A[SIDE][SIDE], B[SIDE][SIDE];
    int As[TILE][TILE], Bs[TILE][TILE];
    int sum[TILE][TILE], before[TILE][TILE];
    int t; /* first column of A in As */
};

static void set_inputs(struct state *s)
{
    for (int row = 0; row < SIDE; row++) {
        for (int col = 0; col < SIDE; col++) {
            s->A[row][col] = row * SIDE + col + 1;
            s->B[row][col] = (3 * row + 2 * col) % 5 + 1;
        }
    }
}

/* Steps 0, 2: the copies of TODO 3.1 and 3.2. Steps 1, 3: the sum of 3.4. */
static void do_step(struct state *s, int step)
{
    s->t = step / 2 * TILE;
    for (int ty = 0; ty < TILE; ty++) {
        for (int tx = 0; tx < TILE; tx++) {
            if (step % 2 == 0) {
                s->As[ty][tx] = s->A[ty][s->t + tx];
                s->Bs[tx][ty] = s->B[s->t + tx][ty];
                continue;
            }
            s->before[ty][tx] = s->sum[ty][tx];
            for (int i = 0; i < TILE; i++)
                s->sum[ty][tx] += s->As[ty][i] * s->Bs[i][tx];
        }
    }
}

static const char *colour_of(int ty, int tx)
{
    static const char *const colours[] = {SVG_SKY, SVG_ORANGE, "#4fc3a1",
                                          "#ee9a6a"};

    return colours[ty * TILE + tx];
}

static void draw_value(FILE *out, double x, double y, double cell, int value,
                       const char *fill)
{
    svg_box(out, x, y, cell, cell, fill, SVG_INK);
    svg_text(out, x + cell / 2, y + cell / 2, 22, SVG_MIDDLE, SVG_INK, "%d",
             value);
}

/* Matrices A, B and C with the tiles of this step in the colour of the thread
   that loads each element, or of the sums. */
static void draw_matrices(FILE *out, const struct state *s, int is_load)
{
    const double e = 48, left = 40, mid = 290, top = 34, low = 268;

    svg_bold(out, left + 2 * e, low - 18, 24, SVG_MIDDLE, SVG_INK, "A");
    svg_bold(out, mid + 2 * e, top - 18, 24, SVG_MIDDLE, SVG_INK, "B");
    svg_bold(out, mid + 2 * e, low - 18, 24, SVG_MIDDLE, SVG_INK, "C");
    for (int row = 0; row < SIDE; row++) {
        for (int col = 0; col < SIDE; col++) {
            const int in_a = row < TILE && col >= s->t && col < s->t + TILE;
            const int in_b = col < TILE && row >= s->t && row < s->t + TILE;
            const int in_c = row < TILE && col < TILE;
            const char *none = SVG_WHITE;

            draw_value(out, left + col * e, low + row * e, e, s->A[row][col],
                       !in_a     ? none
                       : is_load ? colour_of(row, col - s->t)
                                 : SVG_GREY);
            /* Thread (tx, ty) loads row t + tx and column ty of B. */
            draw_value(out, mid + col * e, top + row * e, e, s->B[row][col],
                       !in_b     ? none
                       : is_load ? colour_of(col, row - s->t)
                                 : SVG_GREY);
            svg_box(out, mid + col * e, low + row * e, e, e,
                    !in_c || is_load ? none : colour_of(row, col), SVG_INK);
            if (in_c && !is_load) {
                svg_text(out, mid + (col + 0.5) * e, low + (row + 0.5) * e, 22,
                         SVG_MIDDLE, SVG_INK, "%d", s->sum[row][col]);
            }
        }
    }
    svg_frame(out, mid, low, TILE * e, TILE * e, SVG_BLUE, 5);
}

static void draw_tiles(FILE *out, const struct state *s, int is_load)
{
    const double e = 56, x = 590, y = 66;

    for (int which = 0; which < 2; which++) {
        const double left = x + which * 190;

        svg_bold(out, left + e, y - 22, 24, SVG_MIDDLE, SVG_INK, "%s",
                 which == 0 ? "As" : "Bs");
        for (int row = 0; row < TILE; row++) {
            for (int col = 0; col < TILE; col++) {
                draw_value(out, left + col * e, y + row * e, e,
                           which == 0 ? s->As[row][col] : s->Bs[row][col],
                           !is_load     ? SVG_GREY
                           : which == 0 ? colour_of(row, col)
                                        : colour_of(col, row));
            }
        }
    }
}

/* A line for each thread: what it does in this step. */
static void draw_threads(FILE *out, const struct state *s, int is_load)
{
    for (int ty = 0; ty < TILE; ty++) {
        for (int tx = 0; tx < TILE; tx++) {
            const double x = 590, y = 236 + (ty * TILE + tx) * 64;
            const int *a = s->As[ty];

            svg_box(out, x, y - 16, 32, 32, colour_of(ty, tx), SVG_INK);
            svg_text(out, x + 44, y, 22, SVG_START, SVG_INK, "(%d,%d)", tx, ty);
            if (is_load) {
                svg_code(out, x + 128, y - 13, 20, SVG_START, SVG_INK,
                         "As[%d][%d] = A[%d][%d] = %d", ty, tx, ty, s->t + tx,
                         s->As[ty][tx]);
                svg_code(out, x + 128, y + 13, 20, SVG_START, SVG_INK,
                         "Bs[%d][%d] = B[%d][%d] = %d", tx, ty, s->t + tx, ty,
                         s->Bs[tx][ty]);
            } else {
                svg_code(out, x + 128, y, 20, SVG_START, SVG_INK,
                         "sum = %d + %d*%d + %d*%d = %d", s->before[ty][tx],
                         a[0], s->Bs[0][tx], a[1], s->Bs[1][tx],
                         s->sum[ty][tx]);
            }
        }
    }
}

int figure_trace(char *const argument[], FILE *out, char *why, size_t size)
{
    struct state s;
    const int last = figure_number(argument[0]);

    if (!argument[0] || last < 0 || last >= STEPS) {
        snprintf(why, size, "give a step from 0 to %d", STEPS - 1);
        return -1;
    }
    memset(&s, 0, sizeof s);
    set_inputs(&s);
    for (int step = 0; step <= last; step++)
        do_step(&s, step);

    svg_begin(out, 1160, 480);
    draw_matrices(out, &s, last % 2 == 0);
    draw_tiles(out, &s, last % 2 == 0);
    draw_threads(out, &s, last % 2 == 0);
    svg_text(out, 1000, 60, 22, SVG_START, SVG_INK, "t = %d", s.t);
    svg_text(out, 1000, 96, 22, SVG_START, SVG_INK, "%s",
             last % 2 == 0 ? "load" : "add");
    svg_text(out, 590, 200, 20, SVG_START, SVG_INK, "thread (tx,ty)");
    svg_end(out);
    return 0;
}
