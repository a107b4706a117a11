/*
 * html.h: how is a text written so that a browser shows it as it is?
 *
 * Well-formed XML as well. Errors are those of the FILE.
 */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include <stdio.h>

/* Writes a text with the characters escaped that mean something in HTML. What
   is no UTF-8 and no character of XML, such as a control character, is written
   as U+FFFD, the sign for that. */
void base_put_html(FILE *to, const char *text);

/* The place of the first byte that is not UTF-8 or no character of XML, or -1.
 */
long base_html_bad_byte(const char *text);

#endif /* BASE_HTML_H */
