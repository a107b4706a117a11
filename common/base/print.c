#include "base/print.h"

#include "base/html.h"
#include "base/values.h"

#include <assert.h>
#include <math.h>

static void put_gnuplot_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++)
        fputc(*text == '"' ? '\'' : *text, file);
    fputc('"', file);
}

static void put_text(FILE *file, enum base_form form, const char *text)
{
    static void (*const put[])(FILE *, const char *) = {
        [BASE_CSV] = base_put_csv_text,
        [BASE_HTML] = base_put_html,
        [BASE_GNUPLOT] = put_gnuplot_text};

    put[form](file, text);
}

void base_vprint(FILE *file, enum base_form form, const char *format,
                 va_list values)
{
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            fputc(*format, file);
            continue;
        }
        switch (*++format) {
        case 's':
            put_text(file, form, va_arg(values, const char *));
            break;
        case 'd':
            fprintf(file, "%d", va_arg(values, int));
            break;
        case 'u':
            fprintf(file, "%u", va_arg(values, unsigned));
            break;
        case 'l':
            format++;
            fprintf(file, "%ld", va_arg(values, long));
            break;
        case 'g': {
            const double number = va_arg(values, double);

            if (isfinite(number)) {
                base_put_number(file, number);
            } else if (form == BASE_GNUPLOT) {
                fputs("NaN", file);
            }
            break;
        }
        default:
            assert(*format == '%');
            fputc('%', file);
        }
    }
}

void base_print(FILE *file, enum base_form form, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    base_vprint(file, form, format, values);
    va_end(values);
}
