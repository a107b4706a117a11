/*
 * html.h: how is text written so that a browser shows it as it is?
 *
 * The page is HTML that is well-formed XML as well. All that does not stand in
 * the program's own source passes through html_print or base_put_html
 * (base/html.h), so a name with a quote or a '<' is text and nothing else.
 * Errors are those of the FILE.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

/*
 * base_print (base/print.h) in HTML: a text for %s is written with the
 * characters escaped that mean something there.
 */
void html_print(FILE *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Begins a table, of a class that report.css knows; heads are those of its
   columns, as "Lab|Verdict". html_heads does so behind a caption that the
   caller has begun. */
void html_table(FILE *to, const char *class, const char *caption,
                const char *heads);
void html_heads(FILE *to, const char *heads);
void html_table_end(FILE *to);

/* A cell of a number in words; NULL or "": a dash. */
void html_number(FILE *to, const char *text);

/*
 * Writes the file as base64 (RFC 4648), for a data: URI. Returns 0, or -1 with
 * a line in why if it cannot be read.
 */
int html_base64(FILE *to, const char *path, char *why, size_t size);

#endif /* REPORT_HTML_H */
