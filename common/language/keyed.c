/* keyed.c: the texts of hints.txt and questions.txt (course/keyed.h). */
#include "language/parts_add.h"

#include <ctype.h>
#include <string.h>

/* Where the text behind a number begins, as 7 in "3.1.1: "; 0: there is
   none. */
static size_t key_length(const char *line)
{
    const size_t number = strspn(line, "0123456789.");

    return isdigit((unsigned char)*line) && line[number] == ':'
               ? number + 1 + strspn(line + number + 1, " ")
               : 0;
}

void language_split_keyed(struct language_lines *lines)
{
    size_t i = 0;

    while (i < lines->count) {
        const char *const line = lines->text + lines->begin[i];
        const size_t key = key_length(line);
        size_t end = i + 1;

        if (key > 0) {
            struct language_place place = {
                .from = i, .head = key, .column = key};

            while (end < lines->count && language_line_length(lines, end) > 0 &&
                   lines->text[lines->begin[end]] == ' ')
                end++;
            if (end > i + 1) {
                place.column = strspn(lines->text + lines->begin[end - 1], " ");
            }
            place.to = end;
            language_add_part(lines, &place);
        }
        i = end;
    }
}
