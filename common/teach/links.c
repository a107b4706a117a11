#define _POSIX_C_SOURCE 200809L
#include "teach/links.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum {
    ANCHOR = 200,
    PATH = 1000
};

/* Copies the anchor of a heading's line. */
static void anchor_of(const char *heading, char *anchor, size_t size)
{
    size_t at = 0;

    heading += strspn(heading, "# ");
    for (; *heading != '\0' && *heading != '\n' && at + 1 < size; heading++) {
        const unsigned char c = (unsigned char)*heading;

        if (isalnum(c) || c == '-' || c == '_' || c >= 0x80) {
            anchor[at++] = (char)tolower(c);
        } else if (c == ' ') {
            anchor[at++] = '-';
        }
    }
    anchor[at] = '\0';
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

int links_has_anchor(const char *text, const char *anchor)
{
    char found[ANCHOR], numbered[ANCHOR + 16];
    int is_code = 0, same = 0;

    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        if (strncmp(line, "```", 3) == 0)
            is_code = !is_code;
        if (is_code || *line != '#')
            continue;
        anchor_of(line, found, sizeof found);
        if (strcmp(found, anchor) == 0)
            return 1;
        /* A second heading of the same words is words-1. */
        if (strncmp(found, anchor, strlen(found)) == 0) {
            if (same > 0) {
                snprintf(numbered, sizeof numbered, "%s-%d", found, same);
                if (strcmp(numbered, anchor) == 0)
                    return 1;
            }
            same++;
        }
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

const char *links_next(const char *begin, const char *at, char *target,
                       size_t size)
{
    while (*at != '\0') {
        const char *const behind = skip_code(begin, at);
        size_t length;

        if (behind != at) {
            at = behind;
            continue;
        }
        if (strncmp(at, "](", 2) != 0) {
            at++;
            continue;
        }
        at += 2;
        length = strcspn(at, ") \n");
        snprintf(target, size, "%.*s", (int)length, at);
        return at + length;
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
    is_there = text != NULL && links_has_anchor(text, target + length + 1);
    if (text != NULL && !is_there)
        snprintf(why, size, "%s has no heading '%s'", file, target + length);
    free(text);
    return is_there;
}

static int line_at(const char *text, const char *at)
{
    int line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

int links_check(const char *path, int *links)
{
    char why[PATH + 300], target[PATH];
    char *const text = base_read_file(path, why, sizeof why);
    int bad = 0;

    if (text == NULL) {
        fprintf(stderr, "links: %s\n", why);
        return -1;
    }
    for (const char *at = text;
         (at = links_next(text, at, target, sizeof target)) != NULL;) {
        if (strstr(target, "://") != NULL || strncmp(target, "mailto:", 7) == 0)
            continue;
        (*links)++;
        if (!leads_somewhere(path, target, why, sizeof why)) {
            fprintf(stderr, "%s:%d: (%s) leads nowhere: %s\n", path,
                    line_at(text, at), target, why);
            bad++;
        }
    }
    free(text);
    return bad;
}
