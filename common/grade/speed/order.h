/*
 * order.h: what do the grader and a student's program on a GPU tell each other?
 *
 * The program reads a struct speed_order and behind it A and B from descriptor
 * 3. It writes C, m * n floats, to descriptor 4, and a struct speed_answer and
 * behind it the milliseconds of each run, as floats, to descriptor 5. Both are
 * on one machine and made by one compiler, so bytes are as they lie in memory.
 */
#ifndef GRADE_SPEED_ORDER_H
#define GRADE_SPEED_ORDER_H

#include <stdint.h>

enum {
    SPEED_ORDER = 0x53504431,
    SPEED_ANSWER = 0x53504132,
    SPEED_RUNS = 1000 /* the most */
};

struct speed_order {
    uint32_t magic;
    int32_t m, n, k;
    int32_t second; /* 1: lab_launch_b */
    int32_t runs;   /* timed ones */
};

struct speed_answer {
    uint32_t magic;
    int32_t runs;
    int32_t major, minor; /* compute capability */
    int32_t multiprocessors;
    int32_t clock; /* kHz, the highest */
    char device[256];
};

#endif /* GRADE_SPEED_ORDER_H */
