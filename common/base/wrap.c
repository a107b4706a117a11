#include "base/wrap.h"

#include "base/utf8.h"

#include <string.h>

/* Ranges of characters that take two columns (Unicode's East Asian Width, W and
   F, where text is written in them). */
static const unsigned wide[][2] = {
    {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
    {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x20000, 0x3fffd}};

/* The bytes of a character, of which what is no UTF-8 has one, and its
   number. */
static size_t read_character(const char *text, unsigned *code)
{
    const size_t length = base_utf8_character(text, code);

    if (length == 0)
        *code = 0;
    return length > 0 ? length : 1;
}

static int is_wide(unsigned code)
{
    for (size_t i = 0; i < sizeof wide / sizeof *wide && code >= 0x1100; i++) {
        if (code >= wide[i][0] && code <= wide[i][1])
            return 1;
    }
    return 0;
}

size_t base_columns(const char *text, size_t length)
{
    size_t columns = 0;
    unsigned code;

    for (size_t i = 0; i < length;) {
        i += read_character(text + i, &code);
        columns += 1 + (size_t)is_wide(code);
    }
    return columns;
}

void base_cell(FILE *stream, int width, const char *text)
{
    const int columns = (int)base_columns(text, strlen(text));
    const int room = width < 0 ? -width - columns : width - columns;
    const int blanks = room > 0 ? room : 0;

    fprintf(stream, "%*s%s%*s", width > 0 ? blanks : 0, "", text,
            width < 0 ? blanks : 0, "");
}

size_t base_cut(const char *text, size_t columns)
{
    size_t end = 0, used = 0;
    unsigned code;

    while (text[end] != '\0') {
        const size_t length = read_character(text + end, &code);

        used += 1 + (size_t)is_wide(code);
        if (used > columns)
            break;
        end += length;
    }
    return end;
}

/* May a line end between two characters that no blank parts? Beside a Chinese
   one it may, but not before what closes something, nor behind what opens
   it. Korean has blanks. */
static int may_part(unsigned before, unsigned behind)
{
    static const unsigned no_begin[] = {
        ',',    '.',    ':',    ';',    '!',    '?',    ')',    ']',
        '}',    '%',    0x3001, 0x3002, 0x300b, 0x300d, 0x300f, 0x3011,
        0xff01, 0xff05, 0xff09, 0xff0c, 0xff1a, 0xff1b, 0xff1f, 0x201d,
        0x2019, 0x2026, 0x2014, '`',    '*'};
    static const unsigned no_end[] = {'(',    '[',    '{',    0x300a,
                                      0x300c, 0x300e, 0x3010, 0xff08,
                                      0x201c, 0x2018, '`',    '*'};
    const int is_chinese =
        (before >= 0x2e80 && before < 0xa4d0) || before >= 0xff00 ||
        (behind >= 0x2e80 && behind < 0xa4d0) || behind >= 0xff00;

    for (size_t i = 0; i < sizeof no_begin / sizeof *no_begin; i++) {
        if (behind == no_begin[i])
            return 0;
    }
    for (size_t i = 0; i < sizeof no_end / sizeof *no_end; i++) {
        if (before == no_end[i])
            return 0;
    }
    return is_chinese;
}

/* The bytes of what stands together at the beginning of a text, up to a blank
   or to where a line may end. */
static size_t piece_length(const char *text)
{
    const size_t word = strcspn(text, " \n");
    unsigned before = 0, code;

    for (size_t i = 0; i < word; before = code) {
        const size_t length = read_character(text + i, &code);

        if (i > 0 && may_part(before, code))
            return i;
        i += length;
    }
    return word;
}

size_t base_fits(const char *text, size_t room)
{
    size_t end = 0, column = 0;

    for (;;) {
        const size_t space = strspn(text + end, " ");
        const size_t length = piece_length(text + end + space);

        column += space + base_columns(text + end + space, length);
        if (length == 0 || (end > 0 && column > room))
            return end;
        end += space + length;
    }
}

/* Prints one line of the text. Returns its end: a line feed, or that of all. */
static const char *wrap_line(FILE *stream, const char *indent, const char *line)
{
    const int blanks = (int)strspn(line, " ");
    const size_t begin = base_columns(indent, strlen(indent)) + (size_t)blanks;
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
