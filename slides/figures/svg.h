/*
 * svg.h: how does a figure of the slides get onto its page?
 *
 * As SVG, which is written in order: what comes later lies on top. Lengths are
 * those of a slide of 1280 x 720, so a text of 20 here is one of 20 there if
 * the figure is as wide as the slide. Colours are those of plots/style.gp.
 */
#ifndef SLIDES_SVG_H
#define SLIDES_SVG_H

#include <stdio.h>

#define SVG_BLUE       "#0072b2"
#define SVG_ORANGE     "#e69f00"
#define SVG_VERMILLION "#bd5100"
#define SVG_SKY        "#56b4e9"
#define SVG_GREY       "#b8bfc6"
#define SVG_PALE       "#eef1f4"
#define SVG_INK        "#222222"
#define SVG_WHITE      "#ffffff"

enum svg_anchor {
    SVG_START,
    SVG_MIDDLE,
    SVG_END
};

void svg_begin(FILE *out, double width, double height);
void svg_end(FILE *out);

/* A filled rectangle with a border of that colour, or NULL for none. */
void svg_box(FILE *out, double x, double y, double width, double height,
             const char *fill, const char *border);

/* A rectangle's border alone, so many pixels wide. */
void svg_frame(FILE *out, double x, double y, double width, double height,
               const char *border, double stroke);

void svg_line(FILE *out, double x1, double y1, double x2, double y2,
              const char *colour, double stroke);

/* A text in printf's form, with its middle at the height y: plain, bold, or as
   code, whose letters have one width. */
void svg_text(FILE *out, double x, double y, double letter,
              enum svg_anchor anchor, const char *colour, const char *format,
              ...) __attribute__((format(printf, 7, 8)));
void svg_bold(FILE *out, double x, double y, double letter,
              enum svg_anchor anchor, const char *colour, const char *format,
              ...) __attribute__((format(printf, 7, 8)));
void svg_code(FILE *out, double x, double y, double letter,
              enum svg_anchor anchor, const char *colour, const char *format,
              ...) __attribute__((format(printf, 7, 8)));

#endif /* SLIDES_SVG_H */
