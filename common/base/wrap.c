#include "wrap.h"

#include <string.h>

enum {
    WIDTH = 80
};

static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;

    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* Prints one line of the text. Returns its end: a line feed, or that of all. */
static const char *wrap_line(FILE *stream, const char *indent, const char *line)
{
    const int blanks = (int)strspn(line, " ");
    const size_t begin = columns_of(indent, strlen(indent)) + (size_t)blanks;
    size_t column = 0; /* 0: a new line of the screen */

    line += blanks;
    while (*line != '\0' && *line != '\n') {
        const size_t space = strspn(line, " ");
        const size_t length = strcspn(line + space, " \n");
        const size_t width = space + columns_of(line + space, length);

        if (length > 0 && column > 0 && column + width <= WIDTH) {
            fwrite(line, 1, space + length, stream);
            column += width;
        } else if (length > 0) {
            fprintf(stream, "%s%s%*s", column > 0 ? "\n" : "", indent, blanks,
                    "");
            fwrite(line + space, 1, length, stream);
            column = begin + width - space;
        }
        line += space + length;
    }
    fputc('\n', stream);
    return line;
}

void output_wrap(FILE *stream, const char *indent, const char *text)
{
    while (*text != '\0') {
        text = wrap_line(stream, indent, text);
        text += *text == '\n';
    }
}
