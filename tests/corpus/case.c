#define _GNU_SOURCE
#include "case.h"

#include "texts.h"

#include "base/file.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

static const char case_line[] = "\ncase: ";

static const char *const keys[] = {
    "lab",  "from", "lines",   "name",   "beside",   "make",
    "when", "says", "checks",  "counts", "slow",     "kind",
    "why",  "line", "verdict", "points", "feedback", "look_at",
};

static _Noreturn void give_up(const struct corpus_case *c, const char *what,
                              const char *text)
{
    fprintf(stderr, "%s: %s: %s%s\n", c->path, c->name, what, text);
    exit(2);
}

static char *read_file(const char *path)
{
    char why[300];
    char *const text = base_read_file(path, why, sizeof why);

    if (text == NULL) {
        fprintf(stderr, "%s\n", why);
        exit(2);
    }
    return text;
}

/* --- lines of "key: value" ------------------------------------------------ */

/* Takes a line apart, in place. */
static void read_line(struct corpus_case *c, char *line)
{
    char *const colon = strstr(line, ": ");
    size_t i = 0;

    if (line[0] == '#' || line[0] == '\0')
        return;
    if (colon == NULL || c->fields == CASE_FIELDS)
        give_up(c, "what is this line? ", line);
    *colon = '\0';
    while (i < sizeof keys / sizeof *keys && strcmp(keys[i], line) != 0)
        i++;
    if (i == sizeof keys / sizeof *keys)
        give_up(c, "what is this word? ", line);
    c->key[c->fields] = keys[i];
    c->value[c->fields++] = colon + 2;
}

const char *corpus_value(const struct corpus_case *c, const char *key, int nth)
{
    for (size_t i = 0; i < c->fields; i++) {
        if (strcmp(c->key[i], key) == 0 && nth-- == 0)
            return c->value[i];
    }
    return NULL;
}

const char *corpus_last(const struct corpus_case *c, const char *key)
{
    const char *last = "", *value;

    for (int i = 0; (value = corpus_value(c, key, i)) != NULL; i++)
        last = value;
    return last;
}

const char *corpus_words(const struct corpus_case *c, const char *key, int nth,
                         int *is_not)
{
    const char *const value = corpus_value(c, key, nth);

    *is_not = value != NULL && strncmp(value, "not ", 4) == 0;
    return *is_not ? value + 4 : value;
}

int corpus_expects(const struct corpus_case *c, const char *verdict)
{
    const char *const right = corpus_last(c, "verdict");
    const size_t length = strlen(verdict);

    if (length == 0) /* no verdict is none that is expected */
        return 0;
    for (const char *at = right; (at = strstr(at, verdict)) != NULL; at++) {
        if ((at == right || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0'))
            return 1;
    }
    return 0;
}

int corpus_is_worth(const struct corpus_case *c, double points)
{
    double least = 0.0, most = 0.0;

    if (strcmp(corpus_last(c, "points"), "-") == 0)
        return isnan(points);
    if (sscanf(corpus_last(c, "points"), "%lf to %lf", &least, &most) < 2)
        most = least;
    return points >= least && points <= most;
}

/* --- texts ---------------------------------------------------------------- */

static const char *const sections[] = {"replace:\n", "with:\n", "before:\n",
                                       "after:\n", "source:\n"};
enum section {
    REPLACE,
    WITH,
    BEFORE,
    AFTER,
    SOURCE,
    NONE
};

static enum section section_of(const char *line)
{
    int i = 0;

    while (i < NONE && strncmp(line, sections[i], strlen(sections[i])) != 0)
        i++;
    return (enum section)i;
}

/* The first line from here on that begins a text, or the end. */
static const char *next_section(const char *at)
{
    while (*at != '\0' && section_of(at) == NONE) {
        const char *const newline = strchr(at, '\n');

        at = newline != NULL ? newline + 1 : at + strlen(at);
    }
    return at;
}

/* What the source is made of. */
static struct text read_base(const struct corpus_case *c)
{
    const char *const from = corpus_last(c, "from");
    const char *const lab =
        strncmp(from, "solution of ", 12) == 0 ? from + 12 : c->lab;
    struct text base = {NULL, 0};
    char path[300];

    if (strcmp(from, "nothing") == 0)
        return base;
    if (strstr(from, ".cu") != NULL) {
        snprintf(path, sizeof path, "%s", from);
    } else if (lab[0] != '\0') {
        snprintf(path, sizeof path, "%s/%s/%s.cu",
                 strcmp(from, "skeleton") == 0 ? "labs" : "solutions", lab,
                 lab + 3);
    } else {
        give_up(c, "of which lab?", "");
    }
    base.bytes = read_file(path);
    base.size = strlen(base.bytes);
    return base;
}

void corpus_make(struct corpus_case *c)
{
    struct text text = {NULL, 0}, removed = {NULL, 0};

    if (section_of(c->texts) != SOURCE)
        text = read_base(c);
    for (const char *at = c->texts; *at != '\0';) {
        const enum section section = section_of(at);
        const char *const from = at + strlen(sections[section]);
        struct text next;

        at = next_section(from);
        /* The newline that ends the text is not part of it. */
        next = text_expand(from, (size_t)(at - from) -
                                     (section <= BEFORE && at > from));
        if (section == REPLACE) {
            free(removed.bytes);
            removed = next;
        } else if (section == WITH) {
            if (text_replace(&text, &removed, next) != 0)
                give_up(c, "the source has not exactly one ", removed.bytes);
        } else {
            text = section == BEFORE  ? text_joined(next, text)
                   : section == AFTER ? text_joined(text, next)
                                      : next;
        }
    }
    if (strcmp(corpus_last(c, "lines"), "crlf") == 0)
        text_end_lines_as_windows(&text);
    free(removed.bytes);
    c->source = text.bytes;
    c->size = text.size;
}

void corpus_forget(struct corpus_case *c)
{
    free(c->source);
    c->source = NULL;
}

/* --- cases ---------------------------------------------------------------- */

/* Reads a case, which is the end of its file's text or ends before the next
   case: first what is the beginning of all, then its own lines. */
static struct corpus_case read_case(const char *path, const char *head,
                                    int head_length, const char *own)
{
    const char *const file = strrchr(path, '/') + 1;
    const char *const from = head_length > 0 ? strchr(own, '\n') : own;
    const char *const end = strstr(from, case_line);
    int length = end != NULL ? (int)(end - from) + 1 : (int)strlen(from);
    struct corpus_case c = {.path = strdup(path)};
    const char *folder = file - 1;
    char *at;

    if (head_length > 0) {
        snprintf(c.name, sizeof c.name, "%.*s", (int)(from - own), own);
        while (from[length - 2] == '\n') /* empty lines behind it */
            length--;
    } else {
        snprintf(c.name, sizeof c.name, "%.*s", (int)strcspn(file, "."), file);
    }
    while (folder > path && folder[-1] != '/')
        folder--;
    snprintf(c.student, sizeof c.student, "%.*s_%s", (int)(file - folder - 1),
             folder, c.name);
    if (asprintf(&c.text, "%.*s%.*s", head_length, head, length, from) < 0)
        give_up(&c, "no memory", "");
    /* The texts begin behind the lines that are taken apart here. */
    c.texts = next_section(c.text);
    for (at = c.text; at < c.texts;) {
        char *const line = at;

        at = strchr(line, '\n');
        *at++ = '\0';
        read_line(&c, line);
    }
    c.lab = corpus_last(&c, "lab");
    if (corpus_value(&c, "name", 0) != NULL)
        snprintf(c.file, sizeof c.file, "%s", corpus_last(&c, "name"));
    else
        snprintf(c.file, sizeof c.file, "%s.cu", c.lab);
    return c;
}

/* Adds the cases of a file, of which `count` are there already. */
static size_t read_cases(const char *path, struct corpus_case **cases,
                         size_t count)
{
    char *const text = read_file(path);
    const char *at = strstr(text, case_line);
    const int head = at != NULL ? (int)(at + 1 - text) : 0;

    do {
        const char *const own = at != NULL ? at + strlen(case_line) : text;

        *cases = realloc(*cases, (count + 1) * sizeof **cases);
        if (*cases == NULL)
            abort();
        (*cases)[count++] = read_case(path, text, head, own);
        at = strstr(own, case_line);
    } while (at != NULL);
    free(text);
    return count;
}

size_t corpus_read(const char *pattern, struct corpus_case **cases)
{
    size_t count = 0;
    glob_t found;

    *cases = NULL;
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "%s: there is none\n", pattern);
        exit(2);
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        count = read_cases(found.gl_pathv[i], cases, count);
    globfree(&found);
    return count;
}

struct corpus_case *corpus_find(const char *name)
{
    struct corpus_case *c;
    char path[300];

    snprintf(path, sizeof path, "tests/corpus/%s.edit", name);
    corpus_read(path, &c);
    corpus_make(c);
    return c;
}

void corpus_free(struct corpus_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(cases[i].source);
        free(cases[i].text);
        free(cases[i].path);
    }
    free(cases);
}
