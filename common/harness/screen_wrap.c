/* Of the screen's functions the one that needs no screen and no lab. */
#include "screen.h"

#include <string.h>

enum {
    WIDTH = 80
};

/* Prints one line of text, up to its end or a line feed. Returns what follows
   it. An empty line is left out. */
static const char *wrap_line(FILE *stream, int indent, const char *text)
{
    int col = 0; /* 0: a new line of the screen */

    indent += (int)strspn(text, " ");
    while (*text != '\0' && *text != '\n') {
        const int length = (int)strcspn(text, " \n");

        if (length > 0 && col > 0 && col + 1 + length > WIDTH) {
            fputc('\n', stream);
            col = 0;
        }
        if (length > 0) {
            col += col == 0 ? fprintf(stream, "%*s", indent, "")
                            : fprintf(stream, " ");
            col += fprintf(stream, "%.*s", length, text);
        }
        text += length;
        text += *text == ' ';
    }
    if (col > 0)
        fputc('\n', stream);
    return text;
}

void lab_screen_wrap(FILE *stream, int indent, const char *text)
{
    while (*text != '\0') {
        text = wrap_line(stream, indent, text);
        text += *text == '\n';
    }
}
