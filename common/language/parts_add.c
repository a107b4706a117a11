#define _POSIX_C_SOURCE 200809L
#include "language/parts_add.h"

#include "base/memory.h"
#include "base/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t language_line_length(const struct language_lines *lines, size_t line)
{
    size_t end = lines->begin[line + 1];

    while (end > lines->begin[line] &&
           isspace((unsigned char)lines->text[end - 1]))
        end--;
    return end - lines->begin[line];
}

int language_has_words(const char *text)
{
    size_t letters = 0;

    for (; *text != '\0'; text++) {
        if (*text == '`' && strchr(text + 1, '`') != NULL) {
            text = strchr(text + 1, '`');
            letters = 0;
        } else if (strncmp(text, "](", 2) == 0 && strchr(text, ')') != NULL) {
            text = strchr(text, ')');
            letters = 0;
        } else {
            letters = isalpha((unsigned char)*text) ? letters + 1 : 0;
            if (letters == 2)
                return 1;
        }
    }
    return 0;
}

/* A copy of a prefix, with blanks from the place `kept` on. */
static char *copy_prefix(const char *from, size_t length, size_t kept)
{
    char *const copy = strndup(from, length);

    if (copy != NULL && kept < strlen(copy))
        memset(copy + kept, ' ', strlen(copy) - kept);
    return copy;
}

static void add(struct language_lines *lines, const struct language_part *part)
{
    struct language_part *added = NULL;
    const int is_whole = part->text != NULL && part->first != NULL &&
                         part->further != NULL && part->behind != NULL;

    if (is_whole && language_has_words(part->text)) {
        added = base_list_add(&lines->parts->part, &lines->parts->count,
                              sizeof *added);
    }
    if (added != NULL) {
        *added = *part;
        return;
    }
    lines->failed |= !is_whole || language_has_words(part->text);
    free(part->text);
    free(part->first);
    free(part->further);
    free(part->behind);
}

void language_add_part(struct language_lines *lines,
                       const struct language_place *place)
{
    const char *const text = lines->text;
    const size_t first = lines->begin[place->from];
    const size_t last = lines->begin[place->to - 1];
    const size_t end = last + language_line_length(lines, place->to - 1);
    struct language_part part = {.begin = first + place->start,
                                 .end = end,
                                 .line = (int)place->from + 1,
                                 .keeps_lines = place->keeps_lines,
                                 .is_wrapped = 1};
    struct base_memory memory;
    FILE *const file = base_memory_open(&memory);
    size_t kept = place->column;

    if (place->from + 1 == place->to) /* what is behind the star, once */
        kept = place->has_stars ? strspn(text + last, " ") + 1 : 0;
    part.first =
        copy_prefix(text + part.begin, place->head - place->start, place->head);
    part.further = copy_prefix(text + last, place->column, kept);
    part.behind = strndup(text + end - place->tail, place->tail);
    for (size_t i = place->from; i < place->to && file != NULL; i++) {
        const size_t skip = i == place->from ? place->head : place->column;
        size_t length = language_line_length(lines, i);

        if (i + 1 == place->to)
            length -= place->tail;
        if (i > place->from)
            fputc('\n', file);
        if (skip < length)
            fwrite(text + lines->begin[i] + skip, 1, length - skip, file);
    }
    part.text = base_memory_close(&memory);
    if (part.text != NULL && !place->keeps_lines)
        base_one_line(part.text);
    add(lines, &part);
}

static void add_words(struct language_lines *lines, size_t line, size_t begin,
                      size_t end, size_t width)
{
    struct language_part part = {
        .begin = begin, .end = end, .line = (int)line + 1, .width = width};

    part.text = strndup(lines->text + begin, end - begin);
    part.first = strdup("");
    part.further = strdup("");
    part.behind = strdup("");
    add(lines, &part);
}

void language_add_words(struct language_lines *lines, size_t line, size_t begin,
                        size_t end)
{
    while (begin < end && isspace((unsigned char)lines->text[begin]))
        begin++;
    while (end > begin && isspace((unsigned char)lines->text[end - 1]))
        end--;
    add_words(lines, line, begin, end, 0);
}

void language_add_label(struct language_lines *lines, size_t line, size_t begin,
                        size_t end)
{
    struct language_part *part;
    const size_t before = lines->parts->count;

    add_words(lines, line, begin, end, end - begin);
    if (lines->parts->count == before)
        return;
    part = &lines->parts->part[before];
    base_one_line(part->text);
}
