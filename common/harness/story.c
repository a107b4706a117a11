/* The words and places that are told: see story.h. */
#include "story.h"

#include "base/language.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lab_tell(struct lab_story *story, enum lab_rank rank, const char *format,
              ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(story->text, sizeof story->text, _(format), list);
    va_end(list);
    story->rank = rank;
    story->is_message = 0;
    story->beside.count = 0;
}

void lab_say(struct lab_story *story, const char *format, ...)
{
    const size_t used = strlen(story->text);
    va_list list;

    va_start(list, format);
    vsnprintf(story->text + used, sizeof story->text - used, _(format), list);
    va_end(list);
}

void lab_note(struct lab_story *story, const char *format, ...)
{
    size_t used = strlen(story->note);
    va_list list;

    if (used > 0 && story->note[used - 1] == '.' && format[0] != ' ' &&
        used + 1 < sizeof story->note)
        story->note[used++] = ' ';
    va_start(list, format);
    vsnprintf(story->note + used, sizeof story->note - used, _(format), list);
    va_end(list);
}

void lab_lines_add(struct lab_lines *lines, int line)
{
    int i = 0;

    while (i < lines->count && lines->at[i] != line)
        i++;
    if (line > 0 && i == lines->count && i < LAB_LINES)
        lines->at[lines->count++] = line;
}

void lab_lines_first(struct lab_lines *lines, int line)
{
    const struct lab_lines others = *lines;

    lines->count = 0;
    lab_lines_add(lines, line);
    for (int i = 0; i < others.count; i++)
        lab_lines_add(lines, others.at[i]);
}

enum {
    SIZE = 160 /* of a thread's name */
};

/* begin: "thread", or "Thread" at the beginning of a sentence. */
static const char *name_thread(const struct simt_access *s, const char *begin)
{
    static char texts[4][SIZE];
    static unsigned last;
    char *text = texts[last++ % 4];
    const unsigned x = s->block_size[0], y = s->block_size[1];
    const unsigned t = (unsigned)s->thread;
    const unsigned gx = s->grid[0], gy = s->grid[1];
    int used = snprintf(text, SIZE, "%s (%u,%u", begin, t % x,
                        s->block_size[2] > 1 ? t / x % y : t / x);

    if (s->block_size[2] > 1)
        used += snprintf(text + used, SIZE - (size_t)used, ",%u", t / x / y);
    used += snprintf(text + used, SIZE - (size_t)used, ")");
    if (gx * gy * s->grid[2] > 1) {
        snprintf(text + used, SIZE - (size_t)used, _(" of block (%u,%u%s)"),
                 (unsigned)(s->block % gx), (unsigned)(s->block / gx % gy),
                 s->grid[2] > 1 ? ",.." : "");
    }
    return text;
}

const char *lab_thread_name(const struct simt_access *s)
{
    return name_thread(s, _("thread"));
}

const char *lab_thread_begins(const struct simt_access *s)
{
    return name_thread(s, _("Thread"));
}

char lab_side(int m, int n, int k, int length)
{
    const int sides = (length == m) + (length == n) + (length == k);

    return sides != 1 ? '\0' : length == m ? 'm' : length == n ? 'n' : 'k';
}
