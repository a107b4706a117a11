#define _POSIX_C_SOURCE 200809L
#include "base/language.h"

#include "base/format.h"
#include "base/po.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of translations, once it was asked for. */
struct catalogue {
    const char *name;
    int is_read;
    struct base_po po; /* without entries if there is no such file */
};

/* What was said in a language before is in there. */
static struct earlier {
    struct base_po po;
    struct earlier *before;
} * earlier;

enum {
    SCREEN,
    TASKS,
    FILES
};

static struct catalogue catalogues[FILES] = {{.name = "screen"},
                                             {.name = "tasks"}};

static const char *chosen; /* NULL: by the environment */

void base_language_set(const char *name)
{
    static char kept[100];

    snprintf(kept, sizeof kept, "%s", name);
    chosen = kept;
    for (size_t i = 0; i < FILES; i++) { /* what was said stays valid */
        struct earlier *const e = malloc(sizeof *e);

        if (e != NULL) {
            *e = (struct earlier){.po = catalogues[i].po, .before = earlier};
            earlier = e;
        }
        catalogues[i] = (struct catalogue){.name = catalogues[i].name};
    }
}

const char *base_language(void)
{
    const char *const name =
        chosen != NULL ? chosen : getenv("COURSE_LANGUAGE");

    for (const char *c = name; c != NULL && *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("_/-.", *c) == NULL)
            return "";
    }
    return name != NULL ? name : "";
}

static void read_catalogue(struct catalogue *of)
{
    char path[200], why[300];

    if (of->is_read)
        return;
    of->is_read = 1;
    snprintf(path, sizeof path, "%s%.150s/%s.po",
             strchr(base_language(), '/') != NULL ? "" : "labs/languages/",
             base_language(), of->name);
    if (base_language()[0] != '\0')
        base_po_read(path, &of->po, why, sizeof why);
}

/* Its translation, if it has one that can be said. */
static const char *translation(const struct catalogue *of,
                               const struct base_po_entry *entry)
{
    char why[300];
    const int is_format = of == &catalogues[SCREEN];

    /* A hand may have taken an argument away. */
    return entry != NULL && entry->str[0] != '\0' && !entry->is_stale &&
                   (!is_format || base_format_same(entry->id, entry->str, why,
                                                   sizeof why) == 0)
               ? entry->str
               : NULL;
}

static const char *say(struct catalogue *of, const char *english)
{
    const char *other;

    read_catalogue(of);
    other = of->po.count > 0 ? translation(of, base_po_find(&of->po, english))
                             : NULL;
    return other != NULL ? other : english;
}

void base_capital(char *text)
{
    const unsigned char first = (unsigned char)text[0];
    const unsigned char second = first >= 0x80 ? (unsigned char)text[1] : 0;

    if (first < 0x80) {
        text[0] = (char)toupper(first);
    } else if ((first == 0xd0 && second >= 0xb0) ||
               (first == 0xc3 && second >= 0xa0)) {
        text[1] = (char)(second - 0x20);
    } else if (first == 0xd1 && second < 0x90) {
        text[0] = (char)0xd0; /* the later half of the alphabet */
        text[1] = (char)(second + 0x20);
    }
}

const char *base_say(const char *english)
{
    return say(&catalogues[SCREEN], english);
}

const char *base_said_next(const char *folder, size_t *at)
{
    struct catalogue *const of = &catalogues[SCREEN];

    read_catalogue(of);
    while (*at < of->po.count) {
        const struct base_po_entry *const entry = &of->po.entry[(*at)++];

        if (strstr(entry->from, folder) != NULL &&
            translation(of, entry) != NULL)
            return entry->id;
    }
    return NULL;
}

const char *base_say_of(const char *file, const char *english)
{
    for (size_t i = 0; i < FILES; i++) {
        if (strcmp(catalogues[i].name, file) == 0)
            return say(&catalogues[i], english);
    }
    return english;
}
