/*
 * mutate: makes a wrong lab from a right one.
 *
 *   mutate NAME.edit SOLUTION.cu OUTPUT.cu
 *   mutate LIST NAME SOLUTION.cu OUTPUT.cu
 *
 * The second takes the part of a list (tests/why/mutants.list) that begins with
 * "## NAME ", and leaves an OUTPUT.cu as it is that would not change.
 *
 * An .edit file says what is wrong in its first line, what which run must say
 * in the next ones (tests/labs/test_mutants.c), and then what to replace:
 *
 *   # The first barrier is missing.
 *   says: FAIL
 *   replace:
 *           __syncthreads();
 *   with:
 *           ;
 *
 * What stands behind "replace:" must occur in the solution exactly once, so
 * that a mutant cannot quietly become a copy of the solution. A further
 * "replace:" begins the next edit. The newlines that end the two texts are not
 * part of them.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACE "\nreplace:\n"
#define WITH    "\nwith:\n"

/* The file as a string, which the caller frees. NULL after a message. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    FILE *memory;
    int c;

    if (file == NULL) {
        perror(path);
        return NULL;
    }
    memory = open_memstream(&text, &length);
    if (memory == NULL) {
        perror(path);
        fclose(file);
        return NULL;
    }
    while ((c = getc(file)) != EOF)
        putc(c, memory);
    fclose(file);
    fclose(memory);
    return text;
}

/* A new string in which the only `from` of text is `to`. NULL if there is not
   exactly one. Frees text. */
static char *replace(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from);
    char *result = NULL;

    if (at != NULL && from[0] != '\0' && strstr(at + 1, from) == NULL) {
        const size_t size = strlen(text) + strlen(to) + 1;

        result = malloc(size);
        if (result != NULL) {
            snprintf(result, size, "%.*s%s%s", (int)(at - text), text, to,
                     at + strlen(from));
        }
    }
    free(text);
    return result;
}

/* Makes all edits. Returns the new text, or NULL; *edits counts them. Changes
   `edit`, frees text. */
static char *apply(char *edit, char *text, int *edits)
{
    char *from = strstr(edit, REPLACE);

    for (*edits = 0; from != NULL && text != NULL; ++*edits) {
        char *to = strstr(from, WITH);
        char *next;

        if (to == NULL)
            break;
        *to = '\0';
        from += strlen(REPLACE);
        to += strlen(WITH);
        /* An empty replacement begins with the newline that ends it. */
        next = strstr(to - 1, REPLACE);
        if (next != NULL) {
            *next = '\0';
        } else if (to[0] != '\0') {
            to[strlen(to) - 1] = '\0';
        }
        text = replace(text, from, next == to - 1 ? "" : to);
        if (next != NULL)
            *next = '\n';
        from = next;
    }
    return text;
}

/* Leaves of the list what stands below "## name ", without the empty lines at
   its end. Returns NULL, and frees the list, if there is none. */
static char *cut_out(char *list, const char *name)
{
    char head[200];
    char *from, *end;

    if (list == NULL)
        return NULL;
    snprintf(head, sizeof head, "\n## %s ", name);
    from = strstr(list, head);
    if (from == NULL) {
        free(list);
        return NULL;
    }
    end = strstr(from + 1, "\n## ");
    if (end == NULL)
        end = from + strlen(from);
    if (strstr(from, "\n# ") != NULL && strstr(from, "\n# ") < end)
        end = strstr(from, "\n# ");
    while (end > from && end[-1] == '\n')
        end--;
    /* An empty replacement is an empty line. */
    if (end - from > 6 && strncmp(end - 6, "\nwith:", 6) == 0)
        *end++ = '\n';
    *end++ = '\n';
    *end = '\0';
    memmove(list, from, strlen(from) + 1);
    return list;
}

static int is_same(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    char *old;
    int same;

    if (file == NULL)
        return 0;
    fclose(file);
    old = read_file(path);
    same = old != NULL && strcmp(old, text) == 0;
    free(old);
    return same;
}

int main(int argc, char **argv)
{
    char *edit, *text;
    int edits = 0, written = 0;
    FILE *output;

    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: mutate NAME.edit SOLUTION.cu OUTPUT.cu\n"
                        "       mutate LIST NAME SOLUTION.cu OUTPUT.cu\n");
        return 2;
    }
    edit = read_file(argv[1]);
    if (argc == 5) {
        edit = cut_out(edit, argv[2]);
        argv++;
    }
    text = read_file(argv[2]);
    if (edit != NULL && text != NULL) {
        text = apply(edit, text, &edits);
    } else {
        free(text);
        text = NULL;
    }
    if (text == NULL || edits == 0) {
        fprintf(stderr, "%s: edit %d does not fit %s exactly once\n", argv[1],
                edits, argv[2]);
    } else if (argc == 5 && is_same(argv[3], text)) {
        written = 1;
    } else {
        output = fopen(argv[3], "w");
        written =
            output != NULL && fputs(text, output) >= 0 && fclose(output) == 0;
        if (!written)
            perror(argv[3]);
    }
    free(edit);
    free(text);
    return written ? 0 : 2;
}
