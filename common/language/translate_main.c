/*
 * translate: what is translated, and what of it?
 *
 *   translate units [FILE...]         the texts, as a PO file without
 *                                     translations; without files its head
 *   translate check TERMS PO...       what is wrong with translations
 *   translate pseudo PO               the same texts in brackets, as if they
 *                                     were translated: a PO file for tests
 *   translate file PO... -- FILE OUT  the file in that language; what has no
 *                                     translation stays as it is; a paragraph
 *                                     whose translation is stale begins with
 *                                     [en] then
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "base/replace_file.h"
#include "base/wrap.h"
#include "language/compare.h"
#include "language/parts.h"
#include "base/po.h"

enum {
    WRONG = 2,
    FILES = 8
};

/* A file with its parts. */
struct page {
    const char *path;
    char *text;
    struct language_parts parts;
};

static int read_page(const char *path, struct page *page, char *why,
                     size_t size)
{
    page->path = path;
    page->parts = (struct language_parts){.count = 0};
    page->text = base_read_file(path, why, size);
    if (page->text == NULL)
        return -1;
    return language_parts_find(path, page->text, &page->parts) == 0
               ? 0
               : base_refuse(why, size, "%s: %s", path, strerror(ENOMEM));
}

static void free_page(struct page *page)
{
    language_parts_free(&page->parts);
    free(page->text);
}

/* --- units ---------------------------------------------------------------- */

/* Writes a text in quotes, a line of it on a line. */
static void write_quoted(const char *text)
{
    fputs(strchr(text, '\n') != NULL ? "\"\"\n\"" : "\"", stdout);
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            fputs(text[1] != '\0' ? "\\n\"\n\"" : "\\n", stdout);
        } else if (*text == '"' || *text == '\\') {
            printf("\\%c", *text);
        } else {
            putchar(*text);
        }
    }
    puts("\"");
}

static void write_head(void)
{
    puts("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
         "\"Content-Transfer-Encoding: 8bit\\n\"");
}

static int write_pseudo(const char *path, char *why, size_t size)
{
    struct base_po po;

    if (base_po_read(path, &po, why, size) != 0)
        return -1;
    write_head();
    for (size_t i = 0; i < po.count; i++) {
        const char *const id = po.entry[i].id;
        const size_t begin = strspn(id, "\n");
        size_t end = strlen(id);
        char *text;

        while (end > begin && id[end - 1] == '\n')
            end--;
        text = base_text("%.*s[[%.*s]]%s", (int)begin, id, (int)(end - begin),
                         id + begin, id + end);
        printf("\n#: %s\nmsgid ", po.entry[i].from);
        write_quoted(id);
        fputs("msgstr ", stdout);
        write_quoted(text != NULL ? text : "");
        free(text);
    }
    base_po_free(&po);
    return 0;
}

static int write_units(char **paths, int count, char *why, size_t size)
{
    int result = 0;

    write_head();
    for (int i = 0; i < count && result == 0; i++) {
        struct page page;

        result = read_page(paths[i], &page, why, size);
        for (size_t k = 0; result == 0 && k < page.parts.count; k++) {
            const struct language_part *const part = &page.parts.part[k];

            printf(
                "\n%s#: %s:%d\n%smsgid ",
                part->width > 0 ? "#. A label of a skeleton's first comment\n"
                                : "",
                page.path, part->line, part->keeps_lines ? "#, no-wrap\n" : "");
            write_quoted(part->text);
            puts("msgstr \"\"");
        }
        free_page(&page);
    }
    return result;
}

/* --- a file --------------------------------------------------------------- */

/* What stands for a part, for free(); NULL: it stays as it is. */
static char *translation(const struct base_po *po, int count,
                         const struct language_part *part)
{
    for (int i = 0; i < count; i++) {
        const struct base_po_entry *const e = base_po_find(&po[i], part->text);

        if (e != NULL && *e->str != '\0' && !e->is_stale)
            return strdup(e->str);
        if (e != NULL && e->is_stale && part->is_markdown && !part->keeps_lines)
            return base_text("[en] %s", part->text);
    }
    return NULL;
}

static int write_file(const struct base_po *po, int count, const char *from,
                      const char *to, char *why, size_t size)
{
    struct base_replacement file;
    struct page page;
    char **other = NULL;
    int result = read_page(from, &page, why, size);

    if (result == 0)
        other = calloc(page.parts.count + 1, sizeof *other);
    if (other != NULL) {
        for (size_t i = 0; i < page.parts.count; i++)
            other[i] = translation(po, count, &page.parts.part[i]);
        result = base_replace_begin(&file, to, why, size);
    }
    if (other != NULL && result == 0) {
        language_parts_write(page.text, &page.parts, (const char *const *)other,
                             file.file);
        result = base_replace_end(&file, 1, why, size);
    }
    for (size_t i = 0; other != NULL && i < page.parts.count; i++)
        free(other[i]);
    free(other);
    free_page(&page);
    return result;
}

static int read_and_write(char **argv, int argc, char *why, size_t size)
{
    struct base_po po[FILES];
    int count = 0, result = 0;

    while (count < FILES && count < argc && strcmp(argv[count], "--") != 0) {
        result = base_po_read(argv[count], &po[count], why, size);
        if (result != 0)
            break;
        count++;
    }
    if (result == 0 && count + 3 != argc)
        result = base_refuse(why, size, "file PO... -- FILE OUT");
    if (result == 0) {
        result =
            write_file(po, count, argv[argc - 2], argv[argc - 1], why, size);
    }
    while (count > 0)
        base_po_free(&po[--count]);
    return result;
}

/* --- check ---------------------------------------------------------------- */

/* How many texts of a file are translated, stale and wrong. */
struct counted {
    size_t fresh, stale, wrong;
};

/* Must the English word stand beside a term? In the handouts, which are read in
   their order, where it is first met; in the glossary, where it is told. */
static int wants_english(const struct base_po_entry *e)
{
    const char *const at = strstr(e->from, "labs/0");

    return (at != NULL && strstr(at, "README.md") != NULL) ||
           (strncmp(e->id, "**", 2) == 0 &&
            strstr(e->from, "GLOSSARY") != NULL);
}

/* What is wrong with the form of a translation. */
static int check_form(const char *path, const struct base_po_entry *e,
                      char *why, size_t size)
{
    const int is_drawn = strstr(e->flags, "no-wrap") != NULL;
    const int is_screen = strstr(path, "screen.po") != NULL;

    if (strstr(e->from, ".awk") != NULL && strchr(e->str, '$') != NULL)
        return base_refuse(why, size, "awk has no arguments with numbers");
    if (!is_drawn && !is_screen && strchr(e->str, '\n') != NULL)
        return base_refuse(why, size, "it must be one line");
    for (const char *at = e->str; is_drawn && *at != '\0';) {
        const size_t length = strcspn(at, "\n");

        if (base_columns(at, length) > BASE_WIDTH)
            return base_refuse(why, size, "a line has more than 80 columns");
        at += length + (at[length] == '\n');
    }
    return language_compare(e->id, e->str, is_drawn, is_screen, why, size);
}

static void check_entry(const char *path, const struct base_po_entry *e,
                        struct language_terms *terms, struct counted *counted)
{
    char why[400];

    if (*e->str == '\0')
        return;
    if (e->is_stale) {
        counted->stale++;
        return;
    }
    counted->fresh++;
    if (check_form(path, e, why, sizeof why) != 0 ||
        language_compare_terms(e->id, e->str, terms, wants_english(e), why,
                               sizeof why) != 0) {
        counted->wrong++;
        printf("%s:%d: %s\n", path, e->line, why);
    }
}

/* Returns 0, 1 if something is wrong, -1 if it could not be read. */
static int check(char **paths, int count, char *why, size_t size)
{
    struct language_terms terms;
    int result = language_terms_read(paths[0], &terms, why, size);

    for (int i = 1; i < count && result >= 0; i++) {
        struct counted counted = {0, 0, 0};
        struct base_po po;

        if (base_po_read(paths[i], &po, why, size) != 0) {
            result = -1;
            break;
        }
        for (size_t k = 0; k < po.count; k++)
            check_entry(paths[i], &po.entry[k], &terms, &counted);
        printf("%s: %zu texts, %zu translated, %zu stale, %zu missing, %zu "
               "wrong\n",
               paths[i], po.count, counted.fresh, counted.stale,
               po.count - counted.fresh - counted.stale, counted.wrong);
        result |= counted.wrong > 0;
        base_po_free(&po);
    }
    language_terms_free(&terms);
    return result;
}

int main(int argc, char **argv)
{
    char why[512];
    int result;

    if (argc >= 2 && strcmp(argv[1], "units") == 0) {
        result = write_units(argv + 2, argc - 2, why, sizeof why);
    } else if (argc >= 3 && strcmp(argv[1], "file") == 0) {
        result = read_and_write(argv + 2, argc - 2, why, sizeof why);
    } else if (argc == 3 && strcmp(argv[1], "pseudo") == 0) {
        result = write_pseudo(argv[2], why, sizeof why);
    } else if (argc >= 4 && strcmp(argv[1], "check") == 0) {
        result = check(argv + 2, argc - 2, why, sizeof why);
    } else {
        fputs("usage: translate units [FILE...]\n"
              "       translate check TERMS PO...\n"
              "       translate pseudo PO\n"
              "       translate file PO... -- FILE OUT\n",
              stderr);
        return WRONG;
    }
    if (result < 0) {
        fprintf(stderr, "translate: %s\n", why);
        return WRONG;
    }
    return result;
}
