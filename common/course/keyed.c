#define _POSIX_C_SOURCE 200809L
#include "course/keyed.h"

#include "base/file.h"
#include "base/language.h"
#include "base/memory.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

static int is_same(const struct course_keyed_entry *a,
                   const struct course_keyed_entry *b)
{
    return a->lab == b->lab && a->number == b->number && a->tier == b->tier;
}

/* The text in the reader's language, where it is a question or a hint that is
   translated: without its lines then. */
static const char *said(const char *text)
{
    char *const line = base_language()[0] != '\0' ? strdup(text) : NULL;
    const char *other = line;

    if (line != NULL) {
        base_one_line(line);
        other = base_say_of("tasks", line);
    }
    free(line);
    return other != line ? other : text;
}

/* Makes an entry of a field whose key has that many numbers. */
static int add_entry(const struct base_records *file,
                     const struct base_field *field, int parts,
                     struct course_keyed *keyed)
{
    int part[3] = {0, 0, 0};
    const char *const end = base_read_numbers(field->key, parts, part);
    struct course_keyed_entry *entry;

    if (end == NULL || *end != '\0') {
        return base_records_wrong(
            file, field->line, "'%.40s' is no number as in 3.1.2", field->key);
    }
    entry = base_list_add(&keyed->entry, &keyed->count, sizeof *entry);
    if (entry == NULL)
        return base_records_wrong(file, field->line, "no memory is left");
    *entry = (struct course_keyed_entry){.lab = part[0],
                                         .number = part[1],
                                         .tier = part[2],
                                         .line = field->line,
                                         .text = said(field->value)};
    for (const struct course_keyed_entry *e = keyed->entry; e < entry; e++) {
        if (is_same(e, entry)) {
            return base_records_wrong(file, field->line,
                                      "%s stands in line %d already",
                                      field->key, e->line);
        }
    }
    return 0;
}

/* Makes entries of a file, whose text they keep, if it could be read. */
static int make_entries(struct base_records *file, int result, int parts,
                        struct course_keyed *keyed)
{
    *keyed = (struct course_keyed){.count = 0};
    if (result != 0)
        return -1;
    for (size_t i = 0; i < file->head.fields && result == 0; i++)
        result = add_entry(file, &file->head.field[i], parts, keyed);
    keyed->text = file->text;
    file->text = NULL;
    base_records_free(file);
    if (result != 0)
        course_keyed_free(keyed);
    return result;
}

int course_keyed_read(const char *path, struct course_keyed *keyed, char *why,
                      size_t size)
{
    struct base_records file = {
        .path = path, .kind = BASE_RECORD_TEXTS, .why = why, .why_size = size};

    return make_entries(&file, base_records_read(&file), 2, keyed);
}

int course_keyed_parse(const char *path, char *text, struct course_keyed *keyed,
                       char *why, size_t size)
{
    struct base_records file = {
        .path = path, .kind = BASE_RECORD_TEXTS, .why = why, .why_size = size};

    return make_entries(&file, base_records_parse(&file, text), 2, keyed);
}

int course_keyed_read_tiers(const char *path, struct course_keyed *keyed,
                            char *why, size_t size)
{
    struct base_records file = {.path = path, .why = why, .why_size = size};

    return make_entries(&file, base_records_read(&file), 3, keyed);
}

void course_keyed_free(struct course_keyed *keyed)
{
    free(keyed->entry);
    free(keyed->text);
    *keyed = (struct course_keyed){.count = 0};
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
