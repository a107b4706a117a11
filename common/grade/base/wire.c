#define _POSIX_C_SOURCE 200809L
#include "grade/base/wire.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The length of a text that is NULL. */
static const uint32_t none = UINT32_MAX;

/* Both ways are one walk, which reads or writes. What it writes it leaves as it
   is. */
struct wire {
    FILE *file;
    int reads;
    const char *mistake; /* the first; NULL: none so far */
};

static void carry(struct wire *w, const struct grade_wire_form *form,
                  char *what);

static void carry_bytes(struct wire *w, void *bytes, size_t size)
{
    if (size == 0 || w->mistake != NULL)
        return;
    if (!w->reads) {
        fwrite(bytes, size, 1, w->file);
    } else if (fread(bytes, size, 1, w->file) != 1) {
        w->mistake = "it ends too early";
    }
}

/* The pointer that lies at `at`: to a text or a list of whatever kind. What is
   read gets room for so many bytes and a NUL. */
static char *pointer_at(const char *at)
{
    char *pointer;

    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

static char *make_room(struct wire *w, char *at, size_t size)
{
    char *const room = w->mistake == NULL ? calloc(size + 1, 1) : NULL;

    if (room == NULL && w->mistake == NULL) {
        base_memory_fail();
        w->mistake = "there is no memory left";
    }
    memcpy(at, &room, sizeof room);
    return room;
}

static void carry_text(struct wire *w, const struct grade_wire_member *m,
                       char *at)
{
    char *text = pointer_at(at);
    uint32_t length = text != NULL     ? (uint32_t)strnlen(text, m->most)
                      : m->may_be_none ? none
                                       : 0;

    carry_bytes(w, &length, sizeof length);
    if (w->mistake != NULL || (length == none && m->may_be_none))
        return;
    if (w->reads) {
        if (length > m->most)
            w->mistake = "a text is too long, or is none";
        text = make_room(w, at, length);
    }
    carry_bytes(w, text, length);
    for (char *c = text; w->reads && text != NULL && c < text + length; c++) {
        if (*c == '\0' && w->mistake == NULL)
            w->mistake = "a text ends too early";
        if (m->kind == GRADE_WIRE_PRINT && *c != '\n' && (*c < ' ' || *c > '~'))
            *c = '?';
    }
}

static void carry_list(struct wire *w, const struct grade_wire_member *m,
                       char *at, char *counted)
{
    const size_t size = m->each != NULL ? m->each->size : 1;
    char *list = pointer_at(at);
    size_t count;

    memcpy(&count, counted, sizeof count);
    carry_bytes(w, &count, sizeof count);
    if (w->reads) {
        if (w->mistake == NULL && count > m->most)
            w->mistake = "more members than there may be";
        list = make_room(w, at, count * size);
        count = list != NULL ? count : 0;
        memcpy(counted, &count, sizeof count);
    }
    if (m->each == NULL)
        carry_bytes(w, list, count);
    for (size_t i = 0; i < count && m->each != NULL; i++)
        carry(w, m->each, list + i * size);
}

static void carry(struct wire *w, const struct grade_wire_form *form,
                  char *what)
{
    for (size_t i = 0; i < form->members && w->mistake == NULL; i++) {
        const struct grade_wire_member *const m = &form->member[i];
        char *const at = what + m->at;
        int number = 0;

        if (m->kind == GRADE_WIRE_LIST) {
            carry_list(w, m, at, what + m->count);
        } else if (m->kind == GRADE_WIRE_BYTES) {
            carry_bytes(w, at, m->most);
        } else if (m->kind == GRADE_WIRE_BELOW) {
            memcpy(&number, at, sizeof number);
            carry_bytes(w, &number, sizeof number);
            if (w->reads)
                memcpy(at, &number, sizeof number);
            if (w->reads && (number < 0 || (size_t)number >= m->most))
                w->mistake = "a number is out of its range";
        } else {
            carry_text(w, m, at);
        }
    }
}

void grade_wire_put(FILE *to, const struct grade_wire_form *form,
                    const void *from)
{
    carry(&(struct wire){.file = to}, form, (char *)(uintptr_t)from);
}

const char *grade_wire_get(FILE *from, const struct grade_wire_form *form,
                           void *to)
{
    struct wire w = {.file = from, .reads = 1};

    memset(to, 0, form->size);
    carry(&w, form, to);
    if (w.mistake != NULL)
        grade_wire_free(form, to);
    return w.mistake;
}

void grade_wire_free(const struct grade_wire_form *form, void *what)
{
    for (size_t i = 0; i < form->members; i++) {
        const struct grade_wire_member *const m = &form->member[i];
        char *const at = (char *)what + m->at;
        size_t count = 0;

        if (m->kind == GRADE_WIRE_LIST && m->each != NULL)
            memcpy(&count, (char *)what + m->count, sizeof count);
        while (count-- > 0)
            grade_wire_free(m->each, pointer_at(at) + count * m->each->size);
        if (m->kind == GRADE_WIRE_LIST || m->kind == GRADE_WIRE_TEXT ||
            m->kind == GRADE_WIRE_PRINT)
            free(pointer_at(at));
    }
    memset(what, 0, form->size);
}
