#define _GNU_SOURCE
#include "xml.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    DEEPEST = 32
};

/* An open element's name. */
struct name {
    const char *at;
    size_t length;
};

static int complain_of_markup(char *why, size_t size, const char *what,
                              const char *at)
{
    snprintf(why, size, "%s at '%.60s'", what, at);
    return -1;
}

static size_t name_length(const char *at)
{
    size_t length = 0;

    while (isalnum((unsigned char)at[length]) || at[length] == '-' ||
           at[length] == ':')
        length++;
    return length;
}

/* &amp; and the like. Returns what follows, or NULL. */
static const char *skip_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                        "&#39;"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return at + strlen(known[i]);
    }
    return NULL;
}

/* Reads attributes up to the '>'. Returns it, or NULL with why. */
static const char *skip_attributes(const char *at, const char *text, char *why,
                                   size_t size)
{
    while (*at != '>' && !(at[0] == '/' && at[1] == '>')) {
        const char *const start = at + strspn(at, " \n");
        const size_t length = name_length(start);
        const char *value = start + length + 2;

        if (start == at || length == 0 ||
            strncmp(start + length, "=\"", 2) != 0) {
            complain_of_markup(why, size, "no attribute", at);
            return NULL;
        }
        if (strncmp(start, "id=", 3) == 0) {
            char quoted[80];

            snprintf(quoted, sizeof quoted, "%.*s", (int)strcspn(start, " >"),
                     start);
            if (strstr(value, quoted) != NULL) {
                complain_of_markup(why, size, "an id that stands twice", start);
                return NULL;
            }
        }
        if (strncmp(start, "href=\"#", 7) == 0) {
            char id[80];

            snprintf(id, sizeof id, "id=\"%.*s\"",
                     (int)strcspn(value + 1, "\""), value + 1);
            if (strstr(text, id) == NULL) {
                complain_of_markup(why, size, "a link to nowhere", start);
                return NULL;
            }
        }
        for (; *value != '"'; value++) {
            if (*value == '\0' || *value == '<' ||
                (*value == '&' && skip_entity(value) == NULL)) {
                complain_of_markup(why, size, "a bad value", start);
                return NULL;
            }
        }
        at = value + 1;
    }
    return *at == '/' ? at + 1 : at;
}

int xml_check(const char *text, char *why, size_t size)
{
    static const char doctype[] = "<!DOCTYPE html>\n";
    struct name open[DEEPEST];
    int depth = 0, roots = 0;
    const char *at = text + sizeof doctype - 1;

    if (strncmp(text, doctype, sizeof doctype - 1) != 0)
        return complain_of_markup(why, size, "no doctype", text);
    while (*at != '\0') {
        if (*at == '&') {
            const char *const next = skip_entity(at);

            if (next == NULL)
                return complain_of_markup(why, size, "a bare &", at);
            at = next;
        } else if (*at != '<') {
            if (depth == 0 && *at != '\n')
                return complain_of_markup(why, size, "text outside", at);
            at++;
        } else if (at[1] == '/') {
            const size_t length = name_length(at + 2);

            if (depth == 0 || open[depth - 1].length != length ||
                strncmp(open[depth - 1].at, at + 2, length) != 0 ||
                at[2 + length] != '>')
                return complain_of_markup(why, size, "closes what is not open",
                                          at);
            depth--;
            at += length + 3;
        } else {
            const struct name name = {at + 1, name_length(at + 1)};
            const char *const end =
                name.length > 0
                    ? skip_attributes(name.at + name.length, text, why, size)
                    : NULL;

            if (name.length == 0)
                return complain_of_markup(why, size, "a bare <", at);
            if (end == NULL)
                return -1;
            roots += depth == 0;
            if (depth == DEEPEST)
                return complain_of_markup(why, size, "too deep", at);
            if (end[-1] != '/')
                open[depth++] = name;
            at = end + 1;
        }
    }
    if (depth > 0)
        return complain_of_markup(why, size, "never closed",
                                  open[depth - 1].at);
    return roots == 1 ? 0 : complain_of_markup(why, size, "not one root", text);
}
