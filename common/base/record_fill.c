/* How do the fields of a record become the members of a struct? See
   record.h. */
#include "base/record.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>

static int wrong_key(const struct base_records *file,
                     const struct base_field *field, const struct base_key *key,
                     size_t keys)
{
    char known[300] = "";

    for (size_t i = 0; i < keys; i++) {
        base_append(known, sizeof known, "%s%s",
                    i == 0          ? ""
                    : i + 1 == keys ? " or "
                                    : ", ",
                    key[i].name);
    }
    return base_records_wrong(file, field->line,
                              "'%.60s' is not known here: use %s", field->key,
                              known);
}

static int read_choice(const struct base_records *file,
                       const struct base_field *field, const char *list,
                       int *value)
{
    char choices[300] = "";

    *value = base_find_word(field->value, list);
    if (*value >= 0)
        return 0;
    for (const char *at = list; *at != '\0';) {
        const int word = (int)strcspn(at, " ");

        base_append(choices, sizeof choices, "%s'%s: %.*s'",
                    at > list ? " or " : "", field->key, word, at);
        at += word + (int)strspn(at + word, " ");
    }
    return base_records_wrong(file, field->line, "write %s", choices);
}

static int read_value(const struct base_records *file,
                      const struct base_field *field,
                      const struct base_key *key, void *to)
{
    void *const member = (char *)to + key->at;
    unsigned long long number;

    if (field->value[0] == '\0') {
        return base_records_wrong(file, field->line, "nothing stands behind %s",
                                  key->name);
    }
    if (key->read != NULL)
        return key->read(file, field, member);
    if (key->choice != NULL)
        return read_choice(file, field, key->choice, member);
    if (key->most > 0) {
        if (base_whole_number(field->value, (unsigned)key->most, &number) !=
                0 ||
            number < (unsigned)key->least) {
            return base_records_wrong(
                file, field->line,
                "write '%s:' and a whole number from %d to %d", key->name,
                key->least, key->most);
        }
        *(int *)member = (int)number;
        return 0;
    }
    *(const char **)member = field->value;
    return 0;
}

static const struct base_key *find_key(const struct base_key *key, size_t keys,
                                       const char *name)
{
    for (size_t i = 0; i < keys; i++) {
        if (strcmp(key[i].name, name) == 0)
            return &key[i];
    }
    return NULL;
}

static int missing_key(const struct base_records *file,
                       const struct base_record *record, const char *name)
{
    const struct base_field *const first = record->field;

    if (record == &file->head)
        return base_records_wrong(file, 1, "'%s' is missing", name);
    return base_records_wrong(file, first->line, "%s %s has no '%s'",
                              first->key, first->value, name);
}

int base_record_fill(const struct base_records *file,
                     const struct base_record *record,
                     const struct base_key *key, size_t keys, void *to)
{
    for (size_t i = 0; i < record->fields; i++) {
        const struct base_field *const field = &record->field[i];
        const struct base_key *const k = find_key(key, keys, field->key);

        if (k == NULL)
            return wrong_key(file, field, key, keys);
        if ((k->stands & BASE_REPEATS) == 0 &&
            base_record_find(record, field->key) != field) {
            return base_records_wrong(file, field->line,
                                      "'%s' stands here for the second time",
                                      field->key);
        }
        if (read_value(file, field, k, to) != 0)
            return -1;
    }
    for (size_t i = 0; i < keys; i++) {
        if ((key[i].stands & BASE_NEEDED) != 0 &&
            base_record_find(record, key[i].name) == NULL)
            return missing_key(file, record, key[i].name);
    }
    return 0;
}
