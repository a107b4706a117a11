#define _POSIX_C_SOURCE 200809L
#include "schedule.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CELLS = 8,
    CELL = 90
};

/* The cells of a row, without blanks at their begins; returns how many. */
static int cut_row(const char *row, char cell[CELLS][CELL])
{
    int cells = 0;

    for (; *row == '|' && cells < CELLS; cells++) {
        row += 1 + strspn(row + 1, " ");
        snprintf(cell[cells], CELL, "%.*s", (int)strcspn(row, "|\n"), row);
        row += strcspn(row, "|\n");
    }
    return *row == '|' ? cells : cells - 1;
}

/* The last number of a cell; `else_` if it does not begin with one. */
static int last_number(const char *cell, int else_)
{
    const char *last = cell;

    if (!isdigit((unsigned char)*cell))
        return else_;
    for (const char *at = cell; *at != '\0'; at++) {
        if (isdigit((unsigned char)*at) &&
            (at == cell || !isdigit((unsigned char)at[-1])))
            last = at;
    }
    return (int)strtol(last, NULL, 10);
}

size_t schedule_read(const char *guide, struct schedule_meeting *meeting,
                     size_t most)
{
    struct schedule_meeting now = {.in = 0};
    int is_table = 0;
    size_t count = 0;

    for (const char *line = guide; line != NULL && count < most;
         line = strchr(line, '\n'), line += line != NULL) {
        char cell[CELLS][CELL];
        const int cells = cut_row(line, cell);

        is_table =
            *line == '|' && (is_table || strcmp(cell[1], "in by then ") == 0);
        if (!is_table || cells < 6 || !isdigit((unsigned char)*cell[0]))
            continue;
        if (strncmp(cell[2], "01", 2) == 0)
            now.in = 0; /* a course begins */
        now.in = last_number(cell[1], now.in);
        now.given = last_number(cell[2], now.given);
        snprintf(now.lecture, sizeof now.lecture, "%.59s", cell[3]);
        for (int i = 0; i < 4; i++)
            snprintf(now.asked[i], CELL, "%s",
                     i + 4 < cells ? cell[i + 4] : "");
        meeting[count++] = now;
    }
    return count;
}

int schedule_archive_of(const char *guide, int exercise)
{
    const char *row = strstr(guide, "| archive | exercises");

    if (row == NULL)
        return 0;
    while ((row = strchr(row, '\n')) != NULL && *++row == '|') {
        char cell[CELLS][CELL], *at;

        if (cut_row(row, cell) < 2)
            continue;
        for (at = cell[1]; isdigit((unsigned char)*at);) {
            if (strtol(at, &at, 10) == exercise)
                return last_number(cell[0], 0);
            at += strspn(at, ", ");
        }
    }
    return 0;
}
