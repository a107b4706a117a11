/* A lab's hints, and a student's list of those that were shown. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "course/hints.h"

#include <stdlib.h>
#include <string.h>

static void read_hints(const uint8_t *bytes, size_t size)
{
    char why[400] = "";
    struct course_hints hints;

    if (course_hints_read(fuzz_file(bytes, size), &hints, why, sizeof why) !=
        0) {
        fuzz_message(why, sizeof why);
        fuzz_must(hints.hint == NULL && hints.file == NULL);
        return;
    }
    fuzz_must(hints.count % COURSE_TIERS == 0);
    for (int i = 0; i < hints.count; i++) {
        const struct course_hint *const h = &hints.hint[i];

        fuzz_must(h->tier == i % COURSE_TIERS + 1);
        fuzz_must(h->text[0] != '\0' && strchr(h->text, '\n') == NULL);
        fuzz_must(course_hint_find(&hints, h->lab, h->number, h->tier) == h);
    }
    course_hints_free(&hints);
}

/* A count that is noted is found, and no other changes by it. */
static void note(const char *shown)
{
    const int other = course_hints_shown(shown, 12, 3);
    char *const noted = course_hints_show(shown, 3, 1, 2);

    fuzz_must(noted != NULL);
    fuzz_must(course_hints_shown(noted, 3, 1) == 2);
    fuzz_must(course_hints_shown(noted, 12, 3) == other);
    free(noted);
}

void fuzz_hints(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);

    read_hints(bytes, size);
    note(text);
    free(text);
}
