#include "course/hints.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/refuse.h"

/* Is the entry what has to stand behind the one before, which may be NULL? */
static int check_order(const char *path, const struct course_keyed_entry *e,
                       const struct course_keyed_entry *before, char *why,
                       size_t size)
{
    const int goes_on =
        before != NULL && before->lab == e->lab && before->number == e->number;

    if (!goes_on && before != NULL && before->tier != COURSE_TIERS) {
        return base_refuse(why, size,
                           "%s:%d: hint %d.%d.%d is missing: each TODO has %d",
                           path, e->line, before->lab, before->number,
                           before->tier + 1, (int)COURSE_TIERS);
    }
    if (e->tier != (goes_on ? before->tier + 1 : 1) || e->tier > COURSE_TIERS) {
        return base_refuse(why, size,
                           "%s:%d: hint %d.%d.%d stands out of order: 1, 2 and "
                           "3 follow each other",
                           path, e->line, e->lab, e->number, e->tier);
    }
    if (e->text[0] == '\0') {
        return base_refuse(why, size, "%s:%d: this hint is empty", path,
                           e->line);
    }
    return 0;
}

int course_hints_read(const char *path, struct course_keyed *hints, char *why,
                      size_t size)
{
    const struct course_keyed_entry *last = NULL;

    if (course_keyed_read_tiers(path, hints, why, size) != 0)
        return -1;
    for (size_t i = 0; i < hints->count; last = &hints->entry[i++]) {
        if (check_order(path, &hints->entry[i], last, why, size) != 0)
            goto bad;
    }
    if (last == NULL || last->tier == COURSE_TIERS)
        return 0;
    base_refuse(why, size, "%s:%d: the last TODO has %d hints: each has %d",
                path, last->line, last->tier, (int)COURSE_TIERS);
bad:
    course_keyed_free(hints);
    return -1;
}

const struct course_keyed_entry *
course_hint_find(const struct course_keyed *hints, int lab, int number,
                 int tier)
{
    const struct course_keyed_entry *const first =
        course_keyed_find(hints, lab, number);

    return first != NULL && tier >= 1 && tier <= COURSE_TIERS ? first + tier - 1
                                                              : NULL;
}

int course_hints_shown(const struct course_keyed *shown, int lab, int number)
{
    const struct course_keyed_entry *const e =
        course_keyed_find(shown, lab, number);
    const long count = e != NULL ? strtol(e->text, NULL, 10) : 0;

    return count < 0              ? 0
           : count > COURSE_TIERS ? (int)COURSE_TIERS
                                  : (int)count;
}

char *course_hints_show(const struct course_keyed *shown, int lab, int number,
                        int count)
{
    const struct course_keyed_entry *const old =
        course_keyed_find(shown, lab, number);
    struct base_memory memory;
    FILE *const out = base_memory_open(&memory);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < shown->count; i++) {
        const struct course_keyed_entry *const e = &shown->entry[i];

        if (e != old) {
            fprintf(out, "%d.%d: %d\n", e->lab, e->number,
                    course_hints_shown(shown, e->lab, e->number));
        }
    }
    fprintf(out, "%d.%d: %d\n", lab, number, count);
    return base_memory_close(&memory);
}
