/* clock.h: how much time has passed? */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds of a clock that is never set. */
double base_seconds(void);

#endif /* BASE_CLOCK_H */
