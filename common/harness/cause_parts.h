/*
 * cause_parts.h: what the files that look for a cause (cause.h) share.
 *
 *   cause_identity.c  values of A and B that say which element they are
 *   cause_loads.c     what one thread has loaded, as multiply-adds
 *   cause_form.c      the index that gives all of C
 *   cause_rules.c     what the wrong terms have in common
 *   cause_wrong.c     the first term that is made of others
 *   cause_period.c    terms that a loop of several steps takes wrongly
 *   cause_missing.c   terms that are missing, too many, or there twice
 *   cause_store.c     what was stored to the element
 *   cause_way.c       what the block fetched, stored to shared memory and took
 *   cause_sets.c      sets of rows, columns and steps
 *   cause_block.c     an operand that a thread with several sums never takes
 *   cause_index.c     the lines that made an access's index
 *   cause_order.c     what such a thread has multiplied with what
 *   cause_sums.c      all operands are right: what else gives this value?
 *   cause.c           what became of each term, and which of these is said
 *
 * All add to the text of a->story.
 */
#ifndef LAB_CAUSE_PARTS_H
#define LAB_CAUSE_PARTS_H

#include "cause.h"

/* --- cause_identity.c ----------------------------------------------------- */

struct lab_known {
    float value;
    int at; /* index into A, or behind its end into B */
};

struct lab_identity {
    const float *A, *B;
    int m, n, k;
    struct lab_known *known; /* by value */
    size_t count;
};

enum lab_content {
    LAB_OF_A,
    LAB_OF_B,
    LAB_ZERO,
    LAB_UNSET, /* a NaN: nobody stored it */
    LAB_UNKNOWN
};

struct lab_load {
    enum lab_content what;
    int row, col; /* of LAB_OF_A and LAB_OF_B */
    enum lab_content
        stands; /* LAB_OF_A or LAB_OF_B: in the place of which it was taken */
    double value;
    const struct simt_access *step;
    int word;   /* of the step */
    int staged; /* 1: it was stored to shared memory, and read from there */
};

/* A[row][i] and B[i][col]. */
double lab_cause_a(const struct lab_identity *d, int row, int i);
double lab_cause_b(const struct lab_identity *d, int i, int col);

/* 1 if sums of terms that add up to this, without their signs, are exact. */
int lab_cause_is_exact(double size);

/* Says of a load which element its value is. */
void lab_cause_identify(const struct lab_identity *d, float value,
                        struct lab_load *load);

/* --- cause_loads.c -------------------------------------------------------- */

/* Loads of one kind and then of the other: a multiply-add's, or those of all
   products that a thread makes of them. */
struct lab_load_group {
    size_t first, middle, end; /* in the middle the kind changes */
};

/* Reads the steps from `from` to `to` into loads, and these into groups; where
   sums can only be made of pairs, into these by lab_cause_pair. Both return 0,
   or -1 without memory; a->load and a->group are to be freed in any case. */
int lab_cause_read(struct lab_account *a, size_t from, size_t to);
int lab_cause_pair(struct lab_account *a);

/* Two zeros, from where a tile hangs over the edge: they add nothing. */
int lab_cause_is_padding(const struct lab_account *a, int group);

/* "A[0][1] from As[0][1]"; " (tiling.cu:64)"; a path's last part. */
void lab_cause_say_load(struct lab_account *a, const struct lab_load *load);
void lab_cause_say_line(struct lab_account *a, const struct lab_load *load);
const char *lab_cause_file(const char *path);

/* A line of the story's function, above line `before` if that is not 0, that
   uses the array too and has made no access: it was not reached, or nobody uses
   what it makes. ", and line 9 loads nothing that is used" */
void lab_cause_say_unused(struct lab_account *a, const char *array, int before);

int lab_cause_is_element(const struct lab_load *load, enum lab_content what,
                         int row, int col);

/* Who it was, at the beginning of a sentence: "Its thread (1,0)". */
const char *lab_cause_who(const struct lab_account *a);

/* Keeps where the load was made; NULL: keeps nothing. */
void lab_cause_place(struct lab_account *a, const struct lab_load *load);

/* --- cause.c -------------------------------------------------------------- */

/* What became of one term of the sum, A[row][i] * B[i][col]. */
struct lab_term {
    int i;
    int times;                    /* how often both were taken together */
    const struct lab_load *a, *b; /* what was taken instead; NULL: nothing */
    int a_right, b_right;         /* the one that is right, if one is */
};

/* --- cause_form.c --------------------------------------------------------- */

enum lab_form {
    LAB_NO_FORM,
    LAB_EXCHANGED, /* row and column are, in all or in tiles */
    LAB_STILL,     /* it does not go along with k */
    LAB_OTHER_FORM
};

/* Says which index gives all of C, if one does: of A, or of B. Returns 1 or 0.
   lab_cause_form: what the index is that gives all of C, of which that of one
   element may be a part by chance. */
int lab_cause_say_form(struct lab_account *a);
enum lab_form lab_cause_form(const struct lab_account *a, enum lab_content of);
/* Do rows that are `pitch` apart give all of C? */
int lab_cause_is_pitch(const struct lab_account *a, enum lab_content of,
                       int pitch);

/* --- cause_rules.c -------------------------------------------------------- */

/* The indices that were taken of a matrix for all terms that are wrong there:
   that of term i is first + step * i. */
struct lab_fit {
    int terms; /* how many are wrong; 0: none, or no such fit */
    int first, step;
    int in_row; /* 1: all lie in the row of C that is looked into */
};

struct lab_fit lab_cause_fit(const struct lab_account *a, enum lab_content of);

/* Says what the wrong ones of one matrix have in common. Returns 1 if there is
   something, 2 if it is of this element alone, 0 if there is nothing. */
int lab_cause_say_rule(struct lab_account *a, enum lab_content of);

/* --- each says one thing and sets its places, if it is so: the rank, or 0 - */

/* cause_wrong.c: a term that is made of other elements; a value that is no
   element of A or B came from an array of which nothing else is known. */
enum lab_rank lab_cause_say_wrong(struct lab_account *a);
enum lab_rank lab_cause_say_odd(struct lab_account *a);

/* cause_period.c: in every few terms the same one is wrong. */
enum lab_rank lab_cause_say_period(struct lab_account *a);

/* cause_missing.c: terms that are not there; products that are none of the
   terms; terms that are there twice. */
enum lab_rank lab_cause_say_missing(struct lab_account *a);
enum lab_rank lab_cause_say_extra(struct lab_account *a);
enum lab_rank lab_cause_say_twice(struct lab_account *a);

/* cause_store.c: the thread stored the right value, so it has nothing to do
   with the cause; the element is read before it is stored; a load met a copy
   that was still under way; what was never set is in the sum: it was loaded,
   or is_rest: nothing else is wrong. */
enum lab_rank lab_cause_say_stored_right(struct lab_account *a);
enum lab_rank lab_cause_say_not_begun(struct lab_account *a);
enum lab_rank lab_cause_say_under_way(struct lab_account *a);
enum lab_rank lab_cause_say_unset(struct lab_account *a, int is_rest);

/* The sum of what was taken together, groups of one and one. */
double lab_cause_sum(const struct lab_account *a);

/* cause_sums.c: what the element holds, of which nothing else is known; all
   that was taken is right, and gives another value. */
enum lab_rank lab_cause_say_got(struct lab_account *a);
enum lab_rank lab_cause_say_sum(struct lab_account *a);

/* cause_order.c: of a thread that takes several operands before it multiplies,
   and of whose block all is known. */
enum lab_rank lab_cause_say_several(struct lab_account *a);

/* --- cause_way.c ---------------------------------------------------------- */

/* Reads what the block fetched, stored to shared memory and took from there
   into a->word, to be freed in any case. Returns 0, or -1 without memory. */
int lab_cause_read_block(struct lab_account *a);

/* What an access does with an element of A or B. */
enum lab_way {
    LAB_FETCH,
    LAB_STAGE,
    LAB_TAKE,
    LAB_NO_WAY
};

enum lab_way lab_cause_way(const struct simt_access *x);

/* The access whose value comes to the place that x stores to: the load of an
   asynchronous copy, which stands before it. */
const struct simt_access *lab_cause_source(const struct lab_account *a,
                                           const struct simt_access *x);

enum {
    LAB_ANYBODY = -1 /* any thread of the block */
};

/* Which of the block's words: those with which somebody fetched, stored or took
   elements of one matrix. */
struct lab_some {
    enum lab_way way;
    enum lab_content of;
    int thread; /* or LAB_ANYBODY */
};

int lab_cause_is_some(const struct lab_load *word, struct lab_some some);

/* The first of these with that element, and of any; or NULL. */
const struct lab_load *lab_cause_find_word(const struct lab_account *a,
                                           struct lab_some some, int row,
                                           int col);
const struct lab_load *lab_cause_find_any(const struct lab_account *a,
                                          struct lab_some some);

/* The step along k that an element of A or B belongs to. */
int lab_cause_step(const struct lab_load *load);

/* Is it of the element's row of A, or of its column of B? */
int lab_cause_is_own(const struct lab_account *a, const struct lab_load *word);

/* Those that the thread takes of a matrix: from shared memory, if it takes any
   from there. */
struct lab_some lab_cause_taken(const struct lab_account *a,
                                enum lab_content of);

/* What the thread takes of the element's row of A, or column of B, in its
   order. Returns how many; there is room for all words. */
size_t lab_cause_sequence(const struct lab_account *a, enum lab_content of,
                          const struct lab_load **sequence);

/* With which somebody of the block fetched the same element; or NULL. */
const struct lab_load *lab_cause_fetched(const struct lab_account *a,
                                         const struct lab_load *word);

/* --- cause_sets.c --------------------------------------------------------- */

/* Numbers from 0, added in their order. */
struct lab_set {
    int count, first, second, third, last;
    int gap;    /* of numbers that go on, the last that is left out */
    int is_odd; /* they do not go on by the same */
    int before; /* how many are less than that of the element */
};

void lab_set_add(struct lab_set *set, int number);

/* What of these is looked at. */
enum lab_axis {
    LAB_ROWS,
    LAB_COLS,
    LAB_OWN_STEPS /* along k, of its own row of A or column of B */
};

/* The set of these numbers; *has is 1 if `number` is one. */
struct lab_set lab_cause_set(const struct lab_account *a, struct lab_some some,
                             enum lab_axis axis, int number, int *has);

/* "rows 0 to 7", "rows 0, 16, 32, .., 112", "row 3", "9 of the rows 0 to 24";
   axis: LAB_ROWS or LAB_COLS. */
void lab_cause_say_set(struct lab_account *a, enum lab_axis axis,
                       struct lab_set s);

/* --- cause_block.c -------------------------------------------------------- */

/* The operand of term i is never taken; both: nor is the other. */
enum lab_rank lab_cause_say_absent(struct lab_account *a, enum lab_content of,
                                   int i, int both);

/* --- cause_index.c -------------------------------------------------------- */

/* Shows what makes the index of the array that the line of the story uses; or
   that only if it does not name the array. */
void lab_cause_show_index(struct lab_account *a);
void lab_cause_show_pointer(struct lab_account *a);

/* --- cause_store.c -------------------------------------------------------- */

/* The last store to the element, or NULL. */
const struct simt_access *lab_cause_last_store(const struct lab_account *a);

/* The number of different elements of C that the steps store to; *first and
   *end are those before and behind the last store to the element: what belongs
   to it alone, if it is stored once. */
int lab_cause_stored_elements(const struct lab_account *a, size_t *first,
                              size_t *end, int *times);

#endif /* LAB_CAUSE_PARTS_H */
