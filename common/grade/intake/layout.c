/* Which system wrote the names of what was handed in, and whose is which? See
   intake.h. */
#define _GNU_SOURCE
#include "grade/intake/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grade/base/rubric.h"

const char *const grade_layout_name[GRADE_LAYOUTS] = {
    "folders", "Canvas's download", "Moodle's download", "Gradescope's export",
    "repositories"};

/* --- names ---------------------------------------------------------------- */

/* Canvas's "_4711_text.html" or "_4711_url.html": what was typed into a page in
   the place of a file. Returns where the file's own name begins, or 0. */
static int is_typed(const char *c, char number[21])
{
    int end = 0;

    sscanf(c, "_%20[0-9]_%n", number, &end);
    return end > 0 && (strcmp(c + end, "text.html") == 0 ||
                       strcmp(c + end, "url.html") == 0)
               ? end
               : 0;
}

/* The first "_" of "PERSON_NUMBER_..." behind whose number there is what the
   system writes; NULL if there is none. *own: the file's own name, or "". */
static const char *find_number(enum grade_layout layout, const char *name,
                               char number[21], const char **own)
{
    for (const char *c = strchr(name, '_'); c != NULL; c = strchr(c + 1, '_')) {
        int end = 0;

        if (layout == GRADE_CANVAS_FILES) {
            sscanf(c, "_%20[0-9]_%*[0-9]_%n", number, &end);
            if (end == 0)
                end = is_typed(c, number);
        } else {
            sscanf(c, "_%20[0-9]_assignsubmission_%*[^_]_%n", number, &end);
            /* Moodle's folders have ended with and without a last "_". */
            if (end == 0)
                sscanf(c, "_%20[0-9]_assignsubmission_%*[^_]%n", number, &end);
        }
        *own = c + end;
        if (end > 0 && c > name &&
            (layout != GRADE_CANVAS_FILES || **own != '\0'))
            return c;
    }
    return NULL;
}

enum grade_layout grade_layout_of(const struct grade_listing *listing)
{
    size_t canvas = 0, moodle = 0, repositories = 0, all = 0;

    for (size_t i = 0; i < listing->entries; i++) {
        const struct grade_entry *const e = &listing->entry[i];
        const char *own;
        char number[21];

        if (strcmp(e->name, GRADE_METADATA) == 0)
            return GRADE_GRADESCOPE_EXPORT;
        all += e->name[0] != '.';
        moodle +=
            find_number(GRADE_MOODLE_FOLDERS, e->name, number, &own) != NULL;
        canvas +=
            (!e->is_folder || grade_archive_ending(e->name) > 0) &&
            find_number(GRADE_CANVAS_FILES, e->name, number, &own) != NULL;
        repositories += (size_t)e->is_repository;
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
    for (int a = 0; a < GRADE_ALIASES; a++)
        free(owner->alias[a]);
    free(owner->any);
    free(owner->name);
    free(owner->called);
    *owner = (struct grade_owner){.any = NULL};
}

int grade_layout_owner(enum grade_layout layout,
                       const struct grade_entry *entry,
                       struct grade_owner *owner)
{
    const char *own = "", *at = entry->name + strlen(entry->name);
    char number[21] = "";

    *owner = (struct grade_owner){.any = NULL};
    if (layout == GRADE_MOODLE_FOLDERS || layout == GRADE_CANVAS_FILES) {
        at = find_number(layout, entry->name, number, &own);
        if (at == NULL)
            return 0;
        owner->late = layout == GRADE_CANVAS_FILES && at - entry->name > 5 &&
                      strncmp(at - 5, "_LATE", 5) == 0;
        at -= owner->late ? 5 : 0;
        owner->alias[GRADE_SYSTEM] = base_text("%s", number);
        owner->called = *own != '\0' ? base_text("%s", own) : NULL;
    } else if (!entry->is_folder || entry->name[0] == '.') {
        return 0;
    } else {
        at -= grade_archive_ending(entry->name);
        owner->any = base_text("%.*s", (int)(at - entry->name), entry->name);
    }
    owner->name = base_text("%.*s", (int)(at - entry->name), entry->name);
    return 1;
}

/* --- Gradescope's list ---------------------------------------------------- */

/* Takes a line's value without its quotes, if it has this key. */
static void take_value(const char *line, const char *end, const char *key,
                       char **value)
{
    const size_t length = strlen(key);
    char quote = '\0', *to;

    line += strspn(line, " -");
    if (*value != NULL || line + length >= end ||
        strncmp(line, key, length) != 0)
        return;
    line += length;
    while (line < end && *line == ' ')
        line++;
    while (line < end && (end[-1] == ' ' || end[-1] == '\r'))
        end--;
    if (line + 1 < end && (*line == '\'' || *line == '"') && end[-1] == *line) {
        quote = *line++;
        end--;
    }
    *value = to = base_text("%.*s", (int)(end - line), line);
    for (; to != NULL && line < end; line++) {
        /* 'O''Brien' or "O\"Brien" */
        line += line + 1 < end && quote != '\0' &&
                *line == (quote == '"' ? '\\' : '\'');
        *to++ = *line;
    }
    if (to != NULL)
        *to = '\0';
}

int grade_layout_submitter(const char *metadata, const char *entry, int n,
                           struct grade_owner *owner)
{
    const size_t length = strlen(entry);
    int inside = 0, listed = 0, submitter = -1;
    char *created = NULL;

    *owner = (struct grade_owner){.any = NULL};
    for (const char *line = metadata; *line != '\0';) {
        const char *const end = line + strcspn(line, "\n");
        const size_t indent = strspn(line, " ");

        if (indent == 0 && *line != '-') {
            inside = strncmp(line, entry, length) == 0 && line[length] == ':';
            listed = 0;
        } else if (inside && strncmp(line + indent, ":submitters:", 12) == 0) {
            listed = 1;
        } else if (inside && line[indent] == ':' && indent <= 2) {
            listed = 0;
            take_value(line, end, ":created_at:", &created);
        } else if (inside && listed) {
            submitter += line[indent] == '-';
            if (submitter == n) {
                take_value(line, end, ":name:", &owner->name);
                take_value(line, end,
                           ":sid:", &owner->alias[GRADE_MATRICULATION]);
                take_value(line, end, ":email:", &owner->alias[GRADE_EMAIL]);
            }
        }
        line = end + (*end == '\n');
    }
    owner->handed = created != NULL ? grade_time_read(created) : 0;
    owner->handed = owner->handed > 0 ? owner->handed : 0;
    free(created);
    return submitter >= n;
}
