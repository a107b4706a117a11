/* measured.c: figures of what was measured. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_read.h"
#include "svg.h"

enum {
    LEFT = 330, /* where the bars of the ladder begin */
    BAR = 43    /* from one bar of the ladder to the next */
};

/* Whether the ladder shows the row: kernels that were timed, at one size, of
   the labs from first to last. */
static int is_step(const struct base_csv *csv, size_t row, const char *first,
                   const char *last)
{
    const char *variant = base_csv_text(csv, row, "variant");
    const char *lab = base_csv_text(csv, row, "lab");

    return base_csv_number(csv, row, "gflops") > 0 &&
           strncmp(lab, first, 2) >= 0 && strncmp(lab, last, 2) <= 0 &&
           base_csv_number(csv, row, "m") == 4096 &&
           strcmp(variant, "host") != 0;
}

/* Whether no row from this one on is shown that has its precision. */
static int is_last_of_precision(const struct base_csv *csv, size_t row,
                                const char *first, const char *last)
{
    for (size_t i = row + 1; i < csv->rows; i++) {
        if (is_step(csv, i, first, last) &&
            strcmp(base_csv_text(csv, i, "precision"),
                   base_csv_text(csv, row, "precision")) == 0)
            return 0;
    }
    return 1;
}

/* The fastest of cuBLAS's runs beside the rows of the same precision, so that
   each picture has the same one; TFLOP/s. */
static double library_of(const struct base_csv *csv, size_t row)
{
    double most = 0;

    for (size_t i = 0; i < csv->rows; i++) {
        if (base_csv_number(csv, i, "m") == 4096 &&
            strcmp(base_csv_text(csv, i, "precision"),
                   base_csv_text(csv, row, "precision")) == 0)
            most = fmax(most, base_csv_number(csv, i, "cublas_gflops") / 1e3);
    }
    return most;
}

static void draw_bar(FILE *out, double *y, double tflops, double most,
                     const char *name, const char *colour)
{
    const double width = 700 * tflops / most;

    svg_text(out, LEFT - 14, *y + 17, 22, SVG_END, SVG_INK, "%s", name);
    svg_box(out, LEFT, *y, width, 34, colour, NULL);
    svg_bold(out, LEFT + width + 10, *y + 17, 22, SVG_START, SVG_INK, "%.1f",
             tflops);
    *y += BAR;
}

/* A lab's name and its variant, without underscores. */
static void name_bar(const struct base_csv *csv, size_t row, char name[80])
{
    const char *variant = base_csv_text(csv, row, "variant");
    const int is_only = strcmp(variant, "kernel") == 0;

    snprintf(name, 80, "%.30s%s%.20s", base_csv_text(csv, row, "lab"),
             is_only ? "" : ", ", is_only ? "" : variant);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

int figure_ladder(char *const argument[], FILE *out, char *why, size_t size)
{
    struct base_csv csv;
    double y = 0, most = 0, peak = 0;

    if (!argument[0] || !argument[1] || !argument[2] || !argument[3]) {
        snprintf(why, size,
                 "give a ladder's CSV file, a lab's number, the first and the "
                 "last lab");
        return -1;
    }
    const char *const first = argument[2], *const last = argument[3];

    if (base_csv_read(argument[0], &csv, why, size) != 0)
        return -1;
    for (size_t i = 0; i < csv.rows; i++) {
        if (!is_step(&csv, i, first, last))
            continue;
        y += BAR + BAR * is_last_of_precision(&csv, i, first, last);
        most = fmax(most, base_csv_number(&csv, i, "gflops") / 1e3);
        most = fmax(most, library_of(&csv, i));
        peak = base_csv_number(&csv, i, "peak_gflops") / 1e3;
        most = fmax(most, peak);
    }
    svg_begin(out, 1160, y + BAR * (1 + isfinite(peak)));
    svg_text(out, LEFT, 14, 22, SVG_START, SVG_INK, "TFLOP/s");
    y = BAR;
    for (size_t i = 0; i < csv.rows; i++) {
        const char *precision = base_csv_text(&csv, i, "precision");
        char name[80];

        if (!is_step(&csv, i, first, last))
            continue;
        name_bar(&csv, i, name);
        draw_bar(out, &y, base_csv_number(&csv, i, "gflops") / 1e3, most, name,
                 strncmp(name, argument[1], 2) == 0 ? SVG_VERMILLION
                                                    : SVG_BLUE);
        if (!is_last_of_precision(&csv, i, first, last))
            continue;
        snprintf(name, sizeof name, "cuBLAS%s%.20s",
                 strcmp(precision, "fp32") == 0 ? "" : ", ",
                 strcmp(precision, "fp32") == 0 ? "" : precision);
        draw_bar(out, &y, library_of(&csv, i), most, name, SVG_GREY);
    }
    if (isfinite(peak))
        draw_bar(out, &y, peak, most, "measured peak", SVG_GREY);
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
