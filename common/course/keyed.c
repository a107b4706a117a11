#define _POSIX_C_SOURCE 200809L
#include "course/keyed.h"

#include "base/file.h"
#include "base/html.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one or two digits. Returns what follows them, or NULL. */
static char *read_digits(char *text, int *number)
{
    int digits = 0;

    *number = 0;
    while (digits < 3 && isdigit((unsigned char)text[digits]))
        *number = 10 * *number + (text[digits++] - '0');
    return digits == 1 || digits == 2 ? text + digits : NULL;
}

/* Reads "03.1:" at the beginning of a line. Returns the text behind it, or NULL
   if there is no such number. */
static char *read_key(char *line, int *lab, int *number)
{
    char *at = read_digits(line, lab);

    if (at == NULL || *at != '.')
        return NULL;
    at = read_digits(at + 1, number);
    return at != NULL && *at == ':' ? at + 1 : NULL;
}

/* Reads all lines of keyed->file. A text ends where the next number begins. */
static int parse_keyed(const char *path, char *at, struct course_keyed *keyed,
                       char *why, size_t size)
{
    for (int line = 1; at != NULL; line++) {
        char *const next = strchr(at, '\n');
        struct course_keyed_entry e = {.line = line};
        char *const text = read_key(at, &e.lab, &e.number);

        if (text != NULL) {
            const struct course_keyed_entry *const first =
                course_keyed_find(keyed, e.lab, e.number);

            if (first != NULL) {
                snprintf(why, size, "%s:%d: %02d.%d stands in line %d already",
                         path, line, e.lab, e.number, first->line);
                return -1;
            }
            *at = '\0'; /* the end of the text before */
            e.text = text;
            keyed->entry[keyed->count++] = e;
        } else if (keyed->count == 0 && *at != '#' &&
                   at + strspn(at, " \t") != next && *at != '\0') {
            snprintf(why, size,
                     "%s:%d: belongs to no question: begin with its number, as "
                     "in '03.2: ...'",
                     path, line);
            return -1;
        }
        at = next != NULL ? next + 1 : NULL;
    }
    return 0;
}

/* Turns the line ends of Windows into plain ones, in place, and finds the first
   line that is no text. Returns its number, or 0. */
static int clean(char *text)
{
    char *to = text;
    int line = 1;
    long bad;

    for (const char *from = text; *from != '\0'; from++) {
        if (from[0] != '\r' || from[1] != '\n')
            *to++ = *from;
    }
    *to = '\0';
    bad = base_html_bad_byte(text);
    for (long i = 0; i < bad; i++)
        line += text[i] == '\n';
    return bad < 0 ? 0 : line;
}

int course_keyed_read(const char *path, struct course_keyed *keyed, char *why,
                      size_t size)
{
    char *const text = base_read_file(path, why, size);

    *keyed = (struct course_keyed){.file = NULL};
    return text != NULL ? course_keyed_parse(path, text, keyed, why, size) : -1;
}

int course_keyed_parse(const char *path, char *text, struct course_keyed *keyed,
                       char *why, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, from Windows */
    size_t lines = 1;
    char *start;
    int bad;

    *keyed = (struct course_keyed){.count = 0};
    keyed->file = text;
    bad = clean(keyed->file);
    if (bad > 0) {
        snprintf(why, size,
                 "%s:%d: not UTF-8 text, or a control character (save the file "
                 "as UTF-8)",
                 path, bad);
        goto bad;
    }
    for (const char *c = keyed->file; *c != '\0'; c++)
        lines += *c == '\n';
    keyed->entry = calloc(lines, sizeof *keyed->entry);
    if (keyed->entry == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        goto bad;
    }
    start = keyed->file;
    if (strncmp(start, mark, sizeof mark - 1) == 0)
        start += sizeof mark - 1;
    if (parse_keyed(path, start, keyed, why, size) != 0)
        goto bad;
    for (size_t i = 0; i < keyed->count; i++) {
        /* parse() has given away what is const here */
        keyed->entry[i].text =
            base_trim(keyed->file + (keyed->entry[i].text - keyed->file));
    }
    return 0;
bad:
    course_keyed_free(keyed);
    return -1;
}

void course_keyed_free(struct course_keyed *keyed)
{
    free(keyed->entry);
    free(keyed->file);
    *keyed = (struct course_keyed){.file = NULL};
}

const struct course_keyed_entry *
course_keyed_find(const struct course_keyed *keyed, int lab, int number)
{
    for (size_t i = 0; i < keyed->count; i++) {
        if (keyed->entry[i].lab == lab && keyed->entry[i].number == number)
            return &keyed->entry[i];
    }
    return NULL;
}
