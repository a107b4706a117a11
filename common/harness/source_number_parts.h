/*
 * source_number_parts.h: what do the parts that read an expression share?
 *
 *   source_number.c        operands, operators, and the whole of it
 *   source_number_names.c  names, calls and loops
 */
#ifndef LAB_SOURCE_NUMBER_PARTS_H
#define LAB_SOURCE_NUMBER_PARTS_H

#include "source_number.h"

/* Where an expression is read. */
struct lab_at {
    size_t i, end;
    const struct lab_call *in;
};

extern const struct lab_value lab_unknown;

/* --- source_number.c ------------------------------------------------------ */

/* A whole number; lab_unknown if an int, or an unsigned, does not hold it. */
struct lab_value lab_number(long long n, int is_unsigned);

/* The mark there; 0 at the end. */
char lab_number_mark(const struct lab_walk *w, const struct lab_at *x);

/* One expression, up to a mark that ends it; the whole of what stands between
   two tokens; what stands from that token on, up to one of these marks. */
struct lab_value lab_number_one(struct lab_walk *w, struct lab_at *x);
struct lab_value lab_number_all(struct lab_walk *w, const struct lab_call *in,
                                size_t from, size_t end);
struct lab_value lab_number_to(struct lab_walk *w, const struct lab_call *in,
                               size_t from, const char *marks);

/* --- source_number_names.c ------------------------------------------------ */

/* Is one of " these words " between the two tokens? */
int lab_number_has_word(const struct base_tokens *t, size_t from, size_t to,
                        const char *words);

/* Is it the bracket of a cast? */
int lab_number_is_cast(const struct base_tokens *t, size_t i);

/* Is nothing between the token and the next? */
int lab_number_stand_together(const struct base_tokens *t, size_t i);

/* What becomes of the value in a variable whose type stands between these. */
struct lab_value lab_number_converted(const struct base_tokens *t, size_t from,
                                      size_t to, struct lab_value v);

/* How long the array is in its dimension of that number, from 0; 0: there is
   none; -1: it is not known. */
long long lab_number_dimension(struct lab_walk *w, size_t array, int nth);

/* The value of the name there, and of the call. */
struct lab_value lab_number_name(struct lab_walk *w, struct lab_at *x);
struct lab_value lab_number_call(struct lab_walk *w, struct lab_at *x);

#endif /* LAB_SOURCE_NUMBER_PARTS_H */
