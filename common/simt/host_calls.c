/* What host code did, call by call. */
#define _GNU_SOURCE
#include "host_calls.h"

#include "device.h"
#include "lines.h"

#include <stdio.h>
#include <string.h>

static struct simt_host_call calls[SIMT_CALLS];
static size_t call_count;
static int keeping;
static long launches;
static _Thread_local uintptr_t caller;

static int has_bad_index;

/* The first shuffle with an undefined value; line 0: none. */
static struct {
    char says[200], file[200];
    int line;
} undefined;

void simt_host_calls_begin(void)
{
    keeping = 1;
    call_count = 0;
    launches = 0;
    undefined.line = 0;
    has_bad_index = 0;
}

const struct simt_host_call *simt_host_calls_read(size_t *count)
{
    *count = call_count;
    return calls;
}

void simt_called_from(const void *code)
{
    caller = (uintptr_t)code;
}

int simt_caller_line(const char **file, int *line)
{
    return simt_line_of(caller, file, line);
}

static struct simt_host_call *new_call(enum simt_host_call_kind kind,
                                       const char *name)
{
    struct simt_host_call *call;

    if (!keeping || call_count == SIMT_CALLS)
        return NULL;
    call = &calls[call_count++];
    *call = (struct simt_host_call){.kind = kind, .name = name, .file = ""};
    simt_caller_line(&call->file, &call->line);
    return call;
}

void simt_host_calls_add_memory(enum simt_host_call_kind kind, const char *name,
                                const void *to, const void *from, size_t size)
{
    struct simt_host_call *call = new_call(kind, name);

    if (call == NULL)
        return;
    call->to = to;
    call->from = from;
    call->size = size;
}

int simt_host_calls_malloc_line(const void *array)
{
    int line = 0;

    for (size_t i = 0; i < call_count; i++) {
        if (calls[i].kind == SIMT_CALL_MALLOC && calls[i].to == array)
            line = calls[i].line;
    }
    return line;
}

void simt_host_calls_add_launch(const struct simt_launch *launch)
{
    struct simt_host_call *call = new_call(SIMT_CALL_LAUNCH, launch->kernel);

    if (call == NULL)
        return;
    call->file = launch->file;
    call->line = launch->line;
    call->launch = launches++;
    call->grid[0] = launch->grid.x;
    call->grid[1] = launch->grid.y;
    call->grid[2] = launch->grid.z;
    call->block[0] = launch->block.x;
    call->block[1] = launch->block.y;
    call->block[2] = launch->block.z;
    for (size_t i = 0; i < launch->pointer_count; i++) {
        if (launch->pointers[i] != NULL && call->pointers < SIMT_CALL_POINTERS)
            call->pointer[call->pointers++] = launch->pointers[i];
    }
    for (size_t i = 0; i < launch->pointer_count && i < SIMT_CALL_ARGUMENTS;
         i++) {
        const struct simt_object *object = &launch->objects[i];

        if (object->is_int) {
            call->ints |= 1U << i;
            memcpy(&call->number[i], object->at, sizeof call->number[i]);
        }
        call->nulls |=
            (unsigned)(object->is_pointer && launch->pointers[i] == NULL) << i;
    }
}

void simt_note_bad_index(void)
{
    has_bad_index = 1;
}

int simt_has_bad_index(void)
{
    return has_bad_index;
}

void simt_note_undefined_shuffle(const char *file, int line, const char *call,
                                 int lane, int source, unsigned mask)
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

const char *simt_undefined_shuffle(const char **file, int *line)
{
    *file = undefined.file;
    *line = undefined.line;
    return undefined.line > 0 ? undefined.says : NULL;
}
