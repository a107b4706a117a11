#include "why.h"

#include "measure.h"
#include "simt/lines.h"
#include "simt/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const void *lab_why_source(const struct lab_matmul *p, size_t bytes)
{
    size_t count;
    const struct simt_host_call *call = simt_host_calls_read(&count);

    for (size_t i = count; i-- > 0;) {
        if (call[i].kind == SIMT_CALL_COPY &&
            (const char *)call[i].to >= (const char *)p->C &&
            (const char *)call[i].to < (const char *)p->C + bytes)
            return call[i].from;
    }
    return NULL;
}

static void place(struct lab_why *why, const struct simt_host_call *call)
{
    lab_why_place(why, call->file, call->line);
}

static void place_other(struct lab_why *why, const struct simt_host_call *call)
{
    lab_why_other_place(why, call->file, call->line);
}

/* "A", "B" or "C" if the pointer is one of the host's; else NULL. */
static const char *host_name(const struct lab_matmul *p, const void *pointer)
{
    return pointer == p->A   ? "A"
           : pointer == p->B ? "B"
           : pointer == p->C ? "C"
                             : NULL;
}

/* Did a kernel store to the array that begins there, in launches before
   `before`? */
static int is_stored(const struct simt_access *stored, size_t stores,
                     const void *base, long before)
{
    for (size_t i = 0; i < stores; i++) {
        if (stored[i].base == (uintptr_t)base &&
            (before < 0 || (long)stored[i].launch < before))
            return 1;
    }
    return 0;
}

/* What came back to C is an array that no kernel has written. */
static void say_never_written(const struct lab_matmul *p,
                              const struct simt_host_call *call, size_t count,
                              const struct simt_host_call *back,
                              struct lab_why *why)
{
    const struct simt_host_call *from = NULL;

    for (size_t i = 0; i < count; i++) {
        if (call[i].kind == SIMT_CALL_COPY && call[i].to == back->from)
            from = &call[i];
    }
    if (from != NULL && host_name(p, from->from) != NULL) {
        lab_why_tell(why, 4,
                     "What was copied to the host's C (%s:%d) is the device's "
                     "copy of %s (%s:%d): no kernel ever wrote to it.",
                     simt_base_name(back->file), back->line,
                     host_name(p, from->from), simt_base_name(from->file),
                     from->line);
    } else {
        lab_why_tell(why, 4,
                     "What was copied to the host's C (%s:%d) is an array that "
                     "no kernel ever wrote to.",
                     simt_base_name(back->file), back->line);
    }
    place(why, back);
}

/* C did not come back as a kernel has made it. */
static int say_copy_back(const struct lab_buffers *b,
                         const struct lab_matmul *p,
                         const struct simt_host_call *call, size_t count,
                         const struct simt_access *stored, size_t stores,
                         struct lab_why *why)
{
    const size_t bytes = b->count[LAB_C] * sizeof(float);
    const struct simt_host_call *back = NULL, *launch = NULL, *later = NULL;
    long launches = 0, before = 0;

    for (size_t i = 0; i < count; i++) {
        if (call[i].kind == SIMT_CALL_COPY && call[i].to == p->C) {
            back = &call[i];
            before = launches;
            later = NULL;
        } else if (call[i].kind == SIMT_CALL_LAUNCH) {
            launches++;
            launch = &call[i];
            if (back != NULL && later == NULL)
                later = &call[i];
        }
    }
    if (launch == NULL) {
        lab_why_tell(
            why, 4,
            "The kernel was never launched: lab_host returned without a "
            "launch, so nobody calculated C.");
    } else if (back == NULL) {
        lab_why_tell(
            why, 4,
            "Nothing was copied to the host's C: the kernel ran (%s:%d), "
            "and what it made stayed on the device.",
            simt_base_name(launch->file), launch->line);
        place(why, launch);
    } else if (!is_stored(stored, stores, back->from, before) &&
               is_stored(stored, stores, back->from, -1)) {
        lab_why_tell(why, 4,
                     "C was copied to the host (%s:%d) before the kernel ran "
                     "(%s:%d).",
                     simt_base_name(back->file), back->line,
                     simt_base_name(later ? later->file : launch->file),
                     later ? later->line : launch->line);
        place(why, back);
        place_other(why, later ? later : launch);
    } else if (!is_stored(stored, stores, back->from, -1)) {
        say_never_written(p, call, count, back, why);
    } else if (back->size < bytes) {
        lab_why_tell(why, 4,
                     "C has %zu bytes, and %zu of them are copied to the host "
                     "(%s:%d): the rest of C stays as it was.",
                     bytes, back->size, simt_base_name(back->file), back->line);
        place(why, back);
    } else {
        return 0;
    }
    return 1;
}

/* A copy of input j is too short, or too late. */
static int say_copy(const struct lab_buffers *b,
                    const struct simt_host_call *copy, int j, int is_late,
                    struct lab_why *why)
{
    const size_t bytes = b->count[j] * sizeof(float);
    const size_t others = b->count[1 - j] * sizeof(float);
    const char *file = simt_base_name(copy->file);

    if (is_late) {
        lab_why_tell(why, 4,
                     "%c was copied to the device (%s:%d) after the "
                     "kernel had run.",
                     "AB"[j], file, copy -> line);
    } else if (copy->size < bytes && copy->size == others) {
        lab_why_tell(why, 4,
                     "%c was copied with the size of %c (%s:%d): %zu bytes "
                     "of %zu.",
                     "AB"[j], "AB"[1 - j], file, copy -> line, copy -> size,
                     bytes);
    } else if (copy->size < bytes) {
        lab_why_tell(why, 4,
                     "Of %c, which has %zu bytes, %zu are copied to the "
                     "device (%s:%d).",
                     "AB"[j], bytes, copy -> size, file, copy -> line);
    } else {
        return 0;
    }
    place(why, copy);
    return 1;
}

/* An input did not get to the device as it is. */
static int say_inputs(const struct lab_buffers *b, const struct lab_matmul *p,
                      const struct simt_host_call *call, size_t count,
                      struct lab_why *why)
{
    const float *const host[] = {p->A, p->B};
    int copied[2] = {0, 0}, launched = 0;

    for (size_t i = 0; i < count; i++) {
        for (int j = 0; j < 2; j++) {
            if (call[i].kind == SIMT_CALL_LAUNCH)
                launched = 1;
            if (call[i].kind != SIMT_CALL_COPY || call[i].from != host[j])
                continue;
            if (say_copy(b, &call[i], j, launched && !copied[j], why))
                return 1;
            copied[j]++;
        }
    }
    for (int j = 0; j < 2 && launched; j++) {
        const struct simt_host_call *other = NULL;

        if (copied[j])
            continue;
        for (size_t i = 0; i < count; i++) {
            if (call[i].kind == SIMT_CALL_COPY && call[i].from == host[1 - j])
                other = &call[i];
        }
        if (other != NULL && copied[1 - j] > 1) {
            lab_why_tell(
                why, 4,
                "%c was copied to the device twice (last in %s:%d), and "
                "%c never.",
                "AB"[1 - j], simt_base_name(other->file), other -> line,
                "AB"[j]);
            place(why, other);
        } else {
            lab_why_tell(
                why, 4,
                "%c was never copied to the device: the kernel calculated "
                "with what happened to be there.",
                "AB"[j]);
        }
        return 1;
    }
    return 0;
}

/* Which matrix the array holds that a kernel gets: LAB_A or LAB_B, or -1. */
static int content_of(const struct lab_buffers *b, const struct lab_matmul *p,
                      int is_host, const struct simt_host_call *call,
                      size_t launch, const void *array)
{
    int content = -1;

    for (int j = 0; j < LAB_C && !is_host; j++) {
        if (array == b->device[j])
            return j;
    }
    for (size_t i = 0; i < launch; i++) {
        if (call[i].kind == SIMT_CALL_COPY && call[i].to == array) {
            content = call[i].from == p->A   ? LAB_A
                      : call[i].from == p->B ? LAB_B
                                             : -1;
        }
    }
    return content;
}

/* Which of the kernel's ints named m, n and k are not the product's: bits. got:
   what it gets. Of a kernel that has not all of them nothing is known. */
static int read_lengths(const struct simt_host_call *launch, const int want[3],
                        int got[3])
{
    int seen = 0, wrong = 0;

    for (size_t i = 0; i < SIMT_CALL_ARGUMENTS; i++) {
        const char *name =
            launch->ints >> i & 1 ? simt_parameter_name(launch->name, i) : NULL;
        const char *is = name != NULL && name[0] != '\0' && name[1] == '\0'
                             ? strchr("mnk", name[0])
                             : NULL;

        if (is == NULL)
            continue;
        seen |= 1 << (is - "mnk");
        got[is - "mnk"] = launch->number[i];
    }
    for (int j = 0; j < 3 && seen == 7; j++)
        wrong |= (got[j] != want[j]) << j;
    return wrong;
}

/* The function that launches the kernel; NULL: the lab has none. */
static const char *launcher(void)
{
    const int entry = lab_measure_entry(lab_info.lab);

    return entry < 0 ? NULL : lab_info.lab->entry[entry].function;
}

/*
 * Does the kernel get other lengths than its launcher, or lab_host, has got? Of
 * lab_host the kernel has been launched by the checks before, and was right.
 */
static int say_lengths(const struct lab_matmul *p, int is_host,
                       const struct simt_host_call *launch, struct lab_why *why)
{
    const int want[3] = {p->m, p->n, p->k};
    int got[3] = {0}, handed;
    const int wrong = read_lengths(launch, want, got);
    char is[60] = "", should[60] = "";
    size_t used = 0, also = 0;

    if (wrong == 0 || launcher() == NULL)
        return 0;
    for (int j = 0; j < 3; j++) {
        if (!(wrong >> j & 1))
            continue;
        used += (size_t)snprintf(is + used, sizeof is - used, "%s%c = %d",
                                 used ? ", " : "", "mnk"[j], got[j]);
        also +=
            (size_t)snprintf(should + also, sizeof should - also, "%s%c = %d",
                             also ? ", " : "", "mnk"[j], want[j]);
    }
    lab_why_tell(why, 4, "%s gets %s (%s:%d), where the product has %s%s.",
                 launch->name, is, simt_base_name(launch->file), launch->line,
                 should, is_host ? ": lab_host passes on the wrong ones" : "");
    handed = is_host ? lab_why_handed_line(launch->file, launcher()) : 0;
    lab_why_place(why, launch->file, handed > 0 ? handed : launch->line);
    lab_why_other_place(why, launch->file, handed > 0 ? launch->line : 0);
    return 1;
}

int lab_why_null(struct lab_why *why)
{
    size_t count;
    const struct simt_host_call *call = simt_host_calls_read(&count);

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0;
             call[i].kind == SIMT_CALL_LAUNCH && j < SIMT_CALL_ARGUMENTS; j++) {
            const char *name = call[i].nulls >> j & 1
                                   ? simt_parameter_name(call[i].name, j)
                                   : NULL;

            if (name == NULL)
                continue;
            lab_why_tell(why, 5,
                         "%s gets a null pointer for %s (%s:%d): no "
                         "cudaMalloc has set it.",
                         call[i].name, name, simt_base_name(call[i].file),
                         call[i].line);
            lab_why_other_place(why, call[i].file, call[i].line);
            return 1;
        }
    }
    return 0;
}

void lab_why_refused(const char *said, int is_host, struct lab_why *why)
{
    static const char taken[] = "(cudaMalloc in line ";
    const char *const other = strstr(said, taken);
    const size_t length = strcspn(said, ":");
    char file[200], *end;
    int line, handed = 0;

    if (said[length] == '\0' || length >= sizeof file)
        return;
    line = (int)strtol(said + length + 1, &end, 10);
    if (line <= 0 || *end != ':')
        return;
    memcpy(file, said, length);
    file[length] = '\0';
    lab_why_place(why, file, line);
    if (other != NULL)
        handed = (int)strtol(other + strlen(taken), NULL, 10);
    if (is_host && launcher() != NULL && strstr(said, ": launch of ") != NULL)
        handed = lab_why_handed_line(file, launcher());
    lab_why_other_place(why, file, handed);
}

int lab_why_arguments(const struct lab_buffers *b, const struct lab_matmul *p,
                      int is_host, struct lab_why *why)
{
    size_t count;
    const struct simt_host_call *call = simt_host_calls_read(&count);

    for (size_t i = 0; i < count; i++) {
        int content[2];

        if (call[i].kind != SIMT_CALL_LAUNCH || call[i].pointers != 3)
            continue;
        for (int j = 0; j < 2; j++) {
            const char *name = simt_parameter_name(call[i].name, (size_t)j);

            content[j] =
                name != NULL && name[0] == "AB"[j] && name[1] == '\0'
                    ? content_of(b, p, is_host, call, i, call[i].pointer[j])
                    : -1;
        }
        if (content[0] == LAB_B && content[1] == LAB_A) {
            lab_why_tell(
                why, 4,
                "A and B are exchanged: %s gets B in the place of A, and "
                "A in the place of B.",
                call[i].name);
            place(why, &call[i]);
            return 1;
        }
        if (say_lengths(p, is_host, &call[i], why))
            return 1;
        for (int j = 0; j < LAB_MATRICES && is_host; j++) {
            const size_t bytes = b->count[j] * sizeof(float);

            for (size_t l = 0; l < i; l++) {
                if (call[l].kind != SIMT_CALL_MALLOC ||
                    call[l].to != call[i].pointer[j] || call[l].size >= bytes)
                    continue;
                lab_why_tell(
                    why, 4,
                    "The device's %c has %zu bytes (%s:%d), and %c has "
                    "%zu: %d x %d floats.",
                    "ABC"[j], call[l].size, simt_base_name(call[l].file),
                    call[l].line, "ABC"[j], bytes, j == LAB_B ? p->k : p->m,
                    j == LAB_A ? p->k : p->n);
                place(why, &call[l]);
                return 1;
            }
        }
    }
    return 0;
}

int lab_why_host(const struct lab_buffers *b, const struct lab_matmul *p,
                 const struct simt_access *stored, size_t stores,
                 struct lab_why *why)
{
    size_t count;
    const struct simt_host_call *call = simt_host_calls_read(&count);

    if (count == 0)
        return 0; /* plain host code */
    if (say_inputs(b, p, call, count, why))
        return 1;
    return stored != NULL &&
           say_copy_back(b, p, call, count, stored, stores, why);
}
