/* What host code did, call by call, and what the device had to say of it. */
#define _GNU_SOURCE
#include "story.h"

#include "base/wrap.h"
#include "device.h"
#include "lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST = 4096,
    COLUMNS = 80
};

static struct simt_deed events[MOST];
static size_t event_count;
static int keeping;
static long launches;
static uintptr_t caller;

static int has_index;

/* The first shuffle with an undefined value; line 0: none. */
static struct {
    char says[200], file[200];
    int line;
} undefined;

void simt_story_begin(void)
{
    keeping = 1;
    event_count = 0;
    launches = 0;
    undefined.line = 0;
    has_index = 0;
}

const struct simt_deed *simt_story_read(size_t *count)
{
    *count = event_count;
    return events;
}

void simt_called_from(const void *code)
{
    caller = (uintptr_t)code;
}

int simt_caller_line(const char **file, int *line)
{
    return simt_line_of(caller, file, line);
}

static struct simt_deed *new_event(enum simt_deed_kind kind, const char *call)
{
    struct simt_deed *event;

    if (!keeping || event_count == MOST)
        return NULL;
    event = &events[event_count++];
    *event = (struct simt_deed){.kind = kind, .call = call, .file = ""};
    simt_caller_line(&event->file, &event->line);
    return event;
}

void simt_story_memory(enum simt_deed_kind kind, const char *call,
                       const void *to, const void *from, size_t size)
{
    struct simt_deed *event = new_event(kind, call);

    if (event == NULL)
        return;
    event->to = to;
    event->from = from;
    event->size = size;
}

int simt_story_malloc_line(const void *array)
{
    int line = 0;

    for (size_t i = 0; i < event_count; i++) {
        if (events[i].kind == SIMT_DEED_MALLOC && events[i].to == array)
            line = events[i].line;
    }
    return line;
}

void simt_story_launch(const struct simt_launch *launch)
{
    struct simt_deed *event = new_event(SIMT_DEED_LAUNCH, launch->kernel);

    if (event == NULL)
        return;
    event->file = launch->file;
    event->line = launch->line;
    event->launch = launches++;
    event->grid[0] = launch->grid.x;
    event->grid[1] = launch->grid.y;
    event->grid[2] = launch->grid.z;
    event->block[0] = launch->block.x;
    event->block[1] = launch->block.y;
    event->block[2] = launch->block.z;
    for (size_t i = 0; i < launch->pointer_count; i++) {
        if (launch->pointers[i] != NULL && event->pointers < SIMT_DEED_POINTERS)
            event->pointer[event->pointers++] = launch->pointers[i];
    }
    for (size_t i = 0; i < launch->pointer_count && i < SIMT_DEED_ARGUMENTS;
         i++) {
        const struct simt_object *object = &launch->objects[i];

        if (object->is_int) {
            event->ints |= 1U << i;
            memcpy(&event->number[i], object->at, sizeof event->number[i]);
        }
        event->nulls |=
            (unsigned)(object->is_pointer && launch->pointers[i] == NULL) << i;
    }
}

void simt_story_index(void)
{
    has_index = 1;
}

int simt_story_has_index(void)
{
    return has_index;
}

void simt_story_shuffle(const char *file, int line, const char *call, int lane,
                        int source, unsigned mask)
{
    if (!keeping || undefined.line > 0)
        return;
    snprintf(undefined.says, sizeof undefined.says,
             "Lane %d reads from lane %d in this %s(), and the mask 0x%08x "
             "%s: what it gets is undefined.",
             lane, source, call, mask,
             mask >> source % 32 & 1 ? "names a lane that has ended"
                                     : "does not name it");
    snprintf(undefined.file, sizeof undefined.file, "%s", file);
    undefined.line = line;
}

const char *simt_story_undefined(const char **file, int *line)
{
    *file = undefined.file;
    *line = undefined.line;
    return undefined.line > 0 ? undefined.says : NULL;
}

/* --- words ---------------------------------------------------------------- */

static char words[500];
static int quiet;

void simt_words_keep(int on)
{
    quiet = on;
    words[0] = '\0';
}

const char *simt_words(void)
{
    return words;
}

void simt_say(const char *file, int line, const char *format, ...)
{
    size_t used = 0;
    va_list list;

    if (line > 0)
        used = (size_t)snprintf(words, sizeof words, "%.200s:%d: ", file, line);
    va_start(list, format);
    vsnprintf(words + used, sizeof words - used, format, list);
    va_end(list);
    for (const char *text = words; !quiet && *text != '\0';) {
        const char *indent = text == words ? "" : "    ";
        const size_t fits = base_fits(text, COLUMNS - strlen(indent));

        fprintf(stderr, "%s%.*s\n", indent, (int)fits, text);
        text += fits + strspn(text + fits, " \n");
    }
}
