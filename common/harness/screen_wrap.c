/* Of the screen's functions the one that needs no screen and no lab. */
#include "screen.h"

#include <string.h>

enum {
    WIDTH = 80
};

void lab_screen_wrap(FILE *stream, int indent, const char *text)
{
    int col = 0; /* 0: a new line */

    while (*text != '\0') {
        const int length = (int)strcspn(text, " \n");

        if (length > 0) {
            if (col > 0 && col + 1 + length > WIDTH) {
                fputc('\n', stream);
                col = 0;
            }
            col += col == 0 ? fprintf(stream, "%*s", indent, "")
                            : fprintf(stream, " ");
            col += fprintf(stream, "%.*s", length, text);
        }
        text += length;
        if (*text == '\n' && col > 0) {
            fputc('\n', stream);
            col = 0;
        }
        text += *text != '\0';
    }
    if (col > 0)
        fputc('\n', stream);
}
