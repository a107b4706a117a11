#define _GNU_SOURCE
#include "submission.h"

#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is being read. */
struct reading {
    struct submission *submission;
    const char *path;
    char from[120], lines[20];
    int line;
    struct text text;    /* the source as far as it is made */
    struct text removed; /* what stood below the last "replace:" */
    char *why;
    size_t size;
};

static int fail_at_line(struct reading *r, const char *what)
{
    snprintf(r->why, r->size, "%s:%d: %s", r->path, r->line, what);
    return -1;
}

/* --- words ---------------------------------------------------------------- */

static int add_value(char (*list)[200], int *count, const char *value)
{
    if (*count == SUBMISSION_LINES)
        return -1;
    snprintf(list[(*count)++], sizeof *list, "%.199s", value);
    return 0;
}

static int read_points(struct submission *s, const char *value)
{
    const int numbers = sscanf(value, "%lf to %lf", &s->least, &s->most);

    if (numbers == 1)
        s->most = s->least;
    return numbers >= 1 ? 0 : -1;
}

/* "lab: 03_tiling" */
static int read_word(struct reading *r, const char *line)
{
    struct submission *const s = r->submission;
    const struct {
        const char *word;
        char *to;
        size_t size;
    } words[] = {
        {"lab: ", s->lab, sizeof s->lab},
        {"verdict: ", s->verdict, sizeof s->verdict},
        {"from: ", r->from, sizeof r->from},
        {"when: ", s->when, sizeof s->when},
        {"lines: ", r->lines, sizeof r->lines},
        {"name: ", s->file, sizeof s->file},
        {"make: ", s->make, sizeof s->make},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i].word);

        if (strncmp(line, words[i].word, length) == 0) {
            snprintf(words[i].to, words[i].size, "%s", line + length);
            return 0;
        }
    }
    if (strncmp(line, "points: ", 8) == 0 && read_points(s, line + 8) == 0)
        return 0;
    if (strncmp(line, "says: ", 6) == 0 &&
        add_value(s->says, &s->says_count, line + 6) == 0)
        return 0;
    if (strncmp(line, "beside: ", 8) == 0 &&
        add_value(s->beside, &s->beside_count, line + 8) == 0)
        return 0;
    return line[0] == '#' || line[0] == '\0'
               ? 0
               : fail_at_line(r, "what is this line?");
}

/* What the source is made of. */
static int take_base(struct reading *r)
{
    struct submission *const s = r->submission;
    char lab[64], path[200];

    if (s->lab[0] == '\0' || s->verdict[0] == '\0')
        return fail_at_line(r, "lab and verdict come first");
    if (strcmp(r->from, "nothing") == 0 || r->text.bytes != NULL)
        return 0;
    snprintf(lab, sizeof lab, "%s", s->lab);
    if (strncmp(r->from, "solution of ", 12) == 0)
        snprintf(lab, sizeof lab, "%s", r->from + 12);
    snprintf(path, sizeof path, "%s/%s/%s.cu",
             strcmp(r->from, "skeleton") == 0 ? "labs" : "solutions", lab,
             lab + 3);
    r->text = text_read(path);
    return r->text.bytes != NULL ? 0
                                 : fail_at_line(r, "there is no such solution");
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

static int use_section(struct reading *r, enum section section,
                       const char *from, size_t size)
{
    /* The newline that ends the text is not part of it. */
    const size_t less = section <= BEFORE && size > 0;
    struct text text = text_expand(from, size - less);

    if (section == SOURCE) {
        free(r->text.bytes);
        r->text = text;
    } else if (take_base(r) != 0) {
        free(text.bytes);
        return -1;
    } else if (section == REPLACE) {
        free(r->removed.bytes);
        r->removed = text;
    } else if (section == WITH) {
        if (r->removed.bytes == NULL ||
            text_replace(&r->text, &r->removed, text) != 0)
            return fail_at_line(r, "does not fit the source exactly once");
    } else if (section == BEFORE) {
        r->text = text_joined(text, r->text);
    } else {
        r->text = text_joined(r->text, text);
    }
    return 0;
}

static const char *next_line_before(const char *line, const char *end)
{
    const char *const newline = memchr(line, '\n', (size_t)(end - line));

    return newline != NULL ? newline + 1 : end;
}

static int read_texts(struct reading *r, const char *at, const char *end)
{
    while (at < end) {
        const enum section section = section_of(at);
        const char *const begin = next_line_before(at, end);

        r->line++;
        at = begin;
        while (at < end && section_of(at) == NONE) {
            at = next_line_before(at, end);
            r->line++;
        }
        if (use_section(r, section, begin, (size_t)(at - begin)) != 0)
            return -1;
    }
    return 0;
}

static int read_submission(struct reading *r, const struct text *edit)
{
    const char *at = edit->bytes;
    const char *const end = edit->bytes + edit->size;

    while (at < end && section_of(at) == NONE) {
        const char *const next = next_line_before(at, end);
        char line[300];

        r->line++;
        snprintf(line, sizeof line, "%.*s", (int)(next - at - 1), at);
        if (read_word(r, line) != 0)
            return -1;
        at = next;
    }
    if (read_texts(r, at, end) != 0 || take_base(r) != 0)
        return -1;
    if (strcmp(r->lines, "crlf") == 0)
        text_end_lines_as_windows(&r->text);
    return 0;
}

/* --- several in a file ---------------------------------------------------- */

static const char case_line[] = "\ncase: ";

int submission_nth(const char *path, int nth, char *name, size_t size)
{
    const size_t length = strlen(path);
    struct text edits;
    const char *at;
    int result = -1;

    if (length < 6 || strcmp(path + length - 6, ".edits") != 0) {
        snprintf(name, size, "%s", path);
        return nth == 0 ? 0 : -1;
    }
    edits = text_read(path);
    at = edits.bytes;
    for (int i = 0; at != NULL && i <= nth; i++) {
        at = strstr(at, case_line);
        at = at != NULL ? at + strlen(case_line) : NULL;
    }
    if (at != NULL) {
        snprintf(name, size, "%s:%.*s", path, (int)strcspn(at, "\n"), at);
        result = 0;
    }
    free(edits.bytes);
    return result;
}

/* Leaves of the file what is before its first case, and the one of that
   name. */
static int cut_to_case(struct text *edits, const char *name)
{
    char *const first = strstr(edits->bytes, case_line);
    const size_t length = strlen(name);
    char *at, *end;

    for (at = first; at != NULL; at = strstr(at + 1, case_line)) {
        char *const begin = at + strlen(case_line);

        if (strncmp(begin, name, length) != 0 || begin[length] != '\n')
            continue;
        end = strstr(begin, case_line);
        end = end != NULL ? end + 1 : edits->bytes + edits->size;
        memmove(first, begin + length, (size_t)(end - begin) - length);
        edits->size =
            (size_t)(first - edits->bytes) + (size_t)(end - begin) - length;
        edits->bytes[edits->size] = '\0';
        return 0;
    }
    return -1;
}

/* Reads the text, and sets *name to what follows the last slash but one. */
static struct text read_edit(const char *path, char *name, size_t size)
{
    const char *const colon = strstr(path, ".edits:");
    const char *slash = strrchr(path, '/');
    const int file_length = colon != NULL ? (int)(colon - path) + 6 : -1;
    struct text edit;
    char file[300];

    snprintf(file, sizeof file, "%.*s", file_length, path);
    edit = text_read(file);
    if (colon != NULL && edit.bytes != NULL &&
        cut_to_case(&edit, colon + 7) != 0) {
        free(edit.bytes);
        edit.bytes = NULL;
    }
    while (slash > path && slash[-1] != '/')
        slash--;
    if (colon != NULL) {
        snprintf(name, size, "%.*s_%s", (int)strcspn(slash, "/"), slash,
                 colon + 7);
    } else {
        snprintf(name, size, "%s", slash);
        *strchrnul(name, '.') = '\0';
        *strchrnul(name, '/') = '_';
    }
    return edit;
}

int submission_read(const char *path, struct submission *submission, char *why,
                    size_t size)
{
    struct reading r = {
        .submission = submission, .path = path, .why = why, .size = size};
    struct text edit;
    int result;

    *submission = (struct submission){0};
    edit = read_edit(path, submission->name, sizeof submission->name);
    result = edit.bytes != NULL ? read_submission(&r, &edit)
                                : fail_at_line(&r, "cannot be read");
    if (submission->file[0] == '\0')
        snprintf(submission->file, sizeof submission->file, "%s.cu",
                 submission->lab);
    submission->source = r.text.bytes;
    submission->size = r.text.size;
    free(r.removed.bytes);
    free(edit.bytes);
    return result;
}

void submission_free(struct submission *submission)
{
    free(submission->source);
    submission->source = NULL;
}

int submission_expects(const struct submission *submission, const char *word)
{
    const size_t length = strlen(word);
    const char *at = submission->verdict;

    while (length > 0 && (at = strstr(at, word)) != NULL) {
        if ((at == submission->verdict || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0'))
            return 1;
        at++;
    }
    return 0;
}
