/* A student's answers, and the questions: each number stands once, and its text
   has no blanks at its ends. */
#include "fuzz.h"

#include "course/keyed.h"

#include <ctype.h>
#include <string.h>

void fuzz_answers(const uint8_t *bytes, size_t size)
{
    char why[400] = "";
    struct course_keyed keyed;

    if (course_keyed_read(fuzz_file(bytes, size), &keyed, why, sizeof why) !=
        0) {
        fuzz_message(why, sizeof why);
        fuzz_must(keyed.entry == NULL && keyed.text == NULL);
        return;
    }
    for (size_t i = 0; i < keyed.count; i++) {
        const struct course_keyed_entry *const e = &keyed.entry[i];
        const size_t length = strlen(e->text);

        fuzz_must(e->lab >= 0 && e->number >= 0);
        fuzz_must(i == 0 || e->line > e[-1].line);
        fuzz_must(course_keyed_find(&keyed, e->lab, e->number) == e);
        if (length > 0) {
            fuzz_must(!isspace((unsigned char)e->text[0]));
            fuzz_must(!isspace((unsigned char)e->text[length - 1]));
        }
    }
    course_keyed_free(&keyed);
}
