#include "wrap.h"

#include <string.h>

static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;

    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

size_t base_fits(const char *text, size_t room)
{
    size_t end = 0, column = 0;

    for (;;) {
        const size_t space = strspn(text + end, " ");
        const size_t length = strcspn(text + end + space, " \n");

        column += space + columns_of(text + end + space, length);
        if (length == 0 || (end > 0 && column > room))
            return end;
        end += space + length;
    }
}

/* Prints one line of the text. Returns its end: a line feed, or that of all. */
static const char *wrap_line(FILE *stream, const char *indent, const char *line)
{
    const int blanks = (int)strspn(line, " ");
    const size_t begin = columns_of(indent, strlen(indent)) + (size_t)blanks;
    const char *separator = "";

    line += blanks;
    while (*line != '\0' && *line != '\n') {
        const size_t length =
            base_fits(line, begin < BASE_WIDTH ? BASE_WIDTH - begin : 0);

        fprintf(stream, "%s%s%*s%.*s", separator, indent, blanks, "",
                (int)length, line);
        line += length + strspn(line + length, " ");
        separator = "\n";
    }
    fputc('\n', stream);
    return line;
}

void base_wrap(FILE *stream, const char *indent, const char *text)
{
    while (*text != '\0') {
        text = wrap_line(stream, indent, text);
        text += *text == '\n';
    }
}
