#define _GNU_SOURCE
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct text copy_text(const char *from, size_t size)
{
    struct text text = {malloc(size + 1), size};

    if (text.bytes != NULL) {
        memcpy(text.bytes, from, size);
        text.bytes[size] = '\0';
    }
    return text;
}

/* Writes what stands between @{ and }@. */
static void write_special(FILE *to, const char *from, size_t size)
{
    char *rest;
    const unsigned long count = strtoul(from, &rest, 10);

    if (rest > from && *rest == '*') {
        const size_t length = size - (size_t)(rest + 1 - from);

        for (unsigned long i = 0; i < count; i++)
            fwrite(rest + 1, 1, length, to);
        return;
    }
    for (size_t i = 0; i + 1 < size; i += 3) {
        const char digits[] = {from[i], from[i + 1], '\0'};

        putc((int)strtoul(digits, NULL, 16), to);
    }
}

struct text text_expand(const char *from, size_t size)
{
    struct text text = {NULL, 0};
    FILE *to = open_memstream(&text.bytes, &text.size);
    const char *const end = from + size;

    while (to != NULL && from < end) {
        const char *open = memmem(from, (size_t)(end - from), "@{", 2);
        const char *close = NULL;

        /* At least one character stands between the two marks. */
        if (open != NULL && end - open > 3)
            close = memmem(open + 3, (size_t)(end - open) - 3, "}@", 2);
        if (close == NULL) {
            fwrite(from, 1, (size_t)(end - from), to);
            break;
        }
        fwrite(from, 1, (size_t)(open - from), to);
        write_special(to, open + 2, (size_t)(close - open) - 2);
        from = close + 2;
    }
    if (to != NULL)
        fclose(to);
    return text;
}

struct text text_joined(struct text first, struct text second)
{
    struct text text = {malloc(first.size + second.size + 1),
                        first.size + second.size};

    if (text.bytes != NULL && first.bytes != NULL)
        memcpy(text.bytes, first.bytes, first.size);
    if (text.bytes != NULL && second.bytes != NULL)
        memcpy(text.bytes + first.size, second.bytes, second.size);
    if (text.bytes != NULL)
        text.bytes[text.size] = '\0';
    free(first.bytes);
    free(second.bytes);
    return text;
}

int text_replace(struct text *text, const struct text *from, struct text to)
{
    const char *const end = text->bytes + text->size;
    const char *const at = from->size > 0 ? memmem(text->bytes, text->size,
                                                   from->bytes, from->size)
                                          : NULL;
    struct text front, back;

    if (at == NULL || memmem(at + 1, (size_t)(end - at) - 1, from->bytes,
                             from->size) != NULL) {
        free(to.bytes);
        return -1;
    }
    front = copy_text(text->bytes, (size_t)(at - text->bytes));
    back = copy_text(at + from->size, (size_t)(end - at) - from->size);
    free(text->bytes);
    *text = text_joined(text_joined(front, to), back);
    return 0;
}

void text_end_lines_as_windows(struct text *text)
{
    struct text made = {NULL, 0};
    FILE *to = open_memstream(&made.bytes, &made.size);

    for (size_t i = 0; to != NULL && i < text->size; i++) {
        if (text->bytes[i] == '\n')
            putc('\r', to);
        putc(text->bytes[i], to);
    }
    if (to != NULL)
        fclose(to);
    free(text->bytes);
    *text = made;
}
