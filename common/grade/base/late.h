/*
 * late.h: how late was something handed in, and what does that cost?
 */
#ifndef GRADE_LATE_H
#define GRADE_LATE_H

#include <time.h>

#include "grade/base/rubric.h"

/*
 * The time that a text says: "2026-11-06", which is the last second of that
 * day, "2026-11-06 18:00", also with seconds and their fractions, with a T for
 * the blank, and with a zone behind it, as Z, +01:00 or -0800; without one it
 * is this machine's. Returns -1 if it is none.
 */
time_t grade_time_read(const char *text);

/* Days that have begun since it was due: 0 in time, 1 from the first second
   to 24 hours. */
int grade_days_late(time_t due, time_t handed);

/* The share of the points that so many days leave, 0 to 1. With grace 2 and
   late 10, 0 to 2 days leave 1, 3 days 0.9, and 12 days nothing. */
double grade_late_share(const struct grade_rubric *rubric, int days);

#endif /* GRADE_LATE_H */
