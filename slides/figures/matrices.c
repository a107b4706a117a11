/* matrices.c: figures of matrices, from the formulas of the labs. */
#include "figures.h"

#include "svg.h"

enum {
    LETTER = 24
};

/* A matrix of rows x cols cells with one corner at (x, y). */
struct grid {
    double x, y, cell;
    int rows, cols;
};

static void cell_box(FILE *out, const struct grid *g, int row, int col,
                     const char *fill)
{
    svg_box(out, g->x + col * g->cell, g->y + row * g->cell, g->cell, g->cell,
            fill, SVG_INK);
}

void figure_row_major(FILE *out)
{
    const struct grid g = {130, 60, 70, 3, 4};
    const char *const colours[] = {SVG_SKY, SVG_PALE, SVG_ORANGE};

    svg_begin(out, 1160, 440);
    svg_text(out, g.x + 2 * g.cell, 20, LETTER, SVG_MIDDLE, SVG_INK, "col");
    for (int col = 0; col < g.cols; col++) {
        svg_text(out, g.x + (col + 0.5) * g.cell, 46, 20, SVG_MIDDLE, SVG_INK,
                 "%d", col);
    }
    for (int row = 0; row < g.rows; row++) {
        svg_text(out, g.x - 18, g.y + (row + 0.5) * g.cell, 20, SVG_END,
                 SVG_INK, "%s%d", row == 0 ? "row  " : "", row);
        for (int col = 0; col < g.cols; col++) {
            cell_box(out, &g, row, col, colours[row]);
            svg_text(out, g.x + (col + 0.5) * g.cell,
                     g.y + (row + 0.5) * g.cell, LETTER, SVG_MIDDLE, SVG_INK,
                     "%c", 'a' + row * g.cols + col);
        }
    }

    const int row = 2, col = 1, place = row * g.cols + col;

    svg_code(out, 520, 90, 26, SVG_START, SVG_INK, "X[row * cols + col]");
    svg_code(out, 520, 150, 26, SVG_START, SVG_INK, "X[%d * %d + %d] = X[%d]",
             row, g.cols, col, place);
    svg_text(out, 520, 210, LETTER, SVG_START, SVG_INK,
             "next in a row: 1 away; next in a column: %d", g.cols);
    for (int i = 0; i < g.rows * g.cols; i++) {
        const double x = 130 + i * g.cell, y = 340;

        svg_box(out, x, y, g.cell, g.cell, colours[i / g.cols], SVG_INK);
        svg_text(out, x + g.cell / 2, y + g.cell / 2, LETTER, SVG_MIDDLE,
                 SVG_INK, "%c", 'a' + i);
        svg_text(out, x + g.cell / 2, y + g.cell + 18, 20, SVG_MIDDLE, SVG_INK,
                 "%d", i);
    }
    svg_frame(out, 130 + place * g.cell, 340, g.cell, g.cell, SVG_VERMILLION,
              6);
    svg_frame(out, g.x + col * g.cell, g.y + row * g.cell, g.cell, g.cell,
              SVG_VERMILLION, 6);
    svg_text(out, 118, 375, 20, SVG_END, SVG_INK, "memory");
    svg_end(out);
}

void figure_grid(FILE *out)
{
    const int m = 37, n = 53, block = 16;
    const int across = (n + block - 1) / block, down = (m + block - 1) / block;
    const int by = 1, bx = 2, ty = 5, tx = 7; /* one thread */
    const double e = 9, x = 190, y = 64;      /* an element; C's corner */
    const double right = 780;

    svg_begin(out, 1160, 510);
    svg_box(out, x, y, n * e, m * e, SVG_SKY, NULL);
    for (int row = 0; row < down; row++) {
        for (int col = 0; col < across; col++) {
            svg_frame(out, x + col * block * e, y + row * block * e, block * e,
                      block * e, SVG_INK, 2);
        }
    }
    for (int col = 0; col < across; col++) {
        svg_text(out, x + (col + 0.5) * block * e, y - 18, 22, SVG_MIDDLE,
                 SVG_INK, "%s%d", col == 0 ? "blockIdx.x = " : "", col);
    }
    for (int row = 0; row < down; row++) {
        svg_text(out, x - 10, y + (row + 0.5) * block * e, 22, SVG_END, SVG_INK,
                 "%s%d", row == 0 ? "blockIdx.y = " : "", row);
    }
    svg_frame(out, x + bx * block * e, y + by * block * e, block * e, block * e,
              SVG_BLUE, 6);
    svg_box(out, x + (bx * block + tx) * e, y + (by * block + ty) * e, e, e,
            SVG_VERMILLION, NULL);

    svg_text(out, right, 90, LETTER, SVG_START, SVG_INK,
             "C is %d x %d (blue area)", m, n);
    svg_text(out, right, 130, LETTER, SVG_START, SVG_INK,
             "grid %d x %d blocks of %d x %d", across, down, block, block);
    svg_text(out, right, 170, LETTER, SVG_START, SVG_INK, "%d threads run,",
             across * down * block * block);
    svg_text(out, right, 210, LETTER, SVG_START, SVG_INK,
             "%d of them stand outside", across * down * block * block - m * n);
    svg_bold(out, right, 290, LETTER, SVG_START, SVG_VERMILLION, "this thread");
    svg_code(out, right, 330, 22, SVG_START, SVG_INK, "row = %d * %d + %d = %d",
             by, block, ty, by * block + ty);
    svg_code(out, right, 366, 22, SVG_START, SVG_INK, "col = %d * %d + %d = %d",
             bx, block, tx, bx * block + tx);
    svg_end(out);
}

/* The tiles of block (bx, by), in the order in which it walks over them. */
static void draw_walk(FILE *out, const struct grid *g, const char *name,
                      int first_row, int first_col, int tile, int is_down)
{
    svg_bold(out, g->x + g->cols * g->cell / 2, g->y - 24, LETTER, SVG_MIDDLE,
             SVG_INK, "%s, %d x %d", name, g->rows, g->cols);
    for (int row = 0; row < g->rows; row++) {
        for (int col = 0; col < g->cols; col++) {
            const int in_tiles =
                is_down ? col >= first_col && col < first_col + tile
                        : row >= first_row && row < first_row + tile;
            const int step = (is_down ? row : col) / tile;

            cell_box(out, g, row, col,
                     !in_tiles       ? SVG_WHITE
                     : step % 2 == 0 ? SVG_SKY
                                     : SVG_ORANGE);
            svg_text(out, g->x + (col + 0.5) * g->cell,
                     g->y + (row + 0.5) * g->cell, 22, SVG_MIDDLE, SVG_INK,
                     "%d", row * g->cols + col);
        }
    }
    for (int t = 0; t < (is_down ? g->rows : g->cols); t += tile) {
        const int row = is_down ? t : first_row, col = is_down ? first_col : t;

        svg_frame(out, g->x + col * g->cell, g->y + row * g->cell, g->cell,
                  g->cell, SVG_VERMILLION, 5);
    }
}

void figure_walk(FILE *out)
{
    const int n = 6, k = 6, tile = 2, bx = 1, by = 1;
    const struct grid a = {30, 60, 62, 4, 6}, b = {460, 60, 62, 6, 6};
    const int a_start = by * tile * k, b_start = bx * tile;
    const double right = 870;

    svg_begin(out, 1160, 480);
    draw_walk(out, &a, "A", by * tile, 0, tile, 0);
    draw_walk(out, &b, "B", 0, bx * tile, tile, 1);
    svg_text(out, right, 70, 22, SVG_START, SVG_INK, "block (%d, %d), tile %d",
             bx, by, tile);
    svg_bold(out, right, 128, 22, SVG_START, SVG_INK, "A: along the row");
    svg_code(out, right, 164, 20, SVG_START, SVG_INK, "start %2d = by*T*k",
             a_start);
    svg_code(out, right, 194, 20, SVG_START, SVG_INK, "step  %2d = T", tile);
    svg_code(out, right, 224, 20, SVG_START, SVG_INK, "stop  %2d = start+k",
             a_start + k);
    svg_bold(out, right, 284, 22, SVG_START, SVG_INK, "B: down the column");
    svg_code(out, right, 320, 20, SVG_START, SVG_INK, "start %2d = bx*T",
             b_start);
    svg_code(out, right, 350, 20, SVG_START, SVG_INK, "step  %2d = T*n",
             tile * n);
    svg_code(out, right, 380, 20, SVG_START, SVG_INK, "stop  %2d = start+k*n",
             b_start + k * n);
    svg_text(out, 30, 400, 22, SVG_START, SVG_INK, "number = place in memory;");
    svg_text(out, 30, 430, 22, SVG_START, SVG_VERMILLION,
             "red frame = where a tile begins");
    svg_end(out);
}

void figure_outer(FILE *out)
{
    enum {
        ROWS = 16,
        COLS = 64
    };
    const double e = 20, w = 9; /* height of a row, width of a column */
    const double cx = 300, cy = 140;
    const int thread = 21;

    svg_begin(out, 1160, 500);
    svg_box(out, cx, 40, COLS * w, 30, SVG_PALE, SVG_INK);
    svg_text(out, cx + COLS * w / 2 + 60, 20, 22, SVG_MIDDLE, SVG_INK,
             "row t + i of B, in global memory");
    svg_box(out, cx + thread * w, 40, w, 30, SVG_VERMILLION, NULL);
    svg_box(out, 180, cy, 36, ROWS * e, SVG_ORANGE, SVG_INK);
    for (int row = 1; row < ROWS; row++)
        svg_line(out, 180, cy + row * e, 216, cy + row * e, SVG_INK, 1);
    svg_text(out, 160, cy + 120, 22, SVG_END, SVG_INK, "column");
    svg_text(out, 160, cy + 150, 22, SVG_END, SVG_INK, "t + i of A,");
    svg_text(out, 160, cy + 180, 22, SVG_END, SVG_INK, "in As");
    svg_box(out, cx, cy, COLS * w, ROWS * e, SVG_WHITE, SVG_INK);
    for (int row = 0; row < ROWS; row++) {
        svg_box(out, cx + thread * w, cy + row * e + 1, w, e - 2, SVG_BLUE,
                NULL);
    }
    svg_arrow(out, cx + (thread + 0.5) * w, 74, cx + (thread + 0.5) * w, cy - 4,
              SVG_VERMILLION);
    svg_text(out, cx + (thread + 2) * w, 105, 22, SVG_START, SVG_VERMILLION,
             "b: one register, used %d times", ROWS);
    svg_arrow(out, 222, cy + 2.5 * e, cx + thread * w - 4, cy + 2.5 * e,
              SVG_ORANGE);
    svg_text(out, cx + 26 * w, cy + 2.5 * e, 22, SVG_START, SVG_INK,
             "As[i][r]: the same word");
    svg_text(out, cx + 26 * w, cy + 4 * e, 22, SVG_START, SVG_INK,
             "for all %d threads", COLS);
    svg_text(out, cx + 26 * w, cy + 10 * e, 22, SVG_START, SVG_BLUE,
             "%d sums of one thread,", ROWS);
    svg_text(out, cx + 26 * w, cy + 11.5 * e, 22, SVG_START, SVG_BLUE,
             "each in a register");
    svg_text(out, cx + COLS * w / 2, cy + ROWS * e + 22, 22, SVG_MIDDLE,
             SVG_INK, "C: %d rows x %d columns, one column a thread", ROWS,
             COLS);
    svg_end(out);
}

void figure_plan(FILE *out)
{
    enum {
        TILES = 4 /* along k */
    };
    const double e = 62, left = 20, mid = left + TILES * e + 50;
    const double top = 34, low = top + TILES * e + 50;

    svg_begin(out, 540, low + 2 * e + 8);
    svg_box(out, left, low, TILES * e, 2 * e, SVG_PALE, SVG_INK);
    svg_box(out, mid, top, 3 * e, TILES * e, SVG_PALE, SVG_INK);
    svg_box(out, mid, low, 3 * e, 2 * e, SVG_PALE, SVG_INK);
    for (int t = 0; t < TILES; t++) {
        svg_box(out, left + t * e, low, e, e, t == 1 ? SVG_ORANGE : SVG_SKY,
                SVG_INK);
        svg_box(out, mid + e, top + t * e, e, e, t == 1 ? SVG_ORANGE : SVG_SKY,
                SVG_INK);
    }
    svg_box(out, mid + e, low, e, e, SVG_BLUE, SVG_INK);
    svg_bold(out, left + 1.5 * e, low + e / 2, LETTER, SVG_MIDDLE, SVG_INK,
             "As");
    svg_bold(out, mid + 1.5 * e, top + 1.5 * e, LETTER, SVG_MIDDLE, SVG_INK,
             "Bs");
    svg_bold(out, mid + 1.5 * e, low + e / 2, LETTER, SVG_MIDDLE, SVG_WHITE,
             "C");
    svg_arrow(out, left + 2.1 * e, low + e / 2, left + 3.9 * e, low + e / 2,
              SVG_INK);
    svg_arrow(out, mid + 1.5 * e, top + 2.1 * e, mid + 1.5 * e, top + 3.9 * e,
              SVG_INK);
    svg_text(out, left, low - 20, LETTER, SVG_START, SVG_INK, "A");
    svg_text(out, mid, top - 18, LETTER, SVG_START, SVG_INK, "B");
    svg_end(out);
}
