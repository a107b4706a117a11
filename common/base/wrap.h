/*
 * wrap.h: how is a text broken into lines of a screen?
 *
 * In at most BASE_WIDTH columns. A character of UTF-8 is one or two of them,
 * however many bytes it has, and a line may end between Chinese ones. A word
 * that is wider than a line stands alone on one. Errors are those of the FILE.
 */
#ifndef BASE_WRAP_H
#define BASE_WRAP_H

#include <stdio.h>

enum {
    BASE_WIDTH = 80 /* columns of a screen */
};

/*
 * Prints a text, each of its lines behind the indent. Line feeds of the text
 * stay, empty lines too, and the last line ends with one if it had none. A line
 * that is too long is broken between words, and goes on as far to the right as
 * it began. An empty text prints nothing.
 */
void base_wrap(FILE *stream, const char *indent, const char *text);

/*
 * How many bytes of a text, up to its first line feed, are words that fit into
 * room columns, with the blanks between them; the first word always does. For
 * those who have no FILE to print to. The text begins with no blank.
 */
size_t base_fits(const char *text, size_t room);

/* How many columns of a screen these bytes take: two for a Chinese or Korean
   character, one for others. */
size_t base_columns(const char *text, size_t length);

/* Prints a cell of a table, as %*s does, but by columns: to the right of width
   columns, to the left of -width. */
void base_cell(FILE *stream, int width, const char *text);

/* How many bytes of a text fit into so many columns, words or not. */
size_t base_cut(const char *text, size_t columns);

#endif /* BASE_WRAP_H */
