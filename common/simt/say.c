/* The device's messages: said, or kept for the harness (host_calls.h). */
#define _GNU_SOURCE
#include "base/wrap.h"
#include "device.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 79,
    INDENT = 4
}; /* of a message, in columns */

void simt_fill_lines(char *text, size_t size, const char *words)
{
    size_t used = 0;

    text[0] = '\0';
    while (*words != '\0' && used < size) {
        const size_t length = base_fits(words, WIDTH - INDENT);

        used += (size_t)snprintf(text + used, size - used, "%s%*s%.*s",
                                 used > 0 ? "\n" : "", INDENT, "", (int)length,
                                 words);
        words += length + strspn(words + length, " ");
    }
}

const char *simt_index_text(char text[SIMT_INDEX_TEXT], struct uint3 size,
                            struct uint3 at)
{
    if (size.z > 1) {
        snprintf(text, SIMT_INDEX_TEXT, "(%u,%u,%u)", at.x, at.y, at.z);
    } else {
        snprintf(text, SIMT_INDEX_TEXT, "(%u,%u)", at.x, at.y);
    }
    return text;
}

static char message[500];
static int quiet;

void simt_keep_message(int on)
{
    quiet = on;
    message[0] = '\0';
}

const char *simt_last_message(void)
{
    return message;
}

void simt_say(const char *file, int line, const char *format, ...)
{
    size_t used = 0;
    va_list list;

    if (line > 0) {
        used = (size_t)snprintf(message, sizeof message, "%.200s:%d: ", file,
                                line);
    }
    va_start(list, format);
    vsnprintf(message + used, sizeof message - used, format, list);
    va_end(list);
    for (const char *text = message; !quiet && *text != '\0';) {
        const char *indent = text == message ? "" : "    ";
        const size_t fits = base_fits(text, BASE_WIDTH - strlen(indent));

        fprintf(stderr, "%s%.*s\n", indent, (int)fits, text);
        text += fits + strspn(text + fits, " \n");
    }
}
