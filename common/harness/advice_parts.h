/*
 * advice_parts.h: what do the parts of the advice share?
 *
 *   advice.c         which cost is told
 *   advice_cost.c    the sentences about one cost
 *   advice_missed.c  a number that the lab asks for and that is missed
 */
#ifndef LAB_ADVICE_PARTS_H
#define LAB_ADVICE_PARTS_H

#include "advice.h"
#include "simt/report.h"

#include <stddef.h>

struct lab_waste {
    enum lab_cost cost;
    double share;               /* of all wavefronts of that kind */
    const struct simt_row *row; /* that wastes most */
    double total;               /* wavefronts of all rows */
};

/* --- advice_cost.c -------------------------------------------------------- */

/* Adds a sentence, if there is room for one. */
__attribute__((format(printf, 2, 3))) void
lab_advice_say(struct lab_advice *advice, const char *format, ...);

/* Has the lab a handout about that cost, for who does the lab at hand? */
int lab_advice_is_about(const struct lab_spent *spent,
                        const struct course_lab *lab, enum lab_cost cost);

/* Names the labs about a cost: the lab at hand if it is one of them, or else
   those behind `after`; "": all. Returns 0 if there is none to name. */
int lab_advice_name_labs(const struct lab_spent *spent, enum lab_cost cost,
                         const char *after, struct lab_advice *advice);

/* "tiling.cu:46", or "The load of B in ..." where no line is known. Returns
   text. */
const char *lab_advice_place(char *text, size_t size,
                             const struct simt_row *row);

/* The line of which the text is printed. */
void lab_advice_show(struct lab_advice *advice, const char *file, int line);

/* Of one array's loads or stores alone; array NULL: of all. Its row is NULL if
   there is none. */
struct lab_waste lab_advice_waste(const struct simt_count *count,
                                  enum lab_cost cost, const char *array,
                                  enum simt_kind kind);
void lab_advice_tell_waste(const struct lab_spent *spent,
                           const struct lab_waste *w,
                           struct lab_advice *advice);

/* Names the loop that most jumps go to. Returns 0 if there is none. */
int lab_advice_tell_loop(const struct lab_spent *spent,
                         struct lab_advice *advice);

/* The sentence about a cost of the algorithm. Returns 0 if there is none. */
int lab_advice_tell_cost(const struct lab_spent *spent, enum lab_cost cost,
                         struct lab_advice *advice);

/* --- advice_missed.c ------------------------------------------------------ */

/* Says what the number comes from that is missed. Returns 0 if that is not
   known. */
int lab_advice_tell_missed(const struct lab_spent *spent,
                           struct lab_advice *advice);

/* Of lines the student's own, if there are some. Returns how many there are. */
int lab_advice_keep_own(const char *file, struct lab_lines *lines);

#endif /* LAB_ADVICE_PARTS_H */
