/* measured.c: figures of what was measured. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "svg.h"

/* Whether the ladder shows the row: kernels that were timed, at one size, of
   the nine labs that the decks are about. */
static int is_step(const struct base_csv *csv, size_t row)
{
    const char *variant = base_csv_text(csv, row, "variant");

    return base_csv_number(csv, row, "gflops") > 0 &&
           strcmp(base_csv_text(csv, row, "lab"), "10") < 0 &&
           base_csv_number(csv, row, "m") == 4096 &&
           strcmp(variant, "host") != 0;
}

static void draw_bar(FILE *out, double y, double tflops, double most,
                     const char *name, const char *colour)
{
    const double left = 330, width = 700 * tflops / most;

    svg_text(out, left - 14, y + 17, 22, SVG_END, SVG_INK, "%s", name);
    svg_box(out, left, y, width, 34, colour, NULL);
    svg_bold(out, left + width + 10, y + 17, 22, SVG_START, SVG_INK, "%.1f",
             tflops);
}

int figure_ladder(char *const argument[], FILE *out, char *why, size_t size)
{
    struct base_csv csv;
    double y = 0, cublas = 0, peak = 0;

    if (!argument[0] || !argument[1]) {
        snprintf(why, size, "give a ladder's CSV file and a lab's number");
        return -1;
    }
    if (base_csv_read(argument[0], &csv, why, size) != 0)
        return -1;
    for (size_t i = 0; i < csv.rows; i++) {
        if (is_step(&csv, i)) {
            y += 43;
            cublas = base_csv_number(&csv, i, "cublas_gflops") / 1e3;
            peak = base_csv_number(&csv, i, "peak_gflops") / 1e3;
        }
    }
    svg_begin(out, 1160, y + 86);
    y = 0;
    for (size_t i = 0; i < csv.rows; i++) {
        const char *lab = base_csv_text(&csv, i, "lab");
        const char *variant = base_csv_text(&csv, i, "variant");
        char name[80];

        if (!is_step(&csv, i))
            continue;
        snprintf(name, sizeof name, "%.30s%s%.20s", lab,
                 strcmp(variant, "kernel") == 0 ? "" : ", ",
                 strcmp(variant, "kernel") == 0 ? "" : variant);
        for (char *c = name; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        draw_bar(out, y, base_csv_number(&csv, i, "gflops") / 1e3, peak, name,
                 strncmp(lab, argument[1], 2) == 0 ? SVG_VERMILLION : SVG_BLUE);
        y += 43;
    }
    draw_bar(out, y, cublas, peak, "cuBLAS", SVG_GREY);
    draw_bar(out, y + 43, peak, peak, "measured peak", SVG_GREY);
    svg_end(out);
    base_csv_free(&csv);
    return 0;
}

/* Years to the right, MHz upwards by powers of ten. */
static double x_of(double year)
{
    return 130 + (year - 1992) / (2025 - 1992) * 1000;
}

static double y_of(double mhz)
{
    return 430 - log10(mhz / 30) / log10(10000.0 / 30) * 410;
}

int figure_clocks(char *const argument[], FILE *out, char *why, size_t size)
{
    struct base_csv csv;
    double x = 0, y = 0;

    if (!argument[0]) {
        snprintf(why, size, "give a CSV file of year, name and MHz");
        return -1;
    }
    if (base_csv_read(argument[0], &csv, why, size) != 0)
        return -1;
    svg_begin(out, 1160, 480);
    for (int mhz = 100; mhz <= 10000; mhz *= 10) {
        svg_line(out, 130, y_of(mhz), 1130, y_of(mhz), "#dddddd", 1.5);
        svg_text(out, 118, y_of(mhz), 22, SVG_END, SVG_INK, "%g %s",
                 mhz < 1000 ? mhz : mhz / 1e3, mhz < 1000 ? "MHz" : "GHz");
    }
    for (int year = 1995; year <= 2025; year += 5)
        svg_text(out, x_of(year), 456, 22, SVG_MIDDLE, SVG_INK, "%d", year);
    svg_line(out, x_of(2003), 20, x_of(2003), 434, SVG_VERMILLION, 2);
    svg_text(out, x_of(2003) + 10, 400, 22, SVG_START, SVG_VERMILLION, "2003");
    for (size_t i = 0; i < csv.rows; i++) {
        const double nx = x_of(base_csv_number(&csv, i, "year"));
        const double ny = y_of(base_csv_number(&csv, i, "mhz"));
        const double above = strtod(base_csv_text(&csv, i, "above"), NULL);

        if (i > 0)
            svg_line(out, x, y, nx, ny, SVG_BLUE, 4);
        x = nx;
        y = ny;
        svg_box(out, x - 6, y - 6, 12, 12, SVG_BLUE, NULL);
        svg_text(out, above == 0 ? x + 16 : x, above == 0 ? y + 6 : y - above,
                 20, above == 0 ? SVG_START : SVG_MIDDLE, SVG_INK, "%s",
                 base_csv_text(&csv, i, "label"));
    }
    svg_end(out);
    base_csv_free(&csv);
    return 0;
}
