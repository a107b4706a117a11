/* Do the schedules of INSTRUCTORS.md hold: minutes, lines, questions? */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../scratch.h"
#include "schedule.h"
#include "../../slides/tool/deck.h"

enum {
    DECKS = 40
};

static struct {
    char name[4]; /* A, B, 01, ... */
    int minutes;
} deck[DECKS];
static size_t decks;
static char *guide;

FIXTURE(read_texts)
{
    glob_t found;

    guide = file_text("INSTRUCTORS.md");
    assert_int_equal(glob("slides/[0-9ab]*_*.md", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc && decks < DECKS; i++) {
        const char *const name = found.gl_pathv[i] + strlen("slides/");
        struct deck read;
        char why[400] = "";

        if (deck_read(found.gl_pathv[i], &read, why, sizeof why) != 0)
            fail_msg("%s", why);
        for (size_t c = 0; c < 3 && name[c] != '_'; c++)
            deck[decks].name[c] = (char)toupper((unsigned char)name[c]);
        deck[decks++].minutes = (int)read.minutes;
        deck_free(&read);
    }
    globfree(&found);
    return 0;
}

FIXTURE(free_all)
{
    free(guide);
    return 0;
}

/* The minutes of the deck of that name, which ends at a blank or bracket. */
static int minutes_of(const char *name)
{
    const size_t length = strcspn(name, " (");

    for (size_t i = 0; i < decks; i++) {
        if (strlen(deck[i].name) == length &&
            strncmp(deck[i].name, name, length) == 0)
            return deck[i].minutes;
    }
    fail_msg("INSTRUCTORS.md: there is no deck '%.*s'", (int)length, name);
    return 0;
}

/* "decks A B 01 (110 min)": the minutes are the decks' sum. */
TEST(test_minutes_of_lectures_are_those_of_their_decks)
{
    int lectures = 0;

    for (const char *at = strstr(guide, "decks "); at != NULL;
         at = strstr(at, "decks ")) {
        int sum = 0;
        char *end;

        at += strlen("decks ");
        if (strcspn(at, "(\n") == strcspn(at, "\n") ||
            strcspn(at, "(") > strcspn(at, ".,;|:"))
            continue; /* of decks it speaks in general */
        for (; *at != '('; at += strspn(at, " ")) {
            sum += minutes_of(at);
            at += strcspn(at, " (");
        }
        if (strtol(at + 1, &end, 10) != sum || strncmp(end, " min)", 5) != 0)
            fail_msg("INSTRUCTORS.md: not %d min: %.20s", sum, at);
        lectures++;
    }
    assert_true(lectures >= 10);
}

/* Numbers in front of "line" in the TODOs of a source. */
static int lines_asked_for(const char *source)
{
    int lines = 0;

    for (const char *at = strstr(source, "TODO "); at != NULL;
         at = strstr(at + 1, "TODO ")) {
        int count, lab, todo;

        if (sscanf(at, "TODO %d.%d (%d line", &lab, &todo, &count) == 3)
            lines += count;
    }
    return lines;
}

static int questions_in(const char *text)
{
    int count = 0;

    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        count += isdigit((unsigned char)*at) != 0;
    }
    return count;
}

/* The cells of a row of a table, which is changed; how many. */
static int cut(char *row, char *cell[], int most)
{
    int count = 0;

    for (char *rest, *c = strtok_r(row, "|\n", &rest);
         c != NULL && count < most; c = strtok_r(NULL, "|\n", &rest))
        cell[count++] = c + strspn(c, " ");
    return count;
}

/* | deck | minutes | lab | lines | minutes | questions | ... */
static void check_row(char *row)
{
    char path[200], name[80] = "";
    char *cell[8], *text;

    if (cut(row, cell, 8) < 6 || sscanf(cell[2], "%79s", name) != 1)
        return;
    snprintf(path, sizeof path, "labs/%s/%s.cu", name, name + 3);
    text = file_text(path);
    if (lines_asked_for(text) != strtol(cell[3], NULL, 10))
        fail_msg("INSTRUCTORS.md: %s asks for %d lines", name,
                 lines_asked_for(text));
    free(text);
    snprintf(path, sizeof path, "labs/%s/questions.txt", name);
    text = file_text(path);
    if (questions_in(text) != strtol(cell[5], NULL, 10))
        fail_msg("INSTRUCTORS.md: %s has %d questions", name,
                 questions_in(text));
    free(text);
}

TEST(test_each_deck_and_lab_stands_in_the_table)
{
    for (size_t i = 0; i < decks; i++) {
        char begin[400], row[400];
        const char *at;

        snprintf(begin, sizeof begin, "\n| %s ", deck[i].name);
        at = strstr(guide, begin);
        if (at == NULL) {
            fail_msg("INSTRUCTORS.md: no row of deck %s", deck[i].name);
            return;
        }
        snprintf(row, sizeof row, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
        at = strchr(at + 3, '|');
        if (at == NULL || strtol(at + 1, NULL, 10) != deck[i].minutes)
            fail_msg("INSTRUCTORS.md: deck %s has %d minutes", deck[i].name,
                     deck[i].minutes);
        check_row(row);
    }
}

/* Labs and exercises that a cell names are given out by then. What you show
   yourself needs not be. Returns how many it names. */
static int check_cell(const char *cell, int given)
{
    const char *about = "";
    int named = 0;

    for (const char *at = cell; *at != '\0'; at++) {
        const int number = (int)strtol(at, NULL, 10);
        const int is_lab = strcmp(about, "lab") == 0;

        if (*at == ';')
            about = "";
        if (*at == '`') /* a command */
            at += strcspn(at + 1, "`") + 1;
        if (strncmp(at, "you show", 8) == 0)
            at += strcspn(at, ";") - 1;
        if (strncmp(at, "lab ", 4) == 0 || strncmp(at, "labs ", 5) == 0)
            about = "lab";
        if (strncmp(at, "exercise", 8) == 0)
            about = "exercise";
        if (!isdigit((unsigned char)*at))
            continue;
        at += strspn(at, "0123456789") - 1;
        if (*about == '\0')
            continue;
        named++;
        if ((is_lab ? number : schedule_archive_of(guide, number)) > given ||
            (!is_lab && schedule_archive_of(guide, number) == 0))
            fail_msg("INSTRUCTORS.md: %s %02d is not given out by then: %s",
                     about, number, cell);
    }
    return named;
}

TEST(test_what_a_week_asks_for_is_given_out_by_then)
{
    struct schedule_meeting meeting[DECKS];
    const size_t meetings = schedule_read(guide, meeting, DECKS);
    int named = 0;

    assert_true(meetings >= 20);
    for (size_t i = 0; i < meetings; i++) {
        for (int k = 0; k < 4; k++)
            named += check_cell(meeting[i].asked[k], meeting[i].given);
    }
    assert_true(named >= 50);
}

ALL_TESTS(read_texts, free_all);
