/* read.c: a deck's head, its slides and their notes (deck.h). */
#define _POSIX_C_SOURCE 200809L
#include "deck.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static int fail_at_line(const struct deck *deck, int line, const char *what,
                        char *why, size_t size)
{
    snprintf(why, size, "%s:%d: %s", deck->path, line, what);
    return -1;
}

/* The length of a line, without its end. */
static size_t length_of(const char *line)
{
    return strcspn(line, "\n");
}

static int is_rule(const char *line)
{
    return length_of(line) == 3 && strncmp(line, "---", 3) == 0;
}

static const char *next_line(const char *line)
{
    const size_t length = length_of(line);

    return line[length] ? line + length + 1 : line + length;
}

/* Copies the value of a line "name: value" of the head, without quotes. */
static void head_value(const char *line, const char *name, char *value,
                       size_t size)
{
    const size_t length = strlen(name);

    if (strncmp(line, name, length) != 0 || line[length] != ':')
        return;
    line += length + 1;
    line += strspn(line, " \"'");
    snprintf(value, size, "%.*s", (int)strcspn(line, "\"'\n"), line);
}

/* Takes a slide's heading or notes from a line. */
static void take_slide_line(struct deck_slide *slide, const char *line)
{
    if (slide->heading[0] == '\0' && line[0] == '#') {
        line += strspn(line, "# ");
        snprintf(slide->heading, sizeof slide->heading, "%.*s",
                 (int)length_of(line), line);
    } else if (strncmp(line, "<!-- ", 5) == 0 &&
               isdigit((unsigned char)line[5])) {
        char *end;
        const double minutes = strtod(line + 5, &end);

        if (strncmp(end, " min. ", 6) == 0 || strncmp(end, " min.\n", 6) == 0) {
            slide->minutes += minutes;
            slide->notes++;
        }
    }
}

/* Reads the lines of deck->text. */
static int read_deck_lines(struct deck *deck, char *why, size_t size)
{
    const char *line = deck->text;
    struct deck_slide *slide = NULL;
    char minutes[16] = "";
    int number = 1, is_code = 0;

    if (!is_rule(line)) {
        return fail_at_line(
            deck, 1, "begins with no head between two lines ---", why, size);
    }
    for (line = next_line(line), number++; *line && !is_rule(line);
         line = next_line(line), number++) {
        head_value(line, "title", deck->title, sizeof deck->title);
        head_value(line, "minutes", minutes, sizeof minutes);
    }
    deck->minutes = strtod(minutes, NULL);

    for (; *line; line = next_line(line), number++) {
        if (strncmp(line, "```", 3) == 0)
            is_code = !is_code;
        if (is_rule(line) && !is_code) {
            if (deck->slides == DECK_SLIDES)
                return fail_at_line(deck, number, "too many slides", why, size);
            slide = &deck->slide[deck->slides++];
            slide->line = number + 1;
        } else if (slide && !is_code) {
            take_slide_line(slide, line);
        }
    }
    if (deck->slides == 0)
        return fail_at_line(deck, number, "its head does not end", why, size);
    return 0;
}

int deck_read(const char *path, struct deck *deck, char *why, size_t size)
{
    memset(deck, 0, sizeof *deck);
    deck->path = path;
    deck->first_asked = -1;
    deck->text = base_read_file(path, why, size);
    if (!deck->text)
        return -1;
    if (read_deck_lines(deck, why, size) != 0) {
        deck_free(deck);
        return -1;
    }
    return 0;
}

void deck_free(struct deck *deck)
{
    free(deck->text);
    deck->text = NULL;
}

int deck_word(const char **at, char *word, size_t size)
{
    const char *from = *at + strspn(*at, " \n");
    size_t length;

    if (*from == '"') {
        length = strcspn(++from, "\"");
        if (from[length] != '"')
            return -1;
        *at = from + length + 1;
    } else {
        length = strcspn(from, " \n");
        *at = from + length;
    }
    if (length == 0 || length >= size)
        return -1;
    memcpy(word, from, length);
    word[length] = '\0';
    return 0;
}
