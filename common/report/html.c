#define _POSIX_C_SOURCE 200809L
#include "html.h"

#include "base/print.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void html_print(FILE *to, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    base_vprint(to, BASE_HTML, format, values);
    va_end(values);
}

void html_heads(FILE *to, const char *heads)
{
    html_print(to, "</caption>\n<thead><tr>");
    for (const char *at = heads; *at != '\0'; at += *at == '|') {
        const int length = (int)strcspn(at, "|");
        char head[100];

        snprintf(head, sizeof head, "%.*s", length, at);
        html_print(to, "<th scope=\"col\">%s</th>", head);
        at += length;
    }
    html_print(to, "</tr></thead>\n<tbody>\n");
}

void html_table(FILE *to, const char *class, const char *caption,
                const char *heads)
{
    html_print(to, "<table class=\"%s\"><caption>%s", class, caption);
    html_heads(to, heads);
}

void html_table_end(FILE *to)
{
    html_print(to, "</tbody></table>\n");
}

void html_number(FILE *to, const char *text)
{
    html_print(to, "<td class=\"number\">%s</td>",
               text != NULL && *text != '\0' ? text : "\xe2\x80\x93");
}

int html_base64(FILE *to, const char *path, char *why, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789+/";
    FILE *file = fopen(path, "rbe");
    unsigned char b[3];
    size_t got;
    int failed;

    if (file == NULL) {
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
        return -1;
    }
    do {
        memset(b, 0, sizeof b);
        got = fread(b, 1, sizeof b, file);
        if (got > 0) {
            fputc(digit[b[0] >> 2], to);
            fputc(digit[(b[0] & 3) << 4 | b[1] >> 4], to);
            fputc(got > 1 ? digit[(b[1] & 15) << 2 | b[2] >> 6] : '=', to);
            fputc(got > 2 ? digit[b[2] & 63] : '=', to);
        }
    } while (got == sizeof b);
    failed = ferror(file);
    if (failed)
        snprintf(why, size, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return failed ? -1 : 0;
}
