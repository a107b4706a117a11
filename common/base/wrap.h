/*
 * wrap.h: how is a text broken into lines of a screen?
 *
 * In at most 80 columns. A character of UTF-8 is a column, however many bytes
 * it has; a word that is wider than a line stands alone on one. Errors are
 * those of the FILE.
 */
#ifndef OUTPUT_WRAP_H
#define OUTPUT_WRAP_H

#include <stdio.h>

/*
 * Prints a text, each of its lines behind the indent. Line feeds of the text
 * stay, empty lines too, and the last line ends with one if it had none. A line
 * that is too long is broken between words, and goes on as far to the right as
 * it began. An empty text prints nothing.
 */
void output_wrap(FILE *stream, const char *indent, const char *text);

#endif /* OUTPUT_WRAP_H */
