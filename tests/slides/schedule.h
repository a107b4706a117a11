/*
 * schedule.h: when is what shown, given out and handed in, by the tables of
 * INSTRUCTORS.md with a column "in by then"?
 */
#ifndef TESTS_SLIDES_SCHEDULE_H
#define TESTS_SLIDES_SCHEDULE_H

#include <stddef.h>

/* A row of such a table. */
struct schedule_meeting {
    int in, given;     /* the last labs handed in, and given out, by then */
    char lecture[60];  /* "decks 01 02 (65 min)" */
    char asked[4][90]; /* the cells behind it */
};

/* Reads at most so many rows from the guide's text; returns how many. */
size_t schedule_read(const char *guide, struct schedule_meeting *meeting,
                     size_t most);

/* The last lab of the archive with which an exercise is given out, by the table
   of archives; 0: none. */
int schedule_archive_of(const char *guide, int exercise);

#endif /* TESTS_SLIDES_SCHEDULE_H */
