#include "testing.h"
#include "editor.h"
#include "scratch.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACE_FILE = 3, /* the parts of the pattern that are its file and line */
    PLACE_LINE = 4,
    PARTS = 8
};

/* The pattern, which JavaScript and POSIX read the same. */
static regex_t *read_pattern(void)
{
    static const char key[] = "\"regexp\": \"";
    static regex_t pattern;
    static int is_read;
    char *tasks, *from;

    if (is_read)
        return &pattern;
    tasks = file_text(".vscode/tasks.json");
    from = strstr(tasks, key);
    assert_non_null(from);
    assert_null(strstr(from + 1, key)); /* there is one */
    from += strlen(key);
    from[strcspn(from, "\"")] = '\0';
    assert_int_equal(regcomp(&pattern, from, REG_EXTENDED | REG_NEWLINE), 0);
    free(tasks);
    is_read = 1;
    return &pattern;
}

int editor_marks(const char *text, const char *place)
{
    const regex_t *const pattern = read_pattern();
    regmatch_t part[PARTS];

    for (; regexec(pattern, text, PARTS, part, 0) == 0;
         text += part[0].rm_eo + (text[part[0].rm_eo] == '\n')) {
        const char *const marked = text + part[PLACE_FILE].rm_so;
        const size_t length =
            (size_t)(part[PLACE_LINE].rm_eo - part[PLACE_FILE].rm_so);
        const size_t asked = strlen(place);

        if (strncmp(marked, place, asked) == 0 &&
            (asked == length || marked[asked] == ':'))
            return 1;
    }
    return 0;
}
