/* simt_alternatives INPUT SHOWN OUTPUT: a copy of what simt_rewrite has made of
   a lab, with all its small changes (alternatives.h). Of a lab in labs/TODOS
   those of the lines that the student wrote, and of those in SHOWN, a file with
   a number each, in more forms. */
#include "alternatives.h"

#include "base/file.h"
#include "base/record.h"
#include "course/own.h"
#include "course/todo.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The record of the lab that the path names by its number: the source is that
   of labs/03_tiling, or of mutants/03_no_barrier.cu. */
static const char *lab_of(const struct base_records *list, const char *path)
{
    const char *at = path;

    while (at != NULL && !(isdigit((unsigned char)at[0]) &&
                           isdigit((unsigned char)at[1]) && at[2] == '_')) {
        at = strchr(at, '/');
        at = at != NULL ? at + 1 : NULL;
    }
    for (size_t i = 0; at != NULL && i < list->count; i++) {
        const char *lab = list->record[i].field[0].value;

        if (strncmp(lab, at, 3) == 0)
            return lab;
    }
    return "";
}

/* The lines of its own of the source that the first line of the text names;
   none, if that is no lab or cannot be read. */
static int *own_lines(const char *text, size_t *count)
{
    struct base_records list;
    char path[300], why[400];
    char *source = NULL;
    int *line = NULL, lacks;

    *count = 0;
    if (sscanf(text, "#line 1 \"%299[^\"]", path) != 1 ||
        course_todos_read_list("labs/TODOS", &list, why, sizeof why) != 0)
        return NULL;
    source = base_read_file(path, why, sizeof why);
    if (source != NULL &&
        course_own_lines(source, course_todos_lines(&list, lab_of(&list, path)),
                         &line, count, &lacks) != 0)
        *count = 0;
    free(source);
    base_records_free(&list);
    return line;
}

int main(int argc, char **argv)
{
    char why[400] = "usage: simt_alternatives INPUT SHOWN OUTPUT";
    char *text = argc == 4 ? base_read_file(argv[1], why, sizeof why) : NULL;
    FILE *output = text != NULL ? fopen(argv[3], "w") : NULL;
    struct simt_changed_lines own = {.line = NULL}, shown = {.line = NULL};
    int code = 2;

    if (output != NULL) {
        own.line = own_lines(text, &own.count);
        shown.line = base_read_ints(argv[2], &shown.count);
        code = simt_alternatives_write(text, strlen(text), &own, &shown, output,
                                       why, sizeof why) == 0
                   ? 0
                   : 2;
        code = fclose(output) != 0 ? 2 : code;
    } else if (text != NULL) {
        snprintf(why, sizeof why, "%s: %s", argv[3], strerror(errno));
    }
    if (code != 0)
        fprintf(stderr, "simt_alternatives: %s\n", why);
    free(own.line);
    free(shown.line);
    free(text);
    return code;
}
