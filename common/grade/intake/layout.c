/* Which system wrote the names of what was handed in, and whose is which? See
   intake.h. */
#define _GNU_SOURCE
#include "grade/intake/intake.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grade/base/rubric.h"

const char *const grade_layout_name[GRADE_LAYOUTS] = {"folders",
                                                      "Canvas's download",
                                                      "Moodle's download",
                                                      "Gradescope's export",
                                                      "Blackboard's download",
                                                      "Brightspace's download",
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

/* Does the text begin as the form does, in which 9 is any digit? */
static int is_formed(const char *text, const char *form)
{
    for (; *form != '\0'; form++, text++) {
        if (*form == '9' ? !isdigit((unsigned char)*text) : *text != *form)
            return 0;
    }
    return 1;
}

/* Blackboard's "_attempt_2026-10-05-12-30-00", with the file's own name behind
   it, or ".txt"; NULL if there is none. */
static const char *find_attempt(const char *name, char said[GRADE_SAID],
                                const char **own)
{
    static const char form[] = "_attempt_9999-99-99-99-99-99";
    const char *const at = strstr(name, "_attempt_");
    const char *date, *end;

    if (at == NULL || at == name || !is_formed(at, form))
        return NULL;
    date = at + strlen("_attempt_");
    end = at + strlen(form);
    if (*end != '_' && strcmp(end, ".txt") != 0)
        return NULL;
    snprintf(said, GRADE_SAID, "%.10s %.2s:%.2s:%.2s", date, date + 11,
             date + 14, date + 17);
    *own = *end == '_' && end[1] != '\0' ? end + 1 : GRADE_TYPED;
    return at;
}

/* "Oct 5, 2026 1230 PM" in that form; "" if it is none. */
static void read_date(const char *text, char said[GRADE_SAID])
{
    static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    char month[16] = "", day[3], year[5], clock[5], half[3] = "";
    const char *found;
    long time, hour;

    said[0] = '\0';
    if (sscanf(text, "%15[A-Za-z] %2[0-9], %4[0-9] %4[0-9] %2s", month, day,
               year, clock, half) < 4 ||
        strlen(month) < 3)
        return;
    for (char *c = month; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    month[3] = '\0';
    found = strstr(months, month);
    time = strtol(clock, NULL, 10);
    hour = time / 100;
    if (*half == 'P' || *half == 'A')
        hour = hour % 12 + (*half == 'P' ? 12 : 0);
    if (found != NULL && (found - months) % 3 == 0) {
        snprintf(said, GRADE_SAID, "%.4s-%02u-%02u %02u:%02u:00", year,
                 ((unsigned)(found - months) / 3 + 1) % 100U,
                 (unsigned)strtol(day, NULL, 10) % 100U, (unsigned)hour % 100U,
                 (unsigned)time % 100U);
    }
}

/* Brightspace's "12345-67890 - Anna Müller - Oct 5, 2026 1230 PM": where the
   name begins, and how long it is; NULL if it is none. */
static const char *find_person(const char *name, char said[GRADE_SAID],
                               int *length)
{
    const char *date = NULL;
    int begin = 0;

    sscanf(name, "%*20[0-9]-%*20[0-9] - %n", &begin);
    for (const char *c = begin > 0 ? strstr(name + begin, " - ") : NULL;
         c != NULL; c = strstr(c + 1, " - "))
        date = c;
    if (date == NULL || date == name + begin)
        return NULL;
    *length = (int)(date - name) - begin;
    read_date(date + 3, said);
    return name + begin;
}

enum grade_layout grade_layout_of(const struct grade_listing *listing)
{
    size_t canvas = 0, moodle = 0, repositories = 0, all = 0;
    size_t blackboard = 0, brightspace = 0;

    for (size_t i = 0; i < listing->entries; i++) {
        const struct grade_entry *const e = &listing->entry[i];
        const char *own;
        char number[21], said[GRADE_SAID];
        int length;

        if (strcmp(e->name, GRADE_METADATA) == 0)
            return GRADE_GRADESCOPE_EXPORT;
        all += e->name[0] != '.';
        moodle +=
            find_number(GRADE_MOODLE_FOLDERS, e->name, number, &own) != NULL;
        canvas +=
            (!e->is_folder || grade_archive_ending(e->name) > 0) &&
            find_number(GRADE_CANVAS_FILES, e->name, number, &own) != NULL;
        repositories += (size_t)e->is_repository;
        blackboard += find_attempt(e->name, said, &own) != NULL;
        brightspace +=
            e->is_folder && find_person(e->name, said, &length) != NULL;
    }
    if (blackboard > 0 && 2 * blackboard >= all)
        return GRADE_BLACKBOARD_FILES;
    if (brightspace > 0 && 2 * brightspace >= all)
        return GRADE_BRIGHTSPACE_FOLDERS;
    if (moodle > 0 && 2 * moodle >= all)
        return GRADE_MOODLE_FOLDERS;
    if (canvas > 0 && 2 * canvas >= all)
        return GRADE_CANVAS_FILES;
    return repositories > 0 ? GRADE_REPOSITORIES : GRADE_FOLDERS;
}

/* --- a folder that nobody knows ------------------------------------------- */

/* What is known by a part of its name, and what it needs. */
static const struct {
    const char *part, *needs;
} forms[] = {
    {"assignsubmission",
     "it looks like Moodle's, whose names are \"Anna Li_12345_assignsubmission_"
     "file_\": download it again, and rename nothing"},
    {"_attempt_",
     "it looks like Blackboard's, whose names are \"Lab 03_anna_attempt_2026-10-"
     "05-12-30-00_tiling.cu\": download it again, and rename nothing"},
    {"submission_",
     "it looks like Gradescope's, without its submission_metadata.yml, which "
     "says whose is which: unpack the whole export"},
    {"_LATE_",
     "it looks like Canvas's, whose names are \"lianna_4711_98765_tiling.cu\": "
     "download it again, and rename nothing"},
    {" - ",
     "it looks like Brightspace's, whose folders are \"12345-67890 - Anna Li - "
     "Oct 5, 2026 1230 PM\": download it again, and rename nothing"}};

const char *grade_layout_guess(const struct grade_listing *listing)
{
    enum {
        FORMS = sizeof forms / sizeof *forms
    };
    size_t count[FORMS] = {0}, files = 0, all = 0;

    for (size_t i = 0; i < listing->entries; i++) {
        const struct grade_entry *const e = &listing->entry[i];

        all += e->name[0] != '.';
        files += e->name[0] != '.' && !e->is_folder;
        for (int k = 0; k < FORMS; k++)
            count[k] += strstr(e->name, forms[k].part) != NULL;
    }
    for (int k = 0; k < FORMS; k++) {
        if (count[k] > 0 && 2 * count[k] >= all)
            return forms[k].needs;
    }
    return 2 * files > all
               ? "files lie side by side, and no name says whose they are: put "
                 "each student's into a folder, as anna/tiling.cu"
               : NULL;
}

/* --- owners --------------------------------------------------------------- */

void grade_owner_free(struct grade_owner *owner)
{
    for (int a = 0; a < GRADE_ALIASES; a++)
        free(owner->alias[a]);
    free(owner->any);
    free(owner->name);
    free(owner->called);
    free(owner->apart);
    *owner = (struct grade_owner){.any = NULL};
}

/* Of Blackboard's and of Brightspace's, as grade_layout_owner. */
static int own_attempt(const char *name, struct grade_owner *owner)
{
    const char *own = "", *const at = find_attempt(name, owner->said, &own);
    const char *user = at;

    while (user != NULL && user > name && user[-1] != '_')
        user--;
    if (user == NULL || user == at)
        return 0;
    owner->any = base_text("%.*s", (int)(at - user), user);
    owner->called = base_text("%s", own);
    return 1;
}

static int own_folder(const struct grade_entry *entry,
                      struct grade_owner *owner)
{
    int length = 0;
    const char *const person =
        entry->is_folder ? find_person(entry->name, owner->said, &length)
                         : NULL;

    if (person == NULL)
        return 0;
    owner->name = base_text("%.*s", length, person);
    owner->apart = base_text("%s", entry->name);
    sscanf(entry->name, "%20[0-9]", owner->number);
    return 1;
}

int grade_layout_owner(enum grade_layout layout,
                       const struct grade_entry *entry,
                       struct grade_owner *owner)
{
    const char *own = "", *at = entry->name + strlen(entry->name);
    char number[21] = "";

    *owner = (struct grade_owner){.any = NULL};
    if (layout == GRADE_BLACKBOARD_FILES)
        return own_attempt(entry->name, owner);
    if (layout == GRADE_BRIGHTSPACE_FOLDERS)
        return own_folder(entry, owner);
    if (layout == GRADE_MOODLE_FOLDERS || layout == GRADE_CANVAS_FILES) {
        at = find_number(layout, entry->name, number, &own);
        if (at == NULL)
            return 0;
        owner->late = layout == GRADE_CANVAS_FILES && at - entry->name > 5 &&
                      strncmp(at - 5, "_LATE", 5) == 0;
        at -= owner->late ? 5 : 0;
        owner->alias[GRADE_SYSTEM] = base_text("%s", number);
        owner->called = *own != '\0' ? base_text("%s", own) : NULL;
        if (layout == GRADE_MOODLE_FOLDERS) {
            owner->apart = base_text("%.*s_%s", (int)(at - entry->name),
                                     entry->name, number);
            snprintf(owner->number, sizeof owner->number, "%s", number);
        }
    } else if (!entry->is_folder || entry->name[0] == '.') {
        return 0;
    } else {
        at -= grade_archive_ending(entry->name);
        owner->any = base_text("%.*s", (int)(at - entry->name), entry->name);
    }
    owner->name = base_text("%.*s", (int)(at - entry->name), entry->name);
    return 1;
}

char *grade_layout_feedback(enum grade_layout layout, const char *name)
{
    const char *own, *at;
    char number[21] = "";

    at = find_number(layout, name, number, &own);
    if (at == NULL ||
        (layout == GRADE_CANVAS_FILES && is_typed(at, number) > 0))
        return NULL;
    return layout == GRADE_CANVAS_FILES
               ? base_text("%s", name)
               : base_text("%.*s_%s_assignsubmission_file_feedback.txt",
                           (int)(at - name), name, number);
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
