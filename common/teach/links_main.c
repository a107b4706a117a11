/*
 * links: do the links of texts lead somewhere?
 *
 *   links FILE.md...
 *
 * Links of Markdown, [text](target) and pictures, with a target in the tree:
 * a file, a heading (#anchor), or both. Addresses with a scheme are left alone.
 * Each that leads nowhere is a line "path:line: ..." on stderr. Exit codes: 0
 * all do, 1 one does not, 2 a wrong call or a file that cannot be read.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum {
    FAILED = 1,
    WRONG = 2,
    ANCHOR = 200,
    PATH = 1000
};

/* Copies the anchor of a heading's line, by GitHub's rule: small letters,
   blanks as "-", no punctuation. */
static void anchor_of(const char *heading, char anchor[ANCHOR])
{
    size_t at = 0;

    heading += strspn(heading, "# ");
    for (; *heading != '\0' && *heading != '\n' && at + 1 < ANCHOR; heading++) {
        const unsigned char c = (unsigned char)*heading;

        if (isalnum(c) || c == '-' || c == '_' || c >= 0x80) {
            anchor[at++] = (char)tolower(c);
        } else if (c == ' ') {
            anchor[at++] = '-';
        }
    }
    anchor[at] = '\0';
}

/* Has the text a heading of that anchor? A second one of the same words is
   words-1; in a translation the anchor stands before the heading. */
static int has_anchor(const char *text, const char *anchor)
{
    char found[ANCHOR], numbered[ANCHOR + 16];
    int is_code = 0, same = 0;

    snprintf(numbered, sizeof numbered, "<a id=\"%.*s\">", ANCHOR - 1, anchor);
    if (strstr(text, numbered) != NULL)
        return 1;

    for (const char *line = text; *line != '\0'; line += *line == '\n') {
        if (strncmp(line, "```", 3) == 0)
            is_code = !is_code;
        if (!is_code && *line == '#') {
            anchor_of(line, found);
            snprintf(numbered, sizeof numbered, "%s-%d", found, same);
            if (strcmp(found, anchor) == 0 ||
                (same > 0 && strcmp(numbered, anchor) == 0))
                return 1;
            same += strncmp(found, anchor, strlen(found)) == 0;
        }
        line += strcspn(line, "\n");
    }
    return 0;
}

/* Where the code that begins here ends; `at` itself if none does. */
static const char *skip_code(const char *begin, const char *at)
{
    const int starts_line = at == begin || at[-1] == '\n';
    const char *end;

    if (*at != '`')
        return at;
    if (starts_line && strncmp(at, "```", 3) == 0) {
        end = strstr(at + 3, "\n```");
        return end == NULL ? at + strlen(at) : end + 4;
    }
    end = strchr(at + 1, '`');
    return end == NULL ? at + 1 : end + 1;
}

/* Finds the next link of a text from `at` on, and copies where it leads; not in
   code. Returns what stands behind it, or NULL. */
static const char *next_link(const char *begin, const char *at,
                             char target[PATH])
{
    while (*at != '\0') {
        const char *const behind = skip_code(begin, at);

        if (behind == at && strncmp(at, "](", 2) == 0) {
            const size_t length = strcspn(at + 2, ") \n");

            snprintf(target, PATH, "%.*s", (int)length, at + 2);
            return at + 2 + length;
        }
        at = behind == at ? at + 1 : behind;
    }
    return NULL;
}

/* Is a link of that file all right? */
static int leads_somewhere(const char *path, const char *target, char *why,
                           size_t size)
{
    const char *const slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - path);
    const size_t length = strcspn(target, "#");
    char file[PATH];
    struct stat found;
    char *text;
    int is_there;

    if (length == 0) {
        snprintf(file, sizeof file, "%s", path);
    } else {
        snprintf(file, sizeof file, "%.*s%.*s", folder, path, (int)length,
                 target);
    }
    if (stat(file, &found) != 0) {
        snprintf(why, size, "there is no %s", file);
        return 0;
    }
    if (target[length] == '\0')
        return 1;
    text = base_read_file(file, why, size);
    is_there = text != NULL && has_anchor(text, target + length + 1);
    if (text != NULL && !is_there)
        snprintf(why, size, "%s has no heading '%s'", file, target + length);
    free(text);
    return is_there;
}

/* Checks a file. Returns how many of its links lead nowhere, or -1 with a
   message. */
static int check_links(const char *path, int *links)
{
    char why[PATH + 300], target[PATH];
    char *const text = base_read_file(path, why, sizeof why);
    int bad = 0, line = 1;

    if (text == NULL) {
        fprintf(stderr, "links: %s\n", why);
        return -1;
    }
    for (const char *at = text, *next;
         (next = next_link(text, at, target)) != NULL; at = next) {
        for (; at < next; at++)
            line += *at == '\n';
        if (strstr(target, "://") != NULL || strncmp(target, "mailto:", 7) == 0)
            continue;
        (*links)++;
        if (!leads_somewhere(path, target, why, sizeof why)) {
            fprintf(stderr, "%s:%d: (%s) leads nowhere: %s\n", path, line,
                    target, why);
            bad++;
        }
    }
    free(text);
    return bad;
}

int main(int argc, char **argv)
{
    int links = 0, bad = 0;

    if (argc < 2) {
        fputs("usage: links FILE.md...\n", stderr);
        return WRONG;
    }
    for (int i = 1; i < argc; i++) {
        const int found = check_links(argv[i], &links);

        if (found < 0)
            return WRONG;
        bad += found;
    }
    printf("links: %d files, %d links, %d lead nowhere\n", argc - 1, links,
           bad);
    return bad > 0 ? FAILED : 0;
}
