/*
 * source_number_parts.h: what do the parts that read an expression share?
 *
 *   source_number_type.c  types, casts, and which name is changed
 *   source_number_operators.c  what needs no other expression
 *   source_number.c       operands, names, operators, and the whole of it
 *   source_number_loop.c  a loop's variable
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

/* A whole number; lab_unknown if an int, or an unsigned, does not hold it. */
struct lab_value lab_number(long long n, int is_unsigned);

/* The mark there; 0 at the end. */
char lab_number_mark(const struct lab_walk *w, const struct lab_at *x);

/* threadIdx.x and its like: of the token of its name. 1, or 0: it is none. */
int lab_number_built_in(const struct lab_walk *w, size_t i,
                        struct lab_value *v);
struct lab_value lab_number_literal(const char *word);

/* The operator there, how strong it is (0: there is none), and its marks. */
#define LAB_KIND(a, b) ((a) << 8 | (b))
int lab_number_operator(const struct lab_walk *w, const struct lab_at *x,
                        int *kind);

/* What it makes of two numbers; lab_unknown of what is none. */
struct lab_value lab_number_operated(struct lab_value a, int kind,
                                     struct lab_value b);

/* The whole of what stands between
   two tokens; what stands from that token on, up to one of these marks. */
struct lab_value lab_number_all(struct lab_walk *w, const struct lab_call *in,
                                size_t from, size_t end);
struct lab_value lab_number_to(struct lab_walk *w, const struct lab_call *in,
                               size_t from, const char *marks);

/* Is one of " these words " between the two tokens? */
int lab_number_has_word(const struct base_tokens *t, size_t from, size_t to,
                        const char *words);

/* Is it the first word of a type? */
int lab_number_is_type(const struct base_tokens *t, size_t i);

/* Is it the bracket of a cast? */
int lab_number_is_cast(const struct base_tokens *t, size_t i);

/* Is nothing between the token and the next? */
int lab_number_stand_together(const struct base_tokens *t, size_t i);

/* What becomes of the value in a variable whose type stands between these. */
struct lab_value lab_number_converted(const struct base_tokens *t, size_t from,
                                      size_t to, struct lab_value v);

/* Is the name changed between the two tokens, but for the one at `but`? */
int lab_number_is_changed(const struct base_tokens *t, const char *word,
                          size_t from, size_t to, size_t but);

/* The bracket of the for loop in whose head the variable at that token begins,
   or LAB_NONE. */
size_t lab_number_loop_of(const struct base_tokens *t, size_t i);
#endif /* LAB_SOURCE_NUMBER_PARTS_H */
