#define _GNU_SOURCE
#include "grade/intake/layout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grade/base/late.h"
#include "grade/intake/archive.h"

const char *const grade_layout_name[GRADE_LAYOUTS] = {
    "folders", "Canvas's download", "Moodle's download", "Gradescope's export",
    "repositories"};

/* --- names ---------------------------------------------------------------- */

static size_t digits_at(const char *s)
{
    return strspn(s, "0123456789");
}

/* Parts of "person_[late_]4711_98765_name". */
struct canvas_name {
    size_t person;
    const char *number, *called;
    size_t digits;
    int late;
};

static int read_canvas_name(const char *name, struct canvas_name *parts)
{
    for (const char *c = strchr(name, '_'); c != NULL; c = strchr(c + 1, '_')) {
        const size_t first = digits_at(c + 1);
        const char *const next = c + 1 + first;
        const size_t second = *next == '_' ? digits_at(next + 1) : 0;

        if (c == name || first == 0 || second == 0 || next[1 + second] != '_' ||
            next[2 + second] == '\0')
            continue;
        *parts = (struct canvas_name){(size_t)(c - name), c + 1,
                                      next + 2 + second, first, 0};
        parts->late = parts->person > 5 && strncmp(c - 5, "_LATE", 5) == 0;
        parts->person -= parts->late ? 5 : 0;
        return 1;
    }
    return 0;
}

/* "Full Name_12345_assignsubmission_file_": where the number begins. */
static const char *find_moodle_number(const char *name)
{
    const char *const mark = strstr(name, "_assignsubmission_");
    const char *number = mark;

    while (number != NULL && number > name &&
           isdigit((unsigned char)number[-1]))
        number--;
    return number != NULL && number < mark && number > name + 1 &&
                   number[-1] == '_'
               ? number
               : NULL;
}

enum grade_layout grade_layout_of(const struct grade_entry *entry,
                                  size_t entries)
{
    size_t canvas = 0, moodle = 0, repositories = 0, all = 0;

    for (size_t i = 0; i < entries; i++) {
        struct canvas_name parts;
        const char *const name = entry[i].name;

        if (strcmp(name, "submission_metadata.yml") == 0)
            return GRADE_GRADESCOPE_EXPORT;
        all += name[0] != '.';
        moodle += find_moodle_number(name) != NULL;
        canvas += (!entry[i].is_folder || grade_archive_ending(name) > 0) &&
                  read_canvas_name(name, &parts);
        repositories += (size_t)entry[i].is_repository;
    }
    if (moodle > 0 && 2 * moodle >= all)
        return GRADE_MOODLE_FOLDERS;
    if (canvas > 0 && 2 * canvas >= all)
        return GRADE_CANVAS_FILES;
    return repositories > 0 ? GRADE_REPOSITORIES : GRADE_FOLDERS;
}

/* --- owners --------------------------------------------------------------- */

void grade_owner_free(struct grade_owner *owner)
{
    free(owner->any);
    free(owner->system);
    free(owner->number);
    free(owner->email);
    free(owner->name);
    free(owner->called);
    *owner = (struct grade_owner){.any = NULL};
}

static int own_moodle(const struct grade_entry *entry,
                      struct grade_owner *owner)
{
    const char *const number = find_moodle_number(entry->name);
    const char *own;

    if (number == NULL)
        return 0;
    /* Behind the number: _assignsubmission_file_ and the file's own name. */
    own =
        strchr(number + digits_at(number) + strlen("_assignsubmission_"), '_');
    owner->name = strndup(entry->name, (size_t)(number - 1 - entry->name));
    owner->system = strndup(number, digits_at(number));
    if (own != NULL && own[1] != '\0')
        owner->called = strdup(own + 1);
    return owner->name != NULL && owner->system != NULL &&
                   (own == NULL || own[1] == '\0' || owner->called != NULL)
               ? 1
               : -1;
}

static int own_canvas(const struct grade_entry *entry,
                      struct grade_owner *owner)
{
    struct canvas_name parts;

    if (!read_canvas_name(entry->name, &parts))
        return 0;
    owner->system = strndup(parts.number, parts.digits);
    owner->name = strndup(entry->name, parts.person);
    owner->called = strdup(parts.called);
    owner->late = parts.late;
    return owner->system != NULL && owner->name != NULL && owner->called != NULL
               ? 1
               : -1;
}

int grade_layout_owner(enum grade_layout layout,
                       const struct grade_entry *entry,
                       struct grade_owner *owner)
{
    const size_t length = strlen(entry->name);

    *owner = (struct grade_owner){.any = NULL};
    if (layout == GRADE_MOODLE_FOLDERS)
        return own_moodle(entry, owner);
    if (layout == GRADE_CANVAS_FILES)
        return own_canvas(entry, owner);
    if (!entry->is_folder || entry->name[0] == '.')
        return 0;
    owner->any =
        strndup(entry->name, length - grade_archive_ending(entry->name));
    owner->name = owner->any != NULL ? strdup(owner->any) : NULL;
    return owner->name != NULL ? 1 : -1;
}

/* --- Gradescope's list ---------------------------------------------------- */

/* The value of a line of YAML, without its quotes; NULL without memory. */
static char *yaml_value(const char *text, const char *end)
{
    char *const value = malloc((size_t)(end - text) + 1);
    char quote = '\0';
    size_t used = 0;

    if (value == NULL)
        return NULL;
    while (text < end && *text == ' ')
        text++;
    while (text < end && (end[-1] == ' ' || end[-1] == '\r'))
        end--;
    if (text + 1 < end && (*text == '\'' || *text == '"') && end[-1] == *text) {
        quote = *text++;
        end--;
    }
    for (; text < end; text++) {
        /* 'O''Brien' or "O\"Brien" */
        text += text + 1 < end && quote != '\0' &&
                *text == (quote == '"' ? '\\' : '\'');
        value[used++] = *text;
    }
    value[used] = '\0';
    return value;
}

/* Takes the line's value, if it has this key. Returns -1 without memory. */
static int take_value(const char *line, const char *end, const char *key,
                      char **value)
{
    const size_t length = strlen(key);

    line += strspn(line, " -");
    if (line + length >= end || strncmp(line, key, length) != 0 ||
        *value != NULL)
        return 0;
    *value = yaml_value(line + length, end);
    return *value != NULL ? 0 : -1;
}

int grade_layout_submitter(const char *metadata, const char *entry, int n,
                           struct grade_owner *owner)
{
    const size_t length = strlen(entry);
    int inside = 0, listed = 0, submitter = -1, failed = 0;
    char *created = NULL;

    *owner = (struct grade_owner){.any = NULL};
    for (const char *line = metadata; *line != '\0' && !failed;) {
        const char *const end = line + strcspn(line, "\n");
        const size_t indent = strspn(line, " ");

        if (indent == 0 && *line != '-') {
            inside = strncmp(line, entry, length) == 0 && line[length] == ':';
            listed = 0;
        } else if (inside && strncmp(line + indent, ":submitters:", 12) == 0) {
            listed = 1;
        } else if (inside && line[indent] == ':' && indent <= 2) {
            listed = 0;
            failed = take_value(line, end, ":created_at:", &created);
        } else if (inside && listed) {
            submitter += line[indent] == '-';
            if (submitter == n) {
                failed = take_value(line, end, ":name:", &owner->name) ||
                         take_value(line, end, ":sid:", &owner->number) ||
                         take_value(line, end, ":email:", &owner->email);
            }
        }
        line = end + (*end == '\n');
    }
    owner->handed = created != NULL ? grade_time_read(created) : -1;
    if (owner->handed < 0)
        owner->handed = 0;
    free(created);
    return failed ? -1 : submitter >= n;
}
