#include "svg.h"

#include <stdarg.h>

void svg_begin(FILE *out, double width, double height)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" "
            "height=\"%g\" viewBox=\"0 0 %g %g\" "
            "font-family=\"DejaVu Sans\">\n",
            width, height, width, height);
}

void svg_end(FILE *out)
{
    fputs("</svg>\n", out);
}

void svg_box(FILE *out, double x, double y, double width, double height,
             const char *fill, const char *border)
{
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "fill=\"%s\" stroke=\"%s\"/>\n",
            x, y, width, height, fill, border ? border : "none");
}

void svg_frame(FILE *out, double x, double y, double width, double height,
               const char *border, double stroke)
{
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n",
            x, y, width, height, border, stroke);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2,
              const char *colour, double stroke)
{
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
            "stroke=\"%s\" stroke-width=\"%.1f\"/>\n",
            x1, y1, x2, y2, colour, stroke);
}

/* What SVG would read as its own is written out. */
static void write_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<') {
            fputs("&lt;", out);
        } else if (*text == '&') {
            fputs("&amp;", out);
        } else {
            fputc(*text, out);
        }
    }
}

static void text_of(FILE *out, double x, double y, double letter,
                    enum svg_anchor anchor, const char *colour,
                    const char *look, const char *format, va_list values)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    char text[400];

    vsnprintf(text, sizeof text, format, values);
    fprintf(out,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" "
            "text-anchor=\"%s\" fill=\"%s\"%s xml:space=\"preserve\">",
            x, y + 0.36 * letter, letter, anchors[anchor], colour, look);
    write_text(out, text);
    fputs("</text>\n", out);
}

void svg_text(FILE *out, double x, double y, double letter,
              enum svg_anchor anchor, const char *colour, const char *format,
              ...)
{
    va_list values;

    va_start(values, format);
    text_of(out, x, y, letter, anchor, colour, "", format, values);
    va_end(values);
}

void svg_bold(FILE *out, double x, double y, double letter,
              enum svg_anchor anchor, const char *colour, const char *format,
              ...)
{
    va_list values;

    va_start(values, format);
    text_of(out, x, y, letter, anchor, colour, " font-weight=\"bold\"", format,
            values);
    va_end(values);
}

void svg_code(FILE *out, double x, double y, double letter,
              enum svg_anchor anchor, const char *colour, const char *format,
              ...)
{
    va_list values;

    va_start(values, format);
    text_of(out, x, y, letter, anchor, colour,
            " font-family=\"DejaVu Sans Mono\"", format, values);
    va_end(values);
}
