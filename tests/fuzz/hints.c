/* A lab's hints, and a student's list of those that were shown. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "course/hints.h"

#include <string.h>

static void read_hints(const uint8_t *bytes, size_t size)
{
    char why[400] = "";
    struct course_keyed hints;

    if (course_hints_read(fuzz_file(bytes, size), &hints, why, sizeof why) !=
        0) {
        fuzz_message(why, sizeof why);
        fuzz_must(hints.entry == NULL && hints.text == NULL);
        return;
    }
    fuzz_must(hints.count % COURSE_TIERS == 0);
    for (size_t i = 0; i < hints.count; i++) {
        const struct course_keyed_entry *const h = &hints.entry[i];

        fuzz_must(h->tier == (int)(i % COURSE_TIERS) + 1);
        fuzz_must(h->text[0] != '\0' && strchr(h->text, '\n') == NULL);
        fuzz_must(course_hint_find(&hints, h->lab, h->number, h->tier) == h);
    }
    course_keyed_free(&hints);
}

/* A count that is noted is found, and no other changes by it. */
static void note(char *text)
{
    char why[400];
    struct course_keyed shown, noted;
    int other;
    char *with;

    course_keyed_parse("shown", text, &shown, why, sizeof why);
    other = course_hints_shown(&shown, 12, 3);
    with = course_hints_show(&shown, 3, 1, 2);
    fuzz_must(with != NULL);
    fuzz_must(course_keyed_parse("noted", with, &noted, why, sizeof why) == 0);
    fuzz_must(course_hints_shown(&noted, 3, 1) == 2);
    fuzz_must(course_hints_shown(&noted, 12, 3) == other);
    course_keyed_free(&shown);
    course_keyed_free(&noted);
}

void fuzz_hints(const uint8_t *bytes, size_t size)
{
    read_hints(bytes, size);
    note(fuzz_string(bytes, size));
}
